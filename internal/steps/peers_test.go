package steps

import (
	"slices"
	"strings"
	"testing"
)

// The tests of this file are named after the faults of other tools that they
// keep out; the letters stand for a row of the list of those.

const plain = "# Title\n\nIntro.\n\n## One\n\n'''sh\nkubectl get ns\n'''\n\n## Two\n\n'''bash\ncat <<EOF > x\n\n  a\nEOF\n'''\n"

func TestM1M3LineEndsMakeNoDifference(t *testing.T) {
	lf := md(plain)
	want := dump(Parse("x.md", []byte(lf)))
	mixed := strings.Replace(lf, "\n", "\r\n", 5)
	for name, src := range map[string]string{
		"CRLF":  strings.ReplaceAll(lf, "\n", "\r\n"),
		"CR":    strings.ReplaceAll(lf, "\n", "\r"),
		"mixed": mixed,
		"BOM":   "\xef\xbb\xbf" + lf,
	} {
		if got := dump(Parse("x.md", []byte(src))); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

func TestM1AFileWithoutStepsIsAnError(t *testing.T) {
	r := Parse("x.md", []byte("# Only text\r\n"))
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "x.md:1:1: no step was found") {
		t.Errorf("got %v", err)
	}
}

func TestM2AFileMayEndInsideItsLastLine(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		src := strings.TrimSuffix(md("# A\n\n'''sh\necho hi\n'''\n"), "\n")
		r := Parse("x.md", []byte(strings.ReplaceAll(src, "\n", end)))
		wantCodes(t, r, "echo hi\n")
	}
}

func TestM7M8AFenceDeepInAListIsFound(t *testing.T) {
	r := parseText("# A\n\n10. ten\n\n    '''sh\n    echo ten\n    '''\n\n- item\n\n    '''text\n    words\n    '''\n\n\t'''sh\n\techo tab\n\t'''\n")
	wantCodes(t, r, "echo ten\n", "echo tab\n")
	if got := why(t, r, "words"); got != WhyNotShell {
		t.Errorf("text fence: %q", got)
	}
}

func TestM7AnUnclosedFenceInAListIsReported(t *testing.T) {
	r := parseText("# A\n\n1. one\n\n   '''sh\n   echo one\n\n2. two\n")
	wantDiagnostic(t, r, "unclosed-fence", 5, "never closed")
	wantWhy(t, r, map[string]string{"echo one": WhyDoubtful})
}

func TestM10FencesAtDifferingIndentsPairAsTheyOpen(t *testing.T) {
	r := parseText("# A\n\n  '''sh\n  echo hi\n'''\n\nText.\n\n'''sh\necho two\n   '''\n\nMore.\n\n   '''sh\n   echo three\n '''\n")
	wantCodes(t, r, "echo hi\n", "echo two\n", "echo three\n")
	if len(r.Diagnostics) != 0 || !strings.Contains(r.Steps[0].Parts[1].Prose, "Text.") {
		t.Errorf("%s", dump(r))
	}
}

func TestM11ACloserAtColumnOneInAListIsReportedAndLaterStepsStay(t *testing.T) {
	r := parseText("# A\n\n1. x\n\n   '''bash\n   a\n'''\n\n## Next\n\n'''bash\nkubectl get po\n'''\n")
	wantDiagnostic(t, r, "wrong-closer", 7, "opens a new one")
	wantWhy(t, r, map[string]string{"a\n": WhyDoubtful, "kubectl get po": WhyDoubtful})
	if !slices.Contains(titles(r), "Next") {
		t.Errorf("the later step is gone: %q", titles(r))
	}
}

func TestM12EmptyLinesOfHereDocumentsStay(t *testing.T) {
	wantCodes(t, parseText(plain), "kubectl get ns\n", "cat <<EOF > x\n\n  a\nEOF\n")
}

func TestM13ALongerFenceMayHoldAShorterOne(t *testing.T) {
	wantCodes(t, parseText("# A\n\n`'''sh\ncat <<'X'\n'''\nX\n`'''\n"), md("cat <<'X'\n'''\nX\n"))
}

func TestM14ATildeFenceIsAFence(t *testing.T) {
	wantCodes(t, parseText("# A\n\n~~~sh\necho hi\n~~~\n\n## B\n\n'''sh\necho b\n'''\n"), "echo hi\n", "echo b\n")
}

func TestM15ALineMayBeVeryLong(t *testing.T) {
	long := strings.Repeat("QUJD", 30_000)
	wantCodes(t, parseText("# A\n\n'''sh\necho "+long+" | base64 -d\n'''\n"), "echo "+long+" | base64 -d\n")
}

func TestM16M17AByteOrderMarkHidesNothing(t *testing.T) {
	r := parseText("\xef\xbb\xbf---\nrunbook: v1\ntitle: T\n---\n# A\n\n'''sh\necho hi\n'''\n")
	if r.Title != "T" || len(r.Steps) != 1 {
		t.Errorf("title %q, %d steps", r.Title, len(r.Steps))
	}
	r = parseText("\xef\xbb\xbf# First\n\n'''sh\necho hi\n'''\n\n## Second\n\n'''sh\necho 2\n'''\n")
	if r.Title != "First" || !slices.Equal(titles(r), []string{"First", "Second"}) {
		t.Errorf("the first heading is lost: %s", dump(r))
	}
}

