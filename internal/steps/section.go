package steps

import (
	"slices"
	"strings"
)

// step makes the step of a segment.
func (p *fileParser) step(s *segment, index int, taken *idSet) Step {
	st := Step{}
	if s.note != nil {
		st = *s.note.step
	}
	st.N = index + 1
	st.Title = p.stepTitle(s)
	st.Line = s.first + 1
	st.End = p.lastText(s) + 1
	st.When = s.node.when
	st.ID = p.stepID(s, st.Title, taken)
	for i := range st.Expect {
		st.Expect[i].Within = st.Within
	}
	st.Parts = p.parts(s, &st)
	if s.note == nil || !s.note.has("interactive") {
		st.Interactive = slices.ContainsFunc(s.fences, func(f *fence) bool {
			return f.verdict.block && f.verdict.why == "" && f.verdict.hands
		})
	}
	return st
}

func (p *fileParser) stepTitle(s *segment) string {
	if s.node.title != "" {
		return s.node.title
	}
	for _, f := range s.fences {
		if !f.verdict.block {
			continue
		}
		for j := f.open - 1; j >= s.first; j-- {
			if p.inComment(j) {
				continue
			}
			if t := strings.TrimRight(plainText(strings.TrimSpace(p.doc.line(j))), " :"); t != "" {
				return t
			}
		}
		if line := firstCode(f.verdict.code); line != "" {
			return line
		}
	}
	return "Line " + itoa(s.first+1)
}

// givenIDs collects the ids that authors gave: generated ones make way for them.
func (p *fileParser) givenIDs() *idSet {
	ids := newIDSet(len(p.scan.fences))
	lines := map[string]int{}
	for _, n := range p.notes {
		if n.step == nil || n.step.ID == "" {
			continue
		}
		id := ids.take(n.step.ID)
		if id != n.step.ID {
			p.fail(n.pos, "duplicate-id", "the id "+quoted(n.step.ID)+" is taken by the step in line "+itoa(lines[n.step.ID]), "give each step an id of its own")
		}
		n.step.ID = id
		lines[id] = n.line + 1
	}
	return ids
}

func (p *fileParser) stepID(s *segment, title string, taken *idSet) string {
	if s.note != nil && s.note.step.ID != "" {
		return s.note.step.ID
	}
	id := anchor(title)
	if strings.Trim(id, "-_") == "" {
		id = "step-" + itoa(len(p.book.Steps)+1)
	}
	const longest = 60
	if len(id) > longest {
		if r := []rune(id); len(r) > longest {
			id = strings.TrimRight(string(r[:longest]), "-")
		}
	}
	return taken.take(id)
}

// An idSet holds the ids that are taken.
type idSet struct {
	taken map[string]bool
	last  map[string]int // the last number that was appended to an id
}

func newIDSet(about int) *idSet {
	return &idSet{taken: make(map[string]bool, about), last: map[string]int{}}
}

// take makes an id unique by appending -2, -3, …, and takes it.
func (s *idSet) take(id string) string {
	free := id
	for n := max(s.last[id], 1) + 1; s.taken[free]; n++ {
		free = id + "-" + itoa(n)
		s.last[id] = n
	}
	s.taken[free] = true
	return free
}

// lastText returns the last line of a segment that isn't empty.
func (p *fileParser) lastText(s *segment) int {
	last := s.last
	for last > s.first && blank(p.doc.line(last)) {
		last--
	}
	return last
}

// parts cuts a segment into prose, blocks and other fences. With a step, its
// blocks are collected there.
func (p *fileParser) parts(s *segment, st *Step) []Part {
	parts := make([]Part, 0, 2*len(s.fences)+1)
	at := s.first
	if !s.node.titled {
		at = max(s.node.text, s.first)
	}
	prose := func(to int) {
		if text := p.prose(at, to, s.node); text != "" {
			parts = append(parts, Part{Prose: text, Block: -1})
		}
	}
	for _, f := range s.fences {
		prose(f.open)
		at = f.end
		if f.ended {
			at++
		}
		if st != nil && f.verdict.block {
			parts = append(parts, Part{Block: len(st.Blocks)})
			st.Blocks = append(st.Blocks, block(f))
			continue
		}
		text := p.notOfferedFence(f)
		if st != nil {
			p.book.NotOffered = append(p.book.NotOffered, text)
		}
		parts = append(parts, Part{Block: -1, Fence: &text})
	}
	prose(s.last + 1)
	return parts
}

