package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"runbook/internal/journal"
	"runbook/internal/screen"
)

// A seat is a person's place in front of the program: a runbook without a
// cluster, and a state folder of its own.
type seat struct {
	*screen.Screen
	t             testing.TB
	dir           string // has the runbook
	state         string
	env           []string
	width, height int
}

const seatWidth, seatHeight = 110, 32

// newSeat writes a runbook for somebody to sit down in front of.
func newSeat(t testing.TB, file, document string, env ...string) *seat {
	t.Helper()
	s := &seat{t: t, dir: t.TempDir(), state: t.TempDir(), width: seatWidth, height: seatHeight}
	s.writes(file, document)
	s.env = append(os.Environ(), "TERM=xterm-256color", "HOME="+s.dir, "XDG_STATE_HOME="+s.state, "KUBECONFIG="+s.dir+"/none", "VAULT_ADDR=", "PS1=shell> ")
	s.env = append(s.env, env...)
	return s
}

// prepareSeat writes runbook.md, whose first step has the given code.
func prepareSeat(t testing.TB, code string, env ...string) *seat {
	t.Helper()
	return newSeat(t, "runbook.md", "# A night shift\n\n## Long work\n\n```sh\n"+code+"\n```\n\n## Another\n\n```sh\necho other\n```\n", env...)
}

// sit opens a document as try.md in the terminal interface.
func sit(t testing.TB, document string, width, height int) *seat {
	t.Helper()
	s := newSeat(t, "try.md", document, "TOKEN=12345")
	s.width, s.height = width, height
	s.run("runbook", "try.md")
	return s
}

// writes puts a file into the seat's folder.
func (s *seat) writes(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// command is a program in the seat's folder, with its environment.
func (s *seat) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	return cmd
}

// run starts a program on the seat's terminal.
func (s *seat) run(name string, args ...string) *exec.Cmd {
	s.t.Helper()
	cmd := s.command(name, args...)
	s.Screen = screen.StartCommand(s.t, cmd, s.width, s.height)
	return cmd
}

// says runs the program off the terminal: what it prints, and its exit status.
func (s *seat) says(args ...string) (text string, code int) {
	s.t.Helper()
	out, err := s.command("runbook", args...).CombinedOutput()
	return string(out), exitStatus(err)
}

// inShell starts the program from a shell that waits for enter behind it, and
// ends as it did.
func (s *seat) inShell(name string) (program func() int) {
	s.t.Helper()
	s.run("bash", "-c", `(echo $BASHPID >pid; exec `+name+` runbook.md); code=$?; read x; exit $code`)
	return func() int { return s.pid("pid") }
}

// inJobControl opens a shell that has job control.
func (s *seat) inJobControl() {
	s.t.Helper()
	s.writes("inputrc", "set enable-bracketed-paste off\n") // only what the program switches on is looked at
	s.env = append(s.env, "INPUTRC="+filepath.Join(s.dir, "inputrc"))
	s.run("bash", "--norc", "--noprofile", "-i")
	s.WaitFor("shell>")
}

// atAPrompt checks that the shell has the terminal in the modes that a shell
// starts programs with.
func (s *seat) atAPrompt(mark string) {
	s.t.Helper()
	s.WaitFor("shell>")
	for _, name := range leftOn(s.Said()) {
		s.t.Errorf("left on: %s", name)
	}
	s.Type("stty -a | grep -ow -e '-*echo' -e '-*icanon' -e '-*isig' | tr '\\n' .; echo " + mark + "\r")
	s.WaitFor("isig.icanon.echo." + mark)
}

// runs presses enter on the step that is shown, once it may be run.
func (s *seat) runs(title string) {
	s.t.Helper()
	selected(s.Screen, title)
	s.Type("\r")
}

// enters presses enter on the first step of a seat that was prepared.
func (s *seat) enters() {
	s.t.Helper()
	s.WaitFor("A night shift", "enter run")
	s.Type("\r")
}

