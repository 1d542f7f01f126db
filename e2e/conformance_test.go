package e2e

import (
	"context"
	"io"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"runbook/e2e/kubelet"
	"runbook/e2e/servers"
	kube "runbook/internal/sandbox/kube/conform"
	"runbook/internal/sandbox/operators"
	vaults "runbook/internal/sandbox/vault/conform"
)

// said is a node on which only containers called "app" have started.
type said struct{}

func (said) Logs(_ context.Context, _, pod, container string, q operators.LogQuery) (io.ReadCloser, error) {
	if container != "app" {
		return nil, apierrors.NewBadRequest(`container "` + container + `" in pod "` + pod + `" is waiting to start: ContainerCreating`)
	}
	text := kube.Log
	if q.Tail >= 0 {
		lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
		text = strings.Join(lines[max(0, len(lines)-q.Tail):], "") + "\n"
	}
	if q.Limit > 0 {
		text = text[:q.Limit]
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

func TestARealAPIServerAnswersAsTheSuiteSays(t *testing.T) {
	const token, node = "nobody-token", "conform-node"
	c := startPlane(t, servers.Housekeeping(), servers.User{Token: token, Name: "conform-nobody"})
	config, err := c.Authority.Mutual("kubelet")
	if err != nil {
		t.Fatal(err)
	}
	k, err := kubelet.Start(said{}, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	client, err := dynamic.NewForConfig(c.Rest())
	if err != nil {
		t.Fatal(err)
	}
	nodes := client.Resource(operators.Nodes)
	made := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Node", "metadata": map[string]any{"name": node}}}
	if _, err := nodes.Create(t.Context(), made, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := k.Announce(t.Context(), client, node); err != nil {
		t.Fatal(err)
	}
	kube.Run(t, kube.Target{Rest: c.Rest(), Nobody: c.As(token), Node: node, Rules: true, Compact: c.Compact})
}

func TestARealVaultAnswersAsTheSuiteSays(t *testing.T) {
	v := startVault(t)
	for _, step := range []func(context.Context) error{v.Init, v.Unseal} {
		if err := step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	vaults.Run(t, vaults.Target{Addr: v.Addr, Root: v.Root, Key: v.Key})
}
