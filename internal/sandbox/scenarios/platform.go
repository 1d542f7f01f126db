package scenarios

import (
	"context"
	"fmt"

	vault "github.com/hashicorp/vault/api"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"runbook/internal/sandbox/operators"
)

// policy is what the store's token may do.
type policy string

// reading lets the store read every entry of the mount.
func reading(mount string) policy {
	return policy(fmt.Sprintf("path %q {\n  capabilities = [\"read\", \"list\"]\n}\npath %q {\n  capabilities = [\"read\", \"list\"]\n}\n", mount+"/data/*", mount+"/metadata/*"))
}

// denying lets the store log in, and read another entry than the application's.
func denying(mount string) policy {
	return policy(fmt.Sprintf("path %q {\n  capabilities = [\"read\"]\n}\n", mount+"/data/another-application"))
}

func platform(ctx context.Context, s *Stage) error {
	return s.platform(ctx, reading(s.Cluster), true)
}

// platform sets up Vault and the cluster and waits until the operators have made everything ready.
func (s *Stage) platform(ctx context.Context, p policy, postgres bool) error {
	token, err := s.store(ctx, p)
	if err != nil {
		return err
	}
	for _, file := range []string{"crds-external-secrets.yaml", "crds-cloudnative-pg.yaml", "crds-gateway.yaml", "crds-cert-manager.yaml"} {
		if err := s.apply(ctx, file, values{}); err != nil {
			return err
		}
	}
	if err := s.apply(ctx, "platform.yaml", values{Postgres: postgres, StoreToken: token}); err != nil {
		return err
	}
	return s.platformReady(ctx, postgres)
}

// store mounts the cluster's KV v2 engine and returns a token for the ClusterSecretStore.
func (s *Stage) store(ctx context.Context, p policy) (string, error) {
	if err := s.Vault.Sys().MountWithContext(ctx, s.Cluster, &vault.MountInput{Type: "kv", Options: map[string]string{"version": "2"}}); err != nil {
		return "", fmt.Errorf("mount %s: %w", s.Cluster, err)
	}
	if err := s.Vault.Sys().PutPolicyWithContext(ctx, "external-secrets", string(p)); err != nil {
		return "", fmt.Errorf("write policy: %w", err)
	}
	made, err := s.Vault.Auth().Token().CreateOrphanWithContext(ctx, &vault.TokenCreateRequest{
		Policies: []string{"external-secrets"}, DisplayName: "external-secrets", Period: "768h"})
	if err != nil {
		return "", fmt.Errorf("create store token: %w", err)
	}
	return made.Auth.ClientToken, nil
}

func (s *Stage) platformReady(ctx context.Context, postgres bool) error {
	deployments := [][2]string{{"external-secrets", "external-secrets"}, {"kube-system", "cilium-operator"}}
	if postgres {
		deployments = append(deployments, [2]string{"postgres", "cloudnative-pg"})
	}
	for _, d := range deployments {
		if err := s.await(ctx, operators.Deployments, d[0], d[1], available); err != nil {
			return err
		}
	}
	if err := s.await(ctx, operators.ClusterStores, "", s.Store, has("Ready")); err != nil {
		return err
	}
	if err := s.await(ctx, operators.Gateways, s.GatewayNamespace, s.Gateway, has("Programmed")); err != nil {
		return err
	}
	return s.await(ctx, operators.HTTPRoutes, s.GatewayNamespace, "https-redirect", accepted)
}

func available(o *unstructured.Unstructured) bool {
	n, _, _ := unstructured.NestedInt64(o.Object, "status", "availableReplicas")
	return n > 0
}

// has asks for a condition of the given type to be True.
func has(kind string) func(*unstructured.Unstructured) bool {
	return func(o *unstructured.Unstructured) bool { return conditionOf(o, kind)["status"] == "True" }
}

func conditionOf(o *unstructured.Unstructured, kind string) map[string]any {
	list, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, raw := range list {
		if m, ok := raw.(map[string]any); ok && m["type"] == kind {
			return m
		}
	}
	return nil
}

func accepted(o *unstructured.Unstructured) bool {
	parents, _, _ := unstructured.NestedSlice(o.Object, "status", "parents")
	for _, raw := range parents {
		m, _ := raw.(map[string]any)
		if has("Accepted")(&unstructured.Unstructured{Object: map[string]any{"status": m}}) {
			return true
		}
	}
	return false
}
