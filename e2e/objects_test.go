package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"runbook/internal/sandbox/operators"
	"runbook/internal/sandbox/operators/trial"
	"runbook/internal/world"
)

// fixture is one of the objects that the verdicts are tested with; see internal/world/testdata.
type fixture struct {
	Tag     string         `yaml:"tag"`
	Want    world.Answer   `yaml:"want"`
	Why     string         `yaml:"why"`
	Final   bool           `yaml:"final"`
	Now     time.Time      `yaml:"now"`
	Object  map[string]any `yaml:"object"`
	Events  []world.Event  `yaml:"events"`
	Related []struct {
		Object map[string]any `yaml:"object"`
		Absent string         `yaml:"absent"`
		Hidden string         `yaml:"hidden"`
	} `yaml:"related"`
}

// TestAFixtureIsAcceptedByARealServerAndKeepsItsVerdict sends each object to a real API server under the projects' own
// definitions and judges what comes back: with the server's defaults, and without what it pruned.
func TestAFixtureIsAcceptedByARealServerAndKeepsItsVerdict(t *testing.T) {
	c := startPlane(t, nil) // without controllers: they would correct what the fixtures say
	client, err := dynamic.NewForConfig(c.Rest())
	if err != nil {
		t.Fatal(err)
	}
	define(t, client, trial.New(t, c.Rest()))
	s := &shelf{client}
	files, err := filepath.Glob("../internal/world/testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		for _, f := range fixtures(t, file) {
			if why, ok := impossible[f.Tag]; ok {
				t.Run(filepath.Base(file)+"/"+f.Tag, func(t *testing.T) { s.refuses(t, f, why) })
				continue
			}
			t.Run(filepath.Base(file)+"/"+f.Tag, func(t *testing.T) { s.judge(t, f) })
		}
	}
}

func fixtures(t *testing.T, file string) (all []fixture) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }() // it was only read
	for d := yaml.NewDecoder(in); ; {
		var f fixture
		err := d.Decode(&f)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, f)
	}
}

// impossible are the fixtures that today's definitions don't let in, and what they say. Older ones did, and the objects
// that came in then are still there.
var impossible = map[string]string{"GW without a listener": "spec.listeners: "}

func (s *shelf) refuses(t *testing.T, f fixture, why string) {
	o := complete(&unstructured.Unstructured{Object: plain(t, f.Object)})
	unstructured.RemoveNestedField(o.Object, "spec", "listeners")
	s.namespace(t, o.GetNamespace())
	_, err := s.resource(t, o).Create(t.Context(), o, metav1.CreateOptions{})
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), why) {
		t.Errorf("got %v, want it refused with %q", err, why)
	}
}

// shelf is where the objects go.
type shelf struct{ client dynamic.Interface }

func (s *shelf) judge(t *testing.T, f fixture) {
	now := time.Date(2026, 8, 22, 10, 10, 0, 0, time.UTC) // the fixtures' noon
	if !f.Now.IsZero() {
		now = f.Now
	}
	o := s.put(t, f.Object)
	o.Events = f.Events
	for _, r := range f.Related {
		switch {
		case r.Object != nil:
			o.Related = append(o.Related, s.put(t, r.Object))
		case r.Absent != "":
			o.Related = append(o.Related, world.Object{Ref: reference(r.Absent), Fact: world.Fact{Presence: world.Gone}})
		default:
			o.Related = append(o.Related, world.Object{Ref: reference(r.Hidden), Fact: world.Fact{Presence: world.Hidden, Why: "forbidden"}})
		}
	}
	got := world.Judge(o, now)
	if got.Answer != f.Want || got.Final != f.Final || !strings.Contains(got.Why, f.Why) {
		raw, _ := json.Marshal(o.Body["status"]) // for the message only
		t.Errorf("got %s (final %v) %q, want %s (final %v) %q; status %s", got.Answer, got.Final, got.Why, f.Want, f.Final, f.Why, raw)
	}
}

func reference(text string) world.Ref {
	p := strings.SplitN(text, "/", 3)
	return world.NewRef(p[0], "", p[1], p[2])
}

