package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// oneByOne runs code as a walk by statements does: up to the one that ends its
// shell.
func oneByOne(t *testing.T, s *Session, code, shell string) (out string, res Result) {
	t.Helper()
	texts := Statements(code, shell)
	for i, text := range texts {
		var now string
		now, res = runCode(t, s, Command{Code: text, Shell: shell, Statement: i + 1, Of: len(texts), Before: res.Exit})
		out += now
		if res.Cut {
			break
		}
	}
	return out, res
}

func TestStatementsOneByOneDoWhatTheirScriptDoes(t *testing.T) {
	tests := map[string]string{
		"an exit ends it":                    "echo a\nexit 3\necho never\n",
		"an exit with success ends it":       "echo a\nexit 0\necho never\n",
		"an exit in a function ends it":      "f() { echo f; exit 4; }\nf\necho never\n",
		"an exit in a condition ends it":     "[ 1 = 2 ] || exit 5\necho never\n",
		"set -e ends it":                     "set -e\necho a\nfalse\necho never\n",
		"set -e lets a condition fail":       "set -e\nfalse || echo b\nif false; then echo c; fi\nfalse && echo d\necho \"$?\"\n",
		"set -u ends it":                     "set -u\n{ echo \"$no_such\"; } 2>/dev/null\necho never\n",
		"exec ends it":                       "echo a\nexec sh -c 'exit 6'\necho never\n",
		"a status reaches the next one":      "sh -c 'exit 7'\necho \"$?\"\nfalse\nif [ $? -eq 1 ]; then echo one; fi\n",
		"a status of success does":           "false\ntrue\necho \"$?\"\n",
		"a failure in the middle goes on":    "false\necho b\n",
		"the last one's status is the end's": "echo a\n(exit 8)\n",
		"a backslash at the end":             "echo a \\\n\necho b\n",
		"a comment at the end":               "echo a # and\nexit 2 # so\necho never\n",
		"a here-document at the end":         "cat <<E\n$?\nE\ncat <<'E' | tr a b\na\nE\n",
	}
	for _, shell := range []string{"bash", "sh", "zsh"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s isn't here", shell)
			continue
		}
		for name, code := range tests {
			t.Run(shell+": "+name, func(t *testing.T) {
				script(t, path, shell, code)
			})
		}
	}
}

// script compares a walk by statements with the shell itself.
func script(t *testing.T, path, shell, code string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, file)
	raw, _ := cmd.Output()
	want := string(raw)
	out, res := oneByOne(t, open(t, Options{}), code, shell)
	if strings.Contains(want, "never") {
		t.Fatalf("the script itself prints %q", want)
	}
	if out != want || res.Exit != cmd.ProcessState.ExitCode() {
		t.Errorf("got %q, exit %d, want %q, exit %d", out, res.Exit, want, cmd.ProcessState.ExitCode())
	}
}

func TestAnOwnExitTrapRunsOnceBehindTheLastStatement(t *testing.T) {
	for name, tt := range map[string]struct{ code, want string }{
		"at the end":     {"tmp=$(mktemp)\ntrap 'rm \"$tmp\"; echo \"bye $?\"' EXIT\nls \"$tmp\" >/dev/null && echo there\n", "there\nbye 0\n"},
		"at an exit":     {"trap 'echo bye' EXIT\nexit 3\necho never\n", "bye\n"},
		"taken back":     {"trap 'echo bye' EXIT\ntrap - EXIT\necho a\n", "a\n"},
		"seen and anew":  {"trap 'echo bye' EXIT\ntrap 'echo other' EXIT\necho a\n", "a\nother\n"},
		"after set -e":   {"set -e\ntrap 'echo \"bye $?\"' EXIT\nfalse\necho never\n", "bye 1\n"},
		"in a last step": {"echo a\ntrap 'echo bye' EXIT\n", "a\nbye\n"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, Options{})
			if out, res := oneByOne(t, s, tt.code, "bash"); out != tt.want || res.StateLost != "" {
				t.Errorf("got %q, lost %q, want %q", out, res.StateLost, tt.want)
			}
			if out, _ := oneByOne(t, s, "set +e\necho next\n", "bash"); out != "next\n" {
				t.Errorf("the next walk printed %q", out)
			}
		})
	}
}
