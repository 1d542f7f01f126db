package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"runbook/internal/screen"
)

// lines walks the runbook off a terminal and looks at it in every other way;
// format is that of -o.
func (s *stakeout) lines(format string) {
	s.t.Helper()
	inWritten := s.idOf("Written")
	accept := "words,secrets,world,vault,created,last," + inWritten
	for _, only := range []string{"words", "secrets", "world", inWritten, "vault", "created", "last"} {
		code := 0
		if only == "world" || only == "last" || only == inWritten {
			code = 1
		}
		s.run(code, "run", s.file, "-o", format, "--only", only, "--accept-risk", accept)
	}
	s.run(4, "run", s.file, "-o", format, "--from", "changes") // refused: the gate tells what it would do
}

// newest is the name of a run, the newest being 0.
func (s *stakeout) newest(n int) string {
	s.t.Helper()
	cmd := exec.Command(s.program, "runs", "-o", "json")
	cmd.Env = s.env
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatal(err)
	}
	var rows []runRow
	if err := json.Unmarshal(out, &rows); err != nil {
		s.t.Fatal(err)
	}
	return rows[min(n, len(rows)-1)].Run
}

// watched is the program on a terminal whose every byte and frame is kept, with
// what it asks of the terminal beside the screen.
func (s *stakeout) watched(args ...string) *screen.Screen {
	s.t.Helper()
	cmd := exec.Command(s.program, args...)
	cmd.Env = s.env
	var raw, frames bytes.Buffer
	seen := map[string]bool{}
	tap := func(on *screen.Screen, printed []byte) {
		raw.Write(printed)
		for line := range strings.Lines(on.Text()) {
			if !seen[line] {
				seen[line] = true
				frames.WriteString(line)
			}
		}
	}
	sc := screen.StartCommand(s.t, cmd, 200, 60, tap)
	s.left["terminal"], s.left["frames"] = nil, nil
	s.ended = append(s.ended, func() {
		if err := sc.WaitExit(); err != nil {
			s.t.Log(err) // leaving before the end is exit status 3
		}
		s.left["terminal"], s.left["frames"] = raw.Bytes(), frames.Bytes()
		s.left["titles"], s.left["clipboard"] = asked(raw.Bytes())
	})
	return sc
}

var commandOfTerminal = regexp.MustCompile("\x1b\\]([0-9]+);([^\x07\x1b]*)(?:\x07|\x1b\\\\)")

// asked are the window titles and what was put on the clipboard.
func asked(raw []byte) (titles, clipboard []byte) {
	for _, m := range commandOfTerminal.FindAllSubmatch(raw, -1) {
		switch string(m[1]) {
		case "0", "1", "2":
			titles = append(append(titles, m[2]...), '\n')
		case "52":
			_, text, _ := bytes.Cut(m[2], []byte(";"))
			if plain, err := base64.StdEncoding.DecodeString(string(text)); err == nil {
				clipboard = append(append(clipboard, plain...), '\n')
			}
		}
	}
	return titles, clipboard
}

// onTerminal walks the runbook in the terminal interface.
func (s *stakeout) onTerminal() {
	s.t.Helper()
	sc := &story{Screen: s.watched(s.file), t: s.t, sandbox: s.box, env: s.env}
	for i, title := range []string{"Words", "Secrets", "World"} {
		sc.selected(title)
		sc.Type("y\r")
		if title != "World" {
			sc.WaitFor(fmt.Sprintf("%d/8", i+1))
			continue
		}
		sc.WaitFor("✗ 3 World") // its output says "failed" too
		sc.Type("\t\t\tz")      // all of its output
		sc.WaitFor("[Output]")
		sc.Type("gz")
		sc.WaitGone("[Output]")
	}
	sc.Type("\tj")
	sc.selected("Written")
	sc.Type("y")
	sc.WaitFor("copied 2 lines")
	for key, shows := range map[string]string{"v": "from the environment", "m": "Messages", "?": "The step"} {
		sc.Type(key)
		sc.WaitFor(shows)
		sc.Type("\x1b")
		sc.WaitGone(shows)
	}
	sc.Type("G")
	sc.selected("Changes")
	sc.Type("\r")
	sc.WaitFor("enter: do it")
	sc.Type("\x1b")
	sc.WaitGone("enter: do it")
	quits(sc.Screen)
	for _, f := range s.ended {
		f()
	}
}

// search holds everything that was left against every secret.
func (s *stakeout) search() []leak {
	s.t.Helper()
	s.left.under(s.t, s.home)
	return s.left.has(s.secrets)
}

func TestNothingThatIsMarkedIsLeftByAWalkAsLines(t *testing.T) {
	t.Parallel()
	// What is asked afterwards doesn't depend on how it was walked.
	for format, everyFormat := range map[string]bool{"text": true, "json": soaked} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			s := newStakeout(t, "runbook", leaky+written+gated)
			s.lines(format)
			s.looks(everyFormat)
			for _, l := range s.search() {
				t.Error(l)
			}
			if len(s.left) < 60 {
				t.Errorf("only %d places were looked at", len(s.left))
			}
		})
	}
}

func TestNothingThatIsMarkedIsLeftByAWalkOnATerminal(t *testing.T) {
	t.Parallel()
	s := newStakeout(t, "runbook", leaky+written+gated)
	s.onTerminal()
	for _, l := range s.search() {
		t.Error(l)
	}
	for _, place := range []string{"terminal", "frames", "titles", "clipboard"} {
		if len(s.left[place]) == 0 {
			t.Errorf("nothing was seen on: %s", place)
		}
	}
	if !bytes.Contains(s.left["frames"], []byte("[redacted]")) {
		t.Error("no frame shows that something was removed: the steps can't have run")
	}
}
