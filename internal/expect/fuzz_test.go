package expect

import (
	"testing"

	"runbook/internal/steps"
	"runbook/internal/world"
)

// A path is the author's text and a body the server's: neither may bring the
// program down.
func FuzzAnyPathGetsAVerdict(f *testing.F) {
	for _, p := range []string{"{.status.phase}", "{.spec.list[*].n}", "{.spec.list[?(@.n=='a')].n}", "{range .spec.list[*]}{.n}{end}", "{.spec.list[-1:]}", "{..n}", "{", "{.a[}", "{.spec.list[?(@.n>1)]}", "{.spec.list[5]}"} {
		f.Add(p, "==", "a")
		f.Add(p, ">", "1")
	}
	f.Fuzz(func(t *testing.T, path, op, value string) {
		o := thing("Pod", "", "shop", "x", map[string]any{
			"status": map[string]any{"phase": "Running"},
			"spec":   map[string]any{"n": int64(3), "list": []any{map[string]any{"n": "a"}, map[string]any{"n": int64(2)}, "text", nil}}})
		v := Judge(kube("pod", "", "x", steps.JSONPath, path, op, value), worldOf(o), "shop", "")
		if v.Answer != world.Holds && v.Why == "" {
			t.Errorf("%s without a reason", v.Answer)
		}
	})
}
