package shell

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// P6: values with newlines, quotes and any bytes survive.
func TestStateGoesFromStepToStep(t *testing.T) {
	for _, sh := range shells(t) {
		t.Run(sh, func(t *testing.T) {
			s := open(t, Options{Shell: sh})
			first := `plain=one
export SHOWN="two words"
quoted="it's \"q\" \$HOME \\ \` + "`x\\`" + `"
export LINES_IN="a
b
"
greet() { echo "hello $1"; }
mkdir -p sub
cd sub
umask 027
set -u
`
			if out, res := runCode(t, s, Command{Code: first}); res.Exit != 0 || res.StateLost != "" {
				t.Fatalf("exit %d, lost %q: %s", res.Exit, res.StateLost, out)
			}
			second := `echo "$plain|$SHOWN|$quoted|$LINES_IN|"
greet you
pwd
umask
case $- in *u*) echo nounset;; esac
env | grep SHOWN
env | grep plain= || echo not exported
`
			out, res := runCode(t, s, Command{Code: second})
			want := "one|two words|it's \"q\" $HOME \\ `x`|a\nb\n|\nhello you\n" + s.Dir() + "\n"
			if !strings.HasPrefix(out, want) || res.StateLost != "" {
				t.Errorf("lost %q, got\n%s\nwant\n%s", res.StateLost, out, want)
			}
			for _, w := range []string{"027", "nounset", "SHOWN=two words", "not exported"} {
				if !strings.Contains(out, w) {
					t.Errorf("no %q in\n%s", w, out)
				}
			}
			if filepath.Base(s.Dir()) != "sub" || !slices.Contains(s.Env(), "SHOWN=two words") {
				t.Errorf("Dir %s, Env %q", s.Dir(), s.Env())
			}
		})
	}
}

func TestBashStateOfEveryKindGoesOn(t *testing.T) {
	s := open(t, Options{})
	_, res := runCode(t, s, Command{Code: `arr=(a "b c" $'d\ne')
declare -A map=([k]="v w")
declare -i n=4
declare -r fixed=1
declare -n ref=arr
bytes=$'\xff\x01\xfe'
f() { cat <<'X'
it's "here"
X
}
export -f f
alias say='echo said'
shopt -s extglob nullglob
set -o pipefail
OLDPWD=/usr
IFS=,
`})
	if res.StateLost != "" {
		t.Fatal(res.StateLost)
	}
	out, _ := runCode(t, s, Command{Code: `printf '<%s>' "${arr[@]}" "${map[k]}" "$n" "$ref"; echo
n=n+1; echo $n
printf %s "$bytes" | od -An -tx1
f
bash -c f
say it
shopt extglob nullglob
set -o | grep pipefail
declare -p fixed OLDPWD
[ "$IFS" = , ] && echo ifs kept
`})
	for _, w := range []string{"<a><b c><d\ne><v w><4><a>", "\n5\n", " ff 01 fe", "it's \"here\"\nit's \"here\"", "said it", "extglob        \ton", "nullglob       \ton", "pipefail       \ton", "declare -r fixed=\"1\"", `OLDPWD="/usr"`, "ifs kept"} {
		if !strings.Contains(out, w) {
			t.Errorf("no %q in\n%s", w, out)
		}
	}
}

// P1, P2, P39: the status is the step's own.
// P4, P5: exit, set -e and a syntax error end the step as they end a script, and
// what was set before stays set.
func TestEveryEndOfAStepIsReportedAsInAScript(t *testing.T) {
	for _, sh := range shells(t) {
		for _, c := range []struct {
			name, code string
			exit       int
			out        string
			keeps      bool
		}{
			{"success", "K=1\necho fine", 0, "fine\n", true},
			{"last command fails", "K=1\nfalse", 1, "", true},
			{"not found", "K=1\nno-such-command-here 2>/dev/null", 127, "", true},
			{"failure before success", "K=1\nfalse\necho on", 0, "on\n", true},
			{"exit", "K=1\necho before\nexit 3\necho after", 3, "before\n", true},
			{"exit in a function", "K=1\nf() { exit 7; }\nf\necho after", 7, "", true},
			{"set -e", "K=1\nset -e\nfalse\necho after", 1, "", true},
			{"status in pipeline", "K=1\nfalse | true", 0, "", true},
		} {
			t.Run(sh+"/"+c.name, func(t *testing.T) {
				s := open(t, Options{Shell: sh})
				out, res := runCode(t, s, Command{Code: c.code})
				if res.Exit != c.exit || out != c.out {
					t.Errorf("exit %d, want %d; output %q, want %q", res.Exit, c.exit, out, c.out)
				}
				out, _ = runCode(t, s, Command{Code: "set +e; echo \"K=${K-}\"\n"})
				if want := "K=1\n"; out != want || (res.StateLost == "") != c.keeps {
					t.Errorf("next step sees %q, want %q; lost %q", out, want, res.StateLost)
				}
			})
		}
		t.Run(sh+"/syntax error", func(t *testing.T) {
			s := open(t, Options{Shell: sh})
			_, _ = runCode(t, s, Command{Code: "K=1"})
			out, res := runCode(t, s, Command{Code: "echo before\nif then\n"})
			if res.Exit == 0 || !strings.Contains(out, "before") {
				t.Errorf("exit %d, output %q", res.Exit, out)
			}
			if out, _ := runCode(t, s, Command{Code: "echo \"K=$K\""}); out != "K=1\n" {
				t.Errorf("next step sees %q", out)
			}
		})
	}
}

func TestTheCodeItselfIsTheScript(t *testing.T) {
	s := open(t, Options{})
	out, _ := runCode(t, s, Command{Code: "set -x\necho \"$LINENO\"\n#comment\necho $LINENO\n"})
	if want := "+ echo 2\n2\n+ echo 4\n4\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
	// The option stays on, and nothing of ours is traced.
	if out, _ := runCode(t, s, Command{Code: "echo again"}); out != "+ echo again\nagain\n" {
		t.Errorf("got %q", out)
	}
}

func TestAnOwnExitTrapRunsAndTheStateIsKept(t *testing.T) {
	s := open(t, Options{})
	out, res := runCode(t, s, Command{Code: "trap 'echo \"bye $? $K\"' EXIT\nK=1\n(trap 'echo inner' EXIT)\nexit 4\n"})
	if out != "inner\nbye 4 1\n" || res.Exit != 4 || res.StateLost != "" {
		t.Errorf("exit %d, lost %q, output %q", res.Exit, res.StateLost, out)
	}
	out, res = runCode(t, s, Command{Code: "set -e\ntrap 'echo \"bye $?\"; K=2' EXIT\nfalse\n"})
	if out != "bye 1\n" || res.Exit != 1 {
		t.Errorf("exit %d, output %q", res.Exit, out)
	}
	if out, _ = runCode(t, s, Command{Code: "set +e; echo $K; type trap"}); out != "2\ntrap is a shell builtin\n" {
		t.Errorf("next step sees %q", out)
	}
}

func TestAnEmptiedExitTrapStaysEmpty(t *testing.T) {
	s := open(t, Options{})
	out, res := runCode(t, s, Command{Code: "trap 'echo no' EXIT\ntrap - EXIT\nK=3\n"})
	if out != "" || res.StateLost != "" {
		t.Errorf("lost %q, output %q", res.StateLost, out)
	}
}

// P4: what cannot be saved is said, and the session goes on from before.
func TestLostStateIsSaidAndNotGuessed(t *testing.T) {
	for code, reason := range map[string]string{
		"K=2\nexec true\n":                  "exec",
		"K=2\nkill -9 $$\n":                 "SIGKILL",
		"K=2\nset -n\n":                     "",
		". ./lib.sh\nK=2\nexit 0\n":         "without saving",
		"K=2\nbuiltin trap 'echo x' EXIT\n": "",
	} {
		s := open(t, Options{})
		if err := os.WriteFile(filepath.Join(s.Dir(), "lib.sh"), []byte("trap 'echo lib' EXIT\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _ = runCode(t, s, Command{Code: "K=1"})
		_, res := runCode(t, s, Command{Code: code})
		out, _ := runCode(t, s, Command{Code: "echo $K"})
		if res.StateLost == "" && out != "2\n" || res.StateLost != "" && out != "1\n" {
			t.Errorf("%q: lost %q and next step sees %q", code, res.StateLost, out)
		}
		if !strings.Contains(res.StateLost, reason) {
			t.Errorf("%q: lost %q, want it to name %q", code, res.StateLost, reason)
		}
	}
}

// P33: the last assignment wins, whoever made it.
// P35: a value is never read as code.
func TestTheLastAssignmentOfAVariableWins(t *testing.T) {
	for _, sh := range shells(t) {
		s := open(t, Options{Shell: sh, Env: append(os.Environ(), "NS=session")})
		show := `echo "NS=$NS"`
		odd := "a$b\"'`c` \\ $(echo no)\nnext"
		for i, c := range []struct {
			env  []string
			code string
			want string
		}{
			{nil, show, "session"},
			{[]string{"NS=param"}, show, "param"},
			{[]string{"NS=param"}, "export NS=code", ""},
			{[]string{"NS=param"}, show, "code"},
			{[]string{"NS=changed"}, show, "changed"},
			{nil, show, "changed"},
			{nil, "unset NS", ""},
			{nil, `echo "NS=${NS-unset}"`, "unset"},
			{[]string{"NS=" + odd}, show, odd},
		} {
			out, _ := runCode(t, s, Command{Code: c.code, Env: c.env})
			if want := "NS=" + c.want + "\n"; c.want != "" && out != want {
				t.Errorf("%s %d: got %q, want %q", sh, i, out, want)
			}
		}
	}
}

func TestWhatOneShellExportsAnotherSees(t *testing.T) {
	all := shells(t)
	for _, from := range all {
		for _, to := range all {
			s := open(t, Options{})
			_, _ = runCode(t, s, Command{Shell: to, Code: "export V=old; own=mine"})
			_, _ = runCode(t, s, Command{Shell: from, Code: "export V='new one'\nmkdir d; cd d; umask 077\n"})
			out, res := runCode(t, s, Command{Shell: to, Code: "echo \"$V $own\"; pwd; umask"})
			if want := "new one mine\n" + s.Dir() + "\n"; !strings.HasPrefix(out, want) || !strings.HasSuffix(out, "077\n") || res.StateLost != "" {
				t.Errorf("%s to %s: got %q, want %q…", from, to, out, want)
			}
		}
	}
}

// P7: the state is in a private folder, and gone at the end.
// P9: nothing is ever written to a history.
// P32, P38: no startup file is read.
func TestStateIsPrivateAndHomeIsLeftAlone(t *testing.T) {
	home := t.TempDir()
	for _, f := range []string{".bashrc", ".profile", ".bash_profile", ".zshrc", ".zshenv"} {
		if err := os.WriteFile(filepath.Join(home, f), []byte("echo startup file read\nexport LEAK=1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := listing(t, home)
	state := filepath.Join(t.TempDir(), "state")
	for _, sh := range shells(t) {
		s := open(t, Options{Shell: sh, StateDir: state, Env: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "ENV=" + home + "/.bashrc", "BASH_ENV=" + home + "/.bashrc"}})
		out, _ := runCode(t, s, Command{Code: "umask 000; export TOKEN=tok-1234567; echo \"leak=${LEAK-}\""})
		if out != "leak=\n" {
			t.Errorf("%s: %q", sh, out)
		}
		files := 0
		_ = filepath.Walk(state, func(path string, info os.FileInfo, err error) error {
			switch {
			case err != nil || info.IsDir() && info.Mode().Perm() != 0o700, !info.IsDir() && info.Mode().Perm() != 0o600:
				t.Errorf("%s: %v, %v", path, info, err)
			case !info.IsDir():
				files++
			}
			return nil
		})
		if files == 0 {
			t.Error("there is no state")
		}
		if _, err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if rest := listing(t, state); rest != "" {
			t.Errorf("the state is still there: %s", rest)
		}
	}
	if after := listing(t, home); after != before {
		t.Errorf("home changed:\n%s\nwas\n%s", after, before)
	}
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, e.Name(), info.Size())
	}
	return b.String()
}

// P31: one command at a time changes the session.
func TestOnlyOneCommandAtATimeMayChangeTheSession(t *testing.T) {
	s := open(t, Options{})
	_, _ = runCode(t, s, Command{Code: "K=1"})
	p := start(t, s, Command{Code: "read x"})
	if _, err := s.Start(t.Context(), Command{Code: "K=2"}); err == nil {
		t.Error("a second command was started")
	}
	out, res := runCode(t, s, Command{Code: "echo $K; K=9; cd /", Isolated: true, Pipe: true})
	if out != "1\n" || res.StateLost != "" {
		t.Errorf("isolated: %q %q", out, res.StateLost)
	}
	if err := p.Type([]byte("go\r")); err != nil {
		t.Fatal(err)
	}
	wait(t, p)
	if out, _ := runCode(t, s, Command{Code: "echo $K; echo $x"}); out != "1\ngo\n" {
		t.Errorf("got %q", out)
	}
}

func TestAStepNeverRunsInAnotherFolderThanItWouldHave(t *testing.T) {
	s := open(t, Options{})
	_, _ = runCode(t, s, Command{Code: "mkdir gone; cd gone"})
	if err := os.Remove(s.Dir()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Start(t.Context(), Command{Code: "rm -f *"}); err == nil || !strings.Contains(err.Error(), s.Dir()+" is gone: an earlier step went there; make it again") {
		t.Errorf("got %v", err)
	}
}

func TestWrongCommandsAreRefused(t *testing.T) {
	s := open(t, Options{})
	for _, c := range []Command{
		{Code: "x", Shell: "powershell"},
		{Code: "x", Env: []string{"no-name=1"}},
		{Code: "x", Env: []string{"A=b\x00c"}},
	} {
		if _, err := s.Start(t.Context(), c); err == nil {
			t.Errorf("%+v was started", c)
		}
	}
	if _, err := New(Options{}); err == nil {
		t.Error("a session without a folder was opened")
	}
}

// P37: the prologs parse in every shell they are for, also in old ones.
func TestPrologsParse(t *testing.T) {
	for _, sh := range shells(t) {
		s := open(t, Options{Shell: sh})
		r, err := s.write(Command{Code: "trap 'x' EXIT"})
		if err != nil {
			t.Fatal(err)
		}
		file := r.code + ".rc"
		if sh == "zsh" {
			file = filepath.Join(r.code+".zsh", ".zshenv")
		}
		if out, err := exec.Command(sh, "-n", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %s", sh, out)
		}
	}
}
