package engine_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"runbook/internal/engine"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// stood puts a run where the given facts leave it.
func stood(facts ...string) func(*engine.Config) {
	return func(c *engine.Config) {
		for _, f := range facts {
			step, kind, _ := strings.Cut(f, " ")
			next, err := c.Run.Apply(steps.Event{Step: step, Kind: steps.EventKind(kind), At: time.Now()})
			if err != nil {
				panic(err)
			}
			c.Run = next
		}
	}
}

func did(step string) []string {
	return []string{step + " started", step + " exited", step + " held"}
}

func lost(step string) []string { return []string{step + " started", step + " lost"} }

const makeAndDrop = `# Try

## Make

` + "```sh\nkubectl create configmap thing\n```\n" + `
## Drop

` + "```sh\nkubectl delete configmap thing\n```\n"

func TestASettledStepWhoseResultIsGoneIsOpenAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := resume(t, oneStep, stood(did("make")...))
		defer b.Close()
		b.learn(thing, world.Gone)
		if err := b.Recheck(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := b.status("make")
		if got.Status != steps.Pending || !strings.Contains(got.Why, "configmap/thing exists") {
			t.Errorf("got %s: %q, want pending, naming what holds no longer", got.Status, got.Why)
		}
		if !b.journal.has("make reopened") {
			t.Errorf("the record doesn't say so: %v", b.journal.lines)
		}
	})
}

func TestASettledStepWhoseResultIsThereStaysSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := resume(t, oneStep, stood(did("make")...))
		defer b.Close()
		b.learn(thing, world.Present)
		if err := b.Recheck(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := b.status("make").Status; got != steps.Done {
			t.Errorf("got %s, want done", got)
		}
	})
}

func TestWhatCannotBeToldDoesNotReopenAStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := resume(t, oneStep, stood(did("make")...))
		defer b.Close()
		b.learn(thing, world.Hidden)
		if err := b.Recheck(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := b.status("make").Status; got != steps.Done {
			t.Errorf("got %s, want done", got)
		}
		if text := b.notices(); !strings.Contains(text, "can't tell") {
			t.Errorf("nobody is told: %q", text)
		}
	})
}

// notices returns all that was noticed so far.
func (b *bench) notices() string {
	var text []string
	for {
		synctest.Wait()
		select {
		case ev := <-b.Events():
			if n, ok := ev.(engine.Noticed); ok {
				text = append(text, n.Text)
			}
		default:
			return strings.Join(text, "\n")
		}
	}
}

func TestWhatWasMadeToBeDroppedLaterNeedNotBeThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := resume(t, makeAndDrop, stood(append(did("make"), did("drop")...)...))
		defer b.Close()
		b.learn(thing, world.Gone)
		if err := b.Recheck(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := b.status("make").Status; got != steps.Done {
			t.Errorf("got %s, want done: the step behind it took the thing away", got)
		}
	})
}

func TestWhatAStepLeftRunningIsStartedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := "# Try\n\n## Serve\n\n<!-- step\nid: serve\nbackground: true\n-->\n\n```sh\nkubectl port-forward svc/x 8080\n```\n"
		b := resume(t, text, stood(did("serve")...))
		defer b.Close()
		if err := b.Recheck(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := b.status("serve").Status; got != steps.Pending {
			t.Errorf("got %s, want pending", got)
		}
	})
}

