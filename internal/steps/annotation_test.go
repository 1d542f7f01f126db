package steps

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const front = "---\nrunbook: v1\nparams:\n  NS: {default: web}\n  VARIANT: {choices: [a, b]}\n  PW: {secret: true}\n---\n\n"

func TestAnAnnotationSetsItsStep(t *testing.T) {
	r := parseText(front + "## Heading\n\nText.\n\n<!-- step\nid: one\nwhen: VARIANT != b\ndone: namespace/${NS} is active\nbefore: vault is active\nexpect:\n  - secret/x exists\n  - cel: object(\"v1\", \"Pod\", \"x\") != null\nwithin: 5m\nwatch: [\"pod/x in ${NS}\", vault a/b]\nrisk: destroy\ncost: everything\nbackground: true\ntimeout: 90s\nshell: sh\nundo: one\n-->\n\n'''sh\necho hi\n'''\n")
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	s := r.Steps[0]
	if s.ID != "one" || s.When.Text != "VARIANT != b" || !s.When.Negate || s.Done.Check != Active || len(s.Before) != 1 || len(s.Expect) != 2 ||
		s.Expect[1].Check != Expression || s.Expect[0].Within != 5*time.Minute || s.Within != 5*time.Minute || len(s.Watch) != 2 || s.Watch[0].Namespace != "${NS}" ||
		s.Risk != "destroy" || s.Cost != "everything" || !s.Background || s.Timeout != 90*time.Second || s.Shell != "sh" || s.Undo != "one" {
		t.Errorf("got %+v", s)
	}
	if len(s.Parts) != 2 || s.Parts[0].Prose != "Text." || s.Parts[1].Block != 0 {
		t.Errorf("the annotation must not show: %+v", s.Parts)
	}
}

func TestAnAnnotationMayStandOnOneLineOrInAList(t *testing.T) {
	r := parseText("## A\n\n<!-- step id: one -->\n'''sh\necho 1\n'''\n\n## B\n\n1. First\n\n   <!-- step\n   id: two\n   expect: secret/x exists\n   -->\n\n   '''sh\n   echo 2\n   '''\n")
	if got := ids(r); !slices.Equal(got, []string{"one", "two"}) || r.Err() != nil {
		t.Errorf("%q, %v", got, r.Err())
	}
}

