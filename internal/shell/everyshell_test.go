package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnyBytesSurviveInEveryShell(t *testing.T) {
	odd := "\xff\x01\xfe'\"\\ $x `y` \n\ttail\n\n"
	for _, sh := range shells(t) {
		t.Run(sh, func(t *testing.T) {
			s := open(t, Options{Shell: sh})
			if _, res := runCode(t, s, Command{Code: "made=$(printf '\\377\\001\\376x\\nx')\nexport given", Env: []string{"given=" + odd}}); res.StateLost != "" {
				t.Fatal(res.StateLost)
			}
			out, _ := runCode(t, s, Command{Code: "printf %s \"$made\" | od -An -tx1 -v | tr -d ' \\n'; echo; printf %s \"$given\" > given"})
			if want := "ff01fe780a78\n"; out != want {
				t.Errorf("made in the shell: got %q, want %q", out, want)
			}
			got, err := os.ReadFile(filepath.Join(s.Dir(), "given"))
			if err != nil || string(got) != odd {
				t.Errorf("given to the shell: got %q, want %q: %v", got, odd, err)
			}
		})
	}
}

func TestAStateThatIsLostIsSaidInEveryShell(t *testing.T) {
	for _, sh := range shells(t) {
		for code, reason := range map[string]string{
			"K=2\nexec true\n":  "exec",
			"K=2\nkill -9 $$\n": "SIGKILL",
		} {
			s := open(t, Options{Shell: sh})
			_, _ = runCode(t, s, Command{Code: "K=1"})
			_, res := runCode(t, s, Command{Code: code})
			out, _ := runCode(t, s, Command{Code: "echo $K"})
			if !strings.Contains(res.StateLost, reason) || out != "1\n" {
				t.Errorf("%s: %q: said %q, want that it was %s; the next step sees %q", sh, code, res.StateLost, reason, out)
			}
		}
	}
}

// Whether or not a shell lets its EXIT trap be shared, what the next step sees
// is what was said.
func TestAnOwnExitTrapRunsInEveryShellAndNothingIsLostSilently(t *testing.T) {
	for _, sh := range shells(t) {
		s := open(t, Options{Shell: sh})
		_, _ = runCode(t, s, Command{Code: "K=1"})
		out, res := runCode(t, s, Command{Code: "trap 'echo bye' EXIT\nK=2\nexit 3\n"})
		if out != "bye\n" || res.Exit != 3 {
			t.Errorf("%s: exit %d, output %q", sh, res.Exit, out)
		}
		want := "2\n"
		if res.StateLost != "" {
			want = "1\n"
		}
		if out, _ := runCode(t, s, Command{Code: "echo $K"}); out != want {
			t.Errorf("%s: said %q, and the next step sees %q", sh, res.StateLost, out)
		}
	}
}

func TestTheHistoryOfTheOperatorIsLeftAlone(t *testing.T) {
	for _, sh := range shells(t) {
		home := t.TempDir()
		env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "HISTFILE=" + filepath.Join(home, ".bash_history"), "HISTSIZE=100", "SAVEHIST=100"}
		for _, name := range []string{".bash_history", ".zsh_history", ".sh_history"} {
			if err := os.WriteFile(filepath.Join(home, name), []byte("mine\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		before := listing(t, home)
		s := open(t, Options{Shell: sh, Env: env})
		_, _ = runCode(t, s, Command{Code: "echo one"})
		_, _ = runCode(t, s, Command{Code: "echo \"hist=${HISTFILE-}\""})
		cmd, finish, err := s.Interactive(Command{Code: "echo secret-command"})
		if err != nil {
			t.Fatal(err)
		}
		finish(cmd.Run())
		if _, err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if after := listing(t, home); after != before {
			t.Errorf("%s: home changed:\n%s\nwas\n%s", sh, after, before)
		}
	}
}