// prose returns the Markdown of some lines, without our annotations.
func (p *fileParser) prose(first, end int, n *node) string {
	if end = min(end, p.doc.count()); first >= end {
		return ""
	}
	if n.col == 0 && !p.notesIn(first, end) {
		return strings.Trim(p.doc.lines(first, end), "\n")
	}
	var b strings.Builder
	for i := first; i < end; i++ {
		if note := p.noteAt(i); note != nil {
			i = note.last
			continue
		}
		line := p.doc.line(i)
		if n.col > 0 {
			if i == n.line {
				line = line[marginOf(line, manyQuotes, true).width:]
			} else {
				line = dedent(line, n.col)
			}
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return strings.Trim(b.String(), "\n")
}

func (p *fileParser) notesIn(first, end int) bool {
	i, _ := slices.BinarySearchFunc(p.notes, first, func(n note, line int) int { return n.line - line })
	return i < len(p.notes) && p.notes[i].line < end
}

// noteAt returns the annotation that starts on a line.
func (p *fileParser) noteAt(line int) *note {
	i, ok := slices.BinarySearchFunc(p.notes, line, func(n note, line int) int { return n.line - line })
	if !ok {
		return nil
	}
	return &p.notes[i]
}

func block(f *fence) Block {
	v := &f.verdict
	b := Block{Kind: ShellBlock, Line: v.first + 1, EndLine: v.last + 1, Info: f.info, Lang: v.lang, Code: v.code,
		Offered: v.why == "", Why: v.why, Detail: v.detail, Placeholders: v.holes}
	if isAction(label(f.info)) {
		b.Kind, b.Action = ActionBlock, v.action
		if b.Action == nil && b.Offered {
			b.Offered, b.Why, b.Detail = false, WhyFragment, "the action can't be carried out as it is written"
		}
	}
	return b
}

func (p *fileParser) notOfferedFence(f *fence) Fence {
	v := &f.verdict
	last := f.end
	if !f.ended {
		last--
	}
	why := v.why
	if why == "" {
		why = WhyNotShell
	}
	return Fence{Line: v.first + 1, EndLine: last + 1, Lang: v.lang, Info: f.info, Code: v.code, Why: why, Detail: v.detail}
}

func (p *fileParser) notOffered(f *fence) {
	p.book.NotOffered = append(p.book.NotOffered, p.notOfferedFence(f))
}

// section adds a segment to the sections of the document.
func (p *fileParser) section(s *segment, step int) {
	sec := Section{Line: s.first + 1, Step: step}
	if step >= 0 {
		sec.Parts = p.book.Steps[step].Parts
	} else {
		sec.Parts = p.parts(s, nil)
	}
	if !s.node.titled {
		sec.Level, sec.Title = s.node.level, s.node.title
		s.node.titled = true
	}
	if sec.Level == 0 && len(sec.Parts) == 0 {
		return
	}
	p.book.Sections = append(p.book.Sections, sec)
}

// intro is the Markdown before the first step, without the title.
func (p *fileParser) intro() string {
	end := p.doc.count()
	if len(p.book.Steps) > 0 {
		end = p.book.Steps[0].Line - 1
	}
	first := p.first
	if len(p.heads) > 0 {
		if h := p.heads[0]; h.level == 1 && h.line < end && blank(p.doc.lines(p.first, h.line)) {
			first = h.last + 1
		}
	}
	return p.prose(first, end, &node{})
}

// faults makes the faults of the headings that carry one.
func (p *fileParser) faults(segments []*segment, owners map[int]*node) {
	ids := newIDSet(0)
	for _, s := range segments {
		if s.fault == nil {
			continue
		}
		f := *s.fault.fault
		if p.book.Purpose != FaultFinding {
			p.fail(s.fault.pos, "fault-outside", "a fault may only stand in a runbook for fault-finding", "say `purpose: fault-finding` in the front matter")
		}
		f.Title = s.node.title
		if f.ID == "" {
			f.ID = anchor(f.Title)
		}
		if id := ids.take(f.ID); id != f.ID {
			if s.fault.fault.ID != "" {
				p.fail(s.fault.pos, "duplicate-id", "the fault "+quoted(f.ID)+" occurs twice", "")
			}
			f.ID = id
		}
		f.Text = p.faultText(s)
		for i, st := range p.book.Steps {
			if within(owners[i], s.node) {
				f.Steps = append(f.Steps, st.ID)
			}
		}
		p.book.Faults = append(p.book.Faults, f)
	}
}

func (p *fileParser) faultText(s *segment) string {
	end := s.last + 1
	if len(s.fences) > 0 {
		end = s.fences[0].open
	}
	return p.prose(s.node.text, end, s.node)
}

func within(n, ancestor *node) bool {
	for ; n != nil; n = n.parent {
		if n == ancestor {
			return true
		}
	}
	return false
}
