package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// kubeFlags are kubectl's flags for the cluster that is meant.
type kubeFlags struct{ kubeconfig, context, namespace string }

func (a *app) rootCommand(argv0 string) *cobra.Command {
	root := &cobra.Command{
		Use:   "runbook [FILE or NAME]",
		Short: "Walk a Markdown runbook, one step at a time, beside live cluster and Vault state",
		Long: `runbook walks a Markdown runbook for a bring-up, for secrets or for a teardown:
one step at a time, beside the live state of the cluster and of Vault, and asks
before anything is destroyed.

With a FILE, or the NAME of a runbook that "runbook list" shows, it opens that;
with nothing it offers a choice. Off a terminal it walks the steps as lines.

` + exitHelp,
		Example: `  runbook demo                                  # no cluster, no Vault, no account
  runbook runbooks/schmetterpause/bring-up.md
  runbook run bring-up --set VARIANT=external-secrets`,
		Args:          atMostOneFile,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	if strings.HasPrefix(filepath.Base(argv0), "kubectl-") {
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl runbook"}
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &usageError{what: err.Error(), hint: c.CommandPath() + " --help"}
	})
	flags := root.PersistentFlags()
	flags.StringVar(&a.kube.kubeconfig, "kubeconfig", "", "path of the kubeconfig file to use")
	flags.StringVar(&a.kube.context, "context", "", "the kubeconfig context to use")
	flags.StringVarP(&a.kube.namespace, "namespace", "n", "", "the namespace for what names none")
	open := openFlags{}
	open.add(root)
	root.RunE = func(c *cobra.Command, args []string) error {
		return a.watched(func() error { return a.openTUI(c.Context(), args, open) })
	}
	root.AddCommand(a.listCommand(), a.stepsCommand(), a.lintCommand(), a.riskCommand(), a.runCommand(), a.printCommand(),
		a.runsCommand(), a.reportCommand(), a.resumeCommand(),
		a.demoCommand(), a.sandboxCommand(), a.versionCommand())
	for _, c := range root.Commands() {
		if c.Long == "" {
			c.Long = c.Short + "."
		}
		c.Long += "\n\n" + exitHelp
	}
	return root
}

// atMostOneFile refuses a second argument in a sentence; an unknown word is
// then a file that doesn't exist, and is refused with the names that do.
func atMostOneFile(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return &usageError{what: "one runbook at a time: " + strings.Join(args, " "), hint: c.CommandPath() + " --help"}
	}
	return nil
}

// oneFile refuses anything but exactly one argument.
func oneFile(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return &usageError{what: c.Name() + ": which runbook?", hint: "runbook list shows what is known"}
	}
	return atMostOneFile(c, args)
}

// formats returns an error for an output format that a command doesn't have.
func formats(given string, allowed ...string) error {
	for _, f := range allowed {
		if given == f {
			return nil
		}
	}
	return &usageError{what: "no output format " + given, hint: "one of " + strings.Join(allowed, ", ")}
}
