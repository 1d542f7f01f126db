package kube_test

import (
	"context"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"runbook/internal/sandbox/kube"
)

func TestAnInformerStaysTrueAcrossAnExpiredHistory(t *testing.T) {
	c := start(t, kube.Options{})
	c.create(configMaps, "default", `{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {v: '1'}}`)
	api := c.client.Resource(configMaps).Namespace("default")
	informer := cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) { return api.List(ctx, o) },
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return api.Watch(ctx, o)
		},
	}, &unstructured.Unstructured{}, 0, nil)
	values := make(chan string, 100)
	note := func(o any) {
		if u, ok := o.(*unstructured.Unstructured); ok && u.GetName() == "x" {
			v, _, _ := unstructured.NestedString(u.Object, "data", "v")
			values <- v
		}
	}
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: note, UpdateFunc: func(_, o any) { note(o) }}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(c.ctx)
	var running sync.WaitGroup
	running.Go(func() { informer.RunWithContext(ctx) })
	defer running.Wait()
	defer cancel()
	if got := <-values; got != "1" {
		t.Fatalf("got %q", got)
	}
	c.server.Compact()
	c.merge(configMaps, "default", "x", `{"data":{"v":"2"}}`)
	if got := <-values; got != "2" {
		t.Errorf("got %q", got)
	}
}