func TestMistakesInAnnotationsSayWhere(t *testing.T) {
	for _, c := range []struct {
		name, body string
		rule       string
		line, col  int
		text       string
	}{
		{"unknown key", "expekt: secret/x exists", "unknown-key", 12, 1, "did you mean `expect`?"},
		{"key twice", "id: a\nid: b", "annotation", 13, 1, "occurs twice"},
		{"no mapping", "- a", "annotation", 12, 1, "must be a mapping"},
		{"not yaml", "id: [a", "annotation", 0, 0, "isn't YAML"},
		{"colon", "expect: cel: x", "annotation", 12, 1, "into quotes"},
		{"sentence", "expect:\n  - secret/x exists\n  - secret/x is redy", "expectation", 14, 5, "did you mean `ready`?"},
		{"lowered risk", "risk: read", "annotation", 12, 7, "never lowers"},
		{"misspelt risk", "risk: destry", "annotation", 12, 7, "did you mean `destroy`?"},
		{"unknown parameter", "expect: secret/${NSS} exists", "unknown-param", 12, 9, "did you mean `NS`?"},
		{"secret in a sentence", "expect: secret/${PW} exists", "secret-in-text", 12, 9, "would be shown"},
		{"secret in the cost", "cost: ${PW} is lost", "secret-in-text", 12, 7, "would be shown"},
		{"when without parameter", "when: VARIANTE == a", "annotation", 12, 7, "did you mean `VARIANT`?"},
		{"when that can't be", "when: VARIANT == c", "annotation", 12, 7, "must be one of: a, b"},
		{"when that is no comparison", "when: VARIANT", "annotation", 12, 7, "write it like"},
		{"when on a secret", "when: PW == x", "annotation", 12, 7, "can't depend on the secret"},
		{"undo of nothing", "id: first\nundo: frist", "dangling-undo", 11, 6, "did you mean `first`?"},
		{"boolean", "background: 1", "annotation", 12, 13, "true or false"},
		{"duration", "within: soon", "annotation", 12, 9, "90s"},
		{"zero duration", "timeout: 0s", "annotation", 12, 10, "above zero"},
		{"parameter in a list", "watch: [pod/${NS}]", "annotation", 0, 0, "put text with ${…} into quotes"},
		{"shell", "shell: fish", "annotation", 12, 8, "known: bash, sh, zsh"},
		{"id", "id: a b", "annotation", 12, 5, "command line"},
		{"empty expectation", "expect: ''", "annotation", 12, 9, "is empty"},
		{"two done", "done: [secret/x exists, secret/y exists]", "annotation", 12, 7, "one expectation"},
		{"watch that judges", "watch: pod/x is ready", "expectation", 12, 8, "doesn't judge"},
		{"manual with commands", "manual: true", "manual-with-commands", 11, 6, "has commands"},
	} {
		r := parseText(front + "## A\n\n<!-- step\n" + c.body + "\n-->\n\n'''sh\necho hi\n'''\n")
		if r.Err() == nil {
			t.Errorf("%s: no error", c.name)
		}
		ok := slices.ContainsFunc(r.Diagnostics, func(d Diagnostic) bool {
			return d.Rule == c.rule && (c.line == 0 || d.Line == c.line && d.Col == c.col) && strings.Contains(d.Message+" "+d.Hint, c.text)
		})
		if !ok {
			t.Errorf("%s: want %s at %d:%d with %q:\n%s", c.name, c.rule, c.line, c.col, c.text, dump(r))
		}
	}
}

func TestAnAnnotationNeedsAStep(t *testing.T) {
	r := parseText("## A\n\n<!-- step\nid: a\n-->\n\nText.\n\n## B\n\n'''sh\necho b\n'''\n")
	wantDiagnostic(t, r, "annotation-without-step", 3, "add a fence")
	r = parseText("## A\n\n<!-- step\nid: a\n-->\n\n<!-- step\nid: b\n-->\n\n'''sh\necho b\n'''\n")
	wantDiagnostic(t, r, "duplicate-annotation", 7, "line 3")
	r = parseText("## A\n\n<!-- step\nid: a\n-->\n\n'''sh\necho a\n'''\n\n## B\n\n<!-- step\nid: a\n-->\n\n'''sh\necho b\n'''\n")
	wantDiagnostic(t, r, "duplicate-id", 13, "line 3")
	if got := ids(r); got[0] == got[1] {
		t.Errorf("ids aren't unique: %q", got)
	}
	r = parseText("## A\n\n'''sh\necho a\n'''\n\n<!-- step\nid: a\n")
	wantDiagnostic(t, r, "unclosed-comment", 7, "-->")
	if r.Err() == nil {
		t.Error("an unclosed annotation must be an error")
	}
}

func TestAManualStepHasNoCommands(t *testing.T) {
	r := parseText("## Call the owner\n\n<!-- step\nid: call\nmanual: true\n-->\n\nAsk.\n\n'''yaml\na: b\n'''\n")
	if r.Err() != nil || len(r.Steps) != 1 || !r.Steps[0].Manual || len(r.Steps[0].Blocks) != 0 || len(r.NotOffered) != 1 {
		t.Errorf("%s", dump(r))
	}
}

