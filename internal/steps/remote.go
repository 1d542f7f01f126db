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
		between := p.textBefore(i)
		if len(stack) > 0 && !v.leaves && containsAny(strings.ToLower(between), exitCues) {
			stack = stack[:len(stack)-1]
		}
		if len(stack) == 0 && i > 0 && p.scan.fences[i-1].verdict.shellish && containsAny(between, enterCues) {
			prev := &p.scan.fences[i-1].verdict
			stack = append(stack, opened{name: firstWordOf(prev.code), line: prev.first + 1})
		}
		if len(stack) == 0 && v.shellish && v.block && v.why == "" && v.opens == "" && elsewhere(v.lead) && !fromOutside(v.code) {
			v.refuse(WhyRemote, "the text says that it runs elsewhere")
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

// exitCues are words of a text that leaves the other shell.
var exitCues = []string{
	"exit the", "exit from", "exit out", "`exit`", "type exit", "run exit", "log out", "logout", "leave the pod", "leave the container", "leave the shell", "leave the node",
	"back on your", "back in your", "back to your", "on your local machine", "from your local machine", "on your laptop", "on your workstation", "from your workstation", "in a new terminal",
	"in another terminal", "in a separate terminal", "in a second terminal", "from another terminal", "ctrl-d", "ctrl+d", "`\\q`", "disconnect from", "close the session", "exit psql", "quit psql", "exit redis",
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
	word, _ := cutWord(firstLine(strings.Split(code, "\n")))
	return word
}

// enterCues say that the command before has opened a shell, whatever its name.
// First letters that may be capitals are left out, so that texts needn't be
// changed to be searched.
var enterCues = []string{
	"you a shell", "have a shell", "rop you in", "rops you in", "ropped into", "ou are now in", "ou're now in", "ow inside", "nce inside", "nce in the",
	"nce you are in", "nce you're in", "the debug shell", "nside the shell",
	"n this shell", "n that shell", "rom the shell", "rom this shell", "t the prompt", "nside the toolbox",
}

// elsewhere tells whether a sentence, in lower case, sends its reader to another
// machine before the commands below it.
func elsewhere(s string) bool {
	if containsAny(s, []string{"inside the container", "inside the pod", "inside your container", "within the container", "within the pod", "from inside the", "in the container:", "in the pod:", "ssh into", "ssh to ", "ssh in to", "ssh onto", "on the remote", "in the rails console", "in a rails console", "in the psql", "in psql", "in redis-cli"}) {
		return true
	}
	if !containsAny(s, []string{"log in to", "log into", "login to", "log on to", "logged in to", "logged into", "log onto", "connect to the"}) {
		return false
	}
	return containsAny(s, []string{" node", " server", " host", " machine", " instance", " pod", " container", " vm", " master", " replica", " jumpbox", " bastion", " box"})
}

// fromOutside tells whether code starts with a tool that reaches into other
// machines and pods from the reader's own.
func fromOutside(code string) bool {
	switch firstWordOf(code) {
	case "kubectl", "oc", "k", "docker", "podman", "nerdctl", "ssh", "scp", "rsync", "helm", "gcloud", "az", "aws", "vagrant", "multipass", "docker-compose",
		"limactl", "minikube", "kind", "talosctl", "ansible", "ansible-playbook", "task", "make", "export":
		return true
	}
	return false
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
