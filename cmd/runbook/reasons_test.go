package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// reasons is a runbook with one fence for each cause.
const reasons = "../../internal/docs/testdata/reasons.md"

// withheld are the reasons why a fence isn't offered, one for each cause, as
// the runbook has them in order.
var withheld = []struct {
	cause, step, reason string
	// unsaid are the front ends that don't show the fence itself: lint speaks of
	// what an author may want to change, and a walk as lines of what somebody may
	// have to do by hand.
	unsaid string
}{
	{"another language", "Language", "it is powershell, which isn't run here", ""},
	{"configuration", "Language", "it is yaml, which isn't run here", "lint"},
	{"output", "Listing", "the text introduces it as output", "lint run"},
	{"a placeholder", "Placeholder", "nothing is known to put in for <folder>", ""},
	{"the text says so", "Negated", "the text says not to run it", ""},
	{"a piece", "Fragment", "a command in it has no end", ""},
	{"doubtful Markdown", "Doubtful", "this fence is part of the HTML that starts in line 73", ""},
	{"a choice", "Choice", "VARIANT is b", "lint"},
	{"another machine", "Remote", "the text says that it runs elsewhere", ""},
}

// unmarked is what is said without what only marks code.
func unmarked(text string) string {
	text = strings.NewReplacer("`", "", `\<`, "<", `\u003c`, "<", `\u003e`, ">", "\n  | ", " ").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}

// Whatever shows a fence that isn't offered, or leaves it out, says why.
func TestEveryFrontEndSaysWhyAFenceIsNotOffered(t *testing.T) {
	t.Parallel()
	env := append(os.Environ(), "XDG_STATE_HOME="+t.TempDir(), "KUBECONFIG="+t.TempDir()+"/none", "VAULT_ADDR=")
	accept := []string{"--accept-risk", "language,listing,placeholder,negated,fragment,doubtful,choice,remote"}
	for _, args := range [][]string{
		{"steps"}, {"steps", "-o", "json"}, {"lint"}, {"lint", "-o", "json"}, {"lint", "-o", "sarif"}, {"print"}, {"print", "-o", "markdown"},
		append([]string{"run"}, accept...), append([]string{"run", "-o", "json"}, accept...),
	} {
		said := ""
		for _, only := range []string{"language", "listing", "placeholder", "negated", "fragment", "doubtful", "remote"} {
			more := append(args[:len(args):len(args)], reasons)
			if args[0] == "run" {
				more = append(more, "--only", only)
			}
			cmd := exec.Command("runbook", more...)
			cmd.Env, cmd.Stdin = env, nil
			out, err := cmd.CombinedOutput()
			if args[0] == "print" && err != nil {
				t.Fatalf("%v: %v\n%s", more, err, out)
			}
			said += unmarked(string(out)) + "\n"
			if args[0] != "run" {
				break
			}
		}
		for _, w := range withheld {
			if strings.Contains(w.unsaid, args[0]) {
				continue
			}
			if !strings.Contains(said, w.reason) {
				t.Errorf("%v doesn't say %q (%s):\n%s", args, w.reason, w.cause, said)
			}
		}
	}
}

func TestTheTerminalInterfaceSaysWhyAFenceIsNotOffered(t *testing.T) {
	t.Parallel()
	s := tell(t, stage{args: []string{"internal/docs/testdata/reasons.md"}, width: 300, height: 50})
	at := ""
	for _, w := range withheld {
		if w.step != at {
			if at != "" {
				s.Type("j")
			}
			s.selected(w.step)
			at = w.step
		}
		s.WaitUntil(func(text string) string {
			if strings.Contains(strings.ReplaceAll(text, "`", ""), w.reason) {
				return ""
			}
			return w.reason
		})
	}
}