// A cut is a step that was cut off, what is true now, and what must follow.
func TestAStepThatWasCutOffIsNeverGuessedAbout(t *testing.T) {
	began, ended := map[int]bool{0: true}, map[int]int{0: 0}
	absent := map[string]world.Answer{"configmap/thing exists": world.DoesNot}
	for name, tc := range map[string]struct {
		code    string
		past    engine.Past
		now     world.Presence
		status  steps.Status
		unclear bool
	}{
		"nothing had begun":                   {"kubectl create configmap thing", engine.Past{}, world.Gone, steps.Unsure, false},
		"a create refuses what is there":      {"kubectl create configmap thing", engine.Past{Began: began}, world.Gone, steps.Unsure, false},
		"it came through, and the world says": {"kubectl create configmap thing", engine.Past{Began: began, Before: absent}, world.Present, steps.Satisfied, false},
		"it held before as well":              {"kubectl apply -f x.yaml", engine.Past{Began: began}, world.Present, steps.Unsure, true},
		"a write that may be half done":       {"helm upgrade --install a b", engine.Past{Began: began, Before: absent}, world.Gone, steps.Unsure, true},
		"a write that can be seen":            {"helm upgrade --install a b", engine.Past{Began: began, Before: absent}, world.Present, steps.Satisfied, false},
		"a restart can't be seen":             {"kubectl rollout restart deploy/a", engine.Past{Began: began, Before: absent}, world.Present, steps.Unsure, true},
		"reading twice does no harm":          {"kubectl get configmap thing", engine.Past{Began: began}, world.Gone, steps.Unsure, false},
		"its commands had ended":              {"helm upgrade --install a b", engine.Past{Began: began, Ended: ended}, world.Present, steps.Satisfied, false},
		"ended, and not there yet":            {"helm upgrade --install a b", engine.Past{Began: began, Ended: ended}, world.Gone, steps.Unsure, false},
		"ended badly":                         {"helm upgrade --install a b", engine.Past{Began: began, Ended: map[int]int{0: 1}}, world.Gone, steps.Unsure, false},
		"ended, and its session is gone":      {"X=1 && helm upgrade --install a b; X=2", engine.Past{Began: began, Ended: ended}, world.Present, steps.Unsure, true},
		"something else ran, now it reads":    {"kubectl get configmap thing", engine.Past{Began: began, Edited: true}, world.Gone, steps.Unsure, true},
		"edited since":                        {"helm upgrade --install a b", engine.Past{Began: began, Ended: ended, Edited: true}, world.Present, steps.Unsure, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				text := "# Try\n\n## Make it\n\n<!-- step\nid: make\nexpect: configmap/thing exists\n-->\n\n```sh\n" + tc.code + "\n```\n"
				tc.past.Lost = true
				b := resume(t, text, func(c *engine.Config) {
					stood(lost("make")...)(c)
					c.Past = map[string]engine.Past{"make": tc.past}
				})
				defer b.Close()
				b.learn(thing, tc.now)
				if err := b.Recheck(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := b.status("make").Status; got != tc.status {
					t.Errorf("got %s, want %s", got, tc.status)
				}
				if got := b.Unclear("make"); (got != "") != tc.unclear {
					t.Errorf("unclear: got %q, want %v", got, tc.unclear)
				}
				if tc.unclear {
					g, err := b.Gate(t.Context(), "make")
					if err != nil || len(g.Warnings) == 0 || g.Words == "" {
						t.Errorf("its gate asks nothing: %+v, %v", g, err)
					}
				}
			})
		})
	}
}

func TestBlocksThatHadEndedAreNotRunAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := "# Try\n\n## Make it\n\n<!-- step\nid: make\n-->\n\n```sh\nkubectl create ns a\n```\n\n```sh\nkubectl create ns b\n```\n\n```sh\nkubectl create ns c\n```\n"
		b := resume(t, text, func(c *engine.Config) {
			stood(lost("make")...)(c)
			c.Past = map[string]engine.Past{"make": {Began: map[int]bool{0: true, 1: true}, Ended: map[int]int{0: 0}, Lost: true}}
		})
		defer b.Close()
		if err := b.Do(t.Context(), "make", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got, want := b.shell.history(), "kubectl create ns b; kubectl create ns c"; got != want {
			t.Errorf("ran %q, want %q", got, want)
		}
	})
}

func TestAStepOfWhichOnlyTheWaitingIsLeftPassesNoGateTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := "# Try\n\n## Away\n\n<!-- step\nid: away\nexpect: configmap/thing is absent\n-->\n\n```sh\nkubectl delete configmap thing\n```\n"
		b := resume(t, text, func(c *engine.Config) {
			stood(lost("away")...)(c)
			c.Past = map[string]engine.Past{"away": {Began: map[int]bool{0: true}, Ended: map[int]int{0: 0}, Lost: true}}
		})
		defer b.Close()
		b.learn(thing, world.Present)
		if err := b.Do(t.Context(), "away", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		if got := b.status("away").Status; got != steps.Waiting {
			t.Fatalf("got %s, want waiting", got)
		}
		b.learn(thing, world.Gone)
		if got := b.status("away").Status; got != steps.Done || b.shell.history() != "" {
			t.Errorf("got %s after running %q, want done after nothing", got, b.shell.history())
		}
	})
}

func TestAStepThatTheOperatorStoppedRunsWholeAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := "# Try\n\n## Make it\n\n<!-- step\nid: make\n-->\n\n```sh\nkubectl get ns\n```\n\n```sh\nkubectl get pods\n```\n"
		b := resume(t, text, func(c *engine.Config) {
			stood("make started", "make cancelled")(c)
			c.Past = map[string]engine.Past{"make": {Began: map[int]bool{0: true, 1: true}, Ended: map[int]int{0: 0}}}
		})
		defer b.Close()
		if err := b.Do(t.Context(), "make", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got, want := b.shell.history(), "kubectl get ns; kubectl get pods"; got != want {
			t.Errorf("ran %q, want %q", got, want)
		}
	})
}

