package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"runbook/internal/cluster"
	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/journal"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/vault"
	"runbook/internal/world"
)

// A target is where a run happens, pinned before its first step.
type target struct {
	cluster *cluster.Target // nil when the runbook needs none and none is configured
	uid     string          // of kube-system
	vault   *vault.Client   // nil when the runbook needs none and none is configured
	where   guard.Where
	commit  func() string // of the runbook, for the record of a new run
}

// wait waits for what was begun ahead of a run.
func (t *target) wait() {
	if t.commit != nil {
		t.commit()
	}
}

// pinCluster fixes the cluster. A runbook that has nothing to do with one can
// be walked without.
func (a *app) pinCluster(ctx context.Context, r *steps.Runbook) (*target, error) {
	t := &target{}
	kubeconfig := a.kube.kubeconfig
	if kubeconfig == "" {
		kubeconfig, _ = a.env("KUBECONFIG")
	}
	k, err := cluster.Load(kubeconfig, a.kube.context)
	asked := a.kube.kubeconfig != "" || a.kube.context != ""
	if err != nil {
		if !asked && !needsCluster(r) {
			return t, nil
		}
		return nil, err
	}
	t.cluster = k
	if t.uid, err = k.Identify(ctx); err != nil {
		if !asked && !needsCluster(r) {
			return &target{}, nil
		}
		return nil, err
	}
	t.where = guard.Where{Context: k.Context, Server: k.Server, Namespace: k.Namespace, UID: t.uid, Verified: a.now()}
	return t, nil
}

// needsCluster tells whether a runbook is about a cluster at all.
func needsCluster(r *steps.Runbook) bool {
	if slices.Contains(r.Needs, "kubectl") {
		return true
	}
	for _, s := range r.Steps {
		if slices.ContainsFunc(subjects(s), func(x steps.Subject) bool { return x.Source == steps.Kube }) {
			return true
		}
		for _, b := range s.Blocks {
			if b.Action != nil && (b.Action.Verb == steps.SecretCreate || b.Action.Verb == steps.Apply) {
				return true
			}
			if b.Offered && b.Action == nil && touchesCluster(b.Code) {
				return true
			}
		}
	}
	return false
}

func touchesCluster(code string) bool {
	for _, t := range risk.Classify(code, risk.Context{}).Touches {
		if t.Kind != "" {
			return true
		}
	}
	return false
}

// subjects are all that the annotations of a step name.
func subjects(s steps.Step) []steps.Subject {
	var out []steps.Subject
	for _, e := range slices.Concat(s.Before, s.Expect) {
		out = append(out, e.Subject)
	}
	if s.Done != nil {
		out = append(out, s.Done.Subject)
	}
	return append(out, s.Watch...)
}

// needsVault tells whether a step that is taken needs Vault, and which.
func needsVault(p *steps.Plan) (step string, needed bool) {
	for _, s := range p.Steps {
		if !s.Taken {
			continue
		}
		if slices.ContainsFunc(subjects(s.Step), func(x steps.Subject) bool { return x.Source == steps.Vault }) {
			return s.ID, true
		}
		for _, b := range s.Blocks {
			if b.Action != nil && b.Action.Entry != "" {
				return s.ID, true
			}
		}
	}
	return "", false
}

// pinVault fixes the Vault, and asks it once whether it serves.
func (a *app) pinVault(ctx context.Context, t *target, p *steps.Plan) error {
	step, needed := needsVault(p)
	home, _ := a.env("HOME")
	settings, err := vault.ReadSettings(a.environ, filepath.Join(home, ".vault-token"))
	if err != nil {
		if !needed {
			return nil // what is protected there is then said to be not known
		}
		if errors.Is(err, vault.ErrNoAddress) {
			return &unreachableError{
				cause: fmt.Errorf("step %s needs Vault, and VAULT_ADDR is not set", step),
				hint:  "export VAULT_ADDR and log in with: vault login",
			}
		}
		return &unreachableError{cause: err, hint: "check the VAULT_… variables of the environment"}
	}
	client, err := vault.NewClient(settings, a.now)
	if err != nil {
		return err
	}
	if needed {
		if err := serves(ctx, client); err != nil {
			return err
		}
	}
	t.vault = client
	t.where.Vault, t.where.VaultNamespace = client.Address(), settings.Namespace
	return nil
}