func TestAChoiceCoversTheHeadingsBelow(t *testing.T) {
	r := parseText(front + "## Variant A\n\n<!-- step\nwhen: VARIANT == a\n-->\n\n### One\n\n'''sh\necho 1\n'''\n\n### Two\n\n<!-- step\nwhen: NS == web\n-->\n\n'''sh\necho 2\n'''\n\n## After\n\n'''sh\necho 3\n'''\n")
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	p, err := r.Bind(Values{"VARIANT": {Text: "b"}, "NS": {Text: "web"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"VARIANT is b", "VARIANT is b", ""} {
		if s := p.Steps[i]; s.WhyNot != want || s.Taken != (want == "") || s.Blocks[0].Offered != s.Taken {
			t.Errorf("step %d: taken %v, %q, block %+v", i+1, s.Taken, s.WhyNot, s.Blocks[0])
		}
	}
	p, _ = r.Bind(Values{"VARIANT": {Text: "a"}, "NS": {Text: "other"}})
	if !p.Steps[0].Taken || p.Steps[1].WhyNot != "NS is other" {
		t.Errorf("got %+v", p.Steps[1])
	}
	if b := r.Steps[0].Blocks[0]; !b.Offered {
		t.Error("binding must not change the runbook")
	}
	p, _ = r.Bind(nil)
	if p.Steps[0].Taken || p.Steps[0].WhyNot != "VARIANT isn't decided yet" {
		t.Errorf("got %+v", p.Steps[0])
	}
}

func TestStepsAreHeadingsAndItems(t *testing.T) {
	r := parseText("# Title\n\n'''sh\necho 0\n'''\n\n## No commands\n\nText.\n\n### Sub\n\n'''sh\necho 1\n'''\n\nMore.\n\n'''sh\necho 2\n'''\n\n## List\n\n1. First:\n\n   '''sh\n   echo 3\n   '''\n\n2. Only text\n3. Third. More of it\n   on two lines:\n\n   '''sh\n   echo 4\n   '''\n\nAfter the list:\n\n'''sh\necho 5\n'''\n\nUnderlined\n----------\n\n'''sh\necho 6\n'''\n")
	want := []string{"Title", "Sub", "First", "Third", "List", "Underlined"}
	if got := titles(r); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q\n%s", got, want, dump(r))
	}
	if s := r.Steps[1]; s.Line != 11 || s.End != 21 || len(s.Blocks) != 2 {
		t.Errorf("Sub: %d-%d with %d blocks", s.Line, s.End, len(s.Blocks))
	}
	for i, s := range r.Steps {
		if s.N != i+1 {
			t.Errorf("step %d has number %d", i+1, s.N)
		}
	}
}

func TestANumberedItemKeepsTheFenceThatBreaksTheNumbering(t *testing.T) {
	r := parseText("# A\n\n1. Do this:\n\n'''sh\necho 1\n'''\n\n2. Do that:\n\n'''sh\necho 2\n'''\n")
	if got := titles(r); !slices.Equal(got, []string{"Do this", "Do that"}) {
		t.Errorf("got %q", got)
	}
}

func TestAnAnnotatedHeadingOwnsItsList(t *testing.T) {
	r := parseText("## A\n\n<!-- step\nid: a\n-->\n\n1. One\n\n   '''sh\n   echo 1\n   '''\n\n2. Two\n\n   '''sh\n   echo 2\n   '''\n")
	if len(r.Steps) != 1 || len(r.Steps[0].Blocks) != 2 || r.Err() != nil {
		t.Errorf("%s", dump(r))
	}
}

func TestAListBeforeTheCommandsIsProse(t *testing.T) {
	r := parseText("# A\n\nNeeds:\n\n1. a cluster\n2. a key\n\n'''sh\necho a\n'''\n")
	if len(r.Steps) != 1 || r.Steps[0].Title != "A" || !strings.Contains(r.Steps[0].Parts[0].Prose, "2. a key") {
		t.Errorf("%s", dump(r))
	}
}

func TestACommandWithoutAnyHeadingIsAStep(t *testing.T) {
	r := parseText("Start it:\n\n'''sh\necho a\n'''\n")
	if len(r.Steps) != 1 || r.Steps[0].Title != "Start it" || r.Title != "x" {
		t.Errorf("%s", dump(r))
	}
}

func TestTheSectionsHoldTheWholeText(t *testing.T) {
	src := md("---\nrunbook: v1\n---\n# Title\n\nIntro **bold**.\n\n## One\n\nBefore.\n\n<!-- step\nid: one\n-->\n\n'''sh\necho 1\n'''\n\n'''yaml\na: b\n'''\n\nAfter.\n\n## Text only\n\nWords.\n\n1. Item:\n\n   '''sh\n   echo 2\n   '''\n\n2. Last words.\n")
	r := Parse("x.md", []byte(src))
	var b strings.Builder
	for _, s := range r.Sections {
		b.WriteString(s.Title + "\n")
		for _, p := range s.Parts {
			switch {
			case p.Fence != nil:
				b.WriteString(p.Fence.Code)
			case p.Block >= 0:
				b.WriteString(r.Steps[s.Step].Blocks[p.Block].Code)
			default:
				b.WriteString(p.Prose + "\n")
			}
		}
	}
	for _, want := range []string{"Title", "Intro **bold**.", "One", "Before.", "echo 1", "a: b", "After.", "Text only", "Words.", "Item", "echo 2", "Last words."} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is lost in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "id: one") {
		t.Error("the annotation shows")
	}
	if r.Intro != "Intro **bold**." {
		t.Errorf("intro %q", r.Intro)
	}
}

