package guard

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"runbook/internal/risk"
)

// A namer is a way to name a cluster or a Vault: the kinds of thing that its
// value is compared with.
type namer int

const (
	notOurs namer = iota // a region, a database, a Docker daemon: no target of a run
	ofContext
	ofServer
	ofKubeconfig
	ofCluster // an entry of a kubeconfig, which can't be compared
	ofVault
	ofVaultNamespace
	ofArgo   // Argo CD's server, which a run doesn't pin: it acts on clusters of its own
	forLater // chooses another one for all later commands
	withoutVariable
)

var namers = map[string]namer{
	"--context": ofContext, "--kube-context": ofContext, "--kubecontext": ofContext,
	"-s": ofServer, "--server": ofServer, "--kube-apiserver": ofServer, "--kube-server": ofServer,
	"HELM_KUBECONTEXT": ofContext, "KUBE_CTX": ofContext, "HELM_KUBEAPISERVER": ofServer, "KUBE_HOST": ofServer,
	"KUBE_CONFIG_PATH": ofKubeconfig, "KUBE_CONFIG_PATHS": ofKubeconfig,
	"--argocd-context": ofArgo, "ARGOCD_SERVER": ofArgo,
	"-namespace": ofVaultNamespace, "-ns": ofVaultNamespace, "VAULT_NAMESPACE": ofVaultNamespace, "BAO_NAMESPACE": ofVaultNamespace,
	"--kubeconfig": ofKubeconfig, "KUBECONFIG": ofKubeconfig,
	"--cluster": ofCluster,
	"-address":  ofVault, "--address": ofVault, "VAULT_ADDR": ofVault, "BAO_ADDR": ofVault, "-agent-address": ofVault, "VAULT_AGENT_ADDR": ofVault,
	"use-context": forLater, "kubectl-ctx": forLater, "kubectx": forLater, "oc-login": forLater, "tsh": forLater, "minikube": forLater, "kind": forLater,
	"gcloud": forLater, "aws": forLater, "az": forLater, "cloud": forLater, "set-cluster": forLater,
	"argocd-context": forLater, "argocd-login": forLater, "unset": withoutVariable,
}

// pinnedIn are the variables in which steps get the pinned target, and a whole
// environment of them.
var pinnedIn = []string{"KUBECONFIG", "VAULT_ADDR", "BAO_ADDR", "VAULT_NAMESPACE", "BAO_NAMESPACE", "the environment"}

// others are the programs whose --context, --cluster, --server or -s is no
// cluster of ours.
var others = []string{"docker", "docker-compose", "podman", "podman-compose", "nerdctl", "gcloud", "aws", "az", "doctl", "hcloud",
	"scw", "civo", "ibmcloud", "oci", "linode-cli", "openstack", "consul", "nomad", "boundary", "waypoint", "curl", "wget", "kind", "minikube", "k3d"}

// kindOfTarget says what a target names.
func kindOfTarget(t risk.Target) namer {
	n := namers[t.How]
	if n == ofServer && argo(t.Command) {
		return ofArgo
	}
	if n == ofContext || n == ofServer || n == ofCluster || n == ofVault && strings.HasPrefix(t.How, "-") {
		for word := range strings.FieldsSeq(t.Command) {
			if slices.Contains(others, path.Base(word)) {
				return notOurs
			}
		}
	}
	return n
}

// argo tells whether a command is one of Argo CD's.
func argo(command string) bool {
	for word := range strings.FieldsSeq(command) {
		if path.Base(word) == "argocd" {
			return true
		}
	}
	return false
}

// targetWarnings says of every command that names another cluster or Vault than
// the pinned one.
func targetWarnings(q Request) []Warning {
	var out []Warning
	for _, r := range q.Results {
		for _, t := range r.Targets {
			if text := another(t, q.Where); text != "" && !slices.Contains(out, Warning{Text: text}) {
				out = append(out, Warning{Text: text})
			}
		}
		for _, t := range r.Touches {
			if w := (Warning{Text: "writes to the file that pins the cluster: later commands may go elsewhere than " + pinned(q.Where)}); t.Op != "read" && isOwn(t.Path, "KUBECONFIG") && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// another says that a target is another than the pinned one; "" when it isn't.
func another(t risk.Target, w Where) string {
	value := orElse(strings.TrimSpace(t.How+" "+t.Value), t.How)
	switch n := kindOfTarget(t); {
	case n == notOurs,
		n == ofContext && t.Value == w.Context && w.Context != "",
		n == ofServer && sameURL(t.Value, w.Server),
		n == ofKubeconfig && isOwn(t.Value, "KUBECONFIG"),
		n == ofVaultNamespace && (strings.Trim(t.Value, "/") == w.VaultNamespace || isOwn(t.Value, "VAULT_NAMESPACE") || isOwn(t.Value, "BAO_NAMESPACE")),
		n == withoutVariable && !slices.Contains(pinnedIn, t.Value),
		n == ofVault && (sameURL(t.Value, w.Vault) || isOwn(t.Value, "VAULT_ADDR") || isOwn(t.Value, "BAO_ADDR")):
		return ""
	case n == forLater && t.Value == w.Context && w.Context != "":
		return ""
	case n == withoutVariable:
		return fmt.Sprintf("without %s its commands go wherever the files of their tools say, and perhaps elsewhere than %s", t.Value, pinned(w))
	case n == ofArgo:
		return fmt.Sprintf("%s names the Argo CD that is asked, which a run doesn't pin: it may act on another cluster than %s", value, pinned(w))
	case n == ofVaultNamespace:
		return fmt.Sprintf("%s names another namespace of Vault than %s", value, orElse(w.VaultNamespace, "the root one of this run"))
	case n == forLater:
		return fmt.Sprintf("%s makes the commands behind it in this step go elsewhere than %s", value, pinned(w))
	case n == ofVault:
		return fmt.Sprintf("%s names another target than %s", value, orElse(w.Vault, "the Vault of this run, which has none"))
	default:
		return fmt.Sprintf("%s names another target than %s", value, pinned(w))
	}
}

// isOwn tells whether a value is the variable that steps get with the pinned
// target in it.
func isOwn(value, name string) bool { return value == "$"+name || value == "${"+name+"}" }

func sameURL(a, b string) bool {
	trim := func(s string) string { return strings.TrimRight(strings.ToLower(s), "/") }
	return b != "" && trim(a) == trim(b)
}

func pinned(w Where) string {
	if w.Context == "" {
		return "the one this run is pinned to"
	}
	return "context " + w.Context
}
