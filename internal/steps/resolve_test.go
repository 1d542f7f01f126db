package steps

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func env(pairs ...string) func(string) (string, bool) {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(name string) (string, bool) { v, ok := m[name]; return v, ok }
}

func withParams(params string) *Runbook {
	return parseText("---\nrunbook: v1\nparams:\n" + params + "---\n\n## A\n\n'''sh\necho a\n'''\n")
}

func TestTheStrongestSourceWins(t *testing.T) {
	r := withParams("  A: {default: default}\n")
	for _, c := range []struct {
		src    Sources
		text   string
		source ValueSource
	}{
		{Sources{Set: map[string]string{"A": "set"}, Env: env("A", "env"), Saved: map[string]string{"A": "saved"}}, "set", FromSet},
		{Sources{Env: env("A", "env"), Saved: map[string]string{"A": "saved"}}, "env", FromEnv},
		{Sources{Env: env("B", "env"), Saved: map[string]string{"A": "saved"}}, "saved", FromSaved},
		{Sources{}, "default", FromDefault},
	} {
		v, err := r.Resolve(c.src)
		if err != nil || v["A"] != (Value{Text: c.text, Source: c.source}) {
			t.Errorf("want %s from %s, got %+v, %v", c.text, c.source, v, err)
		}
	}
}

func TestWhatHasNoValueIsMissing(t *testing.T) {
	r := withParams("  A: {}\n  B: {default: b}\n  STORE: {default: \"vault-${A}\"}\n")
	v, err := r.Resolve(Sources{})
	if err != nil {
		t.Fatal(err)
	}
	missing := r.Missing(v)
	if len(missing) != 1 || missing[0].Name != "A" {
		t.Errorf("got %+v", missing)
	}
	v["A"] = Value{Text: "x", Source: FromForm}
	p, err := r.Bind(v)
	if err != nil || p.Values.Text("STORE") != "vault-x" {
		t.Errorf("the default that hangs on A is %q, %v", p.Values.Text("STORE"), err)
	}
	if _, ok := v["STORE"]; ok {
		t.Error("binding must not change the values it was given")
	}
	v, _ = r.Resolve(Sources{Set: map[string]string{"A": "y"}})
	if v.Text("STORE") != "vault-y" || len(r.Missing(v)) != 0 {
		t.Errorf("got %+v", v)
	}
	for _, params := range []string{"  A: {default: \"${B}\"}\n  B: {default: \"${A}\"}\n", "  A: {default: \"${A}\"}\n"} {
		r := withParams(params)
		if v, _ := r.Resolve(Sources{}); len(v) != 0 {
			t.Errorf("defaults in a circle have no value: %+v", v)
		}
	}
}

func TestAValueThatIsNotAllowedIsNamedWithItsSource(t *testing.T) {
	r := withParams("  N: {type: int}\n  B: {type: bool}\n  C: {choices: [a, b]}\n  P: {pattern: \"[a-z]+|x\", example: abc}\n  S: {secret: true, pattern: \"[a-z]{8,}\"}\n")
	_, err := r.Resolve(Sources{Set: map[string]string{"N": "x", "B": "yes", "PP": "1"}, Env: env("C", "c", "P", "abc1", "S", "hunter2")})
	for _, want := range []string{
		"parameter N (from --set): `x` must be a whole number",
		"parameter B (from --set): `yes` must be true or false",
		"parameter C (from the environment): `c` must be one of: a, b",
		"parameter P (from the environment): `abc1` must match [a-z]+|x, for example abc",
		"parameter S (from the environment): the value must match [a-z]{8,}",
		"parameter PP (from --set): the runbook has no such parameter; did you mean `P`?",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q in\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Error("the error holds the secret")
	}
	var e *ValueError
	if !errors.As(err, &e) {
		t.Error("the error isn't typed")
	}
}

func TestAnOldValueThatIsNotAllowedAnyMoreIsAskedForAgain(t *testing.T) {
	r := withParams("  C: {choices: [a, b]}\n")
	v, err := r.Resolve(Sources{Saved: map[string]string{"C": "gone"}})
	if err != nil || len(r.Missing(v)) != 1 {
		t.Errorf("got %v, %v", v, err)
	}
}