// serves asks Vault whether it is up and knows the token.
func serves(ctx context.Context, c *vault.Client) error {
	h, err := c.Health(ctx)
	switch {
	case err != nil:
		return err
	case !h.Initialized:
		return &unreachableError{cause: fmt.Errorf("vault %s is not initialised", h.Address), hint: "vault operator init"}
	case h.Sealed:
		return &unreachableError{cause: fmt.Errorf("vault %s is sealed", h.Address), hint: "whoever holds the keys has to run: vault operator unseal"}
	}
	_, err = c.Token(ctx)
	return err
}

// note says what the operator must know of a target first: a teardown on a
// cluster that was never walked on before, or that isn't the one it was.
func (a *app) note(t *target, r *steps.Runbook) (string, error) {
	if t.cluster == nil {
		return "", nil
	}
	root, err := a.recordRoot()
	if err != nil {
		return "", err
	}
	names, err := journal.List(root)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		h, err := journal.ReadHeader(root, name)
		if err != nil || h.Context != t.where.Context {
			continue
		}
		if h.UID != "" && t.uid != "" && h.UID != t.uid {
			return fmt.Sprintf("context %s is another cluster than in the run %s", h.Context, h.Run), nil
		}
		if r.Purpose == steps.Teardown && (h.UID == "" || t.uid == "") {
			return fmt.Sprintf("can't tell whether context %s is the cluster of the run %s: kube-system could not be read", h.Context, h.Run), nil
		}
		return "", nil
	}
	if r.Purpose == steps.Teardown {
		return "context " + t.where.Context + " has not been walked on from this machine before", nil
	}
	return "", nil
}

// wanted splits what the engine wants among the watchers.
type clusterWatcher struct{ *cluster.Watcher }

func (w clusterWatcher) Want(n engine.Wanted) { w.Watcher.Want(n.Objects) }

type vaultWatcher struct{ *vault.Watcher }

func (w vaultWatcher) Want(n engine.Wanted) {
	w.Watcher.Want(vault.Wants{Entries: n.Entries, Caps: n.Caps})
}

type probeWatcher struct {
	watcher interface {
		Want([]string)
		Refresh()
	}
}

func (w probeWatcher) Want(n engine.Wanted) { w.watcher.Want(n.URLs) }
func (w probeWatcher) Refresh()             { w.watcher.Refresh() }

// deaf answers for a source that isn't configured: every question gets the
// reason at once, so that nobody waits for it.
type deaf struct {
	why   string
	sink  func(world.Update)
	vault bool // whether it stands for Vault; else for the cluster
}

func (d deaf) Refresh() {}

func (d deaf) Want(n engine.Wanted) {
	hidden := world.Fact{Presence: world.Hidden, Why: d.why}
	if !d.vault {
		for _, ref := range n.Objects {
			d.sink(world.Update{Object: &world.Object{Fact: hidden, Ref: ref}})
		}
		return
	}
	d.sink(world.Update{Health: &world.Health{Fact: hidden}})
	d.sink(world.Update{Token: &world.Token{Fact: hidden}})
	for _, path := range n.Entries {
		d.sink(world.Update{Entry: &world.Entry{Fact: hidden, Path: path}})
	}
	for _, path := range n.Caps {
		d.sink(world.Update{Caps: &world.Capabilities{Fact: hidden, Path: path}})
	}
}

// describe names a target in few words.
func (t *target) describe() string {
	var parts []string
	if t.where.Context != "" {
		parts = append(parts, "context "+t.where.Context, t.where.Server)
	}
	if t.where.Vault != "" {
		parts = append(parts, "vault "+t.where.Vault)
	}
	return strings.Join(parts, ", ")
}
