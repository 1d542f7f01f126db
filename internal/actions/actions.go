package actions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"runbook/internal/cluster"
	"runbook/internal/steps"
	"runbook/internal/vault"
)

// A Vault writes entries with check-and-set.
type Vault interface {
	Create(ctx context.Context, entry string, data map[string]vault.Secret) (vault.Written, error)
	Add(ctx context.Context, entry string, data map[string]vault.Secret) (vault.Written, error)
	Rotate(ctx context.Context, entry, property string, value vault.Secret, before func(version int) error) (vault.Written, error)
}

// A Cluster creates and applies objects.
type Cluster interface {
	Create(ctx context.Context, o *unstructured.Unstructured, dryRun bool) error
	Apply(ctx context.Context, objects []*unstructured.Unstructured, namespace string, dryRun bool) []cluster.Applied
}

// Runner carries out actions. A nil Vault or Cluster is one that isn't
// configured, which is an error of the action that needs it.
type Runner struct {
	Vault   Vault
	Cluster Cluster
	// Namespace is where manifests without one are meant.
	Namespace string
	// Run is the name of the run, which marks the Secrets that it makes; empty
	// means no mark.
	Run string
	// Begun are the times at which actions of the run were begun before, by their
	// lines, without an end that is known; by the clock of this machine, Now.
	Begun map[int][]time.Time
	Now   func() time.Time
	// Salt makes the fingerprints that rotations foretell; without it none is.
	Salt []byte
	Rand io.Reader
	// Hide is told every value that was made, before anything else sees it.
	Hide func(values ...string)
}

// The errors of an action that needs what isn't configured.
var (
	ErrNoVault   = errors.New("no Vault is configured: set VAULT_ADDR and log in")
	ErrNoCluster = errors.New("no cluster is configured: set KUBECONFIG or --kubeconfig")
)

// Do carries out one action and says on out what it did. One that is stopped may
// have written all the same: its next try knows that it was begun before.
//
// A rotation foretells what it is about to write, and doesn't when that could not
// be recorded; foretell may be nil.
func (r *Runner) Do(ctx context.Context, a *steps.Action, out io.Writer, foretell func(Intent) error) error {
	var at time.Time
	if r.Now != nil {
		at = r.Now()
	}
	err := r.do(ctx, a, out, foretell)
	if err != nil && ctx.Err() != nil && r.Now != nil && r.Begun != nil {
		r.Begun[a.Pos.Line] = append(r.Begun[a.Pos.Line], at)
	}
	return err
}

func (r *Runner) do(ctx context.Context, a *steps.Action, out io.Writer, foretell func(Intent) error) error {
	switch a.Verb {
	case steps.VaultCreate, steps.VaultAdd, steps.VaultRotate:
		if r.Vault == nil {
			return fmt.Errorf("%s %s: %w", a.Verb, a.Entry, ErrNoVault)
		}
		return r.vault(ctx, a, out, foretell)
	case steps.SecretCreate, steps.Apply:
		if r.Cluster == nil {
			return fmt.Errorf("%s: %w", a.Verb, ErrNoCluster)
		}
		if a.Verb == steps.Apply {
			return r.apply(ctx, a, out)
		}
		return r.secret(ctx, a, out)
	}
	return fmt.Errorf("%s: no such action", a.Verb)
}

// fill makes the values of an action, and has them hidden from then on.
func (r *Runner) fill(data []steps.ActionData) (map[string]vault.Secret, error) {
	specs := map[string]vault.Spec{}
	for _, d := range data {
		spec := vault.Spec{Generate: d.Generate, Bytes: d.Bytes, Template: d.Template}
		if d.Generate == "" && d.Template == "" {
			spec.Literal = &d.Literal
		}
		specs[d.Key] = spec
	}
	values, err := vault.Fill(specs, r.Rand)
	if err != nil {
		return nil, err
	}
	for _, d := range data {
		if d.Generate != "" || d.Template != "" {
			r.Hide(values[d.Key].Reveal())
		}
	}
	return values, nil
}

func (r *Runner) vault(ctx context.Context, a *steps.Action, out io.Writer, foretell func(Intent) error) error {
	values, err := r.fill(a.Data)
	if err != nil {
		return fmt.Errorf("%s %s: %w", a.Verb, a.Entry, err)
	}
	var w vault.Written
	switch a.Verb {
	case steps.VaultCreate:
		w, err = r.Vault.Create(ctx, a.Entry, values)
	case steps.VaultAdd:
		w, err = r.Vault.Add(ctx, a.Entry, values)
	default:
		w, err = r.Vault.Rotate(ctx, a.Entry, a.Property, values[a.Property], r.foretelling(values[a.Property], foretell))
	}
	if err != nil {
		text, err := r.made(a, values, err)
		if err == nil {
			_, err = fmt.Fprintln(out, text)
		}
		return err
	}
	return said(out, w, a.Verb)
}

func said(out io.Writer, w vault.Written, verb steps.ActionVerb) error {
	if len(w.Keys) == 0 {
		_, err := fmt.Fprintf(out, "vault %s: nothing to do, every key is there\n", w.Entry)
		return err
	}
	done := map[steps.ActionVerb]string{steps.VaultCreate: "created", steps.VaultAdd: "added", steps.VaultRotate: "rotated"}[verb]
	version := ""
	if w.Version > 0 {
		version = fmt.Sprintf(", version %d", w.Version)
	}
	_, err := fmt.Fprintf(out, "vault %s: %s %s%s\n", w.Entry, done, strings.Join(w.Keys, ", "), version)
	return err
}

// madeBy is the annotation that says which action of which run made a Secret.
const madeBy = "runbook.dev/run"

// mark is the value of [madeBy]: the run, and the line of the action in its
// runbook.
func (r *Runner) mark(a *steps.Action) string { return fmt.Sprintf("%s.%d", r.Run, a.Pos.Line) }

// secret creates a Secret and refuses one that exists: creating is never a
// rotation. One that this very action of this run has made, before the run was
// cut off, is left as it is.
func (r *Runner) secret(ctx context.Context, a *steps.Action, out io.Writer) error {
	values, err := r.fill(a.Data)
	if err != nil {
		return fmt.Errorf("create secret %s: %w", a.Name, err)
	}
	data := map[string]any{}
	for key, v := range values {
		data[key] = v.Reveal()
	}
	object := map[string]any{
		"apiVersion": "v1", "kind": "Secret",
		"stringData": data,
	}
	meta := map[string]any{"name": a.Name, "namespace": a.Namespace}
	if r.Run != "" {
		meta["annotations"] = map[string]any{madeBy: r.mark(a)}
	}
	object["metadata"] = meta
	if a.Type != "" {
		object["type"] = a.Type
	}
	err = r.Cluster.Create(ctx, &unstructured.Unstructured{Object: object}, false)
	if err != nil {
		text, err := r.made(a, values, err)
		if err == nil {
			_, err = fmt.Fprintln(out, text)
		}
		return err
	}
	_, err = fmt.Fprintf(out, "secret/%s in %s: created with keys %s\n", a.Name, a.Namespace, strings.Join(slices.Sorted(maps.Keys(values)), ", "))
	return err
}
