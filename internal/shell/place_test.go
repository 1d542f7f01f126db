package shell

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// wrongs are commands that a shell itself has something to say about, and what
// it then says in each kind of shell.
var wrongs = []struct {
	name, code string
	want       map[family]string
}{
	{"a command that isn't there", "true\nhelm-that-isnt version", map[family]string{
		"bash": "line 2: helm-that-isnt: command not found", "sh": "line 2: helm-that-isnt: not found", "zsh": "line 2: command not found: helm-that-isnt"}},
	{"a file that can't be written", "\n\necho x >/nowhere/at/all", map[family]string{
		"bash": "line 3: /nowhere/at/all: No such file or directory", "sh": "line 3: cannot create /nowhere/at/all: Directory nonexistent", "zsh": "line 3: no such file or directory: /nowhere/at/all"}},
	{"a builtin", "cd /nowhere", map[family]string{
		"bash": "line 1: cd: /nowhere: No such file or directory", "sh": "line 1: cd: can't cd to /nowhere", "zsh": "cd:1: no such file or directory: /nowhere"}},
	{"a variable that must be set", `true; : "${NEEDED:?say where}"`, map[family]string{
		"bash": "line 1: NEEDED: say where", "sh": "line 1: NEEDED: say where", "zsh": "line 1: NEEDED: say where"}},
	{"a subshell", "true\nx=$(not-there)", map[family]string{
		"bash": "line 2: not-there: command not found", "sh": "line 2: not-there: not found", "zsh": "line 2: command not found: not-there"}},
	{"behind text without a line end", "printf half; not-there", map[family]string{
		"bash": "halfline 1: not-there: command not found", "sh": "halfline 1: not-there: not found", "zsh": "halfline 1: command not found: not-there"}},
}

func TestAShellSaysWhereInTheStepSomethingWentWrong(t *testing.T) {
	for _, sh := range shells(t) {
		fam, err := familyOf(sh)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range wrongs {
			for _, pipe := range []bool{false, true} {
				s := open(t, Options{Shell: sh})
				var rec record
				p := start(t, s, Command{Code: w.code, Pipe: pipe, Record: &rec})
				wait(t, p)
				lines, _ := p.Lines()
				if want := []string{w.want[fam]}; !slices.Equal(lines, want) {
					t.Errorf("%s, %s (pipe: %v): shows %q, want %q", sh, w.name, pipe, lines, want)
				}
				if got := strings.TrimSpace(strings.ReplaceAll(rec.String(), "\r", "")); got != w.want[fam] {
					t.Errorf("%s, %s (pipe: %v): records %q, want %q", sh, w.name, pipe, got, w.want[fam])
				}
			}
		}
	}
}

// A function that an earlier step has defined comes from the saved state.
func TestAFunctionOfAnEarlierStepHasNoLine(t *testing.T) {
	want := map[family]string{"bash": "not-there: command not found\n", "zsh": "f:2: command not found: not-there\n"}
	for _, sh := range shells(t) {
		fam, _ := familyOf(sh)
		if want[fam] == "" {
			continue // a POSIX shell doesn't say which file a line is of
		}
		s := open(t, Options{Shell: sh})
		if out, _ := runCode(t, s, Command{Code: "f() {\n  true\n  not-there\n}"}); out != "" {
			t.Fatalf("%s: %q", sh, out)
		}
		out, _ := runCode(t, s, Command{Code: "true\nf"})
		if out != want[fam] {
			t.Errorf("%s: %q, want %q", sh, out, want[fam])
		}
	}
}

// What a program reads is not touched, and neither is a path that is no place.
func TestOnlyAPlaceInAStepIsRewritten(t *testing.T) {
	for _, sh := range shells(t) {
		s := open(t, Options{Shell: sh})
		code := "echo \"$0\"; echo \"$0.txt: 3: x\"; ls \"${0%/*}\" >/dev/null && echo readable"
		out, _ := runCode(t, s, Command{Code: code})
		if lines := strings.Split(strings.TrimSpace(out), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[0], s.folder) || !strings.HasSuffix(lines[1], ".txt: 3: x") || lines[2] != "readable" {
			t.Errorf("%s: %q", sh, out)
		}
	}
}

// rewritten passes text through a place in pieces that end at the cuts.
func rewritten(text string, cuts ...int) string {
	l := place{files: []byte("/tmp/runbook-1/shell-2/step-")}
	var out strings.Builder
	from := 0
	for _, to := range append(cuts, len(text)) {
		out.Write(l.rewrite([]byte(text[from:to])))
		from = to
	}
	out.Write(l.flush())
	return out.String()
}

func TestAPlaceIsFoundWhereverItIsCut(t *testing.T) {
	const path = "/tmp/runbook-1/shell-2/step-"
	before := strings.Repeat("x", burst)
	for text, want := range map[string]string{
		path + "12: line 3: helm: command not found\n":                      "line 3: helm: command not found\n",
		path + "1.run: 3: " + path + "1: helm: not found\n":                 "line 3: helm: not found\n",
		path + "7:12: command not found: helm\n":                            "line 12: command not found: helm\n",
		path + "7:cd:5: no such file\n":                                     "cd:5: no such file\n",
		path + "1.state: line 40: helm: command not found\n":                "helm: command not found\n",
		path + "1: eval: line 3: syntax error\n":                            "eval: line 3: syntax error\n",
		path + "1\n" + path + "1.txt: 1: x\n" + path + "x: line 1: y\n":     path + "1\n" + path + "1.txt: 1: x\n" + path + "x: line 1: y\n",
		"/tmp/runbook-1/shell-3/step-1: line 1: x\n":                        "/tmp/runbook-1/shell-3/step-1: line 1: x\n",
		path + " " + path + "1: line 1: x":                                  path + " line 1: x",
		path + "1: line ":                                                   path + "1: line ",
		path + strings.Repeat("1", 40) + "\n":                               path + strings.Repeat("1", 40) + "\n",
		path + "1: " + strings.Repeat("1", 40) + ": x\n":                    strings.Repeat("1", 40) + ": x\n",
		path + "1: line 2: " + path + "2: line 3: " + path + "3.rc: 4: x\n": "line 2: line 3: x\n",
	} {
		for a := 1; a < len(text); a++ {
			for b := a + 1; b < len(text); b += 7 {
				if strings.HasPrefix(text[b-1:], path) {
					continue // a slash alone in a short piece: see below
				}
				if got := rewritten(before+text, len(before)+a, len(before)+b); got != before+want {
					t.Fatalf("%q cut at %d and %d: %q, want %q", text, a, b, got[min(len(got), len(before)):], want)
				}
			}
		}
	}
}

// A pager shows a slash when somebody starts to search: it isn't held back.
func TestASlashAtTheEndIsShownAtOnce(t *testing.T) {
	l := place{files: []byte("/tmp/runbook-1/shell-2/step-")}
	if got := string(l.rewrite([]byte("\x1b[24;1H/"))); !strings.HasSuffix(got, "/") {
		t.Errorf("got %q", got)
	}
}

func TestAStepWithoutAPrivateFolderIsLeftAsItIs(t *testing.T) {
	text := os.TempDir() + "/step-1: line 1: x"
	if got := string((&place{}).rewrite([]byte(text))); got != text {
		t.Errorf("got %q", got)
	}
}
