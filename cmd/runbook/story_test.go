package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"runbook/internal/sandbox"
	"runbook/internal/screen"
)

var update = flag.Bool("update", false, "write the golden files")

// A story is the program on a terminal, beside a sandbox of its own.
type story struct {
	*screen.Screen
	t       *testing.T
	sandbox *sandbox.Sandbox
	env     []string
}

type stage struct {
	scenario      string
	args          []string
	width, height int
	plain         bool // NO_COLOR
}

func tell(t *testing.T, s stage) *story {
	t.Helper()
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("kubectl is not on the path: make kubectl builds it")
	}
	box, err := sandbox.Start(context.WithoutCancel(t.Context()), sandbox.Options{Dir: t.TempDir(), Scenario: s.scenario})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	st := &story{t: t, sandbox: box, env: append(os.Environ(), box.Env()...)}
	st.env = append(st.env, "TERM=xterm-256color", "XDG_STATE_HOME="+t.TempDir())
	if s.plain {
		st.env = append(st.env, "NO_COLOR=1")
	}
	cmd := exec.Command("runbook", s.args...)
	cmd.Env = st.env
	cmd.Dir = "../.."
	st.Screen = screen.StartCommand(t, cmd, s.width, s.height)
	return st
}

// kubectl is what somebody does in another window.
func (s *story) kubectl(args ...string) string {
	s.t.Helper()
	cmd := exec.Command("kubectl", args...)
	cmd.Env = s.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// What differs from run to run, and what stands for it. Each replacement keeps
// the width of what it replaces, so that borders stay where they are.
var varying = []struct {
	what *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "127.0.0.1:PORT"},
	{regexp.MustCompile(` +(\d+[smh] ago|now)\b`), " AGO"},
	{regexp.MustCompile(`in \d+m?s\b *`), "in SOME TIME"},
	{regexp.MustCompile(`\d+ restarts? in`), "N restarts in"},
	{regexp.MustCompile(`until +│`), "until"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d`), "DATE"},
	{regexp.MustCompile(`(?i)date: [A-Z][a-z]{2}, [^│]*GMT`), "date: DATE"},
	{regexp.MustCompile(`pvc-[0-9a-f-]{36}`), "pvc-UID"},
	{regexp.MustCompile(`schmetterpause-[a-z0-9]{8,10}-[a-z0-9]{5}\b`), "schmetterpause-POD"},
}

func settle(text string) string {
	for _, v := range varying {
		text = v.what.ReplaceAllStringFunc(text, func(s string) string {
			as := v.as
			if strings.HasPrefix(as, " ") {
				return fmt.Sprintf("%*s", len(s), strings.TrimSpace(as))
			}
			return fmt.Sprintf("%-*.*s", len(s), len(s), as)
		})
	}
	return text
}

// looksLike waits until the screen is that of the golden file.
func (s *story) looksLike(name string) {
	s.t.Helper()
	path := filepath.Join("testdata", "screens", name+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(settle(s.Text())+"\n"), 0o644); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	s.WaitUntil(func(text string) string {
		if got := settle(text); got+"\n" != string(want) {
			return fmt.Sprintf("the screen is not that of %s:\n%s\nwant:\n%s", path, got, want)
		}
		return ""
	})
}

// sizes are the terminals that a bring-up is walked on.
var sizes = []struct {
	name          string
	width, height int
	plain         bool
}{
	{"160x50", 160, 50, false},
	{"80x24", 80, 24, false},
	{"160x50-plain", 160, 50, true},
}

func TestABringUpIsWalkedFromTheFormToTheEnd(t *testing.T) {
	for _, size := range sizes {
		for variant, keys := range map[string]string{"external-secrets": "\r", "ordinary-secrets": "\x1b[B\r"} {
			t.Run(variant+"-"+size.name, func(t *testing.T) {
				t.Parallel()
				s := tell(t, stage{args: []string{"runbooks/schmetterpause/bring-up.md"}, width: size.width, height: size.height, plain: size.plain})
				s.WaitFor("VARIANT", "external-secrets")
				s.looksLike(variant + "-" + size.name + "-form")
				s.Type(keys)
				titles := []string{"Postgres operator", "Gateway", "Storage for Postgres", "Namespace"}
				if variant == "external-secrets" {
					titles = append(titles, "Vault entry", "External Secrets")
				} else {
					titles = append(titles, "Nothing else owns the Secrets", "Both Secrets")
				}
				titles = append(titles, "Manifests", "Postgres cluster", "Checking")
				for i, title := range titles {
					s.WaitFor(fmt.Sprintf("%d/9", i), title)
					s.selected(title)
					if i == 4 {
						s.looksLike(variant + "-" + size.name + "-step")
					}
					s.Type("\r")
				}
				s.WaitFor("9 of 9 done")
				s.looksLike(variant + "-" + size.name + "-done")
				s.Type("q")
				if err := s.WaitExit(); err != nil {
					t.Fatalf("at the end: %v", err)
				}
			})
		}
	}
}

// selected waits until a step is the one in focus.
func (s *story) selected(title string) {
	s.t.Helper()
	s.WaitUntil(func(text string) string {
		for line := range strings.Lines(text) {
			if strings.Contains(line, "›") && strings.Contains(line, title[:min(len(title), 16)]) {
				return ""
			}
		}
		return "not selected: " + title
	})
}
