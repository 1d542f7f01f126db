package steps

import (
	"cmp"
	"slices"
	"strings"
)

// A node is a heading or an item of an ordered list: what a step can be.
type node struct {
	line   int // of the heading or item
	text   int // first line behind the title
	level  int // 0 for the text before the first heading, 7 and more for items
	title  string
	col    int // items: where the content starts
	parent *node
	note   *note // the annotation that its first step takes
	when   *When
	titled bool // its title stands in a section already
}

// A segment is a stretch of lines that belongs to one node.
type segment struct {
	node        *node
	first, last int
	fences      []*fence
	note        *note
	fault       *note
}

// hasBlocks tells whether the segment makes a step of its node.
func (s *segment) hasBlocks() bool {
	return slices.ContainsFunc(s.fences, func(f *fence) bool { return f.verdict.block })
}

// A mark says that from a line on, the text belongs to a node.
type mark struct {
	line int
	node *node
	back bool // the node goes on, after its children
}

// assemble turns headings, lists, fences and annotations into steps and sections.
func (p *fileParser) assemble(o *outline) {
	segments := p.segments(p.marks(o))
	p.giveNotes(segments)
	for _, s := range segments {
		p.inheritWhen(s.node)
	}
	taken := p.givenIDs()
	owners := map[int]*node{}
	p.makeRoom(segments)
	for _, s := range segments {
		index := -1
		if p.makesStep(s) {
			index = len(p.book.Steps)
			owners[index] = s.node
			p.book.Steps = append(p.book.Steps, p.step(s, index, taken))
		} else {
			for _, f := range s.fences {
				p.notOffered(f)
			}
		}
		p.section(s, index)
	}
	p.faults(segments, owners)
	p.checkUndo()
	p.book.Intro = p.intro()
}

// makeRoom reserves the memory for what is in the segments.
func (p *fileParser) makeRoom(segments []*segment) {
	count, texts := 0, 0
	for _, s := range segments {
		if p.makesStep(s) {
			count++
		}
		for _, f := range s.fences {
			if !f.verdict.block {
				texts++
			}
		}
	}
	p.book.Steps = make([]Step, 0, count)
	p.book.Sections = make([]Section, 0, len(segments))
	if texts > 0 {
		p.book.NotOffered = make([]Fence, 0, texts)
	}
}

