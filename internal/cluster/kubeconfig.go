package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// WriteKubeconfig writes a kubeconfig with this context and nothing else, so
// that a command run with it can't reach another cluster, and what names no
// namespace means the given one. Only the owner may read it; one that is there
// is replaced at once. Paths in it are absolute, embedded certificates and login
// plugins are kept as they are.
func (t *Target) WriteKubeconfig(path, namespace string) error {
	only, err := t.alone(t.raw)
	if err != nil {
		return fmt.Errorf("write kubeconfig %s: %w", path, err)
	}
	if c := only.Contexts[t.Context]; c != nil {
		c.Namespace = namespace
	}
	text, err := clientcmd.Write(only)
	if err != nil {
		return fmt.Errorf("write kubeconfig %s: %w", path, err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*") // made with mode 0600
	if err != nil {
		return fmt.Errorf("write kubeconfig: %w", err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write kubeconfig: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

// alone is what config says of this context only.
func (t *Target) alone(config api.Config) (api.Config, error) {
	only := *config.DeepCopy()
	only.CurrentContext = t.Context
	if err := api.MinifyConfig(&only); err != nil {
		return api.Config{}, err
	}
	return only, nil
}

// Drift says whether the kubeconfig that the target was loaded from says
// something else now. The target itself doesn't change.
func (t *Target) Drift() (text string, drifted bool) {
	now, err := t.rules.Load()
	if err != nil {
		return fmt.Sprintf("the run stays on %s; your kubeconfig can't be read any more: %v", t.Context, err), true
	}
	then, err := t.alone(t.raw)
	if err != nil {
		return err.Error(), true
	}
	if now.Contexts[t.Context] == nil {
		return fmt.Sprintf("the run stays on %s, %s; your kubeconfig has no such context any more", t.Context, t.Server), true
	}
	same, err := t.alone(*now)
	if err != nil {
		return fmt.Sprintf("the run stays on %s as it was; that context of your kubeconfig is broken now: %v", t.Context, err), true
	}
	if !equal(then, same) {
		return fmt.Sprintf("the run stays on %s, %s as it was; your kubeconfig says something else of that context now", t.Context, t.Server), true
	}
	if now.CurrentContext != t.current {
		return fmt.Sprintf("the run stays on %s; your kubeconfig says %s now", t.Context, orNone(now.CurrentContext)), true
	}
	return "", false
}

func orNone(context string) string {
	if context == "" {
		return "no context"
	}
	return context
}

func equal(a, b api.Config) bool {
	x, errX := clientcmd.Write(a)
	y, errY := clientcmd.Write(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// Strayed says what a kubeconfig written by [Target.WriteKubeconfig] says by now
// that it didn't: elsewhere, when commands would go to another target, or only
// that they would mean another namespace. It is "" when nothing of that changed;
// a login that was renewed isn't.
func (t *Target) Strayed(path, namespace string) (what string, elsewhere bool) {
	now, err := clientcmd.LoadFromFile(path)
	if err != nil {
		return "it can't be read any more", true
	}
	if now.CurrentContext != t.Context {
		return "it chose " + orNone(now.CurrentContext), true
	}
	then, errThen := t.alone(t.raw)
	same, errNow := t.alone(*now)
	if errThen != nil || errNow != nil {
		return "context " + t.Context + " is broken in it", true
	}
	is := same.Contexts[t.Context].Namespace
	for _, config := range []api.Config{then, same} {
		config.Contexts[t.Context].Namespace = ""
		for _, login := range config.AuthInfos {
			login.AuthProvider = nil // which writes its tokens there
		}
	}
	if !equal(then, same) {
		return "it says something else of context " + t.Context, true
	}
	if is != namespace {
		return is, false
	}
	return "", false
}
