package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// A Target is the one cluster that a run is about. It is pinned when it is
// loaded: whatever happens to the kubeconfig afterwards, it stays the same.
type Target struct {
	Context   string
	Server    string
	Namespace string // of the context; "default" when it names none
	Config    *rest.Config

	rules   *clientcmd.ClientConfigLoadingRules
	raw     api.Config
	current string // the kubeconfig's current context when it was loaded
	client  *Client
}

// A TargetError says why there is no cluster to work on, and what to do.
type TargetError struct {
	Text string
	Hint string
	Err  error // may be nil
}

func (e *TargetError) Error() string { return e.Text }
func (e *TargetError) Unwrap() error { return e.Err }

// Load reads the kubeconfig as kubectl does: kubeconfig is a path or a list of
// paths, or "" for $KUBECONFIG and else ~/.kube/config. An empty context means
// the current one. Nothing is asked of the server. The error is a
// [*TargetError].
func Load(kubeconfig, context string) (*Target, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.WarnIfAllMissing, rules.MigrationRules = false, nil
	if kubeconfig != "" {
		rules.Precedence = filepath.SplitList(kubeconfig)
	}
	raw, err := rules.Load()
	if err != nil {
		return nil, &TargetError{Text: "read kubeconfig " + where(rules) + ": " + err.Error(), Err: err,
			Hint: "mend the file, or name another one with --kubeconfig"}
	}
	t := &Target{Context: cmp.Or(context, raw.CurrentContext), rules: rules, raw: *raw, current: raw.CurrentContext}
	if err := t.check(); err != nil {
		return nil, err
	}
	config := clientcmd.NewNonInteractiveClientConfig(*raw, t.Context, &clientcmd.ConfigOverrides{}, rules)
	if t.Config, err = config.ClientConfig(); err != nil {
		return nil, t.badConfig(err)
	}
	// A plugin that asks on the terminal would draw over the screen and wait
	// for keys that never come.
	if t.Config.ExecProvider != nil {
		t.Config.ExecProvider = t.Config.ExecProvider.DeepCopy() // the kubeconfig's own stays as it is
		t.Config.ExecProvider.InteractiveMode = api.NeverExecInteractiveMode
	}
	t.Server = t.Config.Host
	if t.Namespace, _, err = config.Namespace(); err != nil {
		return nil, t.badConfig(err)
	}
	if t.client, err = Connect(t.Config); err != nil {
		return nil, t.badConfig(err)
	}
	return t, nil
}

func where(rules *clientcmd.ClientConfigLoadingRules) string {
	return strings.Join(rules.Precedence, ", ")
}

// check wants the context to be there, with everything it names.
func (t *Target) check() error {
	names := slices.Sorted(maps.Keys(t.raw.Contexts))
	if len(names) == 0 {
		text := "no kubeconfig: looked for " + where(t.rules)
		if anyExists(t.rules.Precedence) {
			text = "the kubeconfig " + where(t.rules) + " has no context"
		}
		return &TargetError{Text: text, Hint: "name one with --kubeconfig or KUBECONFIG"}
	}
	list := "contexts: " + strings.Join(names, ", ")
	if t.Context == "" {
		return &TargetError{Text: "the kubeconfig has no current context", Hint: "choose one with --context; " + list}
	}
	chosen, ok := t.raw.Contexts[t.Context]
	if !ok {
		hint := list
		if near := nearest(t.Context, names); near != "" {
			hint = fmt.Sprintf("did you mean %q? %s", near, list)
		}
		return &TargetError{Text: fmt.Sprintf("the kubeconfig has no context %q", t.Context), Hint: hint}
	}
	if t.raw.Clusters[chosen.Cluster] == nil {
		return &TargetError{Text: fmt.Sprintf("context %q names the cluster %q, which the kubeconfig doesn't have", t.Context, chosen.Cluster)}
	}
	if chosen.AuthInfo != "" && t.raw.AuthInfos[chosen.AuthInfo] == nil {
		return &TargetError{Text: fmt.Sprintf("context %q names the user %q, which the kubeconfig doesn't have", t.Context, chosen.AuthInfo)}
	}
	return nil
}

func anyExists(paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		_, err := os.Stat(p)
		return !errors.Is(err, fs.ErrNotExist)
	})
}

func (t *Target) badConfig(err error) error {
	return &TargetError{Text: fmt.Sprintf("use context %q: %v", t.Context, err), Err: err}
}

// Client talks to the target.
func (t *Target) Client() *Client { return t.client }

// Identify asks the cluster who it is: the UID of its kube-system namespace,
// which no other cluster has. It is "" where that may not be read. The error is
// a [*TargetError]: unreachable, or the login isn't taken.
func (t *Target) Identify(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	namespaces := schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	o, err := t.client.dynamic.Resource(namespaces).Get(ctx, "kube-system", metav1.GetOptions{})
	switch {
	case err == nil:
		return string(o.GetUID()), nil
	case apierrors.IsForbidden(err), apierrors.IsNotFound(err):
		return "", nil
	}
	e := &TargetError{Text: fmt.Sprintf("reach %s (context %q): %s", t.Server, t.Context, t.client.why(err)), Err: err}
	switch {
	case refused(err):
		e.Hint = fmt.Sprintf("log in as you do for kubectl; `kubectl --context %s get ns` shows whether it worked", t.Context)
	case strings.Contains(e.Text, "certificate"):
		e.Hint = "the kubeconfig may be of another or an older cluster"
	default:
		e.Hint = "is the VPN up, and the cluster running?"
	}
	return "", e
}

// nearest is the name that somebody may have meant, or "".
func nearest(name string, among []string) string {
	best, far := "", 1+len(name)/3
	for _, a := range among {
		if d := distanceOf(strings.ToLower(name), strings.ToLower(a)); d <= far && (best == "" || d < distanceOf(strings.ToLower(name), strings.ToLower(best))) {
			best = a
		}
	}
	return best
}

// distanceOf counts the letters to change, add or leave out.
func distanceOf(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		above := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := above
			if a[i] != b[j] {
				cost++
			}
			above = row[j+1]
			row[j+1] = min(cost, above+1, row[j]+1)
		}
	}
	return row[len(b)]
}
