package operators

import (
	"context"
	"strconv"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

// relist is how long a broken or forbidden watch is left alone before it is tried again.
const relist = 150 * time.Millisecond

// view keeps a shelf true for each kind that is followed and tells the controllers which kinds moved.
type view struct {
	client  dynamic.Interface
	shelves map[GVR]*shelf // fixed after newView

	mu   sync.Mutex
	bell map[GVR][]chan struct{}
}

func newView(client dynamic.Interface, kinds []GVR) *view {
	v := &view{client: client, shelves: map[GVR]*shelf{}, bell: map[GVR][]chan struct{}{}}
	for _, k := range kinds {
		v.shelves[k] = newShelf()
	}
	return v
}

// subscribe returns a channel that holds one token whenever one of kinds has changed since it was last read.
func (v *view) subscribe(kinds []GVR) <-chan struct{} {
	ch := make(chan struct{}, 1)
	ch <- struct{}{}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, k := range kinds {
		v.bell[k] = append(v.bell[k], ch)
	}
	return ch
}

func (v *view) ring(kind GVR) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, ch := range v.bell[kind] {
		select {
		case ch <- struct{}{}:
		default:
		}
	}
}

// follow lists and watches kind until ctx ends. A kind that is not installed counts as empty.
func (v *view) follow(ctx, requests context.Context, kind GVR) {
	for ctx.Err() == nil {
		if err := v.listAndWatch(ctx, requests, kind); apierrors.IsNotFound(err) {
			v.shelves[kind].empty()
			v.ring(kind)
		}
		pause(ctx, relist)
	}
}

func (v *view) listAndWatch(ctx, requests context.Context, kind GVR) error {
	list, err := v.client.Resource(kind).List(requests, metav1.ListOptions{})
	if err != nil {
		return err
	}
	at, _ := strconv.ParseUint(list.GetResourceVersion(), 10, 64)
	v.shelves[kind].replace(list.Items, at)
	v.ring(kind)
	w, err := v.client.Resource(kind).Watch(ctx, metav1.ListOptions{ResourceVersion: list.GetResourceVersion()})
	if err != nil {
		return err
	}
	defer w.Stop()
	for e := range w.ResultChan() {
		if !v.take(kind, e) {
			return nil
		}
	}
	return nil
}

// take applies one watch event and reports whether the watch is still good.
func (v *view) take(kind GVR, e watch.Event) bool {
	o, ok := e.Object.(*unstructured.Unstructured)
	if !ok {
		return false
	}
	changed := false
	switch e.Type {
	case watch.Added, watch.Modified:
		changed = v.shelves[kind].put(o)
	case watch.Deleted:
		changed = v.shelves[kind].drop(o)
	case watch.Error:
		return false
	case watch.Bookmark:
	}
	if changed {
		v.ring(kind)
	}
	return true
}

// pause waits for d or the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
