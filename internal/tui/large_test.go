package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

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

// BenchmarkLarge is what an operator waits for with a runbook of 2,000 steps.
func BenchmarkLarge(b *testing.B) {
	open := func(b *testing.B) *desk {
		d := onRun(b, large(b), 120, 40)
		d.unchecked = true
		return d
	}
	view := func(d *desk) { _ = d.m.View() }
	b.Run("parse to first frame", func(b *testing.B) {
		for b.Loop() {
			view(open(b))
		}
	})
	b.Run("one key", func(b *testing.B) {
		d := open(b)
		for i := 0; b.Loop(); i++ {
			d.press([]string{"down", "up"}[i/1000%2])
			view(d)
		}
	})
	b.Run("one page", func(b *testing.B) {
		d := open(b)
		for i := 0; b.Loop(); i++ {
			d.press([]string{"pgdown", "pgup"}[i/40%2])
			view(d)
		}
	})
	b.Run("tick", func(b *testing.B) {
		d := open(b)
		for b.Loop() {
			d.tell(tickedMsg{})
			view(d)
		}
	})
	b.Run("a key of a search", func(b *testing.B) {
		d := open(b)
		d.press("/")
		for b.Loop() {
			d.write("x")
			view(d)
			d.press("backspace")
		}
	})
	for _, query := range []string{"web-1999", "nowhere to be found", "ready"} {
		b.Run("search "+query, func(b *testing.B) {
			d := open(b)
			for b.Loop() {
				d.press("/")
				d.write(query)
				d.press("enter")
				view(d)
			}
		})
	}
	b.Run("resize", func(b *testing.B) {
		d := open(b)
		for i := 0; b.Loop(); i++ {
			d.tell(tea.WindowSizeMsg{Width: 120 + i%2, Height: 40})
			view(d)
		}
	})
}
