package main

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/net/http/httpproxy"

	"runbook/internal/actions"
	"runbook/internal/cluster"
	"runbook/internal/engine"
	"runbook/internal/journal"
	"runbook/internal/probe"
	"runbook/internal/redact"
	"runbook/internal/shell"
	"runbook/internal/steps"
	"runbook/internal/survey"
	"runbook/internal/vault"
	"runbook/internal/world"
)

// A walk is one run with all its parts, until it is closed.
type walk struct {
	*engine.Engine
	record   *journal.Writer
	hide     *redact.Redactor
	closers  []func() error   // in the order they are called
	restored []engine.Noticed // of the operator's edits, when the run is resumed
	strays   *strays          // of a run that is resumed
}

// Close ends the run's parts, each waiting for what it has started.
func (w *walk) Close() error {
	var errs []error
	for _, c := range w.closers {
		errs = append(errs, c())
	}
	w.closers = nil
	return errors.Join(errs...)
}

// begin binds the parameters, pins the target and builds the engine of a new run.
func (a *app) begin(ctx context.Context, r *steps.Runbook, v steps.Values, t *target) (*walk, error) {
	return a.goOn(ctx, r, v, t, nil)
}

// goOn is begin for a run that has a record already; nil means a new run.
func (a *app) goOn(ctx context.Context, r *steps.Runbook, v steps.Values, t *target, past *journal.Record) (_ *walk, err error) {
	defer t.wait()
	a.hideSecrets(r, v)
	plan, err := r.Bind(v)
	if err != nil {
		return nil, err
	}
	pinned := *t
	if err := a.pinVault(ctx, &pinned, plan); err != nil {
		return nil, err
	}
	ofContext := pinned.where.Namespace
	pinned.where.Namespace = a.namespace(plan.Values, ofContext)
	if pinned.where.Note, err = a.note(&pinned, r); err != nil {
		return nil, err
	}
	if err := sameTarget(past, pinned.where); err != nil {
		return nil, err
	}
	b := &builder{app: a, plan: plan, target: &pinned, past: past, ofContext: ofContext, hide: a.secrets(), walk: &walk{}}
	b.walk.hide = b.hide
	defer func() {
		if err != nil {
			err = errors.Join(err, b.walk.Close())
		}
	}()
	w, err := b.build(ctx)
	if err == nil && a.begun != nil {
		a.begun()
	}
	return w, err
}

// namespace is where objects without one are meant: the flag's, else that of
// the runbook's parameter, else the context's.
func (a *app) namespace(v steps.Values, ofContext string) string {
	if a.kube.namespace != "" {
		return a.kube.namespace
	}
	if ns := v.Text("NAMESPACE"); ns != "" {
		return ns
	}
	return ofContext
}

// A builder puts the parts of one walk together.
type builder struct {
	app    *app
	plan   *steps.Plan
	target *target
	past   *journal.Record // of a run that is resumed; nil for a new one
	// ofContext is the namespace that the cluster's context names.
	ofContext string
	hide      *redact.Redactor
	walk      *walk
	dir       string // private, for the session and the kubeconfig
	runner    *actions.Runner
}

func (b *builder) build(ctx context.Context) (*walk, error) {
	if b.target.vault != nil {
		b.hide.Add(b.target.vault.AuthToken().Reveal())
	}
	if err := b.openRecord(ctx); err != nil {
		return nil, err
	}
	if err := b.makeDir(); err != nil {
		return nil, err
	}
	sh, err := b.openSession()
	if err != nil {
		return nil, err
	}
	updates, sink, stop := facts()
	cfg := engine.Config{
		Plan: b.plan, Run: steps.NewRun(b.plan), Shell: sh, Watchers: b.watchers(ctx, sink),
		Journal: b.journal(), Updates: updates, Read: readSmall, Where: b.target.where, Split: shell.Statements, Hide: b.hide, Now: b.app.now,
		Namespace: b.namespace, Admit: b.admit,
	}
	if cfg.Actions, err = b.actions(); err != nil {
		return nil, err
	}
	cfg.Surveyor, cfg.Learner = b.surveyor(), b.learner()
	if b.target.cluster != nil {
		cfg.Drift, cfg.Ticks = b.drift, b.ticks()
	}
	if cfg.Keeper, err = b.keeper(); err != nil {
		return nil, err
	}
	if err := b.recall(ctx, &cfg); err != nil {
		return nil, err
	}
	b.walk.Engine = engine.New(ctx, cfg)
	// The engine ends first, then what feeds it; the record is closed last.
	b.closing(func() error { stop(); b.walk.Engine.Close(); return nil })
	return b.walk, nil
}

// journal is where the engine writes: the record, behind what a test puts in front.
func (b *builder) journal() engine.Journal {
	if b.app.tap != nil {
		return b.app.tap(recorder{b.walk.record})
	}
	return recorder{b.walk.record}
}

// closing has f called when the walk is closed, before all that were given earlier.
func (b *builder) closing(f func() error) {
	b.walk.closers = append([]func() error{f}, b.walk.closers...)
}

func (b *builder) openRecord(ctx context.Context) error {
	root, err := b.app.recordRoot()
	if err != nil {
		return err
	}
	if b.past != nil {
		return b.continueRecord()
	}
	w, err := journal.Create(root, b.app.header(b.plan, b.target), b.hide, b.app.now)
	if err != nil {
		return &usageError{what: "keep the record: " + err.Error(), hint: "set XDG_STATE_HOME to a folder that can be written"}
	}
	b.walk.record = w
	b.app.resumable(filepath.Base(w.Dir()))
	b.closing(w.Close)
	return nil
}

