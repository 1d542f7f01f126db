package actions_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"runbook/internal/actions"
	"runbook/internal/cluster"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// shelf is a cluster that keeps Secrets by name and refuses what is there.
type shelf map[string]*unstructured.Unstructured

func (s shelf) Create(_ context.Context, o *unstructured.Unstructured, _ bool) error {
	if there, ok := s[o.GetName()]; ok {
		return &cluster.ExistsError{Ref: world.NewRef("secret", "", o.GetNamespace(), o.GetName()), Annotations: there.GetAnnotations()}
	}
	s[o.GetName()] = o
	return nil
}

func (s shelf) Apply(context.Context, []*unstructured.Unstructured, string, bool) []cluster.Applied {
	return nil
}

func keyAction(line int) *steps.Action {
	return &steps.Action{
		Verb: steps.SecretCreate, Namespace: "shop", Name: "app", Pos: steps.Pos{Line: line},
		Data: []steps.ActionData{{Key: "KEY", Generate: "base64", Bytes: 32}},
	}
}

func (s shelf) create(t *testing.T, run string, line int) (string, error) {
	t.Helper()
	var out bytes.Buffer
	r := &actions.Runner{Cluster: s, Rand: rand.Reader, Hide: func(...string) {}, Run: run}
	err := r.Do(t.Context(), keyAction(line), &out, nil)
	return out.String(), err
}

func value(t *testing.T, s shelf) string {
	t.Helper()
	v, _, err := unstructured.NestedString(s["app"].Object, "stringData", "KEY")
	if err != nil || v == "" {
		t.Fatalf("no value: %v", err)
	}
	return v
}

func TestASecretThatTheSameActionOfTheSameRunHasMadeIsLeftAsItIs(t *testing.T) {
	s := shelf{}
	if _, err := s.create(t, "run-1", 12); err != nil {
		t.Fatal(err)
	}
	before := value(t, s)
	out, err := s.create(t, "run-1", 12)
	if err != nil || !strings.Contains(out, "this run has made it already") {
		t.Errorf("got %q, %v", out, err)
	}
	if value(t, s) != before {
		t.Error("its value is another now")
	}
}

func TestASecretOfSomebodyElseIsRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		run  string
		line int
	}{
		"another run": {"run-2", 12}, "another action of the run": {"run-1", 13}, "a run without a name": {"", 12},
	} {
		t.Run(name, func(t *testing.T) {
			s := shelf{}
			if _, err := s.create(t, "run-1", 12); err != nil {
				t.Fatal(err)
			}
			before := value(t, s)
			var exists *cluster.ExistsError
			if _, err := s.create(t, tc.run, tc.line); !errors.As(err, &exists) {
				t.Errorf("got %v, want that it exists", err)
			}
			if value(t, s) != before {
				t.Error("its value is another now")
			}
		})
	}
}

func TestASecretWithoutAMarkIsNeverTakenForOnesOwn(t *testing.T) {
	s := shelf{"app": {Object: map[string]any{"kind": "Secret", "metadata": map[string]any{"name": "app"}}}}
	var exists *cluster.ExistsError
	if _, err := s.create(t, "run-1", 12); !errors.As(err, &exists) {
		t.Errorf("got %v, want that it exists", err)
	}
	if _, err := s.create(t, "", 12); !errors.As(err, &exists) {
		t.Errorf("without a run: got %v, want that it exists", err)
	}
}
