package steps

import (
	"encoding/json"
	"strings"
	"testing"
)

const covering = `---
runbook: v1
title: About hunter2-title
params:
  PLACE: {help: like hunter2-help, default: hunter2-default}
---

# About

It is hunter2-intro.

## Do hunter2-step

<!-- step
undo: undo-hunter2-step
cost: all of hunter2-cost
expect: https://shop.example.org/hunter2-expect answers 200
-->

Some hunter2-prose.

` + "```sh\necho hunter2-code <place>\n```\n\n```powershell\nhunter2-fence\n```\n" + `
## Undo hunter2 step

` + "```sh\necho back\n```\n"

func cover(s string) string { return strings.ReplaceAll(s, "hunter2", "[redacted]") }

func TestAPlanIsCoveredForTheEyeAndLeftAsItIs(t *testing.T) {
	r := Parse("x.md", []byte(covering))
	values, err := r.Resolve(Sources{})
	if err != nil || r.Err() != nil {
		t.Fatal(err, r.Err())
	}
	p, err := r.Bind(values)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := json.Marshal(p)
	c := p.Covered(cover)
	seen := []any{c.Runbook.Title, c.Runbook.Intro, c.Runbook.Params, c.Runbook.Sections, c.Values}
	for _, s := range c.Steps {
		seen = append(seen, s.Title, s.Parts, s.Blocks, s.Code, s.Cost, s.Expect[:min(1, len(s.Expect))])
		for i := range s.Expect {
			s.Expect[i].Subject = Subject{} // what is asked for stays
		}
	}
	text, err := json.Marshal(seen)
	if err != nil || strings.Contains(string(text), "hunter2") || strings.Count(string(text), "[redacted]") < 12 {
		t.Errorf("covered: %v\n%s", err, text)
	}
	if v := c.Values["PLACE"]; !v.Secret || v.Text != "" {
		t.Errorf("a value that shows what is covered: %+v", v)
	}
	if after, _ := json.Marshal(p); string(after) != string(before) {
		t.Errorf("the plan was changed:\n%s\nwas\n%s", after, before)
	}
}

func TestAStepIsCalledAfterItsLineWhereItsNameShowsASecret(t *testing.T) {
	r := Parse("x.md", []byte(covering))
	if r.Steps[0].ID != "do-hunter2-step" || r.Steps[1].ID != "undo-hunter2-step" {
		t.Fatalf("ids: %s, %s", r.Steps[0].ID, r.Steps[1].ID)
	}
	r.NamePlaces(func(s string) string { return s })
	if r.Steps[0].ID != "do-hunter2-step" {
		t.Errorf("nothing is covered: %s", r.Steps[0].ID)
	}
	r.NamePlaces(cover)
	if r.Steps[0].ID != "line-12" || r.Steps[1].ID != "line-30" || r.Steps[0].Undo != "line-30" {
		t.Errorf("ids: %s (undone by %s), %s", r.Steps[0].ID, r.Steps[0].Undo, r.Steps[1].ID)
	}
	// A heading that shows it in capitals makes an id in small letters.
	r = Parse("x.md", []byte("# X\n\n## Use HUNTER2 now\n\n```sh\ndate\n```\n\n## Other\n\n```sh\ndate\n```\n"))
	r.NamePlaces(func(s string) string { return strings.ReplaceAll(s, "HUNTER2", "") })
	if r.Steps[0].ID != "line-3" || r.Steps[1].ID != "other" {
		t.Errorf("ids: %s, %s", r.Steps[0].ID, r.Steps[1].ID)
	}
}