func TestM19WhatIsNoFrontMatterIsContent(t *testing.T) {
	for _, src := range []string{"--\na: b\n---\n\n# A\n\n'''sh\necho hi\n'''\n", "---\n\n# A\n\n'''sh\necho hi\n'''\n"} {
		wantCodes(t, parseText(src), "echo hi\n")
	}
}

// What it protects isn't protected, so that its author must know.
func TestM19FrontMatterWithAMisspeltMarkIsReported(t *testing.T) {
	body := "\n# A\n\n'''sh\necho hi\n'''\n"
	for src, line := range map[string]int{
		"--\ntitle: T\n---\n": 1, "----\ntitle: T\n----\n": 1, "---\ntitle: T\ntags: [a]\n": 4, "---\ntitle: T\n--\n": 3,
		"---\nrunbook: v1\nprotects: []\n": 4, "--\nrunbook: v1\n---\n": 1,
	} {
		r := parseText(src + body)
		ours := strings.Contains(src, "runbook:")
		if ruleAt(r, "front-matter") != line || (r.Err() != nil) != ours {
			t.Errorf("%q: want line %d, an error %v\n%s", src, line, ours, dump(r))
		}
	}
	for _, src := range []string{"---\n", "-----\nNote: read this\n", "- a: b\n", "--\n", "---\nJust text.\n"} {
		if r := parseText(src + body); ruleAt(r, "front-matter") != 0 {
			t.Errorf("%q: %s", src, dump(r))
		}
	}
}

func TestM20ForeignFrontMatterIsSkipped(t *testing.T) {
	r := parseText("---\ntitle: Theirs\ntags:\n  - a\nweight: 3\n---\n\n## A\n\n'''sh\necho hi\n'''\n")
	if r.Title != "Theirs" || len(r.Diagnostics) != 0 || !slices.Equal(titles(r), []string{"A"}) || len(r.Sections) != 1 {
		t.Errorf("%s", dump(r))
	}
	wantCodes(t, r, "echo hi\n")
}

func TestM21M22ADollarWithoutABlankIsNoPrompt(t *testing.T) {
	code := "$KUBECTL get po\nexport PATH=\"$PATH:/x\"\n"
	wantCodes(t, parseText("# A\n\n'''sh\n"+code+"'''\n"), code)
}

func TestM23WhatRunsHasNoPrompt(t *testing.T) {
	wantCodes(t, parseText("# A\n\n'''sh\n$ kubectl get po\n$ kubectl get svc\n'''\n"), "kubectl get po\nkubectl get svc\n")
}

func TestM24AHereDocumentOfASessionIsWhole(t *testing.T) {
	r := parseText("# A\n\n'''console\n$ cat <<X\nfirst\n\n# comment\nX\nfirst\n$ echo end\nend\n'''\n")
	wantCodes(t, r, "cat <<X\nfirst\n\n# comment\nX\necho end\n")
}

func TestM25LinesThatLookLikeHeadingsStayInTheCode(t *testing.T) {
	code := "### setup\ncat <<EOF\n### x\nEOF\n"
	r := parseText("# A\n\n'''sh\n" + code + "'''\n")
	wantCodes(t, r, code)
	if len(r.Steps) != 1 {
		t.Errorf("%d steps", len(r.Steps))
	}
}

func TestM26ALabelWithAttributesIsRead(t *testing.T) {
	for _, info := range []string{`sh {"id":"01","name":"two words"}`, `sh { name="two words" }`, "{.bash}", "bash{name=z}", "{code-block} bash", "Bash", "bash wrap", " bash"} {
		r := parseText("# A\n\n'''" + info + "\nkubectl get po\n'''\n")
		if len(codes(r)) != 1 {
			t.Errorf("%s:\n%s", info, dump(r))
		}
	}
}

func TestM27ForeignCommentsAreLeftAlone(t *testing.T) {
	r := parseText("# A\n\n<!-- note \"zzz\" -->\n<!-- steps to follow -->\n<!-- markdownlint-disable MD013 -->\n\n'''sh\necho hi\n'''\n")
	wantCodes(t, r, "echo hi\n")
	if len(r.Diagnostics) != 0 {
		t.Errorf("%s", dump(r))
	}
}

func TestM28AMisspeltAnnotationIsAnError(t *testing.T) {
	for src, want := range map[string]string{
		"# A\n\n<!-- setp\nid: a\n-->\n\n'''sh\necho hi\n'''\n":                "did you mean `step`?",
		"# A\n\n<!-- step\nexpects: ns/a exists\n-->\n\n'''sh\necho hi\n'''\n": "did you mean `expect`?",
		"# A\n\n<!-- runbook id: a -->\n\n'''sh\necho hi\n'''\n":               "known: step, fault",
	} {
		r := parseText(src)
		if r.Err() == nil || !strings.Contains(dump(r), want) {
			t.Errorf("want %q:\n%s", want, dump(r))
		}
	}
}