// quits leaves the program with steps still to do.
func quits(s *screen.Screen) {
	s.Type("q")
	s.WaitFor("Quit?")
	s.Type("q")
}

// leaves quits, and waits for the program's end.
func (s *seat) leaves() {
	s.t.Helper()
	quits(s.Screen)
	_ = s.WaitExit() // it says that the run is unfinished
}

// leavesForGood quits a program in job control with so many steps done, which a
// step may still run in.
func (s *seat) leavesForGood(done int) {
	s.t.Helper()
	quits(s.Screen)
	s.WaitFor(fmt.Sprintf("runbook: stopped: %d of 2 done", done))
	s.atAPrompt("left")
}

// pid waits for the file of that name, which a program has written its own to.
func (s *seat) pid(file string) int {
	s.t.Helper()
	n, err := strconv.Atoi(awaitFile(s.t, filepath.Join(s.dir, file)))
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// number waits for NAME=N. on the screen.
func (s *seat) number(name string) (n int) {
	s.t.Helper()
	pattern := regexp.MustCompile(name + `=(\d+)\.`)
	s.WaitUntil(func(text string) string {
		if m := pattern.FindStringSubmatch(text); m != nil {
			n, _ = strconv.Atoi(m[1])
			return ""
		}
		return "no " + name
	})
	return n
}

// recordDir is the folder of the only record.
func (s *seat) recordDir() string {
	s.t.Helper()
	root := filepath.Join(s.state, "runbook", "runs")
	names, err := journal.List(root)
	if err != nil || len(names) != 1 {
		s.t.Fatalf("records %v %v, want one", names, err)
	}
	return filepath.Join(root, names[0])
}

// record reads it.
func (s *seat) record() *journal.Record {
	s.t.Helper()
	rec, err := journal.Read(s.recordDir())
	if err != nil {
		s.t.Fatal(err)
	}
	return rec
}

// annotated puts an annotation before the first step's code.
func (s *seat) annotated(lines string) {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, "runbook.md"))
	if err != nil {
		s.t.Fatal(err)
	}
	s.writes("runbook.md", strings.Replace(string(text), "## Long work\n", "## Long work\n\n<!-- step\n"+lines+"\n-->\n", 1))
}

// waitLong waits for a text however long the step prints before.
func (s *seat) waitLong(want string) {
	s.t.Helper()
	s.during("no "+want, func() bool { return strings.Contains(s.Text(), want) })
}

// during waits for something as long as the record grows.
func (s *seat) during(lacks string, ok func() bool) {
	s.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	hung := time.NewTimer(floodPatience)
	defer hung.Stop()
	for before := int64(-1); !ok(); {
		if now := s.recorded(); now != before {
			before = now
			hung.Reset(floodPatience)
		}
		select {
		case <-tick.C:
		case <-hung.C:
			s.t.Fatalf("%s, and nothing more comes; the screen was:\n%s", lacks, s.Text())
		}
	}
}

// peak is the most memory that a process has had, in KiB.
func (s *seat) peak(pid int) (kb int) {
	s.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		s.t.Skip("no /proc here: the memory isn't known")
	}
	m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if m == nil {
		s.t.Fatalf("no peak in\n%s", status)
	}
	kb, _ = strconv.Atoi(string(m[1]))
	return kb
}

// outputFile has what the step of the only run prints, once it prints something.
func (s *seat) outputFile() string {
	s.t.Helper()
	return filepath.Join(s.recordDir(), "long-work.1.1.out")
}

// output opens what the step has printed.
func (s *seat) output() *os.File {
	s.t.Helper()
	f, err := os.Open(s.outputFile())
	if err != nil {
		s.t.Fatal(err)
	}
	return f
}

// recorded is how much of that there is.
func (s *seat) recorded() int64 {
	s.t.Helper()
	info, err := os.Stat(s.outputFile())
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return info.Size()
}