// marks finds where nodes begin, and where they go on behind a list.
func (p *fileParser) marks(o *outline) []mark {
	root := &node{line: p.first, text: p.first}
	marks := append(make([]mark, 0, len(p.heads)+1), mark{line: p.first, node: root})
	heads := make([]*node, len(p.heads))
	stack := []*node{root}
	for i, h := range p.heads {
		for len(stack) > 1 && stack[len(stack)-1].level >= h.level {
			stack = stack[:len(stack)-1]
		}
		n := &node{line: h.line, text: h.last + 1, level: h.level, title: h.text, parent: stack[len(stack)-1]}
		heads[i] = n
		stack = append(stack, n)
		marks = append(marks, mark{line: h.line, node: n})
	}
	under := func(line int) *node {
		if i := p.headAt(line); i >= 0 {
			return heads[i]
		}
		return root
	}
	marks = p.itemMarks(o, marks, under)
	slices.SortStableFunc(marks, func(a, b mark) int {
		if c := cmp.Compare(a.line, b.line); c != 0 {
			return c
		}
		return cmp.Compare(boolInt(b.back), boolInt(a.back)) // what begins here wins over what goes on
	})
	return marks
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// itemMarks adds the items of the ordered lists that are walked item by item.
// Lists come in the order of the document, outer ones before inner ones.
func (p *fileParser) itemMarks(o *outline, marks []mark, under func(int) *node) []mark {
	type open struct {
		span
		node *node
	}
	var outer []open
	for _, l := range o.lists {
		if !p.stepwise(l) {
			continue
		}
		for len(outer) > 0 && outer[len(outer)-1].last < l.first {
			outer = outer[:len(outer)-1]
		}
		parent := under(l.first)
		if n := len(outer); n > 0 && outer[n-1].node.line >= parent.line {
			parent = outer[n-1].node
		}
		var nodes []open
		for _, it := range l.items {
			level := max(7, parent.level+1)
			n := &node{line: it.first, text: it.first, level: level, col: it.col, parent: parent}
			n.title, n.text = p.itemTitle(it)
			marks = append(marks, mark{line: it.first, node: n})
			nodes = append(nodes, open{it.span, n})
		}
		slices.Reverse(nodes) // the first item is on top: inner lists come in order
		outer = append(outer, nodes...)
		if back := p.behindList(l.last); back < p.doc.count() {
			marks = append(marks, mark{line: back, node: parent, back: true})
		}
	}
	return marks
}

// stepwise tells whether the items of a list are steps: some of them hold
// commands or annotations, and the heading above doesn't claim them all.
func (p *fileParser) stepwise(l *list) bool {
	if p.inFence(l.first) {
		return false
	}
	noted := slices.ContainsFunc(p.notes, func(n note) bool { return n.step != nil && l.has(n.line) })
	if noted {
		return true
	}
	last := l.last
	if len(l.items) == 1 {
		last = p.behindList(l.last) - 1 // numbering that a fence at the margin breaks
	}
	i, _ := slices.BinarySearchFunc(p.scan.fences, l.first, func(f *fence, line int) int { return cmp.Compare(f.open, line) })
	for ; i < len(p.scan.fences) && p.scan.fences[i].open <= last; i++ {
		if p.scan.fences[i].verdict.block {
			return !p.headAnnotated(p.headAt(l.first))
		}
	}
	return false
}

func (p *fileParser) inFence(line int) bool {
	i, ok := slices.BinarySearchFunc(p.scan.fences, line, func(f *fence, line int) int { return cmp.Compare(f.open, line) })
	if ok {
		return true
	}
	return i > 0 && line < p.scan.fences[i-1].end
}

// headAnnotated tells whether the heading has an annotation that makes it one step.
func (p *fileParser) headAnnotated(head int) bool {
	if head < 0 {
		return false
	}
	i, _ := slices.BinarySearchFunc(p.notes, p.heads[head].line, func(n note, line int) int { return cmp.Compare(n.line, line) })
	for ; i < len(p.notes) && p.headAt(p.notes[i].line) == head; i++ {
		if n := p.notes[i]; n.step != nil && !n.onlyWhen() {
			return true
		}
	}
	return false
}

// behindList returns the first line behind a list that is neither empty nor
// part of a fence or comment that directly follows.
func (p *fileParser) behindList(last int) int {
	for i := last + 1; i < p.doc.count(); i++ {
		if blank(p.doc.line(i)) {
			continue
		}
		if p.inFence(i) {
			continue
		}
		j, ok := slices.BinarySearchFunc(p.scan.fences, i, func(f *fence, line int) int { return cmp.Compare(f.end, line) })
		if ok && p.scan.fences[j].ended {
			continue
		}
		if p.inComment(i) {
			continue
		}
		return i
	}
	return p.doc.count()
}

func (p *fileParser) inComment(line int) bool {
	i, _ := slices.BinarySearchFunc(p.scan.comments, line, func(c comment, line int) int { return cmp.Compare(c.last, line) })
	return i < len(p.scan.comments) && p.scan.comments[i].open <= line
}

// itemTitle returns the first line of an item, and the line that its text
// goes on with: a title that says it all isn't repeated.
func (p *fileParser) itemTitle(it item) (string, int) {
	line := p.doc.line(it.first)
	text := strings.TrimSpace(line[marginOf(line, manyQuotes, true).width:])
	for _, box := range []string{"[ ]", "[x]", "[X]"} {
		text = strings.TrimSpace(strings.TrimPrefix(text, box))
	}
	title := strings.TrimRight(plainText(text), " :")
	if it.first+1 >= p.doc.count() || blank(p.doc.line(it.first+1)) || p.inFence(it.first+1) || p.inComment(it.first+1) {
		return title, it.first + 1
	}
	return shorten(title), it.first
}

// shorten cuts a title at its first sentence.
func shorten(s string) string {
	if i := strings.Index(s, ". "); i > 0 {
		return s[:i]
	}
	return s
}

func (p *fileParser) segments(marks []mark) []*segment {
	var out []*segment
	for i, m := range marks {
		last := p.doc.count() - 1
		if i+1 < len(marks) {
			last = marks[i+1].line - 1
		}
		if last < m.line {
			continue
		}
		if n := len(out); n > 0 && out[n-1].node == m.node {
			out[n-1].last = last
			continue
		}
		out = append(out, &segment{node: m.node, first: m.line, last: last})
	}
	i := 0
	for _, f := range p.scan.fences {
		for i+1 < len(out) && out[i].last < f.open {
			i++
		}
		if len(out) > 0 {
			out[i].fences = append(out[i].fences, f)
		}
	}
	return out
}

// giveNotes hands each annotation to the segment that it stands in.
func (p *fileParser) giveNotes(segments []*segment) {
	i := 0
	for k := range p.notes {
		n := &p.notes[k]
		for i+1 < len(segments) && segments[i].last < n.line {
			i++
		}
		s := segments[i]
		switch {
		case n.fault != nil && s.fault == nil && s.node.level > 0 && s.node.level < 7:
			s.fault = n
		case n.fault != nil && s.fault != nil:
			p.fail(n.pos, "duplicate-annotation", "this heading has a fault already, in line "+itoa(s.fault.line+1), "give each fault a heading of its own")
		case n.fault != nil:
			p.fail(n.pos, "annotation-without-step", "a fault must stand below a heading", "")
		case s.note != nil:
			p.fail(n.pos, "duplicate-annotation", "this step has an annotation already, in line "+itoa(s.note.line+1), "join the two, or give each step a heading of its own")
		default:
			s.note = n
			if s.node.note == nil {
				s.node.note = n
			}
			p.checkPlace(n, s)
		}
	}
}

// checkPlace reports an annotation that no step takes.
func (p *fileParser) checkPlace(n *note, s *segment) {
	switch {
	case n.step.Manual && slices.ContainsFunc(s.fences, func(f *fence) bool { return f.verdict.block && f.verdict.why == "" }):
		p.fail(n.pos, "manual-with-commands", "this step is manual but has commands", "remove `manual`, or the commands")
	case n.step.Manual || s.hasBlocks() || n.onlyWhen() && s.node.level > 0 && s.node.level < 7:
	default:
		p.fail(n.pos, "annotation-without-step", "no step takes this annotation: no commands follow before the next heading",
			"add a fence with commands, or `manual: true`")
	}
}

// inheritWhen finds the choice that a node belongs to: its own, inside that of
// the headings above it.
func (p *fileParser) inheritWhen(n *node) {
	if n.parent == nil || n.when != nil {
		return
	}
	p.inheritWhen(n.parent)
	n.when = n.parent.when
	if n.note != nil && n.note.step.When != nil {
		w := *n.note.step.When
		w.Outer = n.parent.when
		n.when = &w
	}
}

func (p *fileParser) makesStep(s *segment) bool {
	return s.hasBlocks() || s.note != nil && s.note.step.Manual
}

func (p *fileParser) checkUndo() {
	var ids []string
	for _, s := range p.book.Steps {
		ids = append(ids, s.ID)
	}
	for _, n := range p.notes {
		if n.step != nil && n.step.Undo != "" && !slices.Contains(ids, n.step.Undo) {
			p.fail(n.pos, "dangling-undo", "undo names "+quoted(n.step.Undo)+", which is no step", suggestion(n.step.Undo, ids))
		}
	}
}
