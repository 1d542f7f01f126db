// Command runbook reads flags and environment, builds the real parts, runs one
// front end, and maps the error to an exit code.
package main

import (
	"context"
	"io"
	"os"
	"runtime/debug"
	"time"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"runbook/internal/engine"
	"runbook/internal/redact"
	"runbook/internal/rescue"
)

// starting lets the heap grow until a run has begun: what is made until then
// stays, so that looking for garbage earlier only costs time.
const starting = 400 // percent

func main() {
	os.Exit(int(ownProcess().run(os.Args)))
}

// ownProcess is the app that this process is for.
func ownProcess() *app {
	steady := debug.SetGCPercent(starting)
	in, out := os.Stdin, os.Stdout
	return &app{
		in: in, out: out, errOut: rescue.Stderr(),
		environ: os.Environ(), getwd: os.Getwd, now: time.Now,
		terminal: term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd())) && !dumb(os.Environ()), process: true,
		begun: func() { debug.SetGCPercent(steady) },
	}
}

// An app is the program without the process: tests make one, and only main exits.
type app struct {
	in           io.Reader
	out, errOut  io.Writer
	environ      []string
	getwd        func() (string, error)
	now          func() time.Time
	terminal     bool                                // whether a person sits in front of in and out, on a screen that can be drawn on
	process      bool                                // whether it has this process for itself
	watcher      *rescue.Watcher                     // stands by while a run is walked; nil without
	demonstrates bool                                // on a sandbox that ends with it
	tap          func(engine.Journal) engine.Journal // stands before the record; nil for none
	begun        func()                              // called when a run has begun; nil for nothing

	jobs *jobs // of the process
	kube kubeFlags
	hide *redact.Redactor // see secrets
	bare io.Writer        // out before it was guarded: for what only programs read
}

// run carries out one command line and returns the exit code.
func (a *app) run(args []string) exitCode {
	a.jobs = &jobs{}
	ctx, stop := a.jobs.context()
	defer stop()
	flush := a.guarded()
	root := a.rootCommand(args[0])
	root.SetIn(a.in)
	root.SetOut(a.forHelp())
	root.SetErr(a.errOut)
	dress(ctx, root)
	root.SetArgs(args[1:])
	err := root.ExecuteContext(ctx)
	if err != nil && ctx.Err() != nil {
		err = &interruptedError{cause: err}
	}
	report(spoken{a.errOut, a.secrets()}, err)
	_ = flush() // there is nobody to tell that standard output is closed
	return codeOf(err)
}

// dress gives the commands their help. That fang also carries a command out is
// put up with by having it carry out none: of an error it would first ask the
// terminal for its background, which some never answer and others too late.
func dress(ctx context.Context, root *cobra.Command) {
	run := root.RunE
	defer func() { root.RunE = run }()
	root.RunE = func(*cobra.Command, []string) error { return nil }
	root.SetArgs([]string{})
	_ = fang.Execute(ctx, root, fang.WithVersion(version())) // which nothing can go wrong in
}

// env returns a variable of the environment that the program was started with.
func (a *app) env(name string) (string, bool) {
	value, found := "", false
	for _, kv := range a.environ {
		if len(kv) > len(name) && kv[len(name)] == '=' && kv[:len(name)] == name {
			value, found = kv[len(name)+1:], true // the last one wins, as in a shell
		}
	}
	return value, found
}
