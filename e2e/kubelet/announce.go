package kubelet

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"runbook/internal/sandbox/operators"
)

// Announce writes into the status of a node where the API server finds this endpoint.
func (k *Kubelet) Announce(ctx context.Context, client dynamic.Interface, node string) error {
	patch, err := json.Marshal(map[string]any{"status": map[string]any{
		"addresses":       []any{map[string]any{"type": "InternalIP", "address": k.addr.IP.String()}},
		"daemonEndpoints": map[string]any{"kubeletEndpoint": map[string]any{"Port": k.addr.Port}},
	}})
	if err != nil {
		return fmt.Errorf("announce kubelet: %w", err)
	}
	_, err = client.Resource(operators.Nodes).Patch(ctx, node, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	if err != nil {
		return fmt.Errorf("announce kubelet: %w", err)
	}
	return nil
}
