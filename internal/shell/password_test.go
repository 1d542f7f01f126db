package shell

import (
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// A question is a program that asks for a password.
type question struct {
	name, code string
	asks       []string // what is on the screen each time that it asks
	answers    []string
	after      string // what it prints in the end, as it may be shown
}

var questions = []question{
	{
		"bash reads silently", `read -r -s -p 'Password: ' pw; echo; echo "you said $pw"`,
		[]string{"Password:"}, []string{"correct-horse"}, "you said [redacted]",
	},
	{
		"the terminal is told not to echo", `printf 'Password: '; stty -echo; read -r pw; stty echo; echo; echo "you said $pw and ${pw}x"`,
		[]string{"Password:"}, []string{"correct-horse"}, "you said [redacted] and [redacted]x",
	},
	{
		"one that asks again, as sudo does", `for i in 1 2 3; do printf '[sudo] password for me (%s): ' $i; stty -echo; read -r pw; stty echo; echo
[ "$pw" = third-time-lucky ] && break; echo "Sorry, try again ($pw)."; done; echo "through with $pw"`,
		[]string{"(1):", "(2):", "(3):"}, []string{"first-guess", "second-guess", "third-time-lucky"}, "through with [redacted]",
	},
	{
		"one that asks on the terminal itself", `sh -c 'stty -echo </dev/tty; printf "Enter passphrase: " >/dev/tty; read -r pw </dev/tty; stty echo </dev/tty; echo; printf %s "$pw" | base64; echo "was $pw"' </dev/null`,
		[]string{"Enter passphrase:"}, []string{"correct-horse"}, "was [redacted]",
	},
	{
		"one that prints what was typed in another form", `printf 'Password: '; stty -echo; read -r pw; stty echo; echo; printf '%s' "$pw" | base64; echo "{\"pw\":\"$pw\"}"; echo over`,
		[]string{"Password:"}, []string{`quo"ted-horse`}, "over",
	},
}

// What is typed while a terminal doesn't echo is on no screen, in no line and in
// no record: not while it is typed, and not when the program prints it later.
func TestAPasswordThatIsTypedIsNeverShownNorRecorded(t *testing.T) {
	for _, q := range questions {
		t.Run(q.name, func(t *testing.T) {
			s := open(t, Options{})
			var rec record
			p := start(t, s, Command{Code: q.code, Record: &rec})
			for i, ask := range q.asks {
				see(t, p, ask)
				eventually(t, "echo off", p.EchoOff)
				for _, key := range strings.Split(q.answers[i], "") { // as a person types
					if err := p.Type([]byte(key)); err != nil {
						t.Fatal(err)
					}
				}
				if err := p.Type([]byte("\r")); err != nil {
					t.Fatal(err)
				}
			}
			if res := wait(t, p); res.Exit != 0 {
				t.Errorf("got %+v", res)
			}
			lines, _ := p.Lines()
			shown := ansi.Strip(strings.Join(lines, "\n") + strings.Join(p.Screen(0, 0).Lines, "\n") + rec.String())
			for _, answer := range q.answers {
				for _, part := range []string{answer, answer[:len(answer)-3], answer[3:]} {
					if strings.Contains(shown, part) {
						t.Errorf("%q is shown:\n%s", part, shown)
					}
				}
			}
			if !strings.Contains(rec.String(), q.after) {
				t.Errorf("no %q in %q", q.after, rec.String())
			}
		})
	}
}

// A password that was mistyped and typed again is hidden as it was sent, in the
// words of a program that fails and in those of later steps.
func TestAPasswordIsHiddenInWhatItsProgramFails(t *testing.T) {
	s := open(t, Options{})
	var rec record
	p := start(t, s, Command{Code: `printf 'Password: '; stty -echo; read -r pw; echo; echo "$pw: wrong" >&2; exit 4`, Record: &rec})
	eventually(t, "echo off", p.EchoOff)
	if err := p.Type([]byte("wrong-\x7f\x7f\x15correct-horse\r")); err != nil {
		t.Fatal(err)
	}
	if res := wait(t, p); res.Exit != 4 {
		t.Errorf("got %+v", res)
	}
	if got := rec.String(); !strings.Contains(got, "[redacted]: wrong") {
		t.Errorf("got %q", got)
	}
	out, _ := runCode(t, s, Command{Code: "echo it was correct-horse"}) // and in later steps
	if out != "it was [redacted]\n" {
		t.Errorf("a later step shows %q", out)
	}
}

// P16: what a daemon that the command starts does with the pipe keeps nobody
// waiting, and takes nothing from what the command has printed.
func TestADaemonThatKeepsThePipeOpenLosesNothing(t *testing.T) {
	for _, daemon := range []string{"sleep 300 &", "setsid sleep 300 &", "(setsid sh -c 'sleep 300; true' &)", "nohup sleep 300 2>&1 &"} {
		for i := range 5 {
			s := open(t, Options{})
			var stdout record
			p := start(t, s, Command{Code: fmt.Sprintf("%s\nseq 1 3000\nprintf end-%d", daemon, i), Pipe: true, Stdout: &stdout})
			res := wait(t, p)
			if got := stdout.String(); !strings.HasSuffix(got, fmt.Sprintf("3000\nend-%d", i)) || res.Exit != 0 {
				t.Fatalf("%s: exit %d, %d bytes that end with %q", daemon, res.Exit, len(got), got[max(0, len(got)-20):])
			}
			if len(res.Left) == 0 {
				t.Errorf("%s: nothing is left, want what it started", daemon)
			}
			for _, l := range res.Left {
				_ = syscall.Kill(l.PID, syscall.SIGKILL)
			}
		}
	}
}

// What has the real terminal is read by nobody else, so the shell itself says
// what was typed into it without echo.
func TestAPasswordThatWasReadOnTheRealTerminalIsNotShownLater(t *testing.T) {
	tests := map[string]struct{ shell, read, show string }{
		"with its own prompt":     {"bash", `read -rsp 'Password: ' PW`, `echo "it was $PW"`},
		"flags apart":             {"bash", `read -r -s -t 20 PW`, `echo "it was $PW"`},
		"without a name":          {"bash", `read -rs`, `echo "it was $REPLY"`},
		"in a function":           {"bash", `ask() { read -s PW; }; ask`, `echo "it was $PW"`},
		"the echo switched off":   {"sh", `stty -echo 2>/dev/null; read -r PW`, `printf 'it was %s\n' "$PW"`},
		"zsh with its own prompt": {"zsh", `read -rs 'PW?Password: '`, `echo "it was $PW"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(tt.shell); err != nil {
				t.Skip(tt.shell + " isn't here")
			}
			s := open(t, Options{Shell: tt.shell})
			cmd, finish, err := s.Interactive(Command{Code: tt.read})
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stdin = strings.NewReader("correct-horse\n")
			if res := finish(cmd.Run()); res.Exit != 0 || res.StateLost != "" {
				t.Fatalf("got %+v", res)
			}
			if out, _ := runCode(t, s, Command{Code: tt.show}); out != "it was [redacted]\n" {
				t.Errorf("a later step shows %q", out)
			}
		})
	}
}

func TestOnlyWhatIsReadWithoutEchoIsTakenForASecret(t *testing.T) {
	for code, want := range map[string]string{
		`read -p 'Name: ' N`:              "",
		`read N`:                          "",
		`read -rsn 8 A B`:                 "A B",
		`read -s -p "s" -n1 A; read -r B`: "A",
		`stty -echo; read A; stty echo`:   "A",
	} {
		if got := strings.Join(inspect(code, "bash").silent, " "); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}
