package sandbox

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"runbook/internal/sandbox/kube"
	"runbook/internal/sandbox/operators"
)

// logs hands the API server's log requests to the node. The server is there before the node is.
type logs struct {
	node *atomic.Pointer[operators.Operators]
	now  func() time.Time
}

func (l logs) Logs(ctx context.Context, namespace, pod, container string, o kube.LogOptions) (io.ReadCloser, error) {
	node := l.node.Load()
	if node == nil {
		return nil, apierrors.NewServiceUnavailable("the node is not up yet")
	}
	q := operators.LogQuery{Follow: o.Follow, Previous: o.Previous, Timestamps: o.Timestamps, Tail: -1}
	if o.TailLines != nil {
		q.Tail = int(*o.TailLines)
	}
	if o.LimitBytes != nil {
		q.Limit = *o.LimitBytes
	}
	switch {
	case o.SinceTime != nil:
		q.Since = *o.SinceTime
	case o.SinceSeconds != nil:
		q.Since = l.now().Add(-time.Duration(*o.SinceSeconds) * time.Second)
	}
	return node.Logs(ctx, namespace, pod, container, q)
}