func TestM29EveryShellLabelCounts(t *testing.T) {
	for _, info := range []string{"sh", "bash", "shell", "zsh", "console", "terminal", "shell-session", "", "text"} {
		r := parseText("# A\n\n'''" + info + "\nkubectl get po\n'''\n")
		if len(codes(r)) != 1 {
			t.Errorf("%q:\n%s", info, dump(r))
		}
	}
}

func TestM29WhatIsNotOfferedIsListedWithTheReason(t *testing.T) {
	r := parseText("# A\n\n'''yaml\na: b\n'''\n\n'''powershell\nGet-Pod\n'''\n\n'''sh\necho hi\n'''\n")
	if len(r.NotOffered) != 2 || r.NotOffered[0].Why != WhyNotShell || r.NotOffered[0].Line != 4 || r.NotOffered[1].Lang != "powershell" {
		t.Errorf("%s", dump(r))
	}
}

func TestM30HeadingsWithTheSameTextAreDifferentSteps(t *testing.T) {
	r := parseText("# A\n\n## Check\n\n'''sh\necho 1\n'''\n\n## Check\n\n'''sh\necho 2\n'''\n\n## Check 2\n\n'''sh\necho 3\n'''\n")
	if got, want := ids(r), []string{"check", "check-2", "check-2-2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	wantCodes(t, r, "echo 1\n", "echo 2\n", "echo 3\n")
}

func TestM34AFenceInAHereDocumentIsNotOffered(t *testing.T) {
	r := parseText("# A\n\n'''sh\ncat <<EOF > README.md\n'''text\nhi\n'''\nEOF\n'''\n\n## B\n\n'''sh\necho b\n'''\n")
	wantWhy(t, r, map[string]string{"cat <<EOF": WhyDoubtful, "echo b": WhyDoubtful})
	if ruleAt(r, "unclosed-fence") != 3 {
		t.Errorf("%s", dump(r))
	}
	wantCodes(t, parseText("# A\n\n`'''sh\ncat <<EOF > README.md\n'''text\nhi\n'''\nEOF\n`'''\n"), md("cat <<EOF > README.md\n'''text\nhi\n'''\nEOF\n"))
}

func TestM36AFenceThatHTMLSwallowsIsReported(t *testing.T) {
	r := parseText("# A\n\n<details><summary>S</summary>\n'''bash\n# CREATE DIR\nmkdir x\n'''\n</details>\n\n## B\n\n'''sh\necho b\n'''\n")
	wantDiagnostic(t, r, "fence-swallowed", 4, "empty line")
	wantWhy(t, r, map[string]string{"mkdir x": WhyDoubtful, "echo b": ""})
	if slices.Contains(titles(r), "CREATE DIR") {
		t.Error("a comment of the code became a heading")
	}
}

func TestM36AFenceInDetailsWithEmptyLinesIsOffered(t *testing.T) {
	wantCodes(t, parseText("# A\n\n<details><summary>S</summary>\n\n'''bash\nmkdir x\n'''\n\n</details>\n"), "mkdir x\n")
}

func TestM36AnUnclosedCommentIsReported(t *testing.T) {
	r := parseText("# A\n\n'''sh\necho a\n'''\n\n<!-- a\n\n'''sh\necho b\n'''\n")
	wantDiagnostic(t, r, "unclosed-comment", 7, "hides the rest")
	wantCodes(t, r, "echo a\n")
}

func TestCommentsHideTheirFences(t *testing.T) {
	r := parseText("# A\n\n<!--\n'''sh\nrm -rf /\n'''\n-->\n\n'''sh\necho a\n'''\n")
	wantCodes(t, r, "echo a\n")
	if len(r.NotOffered) != 0 {
		t.Errorf("%s", dump(r))
	}
}

func TestEmptyAndForeignFilesAreTypedErrors(t *testing.T) {
	for rule, src := range map[string]string{
		"empty-file": " \n\n",
		"not-text":   "\x7fELF\x00\x00# A",
		"no-steps":   "# A\n",
	} {
		r := Parse("x.md", []byte(src))
		if ruleAt(r, rule) == 0 || r.Err() == nil {
			t.Errorf("%s: %s", rule, dump(r))
		}
	}
	if r := Parse("x.md", []byte(md("# A\n\ncaf\xe9 "+strings.Repeat("au lait ", 20)+"\n\n'''sh\necho hi\n'''\n"))); r.Err() != nil {
		t.Errorf("a stray byte of Latin-1 makes no program: %v", r.Err())
	}
}

func TestM21DollarsInAHereDocumentAreNoPrompts(t *testing.T) {
	code := "cat <<EOF > x\n$ not a prompt\nEOF\necho 'a\n$ b'\n"
	wantCodes(t, parseText("# A\n\n'''sh\n"+code+"'''\n"), code)
	wantCodes(t, parseText("# A\n\n'''sh\nNAME\n$ echo a\na\n'''\n"), "echo a\n")
}
