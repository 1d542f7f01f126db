package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"runbook/internal/engine"
	"runbook/internal/journal"
	"runbook/internal/steps"
)

// edits are the operator's texts that still stand, and what is to be said of
// them. One that replaced something else than the document says now is left
// out, and so is one that the record couldn't keep whole.
func (b *builder) edits(rec *journal.Record, run steps.Run) (map[string]map[int]string, []engine.Noticed) {
	out := map[string]map[int]string{}
	var notes []engine.Noticed
	made := rec.Edits()
	for _, s := range b.plan.Steps {
		for _, block := range slices.Sorted(maps.Keys(made[s.ID])) {
			e := made[s.ID][block]
			text, bad := b.restore(s, block, e, rec.Header.Steps[s.ID] == hashOf(b.plan.Runbook.Text(s.Step)))
			if !bad {
				if out[s.ID] == nil {
					out[s.ID] = map[int]string{}
				}
				out[s.ID][block] = e.Code
			}
			if !run.Steps[s.ID].Status.Settled() {
				notes = append(notes, engine.Noticed{Step: s.ID, Text: fmt.Sprintf("%d %s ", s.N, s.Title) + text, Bad: bad})
			}
		}
	}
	return out, notes
}

// restore says what becomes of an edit; bad when it can't be taken over. In a
// step whose text is the same, what the edit replaced may read differently only
// because a parameter has another value: the edit stays as it was typed.
func (b *builder) restore(s steps.BoundStep, block int, e journal.EditData, same bool) (text string, bad bool) {
	switch {
	case e.Withheld:
		return "was edited, and the record keeps no secret: it is as in the document again", true
	case block >= len(s.Blocks) || s.Blocks[block].Kind != steps.ShellBlock || !same && b.hide.Text(s.Code[block]) != e.Document:
		return "was edited, and the document says something else by now: the edit isn't taken over", true
	}
	return "runs as it was edited: " + rewording(e.Document, e.Code), false
}

// rewording puts on one line what an edit changes: the line that is another
// one, or how many are.
func rewording(document, code string) string {
	was, is := strings.Split(strings.TrimSpace(document), "\n"), strings.Split(strings.TrimSpace(code), "\n")
	same := 0
	for same < min(len(was), len(is)) && was[same] == is[same] {
		same++
	}
	was, is = was[same:], is[same:]
	end := 0
	for end < min(len(was), len(is)) && was[len(was)-1-end] == is[len(is)-1-end] {
		end++
	}
	was, is = was[:len(was)-end], is[:len(is)-end]
	switch {
	case len(was) == 1 && len(is) == 1:
		return fmt.Sprintf("%s, where the document says: %s", strings.TrimSpace(is[0]), strings.TrimSpace(was[0]))
	case len(was) == 0:
		return "with more than the document says: " + strings.Join(is, "; ")
	case len(is) == 0:
		return "without: " + strings.Join(was, "; ")
	}
	return fmt.Sprintf("%s, where the document says: %s", strings.Join(is, "; "), strings.Join(was, "; "))
}

// ranOther tells whether a try that was cut off had run something else than
// would run now.
func (b *builder) ranOther(t journal.Trace, edits map[int]string) bool {
	for block := range t.Began {
		ran, edited := t.Edited[block]
		now, edit := edits[block]
		if edited != edit || edited && (ran == "" || ran != b.hide.Text(now)) {
			return true
		}
	}
	return false
}
