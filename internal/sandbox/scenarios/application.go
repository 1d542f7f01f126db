package scenarios

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"runbook/internal/sandbox/operators"
)

// app is the application with everything in order; scenarios change one thing about it.
func app() values {
	v := values{SessionProperty: "session-key", RouteNamesNamespace: true}
	v.SessionKey, v.Password = base64.StdEncoding.EncodeToString(random(32)), hex.EncodeToString(random(24))
	v.DatabaseURL = "postgres://schmetterpause:" + v.Password + "@schmetterpause-db-rw:5432/schmetterpause"
	return v
}

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails: crypto/rand ends the program instead
	return b
}

func (s *Stage) namespace(ctx context.Context) error {
	return s.create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": s.Namespace}}})
}

// entry writes the application's Vault entry.
func (s *Stage) entry(ctx context.Context, v values) error {
	_, err := s.Vault.KVv2(s.Cluster).Put(ctx, "schmetterpause", map[string]any{
		"session-key": v.SessionKey, "username": "schmetterpause", "password": v.Password})
	if err != nil {
		return fmt.Errorf("write vault entry: %w", err)
	}
	return nil
}

// bringUp applies the files in order.
func (s *Stage) bringUp(ctx context.Context, v values, files ...string) error {
	if err := s.namespace(ctx); err != nil {
		return err
	}
	for _, f := range files {
		if err := s.apply(ctx, f, v); err != nil {
			return err
		}
	}
	return nil
}

func (s *Stage) settled(ctx context.Context) error {
	if err := s.await(ctx, operators.Clusters, s.Namespace, "schmetterpause-db", has("Ready")); err != nil {
		return err
	}
	if err := s.await(ctx, operators.HTTPRoutes, s.Namespace, "schmetterpause", accepted); err != nil {
		return err
	}
	return s.await(ctx, operators.Deployments, s.Namespace, "schmetterpause", available)
}

func deployed(ctx context.Context, s *Stage) error {
	if err := platform(ctx, s); err != nil {
		return err
	}
	v := app()
	if err := s.entry(ctx, v); err != nil {
		return err
	}
	if err := s.bringUp(ctx, v, "secrets-external.yaml", "application.yaml", "database.yaml"); err != nil {
		return err
	}
	return s.settled(ctx)
}

func deployedOrdinary(ctx context.Context, s *Stage) error {
	if err := platform(ctx, s); err != nil {
		return err
	}
	if err := s.bringUp(ctx, app(), "secrets-ordinary.yaml", "application.yaml", "database.yaml"); err != nil {
		return err
	}
	return s.settled(ctx)
}

func wrongProperty(ctx context.Context, s *Stage) error {
	if err := platform(ctx, s); err != nil {
		return err
	}
	v := app()
	if err := s.entry(ctx, v); err != nil {
		return err
	}
	v.SessionProperty = "sesion-key"
	if err := s.bringUp(ctx, v, "secrets-external.yaml", "application.yaml", "database.yaml"); err != nil {
		return err
	}
	if err := s.await(ctx, operators.ExternalSecrets, s.Namespace, "schmetterpause-db", has("Ready")); err != nil {
		return err
	}
	return s.updateFailed(ctx, "schmetterpause-app", "cannot find secret data for key")
}

func storeDenied(ctx context.Context, s *Stage) error {
	if err := s.platform(ctx, denying(s.Cluster), true); err != nil {
		return err
	}
	v := app()
	if err := s.entry(ctx, v); err != nil {
		return err
	}
	if err := s.bringUp(ctx, v, "secrets-external.yaml", "application.yaml", "database.yaml"); err != nil {
		return err
	}
	return s.updateFailed(ctx, "schmetterpause-app", "permission denied")
}

// updateFailed waits for the Event that says why an ExternalSecret has failed, and for the condition that does not.
func (s *Stage) updateFailed(ctx context.Context, name, words string) error {
	failed := func(o *unstructured.Unstructured) bool { return conditionOf(o, "Ready")["status"] == "False" }
	if err := s.await(ctx, operators.ExternalSecrets, s.Namespace, name, failed); err != nil {
		return err
	}
	return until(ctx, func() (bool, error) {
		list, err := s.Client.Resource(operators.Events).Namespace(s.Namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		for _, e := range list.Items {
			about, _, _ := unstructured.NestedString(e.Object, "involvedObject", "name")
			message, _, _ := unstructured.NestedString(e.Object, "message")
			if about == name && e.Object["reason"] == "UpdateFailed" && strings.Contains(message, words) {
				return true, nil
			}
		}
		return false, fmt.Errorf("no Event UpdateFailed about %s says %q", name, words)
	})
}

func noGatewayNamespace(ctx context.Context, s *Stage) error {
	if err := platform(ctx, s); err != nil {
		return err
	}
	v := app()
	if err := s.entry(ctx, v); err != nil {
		return err
	}
	v.RouteNamesNamespace = false
	if err := s.bringUp(ctx, v, "secrets-external.yaml", "application.yaml", "database.yaml"); err != nil {
		return err
	}
	return s.await(ctx, operators.Deployments, s.Namespace, "schmetterpause", available)
}

func secretMissing(ctx context.Context, s *Stage) error {
	if err := platform(ctx, s); err != nil {
		return err
	}
	if err := s.bringUp(ctx, app(), "application.yaml", "database.yaml"); err != nil {
		return err
	}
	return until(ctx, func() (bool, error) {
		list, err := s.Client.Resource(operators.Pods).Namespace(s.Namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		waiting := 0
		for _, p := range list.Items {
			if configError(&p) {
				waiting++
			}
		}
		if waiting < 2 {
			return false, fmt.Errorf("%d of 2 pods say that their Secret is not there", waiting)
		}
		return true, nil
	})
}

// configError reports whether a container of the pod waits for something that its environment refers to.
func configError(p *unstructured.Unstructured) bool {
	for _, field := range []string{"initContainerStatuses", "containerStatuses"} {
		list, _, _ := unstructured.NestedSlice(p.Object, "status", field)
		for _, raw := range list {
			m, _ := raw.(map[string]any)
			if reason, _, _ := unstructured.NestedString(m, "state", "waiting", "reason"); reason == "CreateContainerConfigError" {
				return true
			}
		}
	}
	return false
}

// noOperator leaves the operator out and its definitions in, as a chart that failed half-way does: without them the
// Cluster could not even be created.
func noOperator(ctx context.Context, s *Stage) error {
	if err := s.platform(ctx, reading(s.Cluster), false); err != nil {
		return err
	}
	v := app()
	if err := s.entry(ctx, v); err != nil {
		return err
	}
	if err := s.bringUp(ctx, v, "secrets-external.yaml", "application.yaml", "database.yaml"); err != nil {
		return err
	}
	return s.await(ctx, operators.ExternalSecrets, s.Namespace, "schmetterpause-db", has("Ready"))
}
