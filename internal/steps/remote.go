package steps

import "strings"

// A reach says how far the shell or program is that a command opens.
type reach int

const (
	hostReach     reach = iota // another machine or user: anything may be meant for it
	podReach                   // a container
	clientReach                // a program elsewhere with commands of its own: psql
	dialogueReach              // a program here with commands of its own: gpg --edit-key
	toldReach                  // the text sends its reader to another machine
)

// A context is a shell or program that has been opened and not left.
type context struct {
	name  string
	line  int // of the command, from 1
	end   int // index of the heading that ends the section it was opened in
	reach reach
}

// A tracker follows where commands run.
type tracker struct {
	p     *fileParser
	stack []context
	ends  []int  // per heading: the next one that is no deeper
	told  []bool // per heading: it or one above it names another machine
}

// trackContexts follows where commands run. After a command that opens another
// shell, the fences belong to that shell until the text leaves it; none of them
// may ever reach the local one.
func (p *fileParser) trackContexts() {
	t := &tracker{p: p}
	t.readHeads()
	for i, f := range p.scan.fences {
		between := p.textBefore(i)
		if h := p.headAt(f.open); h >= 0 && t.told[h] && homeCues.in(strings.ToLower(between)) {
			t.told[h] = false // what the section began with is over
		}
		t.leave(f, between)
		t.enter(i, f, between)
		t.judge(f)
	}
}

