package expect

import (
	"testing"
	"unicode/utf8"

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

// What a person types as a parameter is compared; it never becomes a part of the
// expression that it stands in.
func FuzzAValueStaysInsideItsString(f *testing.F) {
	for _, value := range []string{"plain", `it's "quoted"`, `back\slash`, `\`, `\"`, "two\nlines\r\n", `" || true || "`, `' == '`, "${OTHER}", "// comment", "tab\t", "é✓", ""} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if !utf8.ValidString(value) {
			t.Skip("no text")
		}
		for _, text := range []string{
			`cel: object("v1", "ConfigMap", "x").data.v == "${V}"`,
			`cel: object("v1", "ConfigMap", "x").data.v == '${V}'`,
			`cel: "a${V}b" == "a" + object("v1", "ConfigMap", "x").data.v + 'b'`,
		} {
			e, err := steps.ParseExpectation(text, steps.Pos{Line: 1, Col: 1})
			if err != nil {
				t.Fatal(err)
			}
			e = e.Bind(steps.Values{"V": {Text: value}})
			same := worldOf(thing("ConfigMap", "", "shop", "x", map[string]any{"apiVersion": "v1", "data": map[string]any{"v": value}}))
			if v := Judge(e, same, "shop", ""); v.Answer != world.Holds {
				t.Errorf("%s with %q: %s, %s", text, value, v.Answer, v.Why)
			}
			other := worldOf(thing("ConfigMap", "", "shop", "x", map[string]any{"apiVersion": "v1", "data": map[string]any{"v": value + "!"}}))
			if v := Judge(e, other, "shop", ""); v.Answer != world.DoesNot {
				t.Errorf("%s with %q against another value: %s, %s", text, value, v.Answer, v.Why)
			}
		}
	})
}
