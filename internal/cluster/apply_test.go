package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"runbook/internal/dig"
	"runbook/internal/world"
)

func manifests(t *testing.T, text string) []*unstructured.Unstructured {
	t.Helper()
	objects, err := Manifests([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

func TestManifestsAreReadInTheirOrder(t *testing.T) {
	for _, c := range []struct{ name, text, want, err string }{
		{"stream", "apiVersion: v1\nkind: A\nmetadata: {name: a}\n---\n# nothing\n---\napiVersion: v1\nkind: B\nmetadata: {name: b}\n", "A/a B/b", ""},
		{"list", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A, metadata: {name: a}}\n- {apiVersion: v1, kind: B, metadata: {name: b}}", "A/a B/b", ""},
		{"JSON", `{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}`, "A/a", ""},
		{"empty", "", "", ""},
		{"no kind", "apiVersion: v1\nkind: A\nmetadata: {name: a}\n---\nmetadata: {name: b}", "", "read manifest 2: apiVersion and kind are missing"},
		{"no name", "apiVersion: v1\nkind: A", "", "A has no metadata.name"},
		{"not YAML", "a: [", "", "read manifest 1:"},
	} {
		objects, err := Manifests([]byte(c.text))
		var got []string
		for _, o := range objects {
			got = append(got, o.GetKind()+"/"+o.GetName())
		}
		if c.err == "" && (err != nil || strings.Join(got, " ") != c.want) {
			t.Errorf("%s: got %v, %v, want %s", c.name, got, err, c.want)
		}
		if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.err)
		}
	}
}

func TestCreatingNeverTouchesWhatIsThere(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	secret := manifests(t, "apiVersion: v1\nkind: Secret\nmetadata: {name: app, namespace: shop}\nstringData: {key: new-value}")[0]
	if err := b.admin.Create(t.Context(), secret, true); err != nil {
		t.Fatalf("dry run: %v", err)
	}
	b.apply("apiVersion: v1\nkind: Secret\nmetadata: {name: app, namespace: shop}\nstringData: {key: old-value}")
	for _, dryRun := range []bool{true, false} {
		err := b.admin.Create(t.Context(), secret, dryRun)
		var exists *ExistsError
		if !errors.As(err, &exists) {
			t.Fatalf("got %v", err)
		}
		if exists.Ref != world.NewRef("secret", "", "shop", "app") || exists.Owner != Manager || exists.Created.IsZero() || exists.Age < 0 || exists.Age > time.Hour {
			t.Errorf("got %+v", exists)
		}
		if !strings.Contains(err.Error(), "create secret/app in shop: it exists already") {
			t.Errorf("got %v", err)
		}
	}
	at, _ := b.resource("Secret", "")
	o, err := at.Namespace("shop").Get(t.Context(), "app", metav1.GetOptions{})
	if err != nil || dig.Text(o.Object, "data", "key") != "b2xkLXZhbHVl" {
		t.Errorf("it was touched: %v, %v", o.Object["data"], err)
	}
}

func TestCreatingNamesTheControllerThatOwnsIt(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	b.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: owner, namespace: shop}")
	at, _ := b.resource("ConfigMap", "")
	owner, err := at.Namespace("shop").Get(t.Context(), "owner", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b.apply(fmt.Sprintf("apiVersion: v1\nkind: Secret\nmetadata: {name: app, namespace: shop, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: %s, controller: true}]}", owner.GetUID()))
	err = b.admin.Create(t.Context(), manifests(t, "apiVersion: v1\nkind: Secret\nmetadata: {name: app, namespace: shop}")[0], false)
	var exists *ExistsError
	if !errors.As(err, &exists) || exists.Owner != "ConfigMap owner" {
		t.Errorf("got %v", err)
	}
}

func outcomes(applied []Applied) string {
	var out []string
	for _, a := range applied {
		line := a.Ref.String() + " " + string(a.Outcome)
		for _, c := range a.Changes {
			line += "; " + c.String()
		}
		if a.Note != "" {
			line += "; " + a.Note
		}
		if a.Err != nil {
			line += "; " + a.Err.Error()
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func TestApplyingShowsTheSameBeforeAndAfterward(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	v1 := manifests(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, labels: {app.kubernetes.io/name: web}}\ndata: {a: '1', b: '2'}")
	v2 := manifests(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, labels: {app.kubernetes.io/name: web}}\ndata: {a: '1', c: '3', b: '9'}")
	created := "configmap/settings created; + data.a: \"1\"; + data.b: \"2\"; + metadata.labels[\"app.kubernetes.io/name\"]: \"web\""
	changed := "configmap/settings configured; ~ data.b: \"2\" → \"9\"; + data.c: \"3\""
	for _, c := range []struct {
		objects []*unstructured.Unstructured
		dryRun  bool
		want    string
	}{
		{v1, true, created},
		{v1, false, created},
		{v1, false, "configmap/settings unchanged"},
		{v2, true, changed},
		{v2, false, changed},
	} {
		got := outcomes(b.admin.Apply(t.Context(), c.objects, "shop", c.dryRun))
		if got != c.want {
			t.Errorf("dry run %v:\n got %s\nwant %s", c.dryRun, got, c.want)
		}
	}
}

func TestNoValueOfASecretIsInADiff(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	for _, c := range []struct{ data, want string }{
		{"{stringData: {a: marked-1, b: marked-2}}", "secret/app created; + data.a: (hidden); + data.b: (hidden); + type: \"Opaque\""},
		{"{stringData: {a: marked-1, b: marked-3}, metadata: {annotations: {note: marked-4}}}", "secret/app configured; ~ data.b: (hidden) → (hidden); + metadata.annotations.note: (hidden)"},
	} {
		o := manifests(t, "apiVersion: v1\nkind: Secret\nmetadata: {name: app, namespace: shop}")[0]
		for k, v := range manifests(t, "apiVersion: v1\nkind: X\nmetadata: {name: x}\nspec: "+c.data)[0].Object["spec"].(map[string]any) {
			if k == "metadata" {
				o.SetAnnotations(map[string]string{"note": "marked-4"})
				continue
			}
			o.Object[k] = v
		}
		got := outcomes(b.admin.Apply(t.Context(), []*unstructured.Unstructured{o}, "", false))
		if got != c.want || strings.Contains(got, "marked") {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}

func TestASetThatBringsItsNamespaceAndKindsIsApplied(t *testing.T) {
	b := newBench(t)
	objects := manifests(t, "apiVersion: v1\nkind: Namespace\nmetadata: {name: new}\n---"+definition("Widget", "widgets", "example.org", true)+"---\n"+
		"apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: w}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: new}")
	dry := b.admin.Apply(t.Context(), objects, "new", true)
	for i, note := range []string{"", "", "its kind is defined in the same step", "its namespace is made in the same step"} {
		if dry[i].Outcome != Created || !strings.Contains(dry[i].Note, note) || dry[i].Err != nil {
			t.Errorf("dry run of %s: got %+v", dry[i].Ref, dry[i])
		}
	}
	for _, a := range b.admin.Apply(t.Context(), objects, "new", false) {
		if a.Outcome != Created || a.Err != nil {
			t.Errorf("%s: got %+v", a.Ref, a)
		}
	}
}

func TestAFieldThatSomebodyElseManagesIsNotTakenOver(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	at, _ := b.resource("ConfigMap", "")
	theirs := manifests(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {a: '1'}")[0]
	if _, err := at.Namespace("shop").Apply(t.Context(), "settings", theirs, metav1.ApplyOptions{FieldManager: "argocd"}); err != nil {
		t.Fatal(err)
	}
	ours := manifests(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\ndata: {a: '2'}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: other, namespace: shop}")
	got := b.admin.Apply(t.Context(), ours, "shop", false)
	if got[0].Outcome != Failed || !strings.Contains(got[0].Err.Error(), "argocd") {
		t.Errorf("got %+v", got[0])
	}
	if got[1].Outcome != Created {
		t.Errorf("the rest was not applied: %+v", got[1])
	}
}

func TestApplyingEndsWithItsContext(t *testing.T) {
	b := newBench(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := b.admin.Apply(ctx, manifests(t, shop), "", false)
	if len(got) != 1 || !errors.Is(got[0].Err, context.Canceled) {
		t.Errorf("got %+v", got)
	}
}

func TestAnUnknownKindIsNamed(t *testing.T) {
	b := newBench(t)
	got := b.admin.Apply(t.Context(), manifests(t, "apiVersion: example.org/v1\nkind: Nothing\nmetadata: {name: some}"), "shop", false)
	if got[0].Outcome != Failed || !strings.Contains(got[0].Err.Error(), `serves no kind "nothing.example.org"`) {
		t.Errorf("got %+v", got[0])
	}
}

func TestARightIsAskedForExactly(t *testing.T) {
	b := newBench(t)
	b.apply(shop)
	b.apply(fmt.Sprintf(viewing, "get"))
	viewer := b.connect(b.url, "viewer")
	for _, c := range []struct {
		verb string
		ref  world.Ref
		want bool
	}{
		{"get", world.NewRef("cm", "", "shop", "x"), true},
		{"delete", world.NewRef("cm", "", "shop", "x"), false},
		{"get", world.NewRef("secret", "", "shop", "x"), false},
		{"get", world.NewRef("cm", "", "default", "x"), false},
	} {
		may, _, err := viewer.MayI(t.Context(), c.verb, c.ref, "")
		if err != nil || may != c.want {
			t.Errorf("%s %s in %s: got %v, %v, want %v", c.verb, c.ref, c.ref.Namespace, may, err, c.want)
		}
	}
	if _, _, err := viewer.MayI(t.Context(), "get", world.NewRef("nothing", "", "shop", "x"), ""); err == nil {
		t.Error("a right on an unknown kind was answered")
	}
}
