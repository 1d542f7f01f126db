package steps

import "strings"

// agree holds the raw scan against CommonMark and marks the fences that the
// two see differently. Only a fence that a renderer and a person read alike is
// ever offered.
func agree(s *scanner, o *outline) {
	for _, b := range s.allBoxes {
		p, ok := o.fenceAt(b.open)
		switch {
		case !b.closed:
			b.broken = "this directive is never closed"
		case !ok && b.outer == nil || ok && p.last != b.end-1:
			b.broken = "a fence inside this directive ends it too early"
		}
	}
	for _, f := range s.fences {
		if f.flaw == nil {
			f.flaw = disagreement(f, s, o)
		}
	}
}

// disagreement says how CommonMark sees a fence that looks sound in the raw
// text, or nil when it sees the same.
func disagreement(f *fence, s *scanner, o *outline) *flaw {
	parsed, ok := o.fenceAt(f.open)
	switch {
	case ok && parsed.last == f.end-1:
		if _, again := o.fenceAt(f.end); again {
			return &flaw{rule: "wrong-closer", line: f.end,
				text: "this line doesn't close the fence above it but opens a new one",
				hint: "indent it like the opening line"}
		}
		return nil
	case ok && parsed.list:
		return &flaw{rule: "list-broken", line: min(parsed.last+1, s.doc.count()-1),
			text: "the list ends here, and with it the fence that is still open",
			hint: "indent the code and the closing line like the opening line"}
	case ok:
		return &flaw{rule: "wrong-closer", line: f.end,
			text: "this line doesn't close the fence above it", hint: "indent it like the opening line"}
	}
	for b := f.box; b != nil; b = b.outer {
		if b.broken != "" {
			return &flaw{rule: "wrong-closer", line: b.open, text: b.broken,
				hint: "open and close the directive with more backticks than the fences in it"}
		}
	}
	if f.box != nil && f.box.unwraps() && wellFormed(f, s.doc) {
		return nil
	}
	if h, ok := covers(o.html, f.open); ok {
		return &flaw{rule: "fence-swallowed", line: f.open,
			text: "this fence is part of the HTML that starts in line " + itoa(h.first+1),
			hint: "put an empty line before it"}
	}
	if _, ok := covers(o.code, f.open); ok {
		return &flaw{rule: "fence-swallowed", line: f.open,
			text: "this fence is indented so far that it is plain text",
			hint: "indent it by less than 4, or like the text of its list item"}
	}
	return &flaw{rule: "fence-swallowed", line: f.open,
		text: "this fence is part of the block above it",
		hint: "look for a fence above that isn't closed, or a line of code that ends a list"}
}

// wellFormed tells whether a fence inside a box can be read without a parser:
// opened and closed at the same column, and no line left of that.
func wellFormed(f *fence, doc *document) bool {
	if !f.closed || marginOf(doc.line(f.end), f.quotes, false).col != f.indent {
		return false
	}
	for j := f.open + 1; j < f.end; j++ {
		line := doc.line(j)
		if m := marginOf(line, f.quotes, false); m.width < len(line) && m.col < f.indent {
			return false
		}
	}
	return true
}

// headlines merges the headings of both readings: goldmark's, but for those
// that are comments in a fence, and those that a broken structure swallowed.
func headlines(s *scanner, o *outline) []headline {
	inFence := make([]span, 0, len(s.fences)+len(s.comments))
	for _, f := range s.fences {
		last := f.end - 1
		if f.ended {
			last = f.end
		}
		inFence = append(inFence, span{f.open, last})
	}
	heads := make([]headline, 0, len(o.heads))
	raw := s.heads
	swallowed := func(before int) {
		for ; len(raw) > 0 && raw[0].line <= before; raw = raw[1:] {
			if h := raw[0]; h.line < before && !in(o.html, h.line) {
				h.text = plainText(h.text)
				heads = append(heads, h)
			}
		}
	}
	for _, h := range o.heads {
		if _, ok := covers(inFence, h.line); !ok {
			swallowed(h.line)
			h.text = plainText(strings.TrimSpace(h.text))
			heads = append(heads, h)
		}
	}
	swallowed(s.doc.count())
	return heads
}

func in(spans []span, line int) bool {
	_, ok := covers(spans, line)
	return ok
}
