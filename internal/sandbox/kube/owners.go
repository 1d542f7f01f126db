package kube

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"runbook/internal/sandbox/kube/models"
)

// fieldManagers keeps one field manager for each subresource of a resource.
type fieldManagers struct {
	mu    sync.Mutex
	bySub map[string]*managedfields.FieldManager
}

// owner is the field manager for a subresource ("" for the object itself), made at first use.
func (s *Server) owner(r *resource, sub string) (*managedfields.FieldManager, error) {
	r.owners.mu.Lock()
	defer r.owners.mu.Unlock()
	if m := r.owners.bySub[sub]; m != nil {
		return m, nil
	}
	conv := relabel{r}
	var m *managedfields.FieldManager
	var err error
	if r.custom != nil {
		m, err = managedfields.NewDefaultCRDFieldManager(s.customConverter(r), conv, conv, conv, r.gvk(), r.gvr.GroupVersion(), sub, r.resets(sub))
	} else {
		m, err = managedfields.NewDefaultFieldManager(s.builtinConverter(), conv, conv, conv, r.gvk(), r.gvr.GroupVersion(), sub, r.resets(sub))
	}
	if err != nil {
		return nil, fmt.Errorf("make field manager %s: %w", r.group(), err)
	}
	if r.owners.bySub == nil {
		r.owners.bySub = map[string]*managedfields.FieldManager{}
	}
	r.owners.bySub[sub] = m
	return m, nil
}

// resets are the fields that a write to a subresource leaves alone, so that it doesn't own them either.
func (r *resource) resets(sub string) map[fieldpath.APIVersion]fieldpath.Filter {
	var set *fieldpath.Set
	switch {
	case sub == "status":
		set = fieldpath.NewSet(fieldpath.MakePathOrDie("spec"), fieldpath.MakePathOrDie("metadata", "deletionTimestamp"))
		if r.custom != nil {
			set = fieldpath.NewSet(fieldpath.MakePathOrDie("spec"), fieldpath.MakePathOrDie("metadata"))
		}
	case r.status:
		set = fieldpath.NewSet(fieldpath.MakePathOrDie("status"))
	default:
		return nil
	}
	return fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{fieldpath.APIVersion(r.apiVersion()): set})
}

// customConverter knows the merge rules of a custom resource from its schema; without a usable one every
// value is atomic.
func (s *Server) customConverter(r *resource) managedfields.TypeConverter {
	name := r.modelName()
	schemas := map[string]*spec.Schema{name: r.published()}
	for n, m := range s.models().Reachable(objectMetaModel) {
		schemas[n] = m
	}
	c, err := managedfields.NewTypeConverter(schemas, false)
	if err != nil {
		return managedfields.NewDeducedTypeConverter()
	}
	return c
}

// relabel converts between versions by changing the label: the stored fields are the same in all.
type relabel struct{ r *resource }

// Convert is part of runtime.ObjectConvertor.
func (c relabel) Convert(in, out, _ any) error {
	src, ok := in.(*unstructured.Unstructured)
	dst, ok2 := out.(*unstructured.Unstructured)
	if !ok || !ok2 {
		return fmt.Errorf("convert %T to %T: not unstructured", in, out)
	}
	dst.Object = src.Object
	return nil
}

// ConvertToVersion is part of runtime.ObjectConvertor.
func (c relabel) ConvertToVersion(in runtime.Object, gv runtime.GroupVersioner) (runtime.Object, error) {
	src, ok := in.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("convert %T: not unstructured", in)
	}
	target, ok := gv.KindForGroupVersionKinds([]schema.GroupVersionKind{src.GroupVersionKind()})
	if !ok {
		target = schema.GroupVersionKind{Group: c.r.gvr.Group, Version: c.r.gvr.Version, Kind: c.r.kind}
		if v, isVersion := gv.(schema.GroupVersion); isVersion {
			target = v.WithKind(c.r.kind)
		}
	}
	if src.GroupVersionKind() == target {
		return src, nil
	}
	dst := src.DeepCopy()
	dst.SetGroupVersionKind(target)
	return dst, nil
}

// ConvertFieldLabel is part of runtime.ObjectConvertor.
func (c relabel) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}

// Default is part of runtime.ObjectDefaulter; defaults are filled in before and after, on the typed form.
func (c relabel) Default(runtime.Object) {}

// New is part of runtime.ObjectCreater.
func (c relabel) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(gvk)
	return u, nil
}

// own records in obj who set what. old is nil for a new object.
func (s *Server) own(q *request, r *resource, sub string, obj, old map[string]any) (map[string]any, error) {
	m, err := s.owner(r, sub)
	if err != nil {
		return nil, err
	}
	live := &unstructured.Unstructured{Object: map[string]any{"apiVersion": r.apiVersion(), "kind": r.kind}}
	if old != nil {
		live.Object = relabelled(r, runtime.DeepCopyJSON(old))
	}
	u := &unstructured.Unstructured{Object: obj}
	// An object that doesn't fit its schema is for validation to refuse; owners stay as they were.
	out, err := m.Update(live, u, q.manager())
	if err != nil {
		u.SetManagedFields(live.GetManagedFields())
		return u.Object, nil
	}
	u, ok := out.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("record owners of %s: got %T", r.group(), out)
	}
	s.stampOwners(u.Object, old)
	return u.Object, nil
}

func relabelled(r *resource, obj map[string]any) map[string]any {
	obj["apiVersion"], obj["kind"] = r.apiVersion(), r.kind
	return obj
}

// stampOwners puts the server's time where the field manager has put the machine's.
func (s *Server) stampOwners(obj, old map[string]any) {
	before := map[string]bool{}
	for _, e := range entries(old) {
		before[ownerKey(e)+text(e, "time")] = true
	}
	for _, e := range entries(obj) {
		if at := text(e, "time"); at != "" && !before[ownerKey(e)+at] {
			e["time"] = s.now().UTC().Format(time.RFC3339)
		}
	}
}

func ownerKey(e map[string]any) string {
	return text(e, "manager") + "\x00" + text(e, "operation") + "\x00" + text(e, "apiVersion") + "\x00" + text(e, "subresource") + "\x00"
}

func entries(obj map[string]any) []map[string]any {
	list, _ := dig(obj, "metadata", "managedFields").([]any)
	out := make([]map[string]any, 0, len(list))
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

const objectMetaModel = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"

// builtinSchemas derives what is known of the built-in kinds once per process: it never changes.
var builtinSchemas = sync.OnceValue(deriveBuiltin)

var builtinConverter = sync.OnceValue(func() managedfields.TypeConverter {
	c, err := managedfields.NewTypeConverter(builtinSchemas(), false)
	if err != nil {
		panic("kube: the built-in kinds have no usable schema: " + err.Error())
	}
	return c
})

func (s *Server) models() models.Schemas                        { return builtinSchemas() }
func (s *Server) builtinConverter() managedfields.TypeConverter { return builtinConverter() }
