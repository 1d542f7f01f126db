package steps

import (
	"slices"
	"strings"
)

// Covered returns the plan for somebody's eyes: cover has gone over every text
// in it that the document or a value has brought in. What only the program goes
// by stays as it is: ids, expectations' subjects, actions. The plan itself is
// left alone. A value that cover would change counts as a secret.
func (p *Plan) Covered(cover func(string) string) *Plan {
	out := *p
	book := *p.Runbook
	book.Title, book.Intro = cover(book.Title), cover(book.Intro)
	book.Params, book.Sections = slices.Clone(book.Params), slices.Clone(book.Sections)
	for i, q := range book.Params {
		book.Params[i].Help, book.Params[i].Default, book.Params[i].Example = cover(q.Help), cover(q.Default), cover(q.Example)
	}
	for i, s := range book.Sections {
		book.Sections[i].Title, book.Sections[i].Parts = cover(s.Title), coverParts(s.Parts, cover)
	}
	out.Runbook = &book
	out.Values = Values{}
	for name, v := range p.Values {
		if !v.Secret && cover(v.Text) != v.Text {
			v.Secret, v.Text = true, ""
		}
		out.Values[name] = v
	}
	out.Protects = slices.Clone(p.Protects)
	for i, q := range out.Protects {
		out.Protects[i].Name, out.Protects[i].Cost = cover(q.Name), cover(q.Cost)
	}
	out.Steps = slices.Clone(p.Steps)
	for i := range out.Steps {
		out.Steps[i].cover(cover)
	}
	return &out
}

func (s *BoundStep) cover(cover func(string) string) {
	s.Title, s.WhyNot, s.Cost = cover(s.Title), cover(s.WhyNot), cover(s.Cost)
	s.Code, s.Blocks, s.Parts = slices.Clone(s.Code), slices.Clone(s.Blocks), coverParts(s.Parts, cover)
	for i := range s.Code {
		s.Code[i] = cover(s.Code[i])
	}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		b.Code, b.Info, b.Detail = cover(b.Code), cover(b.Info), cover(b.Detail)
	}
	s.Before, s.Expect = coverTexts(s.Before, cover), coverTexts(s.Expect, cover)
	if s.Done != nil {
		done := *s.Done
		done.Text = cover(done.Text)
		s.Done = &done
	}
}

func coverParts(parts []Part, cover func(string) string) []Part {
	out := slices.Clone(parts)
	for i := range out {
		out[i].Prose = cover(out[i].Prose)
		if out[i].Fence != nil {
			f := *out[i].Fence
			f.Code, f.Info, f.Detail = cover(f.Code), cover(f.Info), cover(f.Detail)
			out[i].Fence = &f
		}
	}
	return out
}

func coverTexts(list []Expectation, cover func(string) string) []Expectation {
	out := slices.Clone(list)
	for i := range out {
		out[i].Text = cover(out[i].Text)
	}
	return out
}

// NamePlaces gives a step another id where its own shows what cover hides, and
// also where it was made from a heading that does: an id becomes the name of a
// file. It is then called after its line.
func (r *Runbook) NamePlaces(cover func(string) string) {
	renamed := map[string]string{}
	for i := range r.Steps {
		s := &r.Steps[i]
		if cover(s.ID) == s.ID && (cover(s.Title) == s.Title || !strings.HasPrefix(s.ID, anchor(s.Title))) {
			continue
		}
		id := "line-" + itoa(s.Line)
		for slices.ContainsFunc(r.Steps, func(o Step) bool { return o.ID == id }) {
			id += "-"
		}
		renamed[s.ID], s.ID = id, id
	}
	if len(renamed) == 0 {
		return
	}
	follow := func(id *string) {
		if to, ok := renamed[*id]; ok {
			*id = to
		}
	}
	for i := range r.Steps {
		follow(&r.Steps[i].Undo)
	}
	for i := range r.Faults {
		for j := range r.Faults[i].Steps {
			follow(&r.Faults[i].Steps[j])
		}
	}
}
