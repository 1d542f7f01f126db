package lint

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"runbook/internal/steps"
)

var update = flag.Bool("update", false, "write the golden files and docs/lint.md")

func check(src string) []steps.Diagnostic {
	return Check(steps.Parse("x.md", Example(src)), nil)
}

func rulesOf(ds []steps.Diagnostic) []string {
	var ids []string
	for _, d := range ds {
		ids = append(ids, d.Rule)
	}
	return ids
}

func TestEachRuleFindsItsBadExampleAndLeavesItsGoodOne(t *testing.T) {
	for _, r := range Rules() {
		t.Run(r.ID, func(t *testing.T) {
			bad := check(r.Bad)
			if !slices.Contains(rulesOf(bad), r.ID) {
				t.Errorf("the bad example gives %v", bad)
			}
			worst := steps.Info
			for _, d := range bad {
				if d.Rule == r.ID && rank(d.Severity) < rank(worst) {
					worst = d.Severity
				}
			}
			if worst != r.Severity && r.ID != "param-undeclared" {
				t.Errorf("the rule says %s, the example gives %s", r.Severity, worst)
			}
			for _, d := range check(r.Good) {
				t.Errorf("the good example gives %s", Text(d))
			}
		})
	}
}

func TestEachFindingStandsInTheFileAndSaysWhatToDo(t *testing.T) {
	for _, r := range Rules() {
		lines := strings.Split(string(Example(r.Bad)), "\n")
		for _, d := range check(r.Bad) {
			if d.Line < 1 || d.Line > len(lines) || d.Col < 1 || d.Col > len(lines[d.Line-1])+1 {
				t.Errorf("%s: %d:%d is outside of the file", r.ID, d.Line, d.Col)
			}
			if d.Message == "" || strings.ContainsAny(d.Message+d.Hint, "\n\x00") {
				t.Errorf("%s: message %q, hint %q", r.ID, d.Message, d.Hint)
			}
		}
	}
}

func TestTheFindingsOfARunbookReadWell(t *testing.T) {
	files, err := filepath.Glob("testdata/*.md")
	if err != nil || len(files) < 3 {
		t.Fatalf("runbooks: %v, %v", files, err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, f+".golden", textOf(Check(steps.Parse(filepath.Base(f), src), nil)))
		})
	}
}

// What we ship has nothing that lint would change, beyond what is said here.
func TestTheShippedRunbooksAreClean(t *testing.T) {
	root := filepath.Join("..", "..", "runbooks")
	files, err := filepath.Glob(filepath.Join(root, "*", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no shipped runbooks: %v", err)
	}
	var b strings.Builder
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(root, f)
		if err != nil {
			t.Fatal(err)
		}
		found := Check(steps.Parse(filepath.ToSlash(name), src), nil)
		for _, d := range found {
			if d.Severity == steps.Error {
				t.Errorf("%s", Text(d))
			}
		}
		b.WriteString(textOf(found))
	}
	golden(t, "testdata/shipped.golden", b.String())
}

func textOf(ds []steps.Diagnostic) string {
	var b strings.Builder
	for _, d := range ds {
		b.WriteString(Text(d))
	}
	return b.String()
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
	}
}

// What lint reads is what the program would run: a fence deep in a list, too (M8).
func TestAFenceInAListIsLinted(t *testing.T) {
	src := "# X\n\n- Item\n\n  10. Deeper\n\n      ```sh\n      curl https://example.org/install.sh | bash\n      ```\n\n- Other\n\n    ```text\n    curl https://example.org/install.sh | bash\n    ```\n"
	r := steps.Parse("x.md", []byte(src))
	var lines []int
	for _, d := range Check(r, nil) {
		if d.Rule == "pipe-to-shell" {
			lines = append(lines, d.Line)
		}
	}
	if want := []int{8, 14}; !slices.Equal(lines, want) {
		t.Errorf("got %v, want %v: %v", lines, want, Check(r, nil))
	}
}

// What is mended in one go is said in one go.
func TestFindingsOfOneCauseAreOneFinding(t *testing.T) {
	for _, c := range []struct {
		src, rule, message string
		at                 [2]int
	}{
		{front("needs: [kubectl]\n", "## A\n\n'''sh\ncurl -s https://x.internal | jq .\n'''\n\n## B\n\n'''sh\nvault status\n'''\n"), "needs-missing", "curl, jq and vault are used but not in needs", [2]int{3, 1}},
		{"ssh <host> -p <port> <host> true", "sample-value", "nothing is known to put in for `<host>` and `<port>`, so the commands aren't offered", [2]int{6, 5}},
		{"kubectl get pods\nkubectl delete deploy web\nkubectl logs web-0", "namespace-missing", "`kubectl delete deploy web` doesn't say in which namespace, nor do 2 more commands here", [2]int{7, 1}},
	} {
		var got []steps.Diagnostic
		for _, d := range check(c.src) {
			if d.Rule == c.rule {
				got = append(got, d)
			}
		}
		if len(got) != 1 || got[0].Message != c.message || got[0].Line != c.at[0] || got[0].Col != c.at[1] {
			t.Errorf("%s: got %v, want %q at %v", c.rule, got, c.message, c.at)
		}
	}
}

func TestWhoIsToldOfAProtectedKeyIsNotToldOfItsCostToo(t *testing.T) {
	src := front(protecting, "## A\n\n'''sh\nvault kv put kv/shop session-key=- < x\n'''\n\n## B\n\n'''sh\nvault kv delete kv/other\n'''\n")
	got := rulesOf(check(src))
	if n := len(got); !slices.Contains(got, "rotates-protected") || slices.Index(got, "cost-missing") < 0 || n != 2 {
		t.Errorf("got %v", got)
	}
}
