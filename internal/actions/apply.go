package actions

import (
	"context"
	"errors"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"runbook/internal/cluster"
	"runbook/internal/steps"
)

// apply has the server compute what would change, says it, and then applies
// it. Where the server would refuse one object, none is applied.
func (r *Runner) apply(ctx context.Context, a *steps.Action, out io.Writer) error {
	var objects []*unstructured.Unstructured
	for _, m := range a.Manifests {
		o, err := parse(m)
		if err != nil {
			return err
		}
		objects = append(objects, &unstructured.Unstructured{Object: o})
	}
	planned := r.Cluster.Apply(ctx, objects, r.Namespace, true)
	if err := errors.Join(diff(out, planned), failed(planned)); err != nil {
		return err
	}
	done := r.Cluster.Apply(ctx, objects, r.Namespace, false)
	for _, d := range done {
		if _, err := fmt.Fprintf(out, "%s %s\n", d.Ref, d.Outcome); err != nil {
			return err
		}
	}
	return failed(done)
}

func failed(results []cluster.Applied) error {
	var errs []error
	for _, r := range results {
		errs = append(errs, r.Err)
	}
	return errors.Join(errs...)
}

// diff says what would change in objects that are there already.
func diff(out io.Writer, results []cluster.Applied) error {
	for _, r := range results {
		if r.Outcome != cluster.Configured {
			continue
		}
		for _, c := range r.Changes {
			if _, err := fmt.Fprintf(out, "%s: %s\n", r.Ref, c); err != nil {
				return err
			}
		}
	}
	return nil
}
