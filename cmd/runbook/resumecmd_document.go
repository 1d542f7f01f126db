package main

import (
	"fmt"
	"slices"

	"runbook/internal/engine"
	"runbook/internal/steps"
)

// edits says which steps aren't what they were when the run began, or where.
func (r *resumption) edits(p *steps.Plan) []engine.Noticed {
	h := r.record.Header
	if hashOf(r.runbook.Source) == h.Hash {
		return nil
	}
	var notes []engine.Noticed
	note := func(id, format string, args ...any) {
		notes = append(notes, engine.Noticed{Step: id, Text: "the runbook was edited since the run began: " + fmt.Sprintf(format, args...)})
	}
	var order []string
	for _, s := range p.Steps {
		order = append(order, s.ID)
	}
	moved := moves(h.Order, order)
	for _, s := range p.Steps {
		switch old, known := h.Steps[s.ID]; {
		case !known:
			note(s.ID, "%d %s is new", s.N, s.Title)
		case old != hashOf(r.runbook.Text(s.Step)):
			note(s.ID, "%d %s is another text now", s.N, s.Title)
		}
		if moved[s.ID] {
			note(s.ID, "%d %s stands elsewhere now", s.N, s.Title)
		}
	}
	for _, id := range h.Order {
		if !slices.Contains(order, id) {
			note("", "the step %s is gone", id)
		}
	}
	return notes
}

// moves are the steps that stand elsewhere among those that were there before:
// as few as would have to be carried to get from the one order to the other.
func moves(before, now []string) map[string]bool {
	before = slices.DeleteFunc(slices.Clone(before), func(id string) bool { return !slices.Contains(now, id) })
	now = slices.DeleteFunc(slices.Clone(now), func(id string) bool { return !slices.Contains(before, id) })
	// kept[i][j] is how many can stay of before[i:] and now[j:].
	kept := make([][]int, len(before)+1)
	for i := range kept {
		kept[i] = make([]int, len(now)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			kept[i][j] = max(kept[i+1][j], kept[i][j+1])
			if before[i] == now[j] {
				kept[i][j] = kept[i+1][j+1] + 1
			}
		}
	}
	moved := map[string]bool{}
	i, j := 0, 0
	for j < len(now) {
		switch {
		case i < len(before) && before[i] == now[j]:
			i, j = i+1, j+1
		case i < len(before) && kept[i+1][j] >= kept[i][j+1]:
			i++
		default:
			moved[now[j]], j = true, j+1
		}
	}
	return moved
}
