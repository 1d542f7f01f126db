package shell

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"runbook/internal/redact"
)

// patience is when a test that waits for something gives up. Nothing is
// asserted about time.
const patience = 20 * time.Second

// A record is a buffer that may be read while it is written.
type record struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.buf.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.buf.String()
}

func open(t testing.TB, opt Options) *Session {
	t.Helper()
	if opt.Dir == "" {
		opt.Dir = t.TempDir()
	}
	if opt.StateDir == "" {
		opt.StateDir = filepath.Join(t.TempDir(), "state")
	}
	s, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // no grace
		if _, err := s.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return s
}

func start(t testing.TB, s *Session, c Command) *Process {
	t.Helper()
	p, err := s.Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func wait(t testing.TB, p *Process) Result {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(patience):
		lines, _ := p.Lines()
		t.Fatalf("the command does not end; it printed %q", lines)
	}
	return p.Wait()
}

// runCode runs code to its end and returns what it printed with bare newlines.
func runCode(t testing.TB, s *Session, c Command) (string, Result) {
	t.Helper()
	var rec record
	c.Record = &rec
	res := wait(t, start(t, s, c))
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	return strings.ReplaceAll(rec.String(), "\r\n", "\n"), res
}

// see waits until the text is on the screen or in the lines.
func see(t testing.TB, p *Process, want string) {
	t.Helper()
	eventually(t, "see "+want, func() bool {
		lines, _ := p.Lines()
		shown := strings.Join(append(lines, p.Screen(0, 0).Lines...), "\n")
		return strings.Contains(ansi.Strip(shown), want)
	})
}

func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-deadline:
			t.Fatalf("gave up waiting: %s", what)
		case <-tick.C:
		}
	}
}

// shells are those that are installed here.
func shells(t testing.TB) []string {
	var out []string
	for _, sh := range []string{"bash", "sh", "zsh"} {
		if _, err := exec.LookPath(sh); err == nil {
			out = append(out, sh)
		} else {
			t.Logf("%s is not installed: not tested", sh)
		}
	}
	return out
}

func redactor(values ...string) *redact.Redactor {
	r := redact.New()
	r.Add(values...)
	return r
}