// readHeads finds the section that each heading opens, and what it says of
// where it is meant for.
func (t *tracker) readHeads() {
	heads := t.p.heads
	t.ends, t.told = make([]int, len(heads)), make([]bool, len(heads))
	var open []int
	next := 0 // fence
	for i, h := range heads {
		for len(open) > 0 && heads[open[len(open)-1]].level >= h.level {
			t.ends[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
		end := t.p.doc.count()
		if i+1 < len(heads) {
			end = heads[i+1].line
		}
		for next < len(t.p.scan.fences) && t.p.scan.fences[next].open < h.line {
			next++
		}
		if next < len(t.p.scan.fences) {
			end = min(end, t.p.scan.fences[next].open)
		}
		t.told[i] = len(open) > 0 && t.told[open[len(open)-1]] || startsElsewhere(h.text) || placed(t.p.doc.lines(h.last+1, end))
		open = append(open, i)
	}
	for _, i := range open {
		t.ends[i] = len(heads)
	}
}

// push opens a context in the section that f stands in.
func (t *tracker) push(f *fence, name string, line int, r reach) {
	c := context{name: name, line: line, reach: r}
	if h := t.p.headAt(f.open); h >= 0 {
		c.end = t.ends[h]
	}
	t.stack = append(t.stack, c)
}

func (t *tracker) pop() { t.stack = t.stack[:len(t.stack)-1] }

// leave closes the contexts that are over before f: the text says so, or f
// can't be meant for them.
func (t *tracker) leave(f *fence, between string) {
	v := &f.verdict
	if len(t.stack) == 0 {
		return
	}
	if !v.leaves {
		switch low := strings.ToLower(between); {
		case homeCues.in(low):
			t.stack = t.stack[:0]
		case exitCues.in(low) || endOfInput.in(low) && leaveWords.in(low):
			t.pop()
		}
	}
	head := t.p.headAt(f.open)
	for len(t.stack) > 0 {
		c := t.stack[len(t.stack)-1]
		over := head >= c.end
		switch c.reach {
		case hostReach:
			return // nothing tells a command for it from one for here
		case podReach:
			return // see [tracker.meantFor]: a pod is often entered again without a word
		case clientReach:
			over = v.shellish && operatorTool(v.code)
		case dialogueReach:
			over = v.shellish && looksLikeCommand(firstCode(v.code))
		}
		if !over {
			return
		}
		t.pop()
	}
}

// enter opens the context that the text speaks of.
func (t *tracker) enter(i int, f *fence, between string) {
	v := &f.verdict
	if len(t.stack) > 0 {
		return
	}
	if i > 0 && t.p.scan.fences[i-1].verdict.shellish && entersShell(between) {
		prev := t.p.scan.fences[i-1]
		name := firstWordOf(prev.verdict.code)
		t.push(prev, name, prev.verdict.first+1, reachOf(name))
		return
	}
	if sendsBySSH(between) {
		t.stack = append(t.stack, context{reach: toldReach, end: len(t.ends)}) // until the text comes back
		return
	}
	if !v.shellish || v.opens != "" && travels(v.opens) {
		return
	}
	h := t.p.headAt(f.open)
	sent := elsewhere(v.lead, v.says, v.opens != "") && v.why != WhyNegated // "Don't run this on the node" sends nobody there
	if (h >= 0 && t.told[h] || sent || t.follows(i) && placed(between)) && !fromOutside(v.code) {
		t.push(f, "", 0, toldReach)
	}
}

// follows tells whether fence i isn't the first of its section: what stands
// before that one is known from its heading.
func (t *tracker) follows(i int) bool {
	fences := t.p.scan.fences
	return i > 0 && t.p.headAt(fences[i-1].open) == t.p.headAt(fences[i].open)
}

// travels tells whether what a command opens is somewhere else than the command
// is typed: ssh goes to a machine, but su, chroot and clients stay on theirs. Who
// is to become root on a node must have gone there before.
func travels(name string) bool {
	switch name {
	case "su", "sudo", "chroot", "nsenter":
		return false
	}
	return reachOf(name) != clientReach
}

// meantFor tells whether f belongs into the context c that is open.
func (t *tracker) meantFor(f *fence, c context) bool {
	v := &f.verdict
	switch {
	case c.reach == toldReach:
		return v.shellish && v.block && v.why == "" && !fromOutside(v.code)
	case (c.reach == podReach || c.reach == hostReach) && t.p.headAt(f.open) >= c.end && c.usedAgain(v.code):
		return false
	case v.shellish:
		return v.why != WhyDoubtful && v.why != WhyOutput && v.why != WhyNegated
	}
	return v.why == WhyNotShell && startsWithPrompt(v.code)
}

// usedAgain tells whether code, behind the section of a context, can't be meant
// for it: kubectl behind a container, and a tool that opened the context itself,
// which is at hand where that was typed. Who went to a host by ssh may well use
// the same commands there.
func (c context) usedAgain(code string) bool {
	if c.reach == podReach && operatorTool(code) {
		return true
	}
	switch c.name {
	case "ssh", "su", "sudo", "mosh", "tsh", "chroot", "nsenter", "":
		return false
	}
	return firstTool(code) == c.name
}

// judge refuses f when it belongs into an open context, and opens the one that
// f opens.
func (t *tracker) judge(f *fence) {
	v := &f.verdict
	if len(t.stack) > 0 && v.action == nil {
		if top := t.stack[len(t.stack)-1]; t.meantFor(f, top) {
			detail := "the text says that it runs elsewhere"
			v.host = v.host || top.reach == toldReach
			if top.reach != toldReach {
				detail = "it belongs into the shell that `" + top.name + "` in line " + itoa(top.line) + " opens"
			}
			v.refuse(WhyRemote, detail)
		}
		if v.leaves {
			t.pop()
			return
		}
	}
	if v.leaves && v.block && v.why == "" && onlyExits(v.code) {
		v.refuse(WhyRemote, "it leaves a shell that was opened elsewhere")
	}
	if v.opens != "" && v.block && v.why != WhyNegated && !v.leaves && !t.p.handedOver(f) {
		t.push(f, v.opens, v.first+1, reachOf(v.opens))
	}
}

func startsWithPrompt(code string) bool {
	return strings.HasPrefix(strings.TrimLeft(code, " "), ">")
}

// leavesContext tells whether code ends the shell that it is in.
func (p *fileParser) leavesContext(code string) bool {
	last := ""
	for rest := strings.TrimRight(code, "\n"); rest != "" && last == ""; {
		i := strings.LastIndexByte(rest, '\n')
		if t := strings.TrimSpace(rest[i+1:]); t != "" && t[0] != '#' {
			last = t
		}
		rest = rest[:max(i, 0)]
	}
	_, n := promptOf(last)
	last, _, _ = strings.Cut(last[n:], " #")
	switch strings.Trim(last, " ;") {
	case "exit", "logout", `\q`, "quit", "exit 0", "quit()", "exit()":
		return true
	}
	return false
}

// handedOver tells whether the author hands the step with this fence the real
// terminal: whoever comes back from it is in the local shell again.
func (p *fileParser) handedOver(f *fence) bool {
	for _, n := range p.notes {
		if n.step != nil && n.step.Interactive && p.headAt(n.line) == p.headAt(f.open) && p.sameItem(n, f) {
			return true
		}
	}
	return false
}

// sameItem tells whether no line further left stands between an annotation and
// a fence below it: in a list, that would be the next item.
func (p *fileParser) sameItem(n note, f *fence) bool {
	indent := marginOf(p.doc.line(n.line), manyQuotes, false).col
	for j := n.last + 1; j < f.open; j++ {
		line := p.doc.line(j)
		if m := marginOf(line, manyQuotes, false); m.width < len(line) && m.col < indent && !p.inFence(j) {
			return false
		}
	}
	return n.line < f.open
}

// headAt returns the index of the heading that a line stands below, or -1.
func (p *fileParser) headAt(line int) int {
	lo, hi := 0, len(p.heads)
	for lo < hi {
		mid := (lo + hi) / 2
		if p.heads[mid].line <= line {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// textBefore returns the text between the fence before and fence i.
func (p *fileParser) textBefore(i int) string {
	from, f := p.first, p.scan.fences[i]
	if i > 0 {
		from = p.scan.fences[i-1].end
	}
	return p.doc.lines(from, f.open)
}

func firstWordOf(code string) string {
	word, _ := cutWord(firstCode(code))
	return word
}

func onlyExits(code string) bool { return strings.Count(strings.TrimSpace(code), "\n") == 0 }

// chooseTabs keeps of each set of tabs the first one that has commands; the
// others are alternatives to it, never further steps.
func (p *fileParser) chooseTabs() {
	chosen := map[*tabSet]*tab{}
	line := map[*tabSet]int{}
	for _, f := range p.scan.fences {
		for b := f.box; b != nil; b = b.outer {
			t := b.tab
			if t == nil || !f.verdict.block || f.verdict.why != "" {
				continue
			}
			if chosen[t.set] == nil {
				chosen[t.set], line[t.set] = t, b.open+1
			}
			if chosen[t.set] != t {
				f.verdict.refuse(WhyNotTaken, "it is an alternative to "+tabLabel(chosen[t.set])+" in line "+itoa(line[t.set]))
			}
		}
	}
}

func tabLabel(t *tab) string {
	if t.label == "" {
		return "the tab"
	}
	return "“" + t.label + "”"
}
