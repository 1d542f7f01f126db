package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"runbook/internal/journal"
	"runbook/internal/steps"
)

// document is a runbook with a step for each word.
func document(t *testing.T, words ...string) *steps.Plan {
	t.Helper()
	text := "# Doc\n"
	for _, w := range words {
		id, code, _ := strings.Cut(w, ":")
		text += "\n## " + strings.ToUpper(id[:1]) + id[1:] + "\n\n```sh\necho " + code + "\n```\n"
	}
	plan, err := steps.Parse("doc.md", []byte(text)).Bind(steps.Values{})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func TestAnEditedRunbookIsSaidStepByStep(t *testing.T) {
	before := document(t, "first:1", "second:2", "third:3", "fourth:4")
	for name, tc := range map[string]struct {
		now  []string
		want []string // behind "since the run began: "
	}{
		"unchanged":              {[]string{"first:1", "second:2", "third:3", "fourth:4"}, nil},
		"changed":                {[]string{"first:1", "second:other", "third:3", "fourth:4"}, []string{"2 Second is another text now"}},
		"gone":                   {[]string{"first:1", "third:3", "fourth:4"}, []string{"the step second is gone"}},
		"new":                    {[]string{"first:1", "new:0", "second:2", "third:3", "fourth:4"}, []string{"2 New is new"}},
		"moved to the front":     {[]string{"fourth:4", "first:1", "second:2", "third:3"}, []string{"1 Fourth stands elsewhere now"}},
		"moved, and changed too": {[]string{"second:2", "third:3", "fourth:4", "first:other"}, []string{"4 First is another text now", "4 First stands elsewhere now"}},
		"all at once": {[]string{"new:0", "third:other", "first:1", "fourth:4"},
			[]string{"1 New is new", "2 Third is another text now", "3 First stands elsewhere now", "the step second is gone"}},
	} {
		t.Run(name, func(t *testing.T) {
			plan := document(t, tc.now...)
			h := journal.Header{Hash: hashOf(before.Runbook.Source), Steps: map[string]string{}}
			for _, s := range before.Steps {
				h.Order = append(h.Order, s.ID)
				h.Steps[s.ID] = hashOf(before.Runbook.Text(s.Step))
			}
			r := &resumption{record: &journal.Record{Header: h}, runbook: plan.Runbook}
			var got []string
			for _, n := range r.edits(plan) {
				text, ok := strings.CutPrefix(n.Text, "the runbook was edited since the run began: ")
				if !ok {
					t.Errorf("said %q", n.Text)
				}
				got = append(got, text)
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("said %q, want %q", got, tc.want)
			}
		})
	}
}

func TestAsFewStepsAsCanBeAreSaidToHaveMoved(t *testing.T) {
	for name, tc := range map[string]struct{ before, now, want string }{
		"none":             {"a b c", "a b c", ""},
		"one to the end":   {"a b c d", "b c d a", "a"},
		"one to the front": {"a b c d", "d a b c", "d"},
		"turned around":    {"a b c", "c b a", "b a"},
		"beside new ones":  {"a b c", "x a c y b", "b"},
		"beside lost ones": {"a b c d", "d a", "a"},
	} {
		got := moves(strings.Fields(tc.before), strings.Fields(tc.now))
		want := map[string]bool{}
		for _, id := range strings.Fields(tc.want) {
			want[id] = true
		}
		if len(got) != len(want) {
			t.Errorf("%s: got %v, want as many as %v", name, slices.Sorted(maps.Keys(got)), tc.want)
		}
	}
}
