package shell

import (
	"strings"
	"testing"
)

func TestWhatBashKeepsInItselfGoesOn(t *testing.T) {
	s := open(t, Options{})
	_, res := runCode(t, s, Command{Code: `mkdir "a dir'x"
pushd "a dir'x" >/dev/null; pushd /usr >/dev/null
trap 'echo "it'"'"'s
usr"' USR1
trap 'echo failed' ERR
shopt -s extdebug
f() { false; true; }
f
`})
	if res.StateLost != "" || len(res.Gone) > 0 {
		t.Fatalf("lost %q, gone %q", res.StateLost, res.Gone)
	}
	out, _ := runCode(t, s, Command{Code: "false\nkill -USR1 $$\npopd >/dev/null; basename \"$PWD\"; popd >/dev/null; dirs | wc -w\n"})
	if want := "failed\nit's\nusr\na dir'x\n1\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
	_, _ = runCode(t, s, Command{Code: "trap - ERR USR1"})
	if out, _ := runCode(t, s, Command{Code: "false; trap -p ERR USR1"}); out != "" {
		t.Errorf("traps that were taken back are there again: %q", out)
	}
}

func TestAnErrorTrapDoesNotDisturbTheSaving(t *testing.T) {
	s := open(t, Options{})
	if _, res := runCode(t, s, Command{Code: "set -E\ntrap 'echo touched; K=2' ERR\nK=1\n"}); res.StateLost != "" {
		t.Fatal(res.StateLost)
	}
	if out, _ := runCode(t, s, Command{Code: "echo $K"}); out != "1\n" {
		t.Errorf("got %q", out)
	}
}

func TestWhatEndsWithItsShellIsNamed(t *testing.T) {
	tests := []struct{ shell, code, want string }{
		{"bash", "set -- a b", "the arguments"},
		{"bash", "set a b", "the arguments"},
		{"bash", "if true; then set -- x; fi", "the arguments"},
		{"bash", "exec 5>/dev/null", "redirected or opened"},
		{"bash", "ulimit -n 512", "the limits"},
		{"bash", "trap 'echo x' DEBUG", "the trap on DEBUG"},
		{"sh", "trap 'echo x' INT", "the trap on INT"},
		{"zsh", "trap 'echo x' USR1", "the trap on USR1"},
		{"bash", "set -euo pipefail; set +o errexit", ""},
		{"bash", "set --", ""},
		{"bash", "(set -- a); x=$(set -- b); f() { set -- c; }; set -- d | cat", ""},
		{"bash", "trap 'echo x' EXIT", ""},
		{"bash", "trap 'echo x' INT; trap - INT", ""},
		{"bash", "ulimit -n; echo hi >/dev/null", ""},
		{"sh", "trap - INT", ""},
	}
	for _, tt := range tests {
		got := strings.Join(inspect(tt.code, family(tt.shell)).lost, ", ")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s: %q, want %q in it", tt.shell, tt.code, got, tt.want)
		}
	}
}

func TestJobsOfEarlierStepsAreSaidToBeStrangers(t *testing.T) {
	for code, want := range map[string]bool{
		"kill %1 || true":       true,
		"wait":                  true,
		"echo \"${!}\"":         true,
		"kill \"$pid\"":         false,
		"sleep 0 & wait":        false,
		"echo wait; sleep 0":    false,
		"sleep 0 &\nkill $! %1": false,
	} {
		s := open(t, Options{})
		if _, res := runCode(t, s, Command{Code: code}); res.Strangers {
			t.Errorf("%s: strangers where nothing runs", code)
		}
		_, res := runCode(t, s, Command{Code: "sleep 300 >/dev/null & pid=$!"})
		if len(res.Left) != 1 {
			t.Fatalf("left %+v", res.Left)
		}
		if _, res := runCode(t, s, Command{Code: code}); res.Strangers != want {
			t.Errorf("%s: strangers %v, want %v", code, res.Strangers, want)
		}
	}
}