// makeDir makes the private folder of the walk's processes, and removes those
// of walks that were killed.
func (b *builder) makeDir() error {
	record := b.walk.record.Dir()
	if err := sweepPrivate(filepath.Dir(record), record); err != nil {
		return fmt.Errorf("remove what a killed run has left: %w", err)
	}
	dir, err := os.MkdirTemp("", privatePrefix)
	if err != nil {
		return fmt.Errorf("make private folder: %w", err)
	}
	remove, err := notePrivate(record, dir)
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	b.dir = dir
	b.app.watcher.Private(b.walk.record.Run(), dir)
	b.closing(remove)
	return nil
}

// openSession starts the shell session with the pinned target in its
// environment: whatever changes outside, its commands hit what was confirmed.
func (b *builder) openSession() (session, error) {
	var pinned []string
	var place func() error
	var stayed func() string
	if b.target.cluster != nil {
		path := filepath.Join(b.dir, "kubeconfig")
		place, stayed = b.placing(path), b.staying(path)
		pinned = append(pinned, "KUBECONFIG="+path)
	}
	if b.target.vault != nil {
		pinned = append(pinned, "VAULT_ADDR="+b.target.vault.Address(), "VAULT_NAMESPACE="+b.target.where.VaultNamespace)
	}
	env := append(append([]string{}, b.app.environ...), shell.RunMark+"="+b.walk.record.Run(), "RUNBOOK_RECORD="+b.walk.record.Dir())
	wd, err := b.workingDir()
	if err != nil {
		return session{}, err
	}
	s, err := shell.New(shell.Options{Dir: wd, Env: env, Pinned: pinned, StateDir: filepath.Join(b.dir, "session"), Redactor: b.hide, Now: b.app.now})
	if err != nil {
		return session{}, err
	}
	b.closing(func() error {
		_, err := s.Close(context.Background()) // the walk's own context may have ended already
		return err
	})
	return session{Session: s, errOut: b.app.watcher.Stderr(), place: place, stayed: stayed}, nil
}

// placing writes the kubeconfig of the steps, and writes it anew when the run
// has moved to another namespace: a bare kubectl must hit what was confirmed.
func (b *builder) placing(path string) func() error {
	var is string
	return func() error {
		namespace := b.where().Namespace
		if namespace == is {
			return nil
		}
		if err := b.target.cluster.WriteKubeconfig(path, namespace); err != nil {
			return err
		}
		is = namespace
		return nil
	}
}

// surveyor lists what goes with what a step takes away.
func (b *builder) surveyor() engine.Surveyor {
	s := survey.Surveyor{}
	if b.target.cluster != nil {
		s.Lister = b.target.cluster.Client()
	}
	if b.target.vault != nil {
		s.Vault = b.target.vault
	}
	return surveyor{Surveyor: s, where: b.where}
}

// facts is the way from the watchers to the engine. After stop the sink drops
// what comes, so that no watcher waits for an engine that is gone.
func facts() (updates <-chan world.Update, sink func(world.Update), stop func()) {
	c, done := make(chan world.Update), make(chan struct{})
	var once sync.Once
	return c, func(u world.Update) {
		select {
		case c <- u:
		case <-done:
		}
	}, func() { once.Do(func() { close(done) }) }
}

func (b *builder) watchers(ctx context.Context, sink func(world.Update)) []engine.Watcher {
	return []engine.Watcher{b.watchCluster(sink), b.watchVault(ctx, sink), b.watchProbes(ctx, sink)}
}

func (b *builder) watchCluster(sink func(world.Update)) engine.Watcher {
	if b.target.cluster == nil {
		return deaf{why: "no cluster is configured", sink: sink}
	}
	w := cluster.Watch(b.target.cluster.Client(), cluster.Options{Now: b.app.now}, sink)
	b.closing(func() error { w.Close(); return nil })
	return clusterWatcher{w}
}

func (b *builder) watchVault(ctx context.Context, sink func(world.Update)) engine.Watcher {
	if b.target.vault == nil {
		return deaf{why: "no Vault is configured", sink: sink, vault: true}
	}
	w := vault.NewWatcher(b.target.vault, sink, vault.WatchOptions{})
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); w.Run(ctx) }()
	b.closing(func() error { cancel(); <-done; return nil })
	return vaultWatcher{w}
}

func (b *builder) watchProbes(ctx context.Context, sink func(world.Update)) engine.Watcher {
	c := probe.NewClient(b.app.roots, b.app.proxy(), b.app.now)
	w := probe.NewWatcher(ctx, c.Ask, sink, nil)
	b.closing(func() error { w.Close(); return nil })
	return probeWatcher{w}
}

// proxy is the one that the environment names, as curl and Go would use it.
func (a *app) proxy() func(*url.URL) (*url.URL, error) {
	first := func(names ...string) string {
		for _, n := range names {
			if v, ok := a.env(n); ok && v != "" {
				return v
			}
		}
		return ""
	}
	cfg := httpproxy.Config{
		HTTPProxy:  first("http_proxy", "HTTP_PROXY"),
		HTTPSProxy: first("https_proxy", "HTTPS_PROXY"),
		NoProxy:    first("no_proxy", "NO_PROXY"),
	}
	return cfg.ProxyFunc()
}

// roots are the certificates that SSL_CERT_FILE names; nil means the system's.
func (a *app) roots() *x509.CertPool {
	path, ok := a.env("SSL_CERT_FILE")
	if !ok {
		return nil
	}
	pem, err := os.ReadFile(path)
	if err != nil {
		return nil // as Go's own loader: then the system's have to do
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	return pool
}
