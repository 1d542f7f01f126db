package forecast_test

import (
	"maps"
	"strings"
	"testing"

	"runbook/internal/forecast"
	"runbook/internal/guard"
)

var said = []guard.Loss{
	{What: "pvc/data-0 (8Gi fast)", Irrecoverable: true}, {What: "pvc/data-1"},
	{What: "2 secrets: app, db"}, {What: "1 host: shop.example.org"}, {What: "3 pods, 1 replicaset"},
	{What: "1 deployment with a use for it: web"}, {What: "8 ingresses: a, b, c, d, e, f and 2 more"},
}

func TestLossesAreCountedByKindAndName(t *testing.T) {
	got := forecast.Foretold(said)
	want := map[string]int{"persistentvolumeclaim": 2, "persistentvolume": 1, "secret": 2, "pod": 3, "replicaset": 1, "ingress": 8}
	if !maps.Equal(got.Counts, want) {
		t.Errorf("got %v, want %v", got.Counts, want)
	}
	for _, name := range []string{"secret/db", "persistentvolumeclaim/data-0", "ingress/f"} {
		if !got.Named[name] {
			t.Errorf("%s isn't among %v", name, got.Named)
		}
	}
}

func TestWhateverElseGoesIsMissed(t *testing.T) {
	said := forecast.Foretold([]guard.Loss{{What: "1 secret: app"}, {What: "1 pod"}})
	before := map[string]bool{"Secret/shop/app": true, "Secret/shop/other": true, "Pod/shop/x": true, "Ingress/shop/y": true}
	for _, tt := range []struct {
		after []string
		want  string
	}{
		{[]string{"Secret/shop/other", "Ingress/shop/y"}, ""},
		{[]string{"Secret/shop/app", "Ingress/shop/y"}, "secret/app was foretold"},
		{[]string{"Secret/shop/other"}, "ingress:1"},
		{[]string{"Secret/shop/other", "Ingress/shop/y", "Pod/shop/x"}, "gone are map[secret:1]"},
	} {
		after := map[string]bool{}
		for _, o := range tt.after {
			after[o] = true
		}
		got := said.Missed(forecast.Gone(before, after))
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("with %v left: got %q, want %q", tt.after, got, tt.want)
		}
	}
}

func TestAStateDiffersWhereItBeginsTo(t *testing.T) {
	if got := forecast.Difference("a\nb\nc", "a\nx\nc"); !strings.Contains(got, "b\nc\nbecame\na\nx") {
		t.Errorf("got %q", got)
	}
}
