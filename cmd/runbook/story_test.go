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
	{regexp.MustCompile(` +(\d+[smh] ago|now)\b *`), " AGO"},
	{regexp.MustCompile(`in \d+m?s\b *`), "in SOME TIME"},
	{regexp.MustCompile(`\b\d+m?s\b *`), "AGE"},
	{regexp.MustCompile(`\d+ restarts? in`), "N restarts in"},
	{regexp.MustCompile(`until +│`), "until"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d`), "DATE"},
	{regexp.MustCompile(`(?i)date: [A-Z][a-z]{2}, [^│]*GMT`), "date: DATE"},
	{regexp.MustCompile(`pvc-[0-9a-f-]{36}`), "pvc-UID"},
	{regexp.MustCompile(`schmetterpause-[a-z0-9]{8,10}-[a-z0-9]*`), "schmetterpause-POD"},
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

// withoutLivePane cuts the rightmost pane of a wide screen off.
func withoutLivePane(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		cells := []rune(strings.TrimSuffix(line, "\n"))
		b.WriteString(strings.TrimRight(string(cells[:min(len(cells), 118)]), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// looksLike waits until the screen is that of the golden file.
func (s *story) looksLike(name string, cuts ...func(string) string) {
	s.t.Helper()
	seen := func(text string) string {
		text = settle(text)
		for _, cut := range cuts {
			text = cut(text)
		}
		return text
	}
	path := filepath.Join("testdata", "screens", name+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(seen(s.Text())+"\n"), 0o644); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	s.WaitUntil(func(text string) string {
		if got := seen(text); got+"\n" != string(want) {
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
	t.Parallel()
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
					titles = append(titles, "Nothing else owns the Secrets", "Both Secrets, without a kiosk")
				}
				titles = append(titles, "Manifests", "Postgres cluster", "Checking")
				for i, title := range titles {
					s.WaitFor(fmt.Sprintf("%d/9", i))
					s.selected(title)
					if i == 4 {
						s.looksLike(variant + "-" + size.name + "-step")
					}
					s.Type("\r")
				}
				s.WaitFor("9 of 9 done", "q quits")
				// Whether an age still fits on its line depends on the age.
				s.looksLike(variant+"-"+size.name+"-done", withoutLivePane)
				s.Type("q")
				if err := s.WaitExit(); err != nil {
					t.Fatalf("at the end: %v", err)
				}
			})
		}
	}
}

func (s *story) selected(title string) {
	s.t.Helper()
	selected(s.Screen, title)
}

// selected waits until a step is the one that enter would run: shown, and no
// longer held back because it has just come up by itself. In a narrow terminal
// enter brings its text up first.
func selected(s *screen.Screen, title string) {
	shown := regexp.MustCompile(`(?m)[╭┏] \d+ ` + regexp.QuoteMeta(title))
	told, turned := false, false
	s.WaitUntil(func(text string) string {
		bottom := strings.TrimSpace(text[strings.LastIndex(text, "\n")+1:])
		switch {
		case !told && (strings.HasPrefix(bottom, "· ") || strings.HasPrefix(bottom, "! ")):
			told = true
			s.Type("\x1b[27u") // the notice has been read; a bare escape would make alt of a key right behind it
			return "a notice: " + bottom
		case !strings.Contains(bottom, "enter run"):
			return "not ready to run: " + title
		case !shown.MatchString(text) && !turned && strings.Contains(text, "[Output]"):
			turned = true
			s.Type("\r")
			return "not turned to: " + title
		case !shown.MatchString(text):
			return "not shown: " + title
		}
		return ""
	})
}

// deployed is what must not change while nothing was confirmed.
func (s *story) deployed() string {
	return s.kubectl("-n", "schmetterpause", "get", "cluster,pvc,secret,deployment,service,httproute",
		"-o", `jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.uid} {.metadata.deletionTimestamp}{"\n"}{end}`)
}

func TestATeardownDeletesForTheRightWordOnly(t *testing.T) {
	t.Parallel()
	s := tell(t, stage{scenario: "deployed-ordinary", args: []string{"runbooks/schmetterpause/teardown.md"}, width: 160, height: 50})
	before := s.deployed()
	s.selected("Look first")
	s.Type("\r")
	s.WaitFor("1/3")
	s.selected("Postgres cluster")
	untouched := func(how string) {
		t.Helper()
		if after := s.deployed(); after != before {
			t.Fatalf("%s changed the cluster:\n%s\nit was:\n%s", how, after, before)
		}
	}
	ask := func() {
		t.Helper()
		s.selected("Postgres cluster")
		s.Type("\r")
		s.WaitFor("DESTROY", "schmetterpause-db", "enter: do it")
	}

	s.Type("\r\r\r") // two are on their way while the question opens
	s.WaitUntil(func(text string) string {
		if strings.Contains(text, "enter: do it") || strings.Contains(text, "not confirmed") {
			return ""
		}
		return "not asked"
	})
	untouched("a key that was in flight")
	s.Type("\x1b")
	s.WaitGone("DESTROY")

	ask()
	s.WaitFor("8Gi", "can't be brought back", "the database, and every match")
	s.looksLike("teardown-database-160x50")
	s.Type("schmetterpause\r")
	s.WaitFor("those are not the words")
	untouched("the wrong word")

	s.Paste("schmetterpause-db")
	s.WaitFor("a paste does not answer")
	s.Type("\r")
	s.WaitGone("DESTROY")
	untouched("a paste and enter")

	ask()
	s.Type("\r")
	s.WaitGone("DESTROY")
	untouched("enter alone")

	ask()
	s.Type("schmetterpause-db\x1b")
	s.WaitGone("DESTROY")
	untouched("escape")

	ask()
	s.Type("schmetterpause-db\r")
	s.WaitFor("2/3")

	s.selected("Namespace")
	s.Type("\r")
	s.WaitFor("session key", "every player is logged", "no other place has it", "enter: do it")
	s.looksLike("teardown-namespace-160x50")
	s.Type("schmetterpause\r")
	s.WaitFor("3 of 3 done")
	if out := s.kubectl("get", "ns", "--ignore-not-found", "schmetterpause"); out != "" {
		t.Fatalf("still there: %s", out)
	}
}

func TestTheLivePaneFollowsWhatSomebodyElseDoes(t *testing.T) {
	t.Parallel()
	s := tell(t, stage{scenario: "deployed", args: []string{"runbooks/schmetterpause/bring-up.md", "--set", "VARIANT=external-secrets"}, width: 160, height: 50})
	s.selected("Postgres operator")
	s.WaitFor("✓ deploy/cloudnative-pg")
	s.kubectl("-n", "postgres", "patch", "deployment", "cloudnative-pg", "--type=merge", "-p", `{"spec":{"replicas":0}}`)
	s.WaitFor("✗ deploy/cloudnative-pg") // and no key was pressed
	s.kubectl("-n", "postgres", "patch", "deployment", "cloudnative-pg", "--type=json", "-p", `[{"op":"replace","path":"/spec/replicas","value":1}]`)
	s.WaitFor("✓ deploy/cloudnative-pg")
}

func TestAClusterThatIsGoneIsSaidToBeStaleAndHeals(t *testing.T) {
	t.Parallel()
	s := tell(t, stage{args: []string{"runbooks/schmetterpause/bring-up.md", "--set", "VARIANT=external-secrets"}, width: 160, height: 50})
	s.selected("Postgres operator")
	s.WaitFor("✓ deploy/cloudnative-pg")
	s.sandbox.StopServers()
	s.WaitFor("stale since")
	s.Type("?") // the program is as usable as before
	s.WaitFor("Looking around")
	s.Type("\x1b")
	s.WaitGone("Looking around")
	if err := s.sandbox.StartServers(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.WaitGone("stale since")
	s.WaitFor("✓ deploy/cloudnative-pg")
	s.selected("Postgres operator")
	s.Type("\r")
	s.WaitFor("1/9")
}

func TestATerminalThatIsTooSmallSaysWhatItNeeds(t *testing.T) {
	t.Parallel()
	s := tell(t, stage{args: []string{"runbooks/schmetterpause/bring-up.md", "--set", "VARIANT=external-secrets"}, width: 20, height: 5})
	s.WaitFor("40×10")
	s.Resize(80, 24)
	s.WaitFor("Postgres operator")
}
