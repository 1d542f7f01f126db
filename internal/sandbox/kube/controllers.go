package kube

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"runbook/internal/sandbox/kube/store"
)

// untilClosed is a context that also ends when the server closes.
func (s *Server) untilClosed(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := make(chan struct{})
	s.work.Go(func() {
		select {
		case <-s.closing:
			cancel()
		case <-stop:
		}
	})
	return ctx, func() {
		close(stop)
		cancel()
	}
}

// startControllers starts the one goroutine that does what isn't done within a request. It follows the
// store like a watch.
func (s *Server) startControllers() {
	s.work.Go(func() {
		at := uint64(0)
		for {
			events, revision, changed, err := s.store.Since("", at)
			if err != nil {
				// What happened is forgotten: look at everything once.
				s.resync()
			}
			for _, e := range events {
				s.react(e)
			}
			at = revision
			select {
			case <-s.closing:
				return
			case <-changed:
			}
		}
	})
}

func (s *Server) resync() {
	for _, r := range s.registry.storage() {
		for _, obj := range s.all(r.stored, "") {
			s.react(store.Event{Type: store.Modified, Key: keyOf(r, obj), Object: obj})
		}
	}
}

// react does what follows from one change.
func (s *Server) react(e store.Event) {
	s.writing.Lock()
	defer s.writing.Unlock()
	switch e.Key.Resource {
	case "services", "endpointslices.discovery.k8s.io", apiServiceResource:
		s.judgeAPIServices()
	}
	if e.Key.Resource == clusterRoles {
		s.aggregateRoles()
	}
	if e.Type == store.Dropped {
		return
	}
	if e.Type == store.Deleted {
		s.collectOrphans(e.Object)
		s.finishOwners(e.Object)
		s.touchNamespace(e.Key.Namespace)
		s.finishDefinition(e.Key.Resource)
		if e.Key.Resource == "serviceaccounts" || e.Key.Resource == "configmaps" {
			s.provision(e.Key.Namespace)
		}
		return
	}
	s.collectAbsent(e)
	s.finishDeletion(e)
	switch e.Key.Resource {
	case "namespaces":
		s.provision(e.Key.Name)
		s.touchNamespace(e.Key.Name)
	case crdResource:
		s.endDefinition(e.Key.Name)
	default:
		if dig(e.Object, "metadata", "deletionTimestamp") != nil {
			s.touchNamespace(e.Key.Namespace)
		}
	}
}

// afterWrite does what a write's answer already has to show. The caller holds s.writing.
func (s *Server) afterWrite(r *resource, obj map[string]any) {
	if r.defines() {
		s.define(obj)
	}
	if r.stored == "namespaces" {
		// At once, so that a pod can follow in the next request.
		s.provision(nameOf(obj))
	}
}

// afterRemove is afterWrite for an object that is gone.
func (s *Server) afterRemove(r *resource, obj map[string]any) {
	if r.defines() {
		s.undefine(nameOf(obj))
	}
}

// endDefinition deletes the objects of a definition that is on its way out.
func (s *Server) endDefinition(name string) {
	obj, ok := s.store.Read(store.Key{Resource: crdResource, Name: name})
	if !ok || dig(obj, "metadata", "deletionTimestamp") == nil {
		return
	}
	if r := s.registry.byStorage(name); r != nil {
		for _, o := range s.all(name, "") {
			s.discard(r, o, nil)
		}
	}
	s.finishDefinition(name)
}

// finishDefinition lets a definition go when none of its objects is left.
func (s *Server) finishDefinition(name string) {
	obj, ok := s.store.Read(store.Key{Resource: crdResource, Name: name})
	if !ok || dig(obj, "metadata", "deletionTimestamp") == nil || len(s.all(name, "")) > 0 {
		return
	}
	s.dropFinalizer(s.registry.byStorage(crdResource), obj, crdFinalizer)
}

// dropFinalizer takes one finalizer from an object, and with the last one the object.
func (s *Server) dropFinalizer(r *resource, obj map[string]any, finalizer string) {
	have := texts(obj, "metadata", "finalizers")
	if r == nil || !slices.Contains(have, finalizer) {
		return
	}
	next := runtime.DeepCopyJSON(obj)
	setTexts(meta(next), "finalizers", slices.DeleteFunc(have, func(f string) bool { return f == finalizer }))
	s.commit(r, next)
}
