package operators

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// LogQuery says which part of a container's log is wanted.
type LogQuery struct {
	Follow, Previous, Timestamps bool
	Since                        time.Time // zero for the beginning
	Tail                         int       // lines from the end; negative for all
	Limit                        int64     // bytes; 0 for all
}

// Logs returns what a container of this node has said. With Follow the reader goes on until the container ends, ctx
// does, or it is closed. The errors are the ones the kubelet answers through the API server.
func (o *Operators) Logs(ctx context.Context, namespace, pod, container string, q LogQuery) (io.ReadCloser, error) {
	k := o.kubelet
	k.mu.Lock()
	defer k.mu.Unlock()
	r := k.containerOf(namespace, pod, container)
	if r == nil {
		return nil, waitingToStart(pod, container, "ContainerCreating")
	}
	lines := r.log
	switch {
	case q.Previous && r.last == nil && r.restarts == 0:
		return nil, apierrors.NewBadRequest(fmt.Sprintf("previous terminated container %q in pod %q not found", container, pod))
	case q.Previous && r.phase == running:
		lines = r.previous
	case r.phase < running && r.last == nil:
		return nil, waitingToStart(pod, container, r.reason)
	}
	text := q.format(lines)
	if !q.Follow || q.Previous || r.phase != running || r.outcome.ends {
		return io.NopCloser(bytes.NewReader(text)), nil
	}
	return newTail(ctx, text, r.over), nil
}

func waitingToStart(pod, container, reason string) error {
	return apierrors.NewBadRequest(fmt.Sprintf("container %q in pod %q is waiting to start: %s", container, pod, reason))
}

// containerOf finds the record of a container; of namesakes among pods the youngest counts.
func (k *kubelet) containerOf(namespace, pod, container string) *containerRun {
	var newest *podRun
	for _, p := range k.pods {
		if p.namespace == namespace && p.name == pod && (newest == nil || p.since.After(newest.since)) {
			newest = p
		}
	}
	if newest == nil {
		return nil
	}
	return newest.runs[container]
}

func (q LogQuery) format(lines []line) []byte {
	var kept []line
	for _, l := range lines {
		if !l.at.Before(q.Since) {
			kept = append(kept, l)
		}
	}
	if q.Tail >= 0 && len(kept) > q.Tail {
		kept = kept[len(kept)-q.Tail:]
	}
	var b bytes.Buffer
	for _, l := range kept {
		if q.Timestamps {
			b.WriteString(l.at.UTC().Format(time.RFC3339Nano) + " ")
		}
		b.WriteString(l.text + "\n")
	}
	if q.Limit > 0 && int64(b.Len()) > q.Limit {
		b.Truncate(int(q.Limit))
	}
	return b.Bytes()
}

// tail is the log of a running container: everything that it said at its start, and then silence until it is over.
type tail struct {
	text   *bytes.Reader
	over   <-chan struct{}
	ctx    context.Context
	cancel context.CancelFunc
}

func newTail(ctx context.Context, text []byte, over <-chan struct{}) *tail {
	ctx, cancel := context.WithCancel(ctx)
	return &tail{bytes.NewReader(text), over, ctx, cancel}
}

func (t *tail) Read(b []byte) (int, error) {
	if t.text.Len() > 0 {
		return t.text.Read(b)
	}
	select {
	case <-t.over:
	case <-t.ctx.Done():
	}
	return 0, io.EOF
}

func (t *tail) Close() error {
	t.cancel()
	return nil
}