func TestIdsAreMadeLikeAnchors(t *testing.T) {
	for title, want := range map[string]string{
		"1. Postgres operator": "1-postgres-operator", "Öl & `code`!": "öl--code", "***": "step-1", "A [link](https://x) b": "a-link-b", "Tail {#given}": "tail",
	} {
		r := parseText("## " + title + "\n\n'''sh\necho a\n'''\n")
		if got := ids(r)[0]; got != want {
			t.Errorf("%s: got %s, want %s", title, got, want)
		}
	}
}

func TestFaultsBelongToFaultFinding(t *testing.T) {
	src := "---\nrunbook: v1\npurpose: fault-finding\nparams: {NS: {default: web}}\n---\n\n## Property missing\n\n<!-- fault es-missing-property -->\n\nText.\n\n'''sh\necho fix\n'''\n\n### Also\n\n'''sh\necho also\n'''\n\n## Own\n\n<!-- fault\nwhen: secret/${NS} is absent\nlog: /no such host.*/\nof: deployment/web\ncontainer: migrate\n-->\n\n## Event\n\n<!-- fault\nid: mine\nevent: BackOff\n-->\n"
	r := parseText(src)
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	f := r.Faults
	if len(f) != 3 || f[0].ID != "es-missing-property" || !f[0].Catalogue || !slices.Equal(f[0].Steps, []string{"property-missing", "also"}) || f[0].Text != "Text." {
		t.Errorf("%+v", f)
	}
	if f[1].ID != "own" || f[1].Catalogue || f[1].When.Check != Absent || f[1].Log != "no such host.*" || f[1].Of.Name != "web" || f[1].Container != "migrate" {
		t.Errorf("%+v", f[1])
	}
	if f[2].ID != "mine" || f[2].Catalogue || f[2].Event != "BackOff" {
		t.Errorf("%+v", f[2])
	}
	p, _ := r.Bind(Values{"NS": {Text: "web"}})
	if p.Faults[1].When.Subject.Name != "web" {
		t.Errorf("%+v", p.Faults[1].When)
	}
	wantDiagnostic(t, parseText(strings.Replace(src, "purpose: fault-finding\n", "", 1)), "fault-outside", 8, "fault-finding")
	wantDiagnostic(t, parseText(strings.Replace(src, "event: BackOff", "evnt: BackOff", 1)), "unknown-key", 36, "did you mean `event`?")
	wantDiagnostic(t, parseText(strings.Replace(src, " es-missing-property", "", 1)), "annotation", 9, "isn't said")
}