// put sends an object and its status, reads it back, takes it away again and returns what a watch would have made of it.
// What only a server writes into metadata is the fixture's again: objects can't be made ten minutes old.
func (s *shelf) put(t *testing.T, body map[string]any) world.Object {
	t.Helper()
	want := &unstructured.Unstructured{Object: plain(t, body)}
	o := complete(want)
	if o.GetKind() == "Namespace" {
		o.SetName(o.GetName() + "-itself") // in the other one are the other objects
	}
	s.namespace(t, o.GetNamespace())
	r := s.resource(t, o)
	force := metav1.PatchOptions{FieldManager: "fixtures", Force: new(bool)}
	*force.Force = true
	spec := o.DeepCopy()
	if hasStatus(o) {
		delete(spec.Object, "status")
	}
	raw, err := spec.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Patch(t.Context(), o.GetName(), types.ApplyPatchType, raw, force)
	if err != nil {
		t.Fatalf("refused: %v", err)
	}
	t.Cleanup(func() { s.remove(t, r, o) })
	if want.GetDeletionTimestamp() != nil {
		if err := r.Delete(t.Context(), o.GetName(), metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if status, ok := o.Object["status"]; ok && hasStatus(o) {
		raw, err := json.Marshal(map[string]any{"status": status})
		if err != nil {
			t.Fatal(err)
		}
		if got, err = r.Patch(t.Context(), o.GetName(), types.MergePatchType, raw, metav1.PatchOptions{}, "status"); err != nil {
			t.Fatalf("status refused: %v", err)
		}
	}
	return heard(want, got)
}

// hasStatus reports whether the kind has a status of its own; Argo CD's Application has none.
func hasStatus(o *unstructured.Unstructured) bool {
	return !slices.Contains([]string{"Application", "Secret", "ConfigMap", "StorageClass", "EndpointSlice", "Endpoints", "GatewayPolicy"}, o.GetKind())
}

func heard(want, got *unstructured.Unstructured) world.Object {
	meta := got.Object["metadata"].(map[string]any)
	for name, otherwise := range map[string]any{"creationTimestamp": "2026-08-22T10:00:00Z", "generation": int64(1), "deletionTimestamp": nil} {
		v, ok := want.Object["metadata"].(map[string]any)[name]
		if !ok {
			v = otherwise
		}
		if delete(meta, name); v != nil {
			meta[name] = v
		}
	}
	group := got.GroupVersionKind().Group
	o := world.Object{Kind: got.GetKind(), Group: group, Body: got.Object, Fact: world.Fact{Presence: world.Present}}
	o.Ref = world.NewRef(o.Kind, group, got.GetNamespace(), got.GetName())
	if data, ok := got.Object["data"].(map[string]any); ok {
		for k := range data {
			o.Keys = append(o.Keys, k)
		}
		slices.Sort(o.Keys)
	}
	return o
}

// plain is the document as a JSON decoder of the API would have it.
func plain(t *testing.T, body map[string]any) map[string]any {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	o := &unstructured.Unstructured{}
	if err := o.UnmarshalJSON(raw); err != nil {
		t.Fatal(err)
	}
	return o.Object
}

func (s *shelf) namespace(t *testing.T, name string) {
	t.Helper()
	if name == "" {
		return
	}
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}}}
	if _, err := s.client.Resource(operators.Namespaces).Create(t.Context(), o, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
}

func (s *shelf) resource(t *testing.T, o *unstructured.Unstructured) dynamic.ResourceInterface {
	t.Helper()
	kind := o.GroupVersionKind()
	plural := strings.ToLower(kind.Kind)
	switch {
	case strings.HasSuffix(plural, "y") && !strings.HasSuffix(plural, "ay"):
		plural = strings.TrimSuffix(plural, "y") + "ies"
	case strings.HasSuffix(plural, "s"):
		plural += "es"
	default:
		plural += "s"
	}
	r := s.client.Resource(schema.GroupVersionResource{Group: kind.Group, Version: kind.Version, Resource: plural})
	if o.GetNamespace() == "" {
		return r
	}
	return r.Namespace(o.GetNamespace())
}

// empty does the namespace controller's part, for a namespace with nothing in it.
func (s *shelf) empty(t *testing.T, name string) {
	ctx, r := context.WithoutCancel(t.Context()), s.client.Resource(operators.Namespaces)
	_, err := r.Patch(ctx, name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	if err != nil {
		t.Errorf("remove: %v", err)
	}
	if err := r.Delete(ctx, name, metav1.DeleteOptions{}); err != nil && !apierrors.IsConflict(err) {
		t.Errorf("remove: %v", err)
	}
	o, err := r.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		t.Errorf("remove: %v", err)
		return
	}
	unstructured.RemoveNestedField(o.Object, "spec", "finalizers")
	if _, err := r.Update(ctx, o, metav1.UpdateOptions{}, "finalize"); err != nil {
		t.Errorf("remove: %v", err)
	}
}

// remove takes an object away at once, whatever holds it.
func (s *shelf) remove(t *testing.T, r dynamic.ResourceInterface, o *unstructured.Unstructured) {
	if o.GetKind() == "Namespace" {
		s.empty(t, o.GetName())
		return
	}
	ctx, now := context.WithoutCancel(t.Context()), int64(0) // a cleanup runs when the test's own is over
	if err := r.Delete(ctx, o.GetName(), metav1.DeleteOptions{GracePeriodSeconds: &now}); err != nil {
		t.Errorf("remove: %v", err)
	}
	_, err := r.Patch(ctx, o.GetName(), types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		t.Errorf("remove: %v", err)
	}
}