func TestASecretIsNeverTakenFromTheLastRun(t *testing.T) {
	r := withParams("  S: {secret: true}\n")
	v, _ := r.Resolve(Sources{Saved: map[string]string{"S": "x"}})
	if len(v) != 0 {
		t.Errorf("got %v", v)
	}
	v, _ = r.Resolve(Sources{Env: env("S", "x")})
	if !v["S"].Secret {
		t.Error("the value isn't marked as secret")
	}
}

func TestAnEmptyVariableCountsAsNone(t *testing.T) {
	r := withParams("  A: {default: x, pattern: \".+\"}\n  E: {default: y}\n")
	v, err := r.Resolve(Sources{Env: env("A", "", "E", "")})
	if err != nil || v.Text("A") != "x" || v["E"].Source != FromEnv {
		t.Errorf("got %+v, %v", v, err)
	}
}

func TestQuoteMakesOneWord(t *testing.T) {
	for in, want := range map[string]string{"": "''", "a": "'a'", "a b": "'a b'", "it's": `'it'\''s'`, "$(rm)": "'$(rm)'"} {
		if got := Quote(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func TestPlaceholdersAreFilledInForThePlaceTheyStandIn(t *testing.T) {
	values := Values{"POD_NAME": {Text: "it's $x"}, "PW": {Text: "hunter2", Secret: true}}
	for code, want := range map[string]string{
		"echo <pod-name>":                  `echo 'it'\''s $x'`,
		"echo <POD_NAME>,<Pod Name>":       `echo 'it'\''s $x','it'\''s $x'`,
		`echo "a-<pod-name>-b"`:            `echo "a-"'it'\''s $x'"-b"`,
		`echo 'a-<pod-name>'`:              `echo 'a-it'\''s $x'`,
		`echo "$(cat <pod-name>)"`:         `echo "$(cat 'it'\''s $x')"`,
		"cat <<EOF\n<pod-name>\nEOF":       "cat <<EOF\nit's \\$x\nEOF",
		"cat <<'EOF'\n<pod-name>\nEOF":     "cat <<'EOF'\nit's $x\nEOF",
		"echo <pod-name> # not <pod-name>": `echo 'it'\''s $x' # not <pod-name>`,
		"login <pw>":                       `login "$PW"`,
		`login "x<pw>"`:                    `login "x${PW}"`,
		`login 'x<pw>'`:                    `login 'x'"$PW"''`,
		"cat <<EOF\n<pw>\nEOF":             "cat <<EOF\n${PW}\nEOF",
	} {
		r := withParams("  POD_NAME: {}\n  PW: {secret: true}\n")
		r.Steps[0].Blocks[0].Code = code + "\n"
		p, err := r.Bind(values)
		if err != nil {
			t.Fatal(err)
		}
		s := p.Steps[0]
		if s.Code[0] != want+"\n" || !s.Blocks[0].Offered {
			t.Errorf("%s:\ngot  %s\nwant %s (%s)", code, s.Code[0], want, s.Blocks[0].Detail)
		}
	}
}

func TestAPlaceholderThatCannotBeFilledInKeepsTheBlockBack(t *testing.T) {
	r := parseText("---\nrunbook: v1\nparams: {POD: {}, PW: {secret: true}, LINES: {}}\n---\n\n## A\n\n'''sh\necho <pod>\n'''\n\n'''sh\necho <other>\n'''\n\n'''sh\ncat <<'EOF'\n<pw>\nEOF\n'''\n\n'''sh\ncat <<EOF\n<lines>\nEOF\n'''\n\n'''sh\necho ${x:-<pod>}\n'''\n")
	p, err := r.Bind(Values{"PW": {Text: "x", Secret: true}, "LINES": {Text: "a\nEOF\nrm -rf /"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"POD has no value yet", "nothing is known", "part of the command", "more than one line", ""} {
		b := p.Steps[0].Blocks[i]
		if b.Offered || b.Why != WhyPlaceholder || !strings.Contains(b.Detail, want) {
			t.Errorf("block %d: %+v", i, b)
		}
	}
	p, _ = r.Bind(Values{"POD": {Text: "x"}, "PW": {Text: "x", Secret: true}, "LINES": {Text: "a"}})
	var offered []bool
	for _, b := range p.Steps[0].Blocks {
		offered = append(offered, b.Offered)
	}
	if !slices.Equal(offered, []bool{true, false, false, true, false}) {
		t.Errorf("offered: %v", offered)
	}
}
