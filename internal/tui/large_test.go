package tui

import (
	"context"
	"testing"
	"time"

	"runbook/internal/engine"
	"runbook/internal/ratio"
	"runbook/internal/steps"
)

// large is a run of a runbook of 1 MB with 2,000 steps.
func large(t testing.TB) *fakeEngine {
	t.Helper()
	rb := steps.Parse("large.md", ratio.Runbook(2000))
	v, err := rb.Resolve(steps.Sources{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := rb.Bind(v)
	if err != nil {
		t.Fatal(err)
	}
	f := fakeOf(&steps.Runbook{})
	f.plan, f.run = plan, steps.NewRun(plan)
	return f
}

// unfelt is how long somebody doesn't notice that they wait.
const unfelt = 100 * time.Millisecond

// BenchmarkLarge is what an operator waits for with a runbook of 2,000 steps.
func BenchmarkLarge(b *testing.B) {
	open := func(b *testing.B) *desk {
		d := onRun(b, large(b), 120, 40)
		d.unchecked = true
		return d
	}
	view := func(d *desk) { _ = d.m.View() }
	b.Run("open a runbook of 2,000 steps to the first frame", func(b *testing.B) {
		ratio.Within(b, unfelt, func() { view(open(b)) })
	})
	for _, key := range []string{"down", "pgdown", "end"} {
		b.Run("the key "+key+" to its frame in 2,000 steps", func(b *testing.B) {
			d := open(b)
			ratio.Within(b, 30*time.Millisecond, func() { d.press(key); view(d) })
		})
	}
	b.Run("a key of a search to its frame in 2,000 steps", func(b *testing.B) {
		d := open(b)
		d.press("/")
		ratio.Within(b, 30*time.Millisecond, func() { d.write("x"); view(d) })
	})
	for _, query := range []string{"web-1999", "not to be found"} {
		b.Run("search 2,000 steps for "+query, func(b *testing.B) {
			d := open(b)
			ratio.Within(b, unfelt, func() {
				d.press("/")
				d.write(query)
				d.press("enter")
				view(d)
			})
		})
	}
}

// counting counts what the interface asks of the engine, by step.
type counting struct {
	*fakeEngine
	asked map[string]int
}

func (c *counting) Assess(step string) engine.Assessment {
	c.asked[step]++
	return c.fakeEngine.Assess(step)
}

func (c *counting) Checks(step string) []engine.Check {
	c.asked[step]++
	return c.fakeEngine.Checks(step)
}

func (c *counting) Live(step string) []engine.LiveItem {
	c.asked[step]++
	return c.fakeEngine.Live(step)
}

// A key costs as much as what is on the screen, however long the runbook is.
func TestAFrameIsAboutTheStepsThatAreShown(t *testing.T) {
	f := large(t)
	c := &counting{fakeEngine: f, asked: map[string]int{}}
	d := newDesk(t, Config{Runbook: f.plan.Runbook, Values: f.plan.Values,
		Start: func(context.Context, *steps.Runbook, steps.Values) (Engine, error) { return c, nil }}, 120, 40)
	d.quiet()
	const keys = 20
	for range keys {
		d.press("down")
	}
	d.sees("21 Step 20")
	if len(c.asked) != keys+1 {
		t.Errorf("%d keys asked about %d steps, want those that were shown", keys, len(c.asked))
	}
	parts := 0
	for i := range keys + 1 {
		parts += len(f.plan.Steps[i].Parts)
	}
	if n := len(d.m.run.prose.done); n > parts+1 {
		t.Errorf("%d keys rendered %d pieces of Markdown, want at most the %d of the steps that were shown", keys, n, parts+1)
	}
	before := len(d.m.run.prose.done)
	for range keys {
		d.tell(tickedMsg{})
	}
	if after := len(d.m.run.prose.done); after != before {
		t.Errorf("with the time, %d pieces of Markdown were rendered anew", after-before)
	}
}
