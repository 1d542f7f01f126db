package operators

import (
	"context"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

func TestTheKeyOfAnEntryFollowsTheMount(t *testing.T) {
	for _, c := range []struct {
		mount, key string
		v2         bool
		want       string
	}{
		{"cicd-test2", "schmetterpause", true, "cicd-test2/data/schmetterpause"},
		{"cicd-test2", "schmetterpause", false, "cicd-test2/schmetterpause"},
		{"cicd-test2", "schmetterpause/data/cicd-test2", true, "cicd-test2/data/schmetterpause/data/cicd-test2"},
		{"cicd-test2", "schmetterpause-cicd-test2", true, "cicd-test2/data/schmetterpause-cicd-test2"},
		{"cicd-test2", "cicd-test2/data/schmetterpause", true, "cicd-test2/data/schmetterpause"},
		{"cicd-test2/", "cicd-test2/schmetterpause", true, "cicd-test2/data/schmetterpause"},
		{"", "cicd-test2/schmetterpause", true, "cicd-test2/data/schmetterpause"},
	} {
		if got := entryPath(c.mount, c.key, c.v2); got != c.want {
			t.Errorf("%q under %q: want %s, got %s", c.key, c.mount, c.want, got)
		}
	}
}

func TestAPropertyIsFoundByNameAndThenByPath(t *testing.T) {
	data := map[string]any{"a": "x", "b": map[string]any{"c": "y"}, "b.d": "z", "n": 3.0}
	for name, want := range map[string]string{"a": "x", "b.c": "y", "b.d": "z", "n": "3", "b": `{"c":"y"}`} {
		if got, err := property(data, name); err != nil || got != want {
			t.Errorf("%s: want %s, got %s, %v", name, want, got, err)
		}
	}
	for _, name := range []string{"x", "b.x", "a.b"} {
		if _, err := property(data, name); err == nil || err.Error() != `cannot find secret data for key: "`+name+`"` {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestTheRepositoryOfAnImageIsItsNameAlone(t *testing.T) {
	for image, want := range map[string]string{
		"ghcr.io/stuttgart-things/schmetterpause:3382ad1": "schmetterpause",
		"localhost:5000/schmetterpause":                   "schmetterpause",
		"a/postgresql@sha256:00":                          "postgresql",
		"busybox":                                         "busybox",
	} {
		if got := repository(image); got != want {
			t.Errorf("%s: want %s, got %s", image, want, got)
		}
	}
}

func TestVariablesAreExpandedFromWhatIsDefined(t *testing.T) {
	env := map[string]string{"A": "x"}
	for in, want := range map[string]string{"$(A)/y": "x/y", "$(B)": "$(B)", "$$(A)": "$(A)", "$A": "$A"} {
		if got := expand(in, env); got != want {
			t.Errorf("%s: want %s, got %s", in, want, got)
		}
	}
}

func TestTheLongerPathWins(t *testing.T) {
	route := &Route{}
	route.Spec.Hostnames = []string{"a.example.org"}
	route.Spec.Rules = make([]Rule, 2)
	if !decodedRule(t, &route.Spec.Rules[0], "/") || !decodedRule(t, &route.Spec.Rules[1], "/api") {
		t.Fatal("rules")
	}
	for path, want := range map[string]int{"/": 0, "/apix": 0, "/api": 1, "/api/x": 1} {
		if got := better(match{}, route, "a.example.org", "GET", path); got.rule != &route.Spec.Rules[want] {
			t.Errorf("%s: want rule %d", path, want)
		}
	}
	if got := better(match{}, route, "b.example.org", "GET", "/"); got.rule != nil {
		t.Error("another host: want no rule")
	}
}

func decodedRule(t *testing.T, r *Rule, prefix string) bool {
	t.Helper()
	o := at("x", "", 1)
	o.Object["matches"] = []any{map[string]any{"path": map[string]any{"type": "PathPrefix", "value": prefix}}}
	o.Object["kind"] = "Rule"
	return decoded(o, r)
}

func TestPaceDividesByTheSpeed(t *testing.T) {
	p := newPace(Delays{}, 0)
	if got := p.of(time.Second); got != time.Second {
		t.Errorf("at the default speed: want 1s, got %s", got)
	}
	p.set(4)
	if got := p.of(time.Second); got != 250*time.Millisecond {
		t.Errorf("at speed 4: want 250ms, got %s", got)
	}
}

func TestAnUnknownControllerIsRefused(t *testing.T) {
	_, err := Start(context.Background(), Config{Rest: &rest.Config{Host: "http://127.0.0.1:1"}, Which: []string{"gardener"}})
	if err == nil || !strings.Contains(err.Error(), `no controller is called "gardener"`) {
		t.Errorf("got %v", err)
	}
}

func TestCloseReturnsWhileTheServerIsAway(t *testing.T) {
	o, err := Start(context.Background(), Config{Rest: &rest.Config{Host: "http://127.0.0.1:1"}, Which: []string{"scheduler", "kubelet"}})
	if err != nil {
		t.Fatal(err)
	}
	o.Close()
	if got := o.List(Pods); len(got) != 0 {
		t.Errorf("pods: want none, got %d", len(got))
	}
}
