package cel

import (
	"errors"
	"strings"
	"testing"
	"time"

	"runbook/internal/world"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// shop is a world with a Deployment, a Secret that is gone, and things that
// can't be looked at.
func shop() world.World {
	w := world.World{Now: noon, Objects: map[world.Ref]world.Object{}}
	add := func(kind, group, ns, name string, p world.Presence, body map[string]any) {
		ref := world.NewRef(kind, group, ns, name)
		w.Objects[ref] = world.Object{Ref: ref, Kind: kind, Fact: world.Fact{Presence: p, Why: "forbidden", Seen: noon}, Body: body}
	}
	add("Deployment", "apps", "shop", "web", world.Present, map[string]any{
		"metadata": map[string]any{"creationTimestamp": "2026-03-04T11:00:00Z", "labels": map[string]any{"tier": "front"}},
		"spec":     map[string]any{"replicas": int64(3)},
		"status":   map[string]any{"readyReplicas": int64(2), "load": 0.5, "conditions": []any{map[string]any{"type": "Available", "status": "True"}}},
	})
	add("Deployment", "apps", "edge", "proxy", world.Present, map[string]any{"spec": map[string]any{"replicas": int64(3)}})
	add("Secret", "", "shop", "gone", world.Gone, nil)
	add("Secret", "", "shop", "hidden", world.Hidden, nil)
	stale := w.Objects[world.NewRef("deployment", "apps", "edge", "proxy")]
	stale.Ref = world.NewRef("deployment", "apps", "shop", "stale")
	stale.Stale, stale.Why = true, "connection refused"
	w.Objects[stale.Ref] = stale
	return w
}

func TestAnExpressionHoldsDoesNotOrCantBeTold(t *testing.T) {
	web := `object("apps/v1", "Deployment", "web")`
	for _, c := range []struct {
		expr string
		want world.Answer
		why  string
	}{
		{web + `.status.readyReplicas >= 2`, world.Holds, ""},
		{web + `.status.readyReplicas >= 3`, world.DoesNot, "it is false"},
		{web + `.status.load < 1`, world.Holds, ""},
		{web + `.status.conditions.exists(c, c.type == "Available" && c.status == "True")`, world.Holds, ""},
		{web + `.spec.replicas == object("apps/v1", "Deployment", "proxy", "edge").spec.replicas`, world.Holds, ""},
		{`now - timestamp(` + web + `.metadata.creationTimestamp) > duration("30m")`, world.Holds, ""},
		{`has(` + web + `.status.failed) || ` + web + `.metadata.labels.tier == "front"`, world.Holds, ""},
		{web + `.metadata.labels["tier"].startsWith("f")`, world.Holds, ""},
		{web + `.status.updatedReplicas == 3`, world.CantTell, "updatedReplicas is not set"},
		{web + `.spec.replicas`, world.CantTell, "int, not a condition"},
		{`object("v1", "Secret", "gone").type == "Opaque"`, world.CantTell, "secret/gone: not found in namespace shop"},
		{`!has(object("v1", "Secret", "gone").type)`, world.CantTell, "not found"},
		{`object("v1", "Secret", "hidden").type == "Opaque"`, world.CantTell, "secret/hidden: forbidden"},
		{`object("v1", "Secret", "never-asked").type == "Opaque"`, world.CantTell, "no answer yet"},
		{`object("apps/v1", "Deployment", "stale").spec.replicas == 3`, world.CantTell, "connection refused"},
		{`1 / (size([1]) - 1) == 1`, world.CantTell, "by zero"},
	} {
		x, err := Compile(c.expr)
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
			continue
		}
		if got := x.Eval(shop(), "shop"); got.Answer != c.want || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s: got %+v, want %s %q", c.expr, got, c.want, c.why)
		}
	}
}

func TestAnExpressionSaysWhereItIsWrong(t *testing.T) {
	for _, c := range []struct {
		expr string
		col  int
		text string
	}{
		{`object("apps/v1", "Deployment", "web").spec.replicas >=`, 56, "mismatched input"},
		{`1 + "a" == 2`, 3, "no matching overload"},
		{`foo == 2`, 1, "undeclared reference to 'foo'"},
		{`"é" == foo`, 9, "undeclared reference"},
		{`"text"`, 1, "is a string, not a condition"},
		{`object("v1", "Secret").type == "x"`, 1, "object takes"},
		{`object("v1", "Secret", "a" + "b").type == "x"`, 28, "literal string"},
		{`object("v1", "Secret", "").type == "x"`, 24, "names nothing"},
		{`object("v1", "Secret", "x").type == ${X}`, 37, "inside a string"},
		{`r"${X}" == "x"`, 2, "raw"},
		{`"""${X}""" == "x"`, 1, "triple-quoted"},
	} {
		_, err := Compile(c.expr)
		var wrong *Error
		if !errors.As(err, &wrong) {
			t.Errorf("%s: got %v, want an Error", c.expr, err)
			continue
		}
		if wrong.Col != c.col || !strings.Contains(wrong.Text, c.text) {
			t.Errorf("%s: got %v, want column %d %q", c.expr, err, c.col, c.text)
		}
	}
}

func TestWhatAnExpressionNamesIsKnownBeforehand(t *testing.T) {
	x, err := Compile(`object("v1", "Secret", "a").type == object("v1", "Secret", "a").kind || object("postgresql.cnpg.io/v1", "Cluster", "db", "data").spec.instances > int("${N}")`)
	if err != nil {
		t.Fatal(err)
	}
	got := x.Objects("shop")
	want := []world.Ref{world.NewRef("secret", "", "shop", "a"), world.NewRef("cluster", "postgresql.cnpg.io", "data", "db")}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAnExpressionThatNeverEndsIsCutShort(t *testing.T) {
	list := "[" + strings.TrimSuffix(strings.Repeat("1,", 100), ",") + "]"
	expr := list + `.all(a, ` + list + `.all(b, ` + list + `.all(c, ` + list + `.all(d, a + b + c + d == 4))))`
	x, err := Compile(expr)
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Eval(shop(), "shop"); got.Answer != world.CantTell || !strings.Contains(got.Why, "cost limit") {
		t.Errorf("got %+v", got)
	}
}

func FuzzCompileNeverPanics(f *testing.F) {
	for _, s := range []string{`object("v1", "Secret", "a").type == "x"`, `"${X}"`, `'\`, `r"`, `"""`, `a.all(b, c)`, "`", `object()`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		x, err := Compile(s)
		var wrong *Error
		if err != nil && (!errors.As(err, &wrong) || wrong.Col < 1 || wrong.Col > len(s)+1) {
			t.Fatalf("%q: %#v", s, err)
		}
		if err == nil {
			x.Eval(shop(), "shop")
		}
	})
}

func BenchmarkCompileAndEval(b *testing.B) {
	w := shop()
	for b.Loop() {
		x, err := Compile(`object("apps/v1", "Deployment", "web").status.readyReplicas >= 2`)
		if err != nil {
			b.Fatal(err)
		}
		x.Eval(w, "shop")
	}
}

func TestAWrongSignIsSaidWithTheRightOne(t *testing.T) {
	for sign, want := range map[string]string{"=>": ">=", "=<": "<=", "=": "==", "&": "&&", "|": "||"} {
		_, err := Compile("1 " + sign + " 2")
		var wrong *Error
		if !errors.As(err, &wrong) || wrong.Hint != "did you mean `"+want+"`?" {
			t.Errorf("%s: %v, %+v", sign, err, wrong)
		}
	}
}
