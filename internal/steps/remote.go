package steps

import "strings"

// trackContexts follows where commands run. After a command that opens another
// shell, the fences belong to that shell until the text leaves it; none of them
// may ever reach the local one.
func (p *fileParser) trackContexts() {
	type opened struct {
		name string
		line int
	}
	var stack []opened
	for i, f := range p.scan.fences {
		v := &f.verdict
		if len(stack) > 0 && !v.leaves && p.exitBetween(i) {
			stack = stack[:len(stack)-1]
		}
		if len(stack) > 0 && v.action == nil {
			top := stack[len(stack)-1]
			if v.shellish && v.why != WhyDoubtful && v.why != WhyOutput && v.why != WhyNegated || v.why == WhyNotShell && startsWithPrompt(v.code) {
				v.refuse(WhyRemote, "it belongs into the shell that `"+top.name+"` in line "+itoa(top.line)+" opens")
			}
			if v.leaves {
				stack = stack[:len(stack)-1]
				continue
			}
		}
		if v.leaves && v.block && v.why == "" && onlyExits(v.code) {
			v.refuse(WhyRemote, "it leaves a shell that was opened elsewhere")
		}
		if v.opens != "" && v.block && v.why != WhyNegated && !v.leaves && !p.handedOver(f) {
			stack = append(stack, opened{name: v.opens, line: v.first + 1})
		}
	}
}

func startsWithPrompt(code string) bool {
	return strings.HasPrefix(strings.TrimLeft(code, " "), ">")
}

// leavesContext tells whether code ends the shell that it is in.
func (p *fileParser) leavesContext(code string) bool {
	last := ""
	for line := range strings.Lines(code) {
		if t := strings.TrimSpace(line); t != "" && t[0] != '#' {
			last = t
		}
	}
	_, n := promptOf(last)
	switch strings.Trim(last[n:], " ;") {
	case "exit", "logout", `\q`, "quit", "exit 0", "quit()", "exit()":
		return true
	}
	return false
}

// handedOver tells whether the author hands the step with this fence the real
// terminal: whoever comes back from it is in the local shell again.
func (p *fileParser) handedOver(f *fence) bool {
	for _, n := range p.notes {
		if n.step == nil || !n.step.Interactive {
			continue
		}
		if p.headAt(n.line) == p.headAt(f.open) && (n.line < f.open || p.headAt(n.line) >= 0) {
			return true
		}
	}
	return false
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

// exitCues are words of a text that leaves the other shell.
var exitCues = []string{
	"exit the", "exit from", "exit out", "`exit`", "type exit", "run exit", "log out", "logout", "leave the pod", "leave the container", "leave the shell", "leave the node",
	"back on your", "back in your", "back to your", "on your local machine", "from your local machine", "on your laptop", "on your workstation", "from your workstation", "in a new terminal",
	"in another terminal", "in a separate terminal", "in a second terminal", "from another terminal", "ctrl-d", "ctrl+d", "`\\q`", "disconnect from", "close the session", "exit psql", "quit psql", "exit redis",
}

// exitBetween tells whether the text between the fence before and fence i
// leaves a context.
func (p *fileParser) exitBetween(i int) bool {
	if i == 0 {
		return false
	}
	prev := p.scan.fences[i-1]
	return containsAny(strings.ToLower(p.doc.lines(prev.end, p.scan.fences[i].open)), exitCues)
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