func TestAStepThatFailedIsClearButOneThatWasStoppedIsNot(t *testing.T) {
	both := map[int]bool{0: true, 1: true}
	for name, tc := range map[string]struct {
		facts   []string
		past    engine.Past
		unclear bool
	}{
		"what it expects didn't come":  {[]string{"make started", "make exited", "make unmet"}, engine.Past{Began: both, Ended: map[int]int{0: 0, 1: 0}}, false},
		"a command failed":             {[]string{"make started", "make cancelled"}, engine.Past{Began: both, Ended: map[int]int{0: 0, 1: 1}}, false},
		"stopped while it ran":         {[]string{"make started", "make cancelled"}, engine.Past{Began: both, Ended: map[int]int{0: 0}}, true},
		"repaired in the document":     {[]string{"make started", "make exited", "make unmet"}, engine.Past{Began: both, Ended: map[int]int{0: 0, 1: 0}, Edited: true}, false},
		"stopped, and the text edited": {[]string{"make started", "make cancelled"}, engine.Past{Began: both, Ended: map[int]int{0: 0}, Edited: true}, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				text := "# Try\n\n## Make it\n\n<!-- step\nid: make\n-->\n\n```sh\nhelm upgrade a b\n```\n\n```sh\nhelm upgrade c d\n```\n"
				b := resume(t, text, func(c *engine.Config) {
					stood(tc.facts...)(c)
					c.Past = map[string]engine.Past{"make": tc.past}
				})
				defer b.Close()
				if got := b.Unclear("make"); (got != "") != tc.unclear {
					t.Errorf("unclear: got %q, want %v", got, tc.unclear)
				} else if tc.unclear && !strings.Contains(got, "c d") && !tc.past.Edited {
					t.Errorf("it names another command: %q", got)
				}
			})
		})
	}
}

func TestCodeThatLeavesNothingInItsSession(t *testing.T) {
	for code, want := range map[string]bool{
		"kubectl get ns":                          false,
		"A=1 kubectl get ns":                      false,
		"kubectl get ns | while true; do :; done": false,
		"(cd /tmp && ls)":                         false,
		"echo $(cd /; pwd)":                       false,
		"A=1":                                     true,
		"export A":                                true,
		"cd /tmp":                                 true,
		"if true; then A=1; fi":                   true,
		"f() { :; }":                              true,
		"set -e":                                  true,
		"source x":                                true,
		"read -r A":                               true,
		"echo 'unclosed":                          true,
	} {
		if got := engine.LeavesState(code); got != want {
			t.Errorf("%q: got %v, want %v", code, got, want)
		}
	}
}

func TestWhatWasTakenAwayByTheStepThatWasCutOffNeedNotBeThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := resume(t, makeAndDrop, func(c *engine.Config) {
			stood(append(did("make"), lost("drop")...)...)(c)
			c.Past = map[string]engine.Past{"drop": {
				Began: map[int]bool{0: true}, Before: map[string]world.Answer{"configmap/thing is absent": world.DoesNot}, Lost: true,
			}}
		})
		defer b.Close()
		b.learn(thing, world.Gone)
		if err := b.Recheck(t.Context()); err != nil {
			t.Fatal(err)
		}
		if made, dropped := b.status("make").Status, b.status("drop").Status; made != steps.Done || dropped != steps.Satisfied {
			t.Errorf("got %s and %s, want done and satisfied", made, dropped)
		}
	})
}

func TestAStepIsSatisfiedOnceHoweverManySeeIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := "# Try\n\n## Make it\n\n<!-- step\nid: make\ndone: configmap/thing exists\n-->\n\n```sh\nkubectl create configmap thing\n```\n"
		b := resume(t, text, stood(lost("make")...))
		defer b.Close()
		b.learn(thing, world.Present)
		for range 8 {
			go func() { _ = b.Recheck(t.Context()) }()
			go b.Settle(t.Context(), "make")
		}
		synctest.Wait()
		count := 0
		for _, l := range b.journal.lines {
			if l == "make satisfied" {
				count++
			}
		}
		if count != 1 {
			t.Errorf("satisfied %d times: %v", count, b.journal.lines)
		}
	})
}
