package steps

import (
	"errors"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A verdict says what a fence is.
type verdict struct {
	block  bool // looks like commands, or is an action: it belongs to its step
	why    string
	detail string
	lang   string
	code   string
	first  int // line of the file that the code starts on
	last   int
	holes  []string
	action *Action
	asIs   bool // its label says that no line has a prompt

	shellish bool   // would be commands, whatever hinders them
	opens    string // the command that opens another context
	leaves   bool   // leaves it again
	lead     string // the sentence above it, in lower case
	says     said   // what it has of leadCues
	hands    bool   // needs the real terminal
	host     bool   // is typed on another machine, says its prompt or the text
}

func (v *verdict) text(why, detail string) {
	v.block, v.why, v.detail = false, why, detail
}

func (v *verdict) refuse(why, detail string) {
	v.block, v.why, v.detail = true, why, detail
}

// judgeFences decides for every fence whether it holds commands that may be
// offered. The rules go from what forbids most to what forbids least.
func (p *fileParser) judgeFences() {
	for i, f := range p.scan.fences {
		f.verdict = p.judge(f, i)
		if f.flaw != nil {
			p.reportFlaw(f)
		}
	}
	p.judgeSwaps()
	p.trackContexts()
	p.judgeKin()
	p.chooseTabs()
}

func (p *fileParser) reportFlaw(f *fence) {
	if p.said[*f.flaw] {
		return
	}
	p.said[*f.flaw] = true
	p.report(Diagnostic{Line: f.flaw.line + 1, Col: 1, Severity: Warning, Rule: f.flaw.rule, Message: f.flaw.text, Hint: f.flaw.hint})
}

func (p *fileParser) judge(f *fence, i int) verdict {
	lang, rest := label(f.info)
	lines := p.body(f)
	v := verdict{lang: lang, first: f.open + 1, last: f.end - 1}
	if directiveName(f.info) != "" {
		lines, v.first = skipOptions(lines, v.first)
	}
	if f.indent == 0 && f.quotes == 0 && len(lines) == f.end-f.open-1 {
		v.code = p.doc.lines(f.open+1, f.end)
	} else {
		v.code = joinLines(lines)
	}
	kind := dialectOf(lang)
	if f.flaw != nil {
		v.shellish = kind == shellDialect || kind != otherDialect && kind != outputDialect && p.hasCommands(lines)
		v.text(WhyDoubtful, f.flaw.text)
		v.block = v.shellish
		return v
	}
	if labelled(rest, NoRun) {
		v.text(WhyNegated, "its label says `"+NoRun+"`")
		v.block = kind == shellDialect
		return v
	}
	if isAction(lang, rest) {
		v.block, v.lang = true, "yaml"
		v.action = p.readAction(f, lines)
		return v
	}
	switch kind {
	case outputDialect:
		v.text(WhyOutput, "")
		return v
	case otherDialect:
		v.text(WhyNotShell, "")
		if looksLikeCommand(firstLine(lines)) {
			v.detail = "its label says `" + lang + "`, which is no shell"
		}
		if l := p.leadOf(i); l.marked || isOutputTitle(l.sentence) {
			v.text(WhyOutput, "the text introduces it as output")
		}
		return v
	}
	if strings.TrimSpace(v.code) == "" {
		v.text(WhyFragment, "the fence is empty")
		return v
	}
	v.asIs = labelled(rest, AsIs)
	p.judgeShell(&v, kind, lines, p.leadOf(i))
	return v
}

// hasCommands tells whether some line has a prompt or starts like a command.
func (p *fileParser) hasCommands(lines []string) bool {
	for _, l := range lines {
		if kind, _ := promptOf(l); kind != noPrompt || looksLikeCommand(l) {
			return true
		}
	}
	return false
}

func (p *fileParser) judgeShell(v *verdict, kind dialect, lines []string, l lead) {
	l.says = leadCues.in(l.sentence)
	var s *session
	if !v.asIs {
		s = p.readSession(lines, kind != shellDialect && isRootSession(lines, kind == bareDialect))
	}
	if s != nil && s.kind == localPrompt && !s.leading && p.promptsAreData(v.code) {
		s = nil
	}
	if l.introducesOutput(looksLikeCommand(firstLine(lines)) || s != nil && kind != bareDialect) {
		v.text(WhyOutput, "the text introduces it as output")
		return
	}
	if s != nil {
		if s.first < 0 {
			v.text(WhyFragment, "there is nothing behind the prompt")
			return
		}
		v.code = joinLines(s.code)
		v.first, v.last = v.first+s.first, v.first+s.last
		v.shellish = true
		switch {
		case s.kind == replPrompt && !s.local:
			v.refuse(WhyNotShell, "its prompt is that of another program")
			return
		case s.kind != localPrompt:
			v.refuse(WhyRemote, "it has prompts of another shell or program")
			v.leaves, v.host = p.leavesContext(v.code), s.kind == hostPrompt
			if s.local && s.lastKind == hostPrompt {
				v.opens, _, _ = strings.Cut(s.code[0], " ")
			}
			return
		case s.broken:
			v.refuse(WhyFragment, "a command in it has no end")
			return
		}
	} else if kind != shellDialect && !plainCommands(lines, l) {
		v.text(WhyNotShell, "")
		if l.adjacent && !startsWithPrompt(v.code) || looksLikeOutput(firstLine(lines)) {
			v.why = WhyOutput
		}
		return
	}
	v.shellish, v.lead, v.says = true, l.sentence, l.says
	v.leaves = p.leavesContext(v.code)
	if why, detail := foreignStart(v.code); why != "" {
		v.text(why, detail)
		return
	}
	if l.writesFile(v.code) {
		v.text(WhyNotShell, "the text says that it goes into a file")
		return
	}
	if l.shownAsChange() {
		v.text(WhyNotShell, "the text shows it as a change to something else")
		return
	}
	if startsWithShebang(v.code) && !l.runsScript() && !p.declared && len(p.notes) == 0 {
		v.text(WhyNotShell, "it is the text of a script, and nothing says to run it")
		return
	}
	if l.negated(v.code) {
		v.refuse(WhyNegated, "the text says not to run it")
		return
	}
	p.judgeCode(v)
	if v.why == "" && !p.declared && l.says.has(saysOwn) {
		v.refuse(WhyPlaceholder, "the text says to put in values of your own")
	}
	if v.opens == "" && v.block && l.opensShell() {
		v.opens, v.hands = firstWordOf(v.code), true
	}
}

// isRootSession tells whether "# " is a prompt here: every such line starts a
// command, and output stands between them. Without a label, only a tool that
// works from anywhere counts: "# cat /etc/hosts" may be the title of a file.
func isRootSession(lines []string, bare bool) bool {
	prompted, other := 0, 0
	for _, l := range lines {
		rest, ok := strings.CutPrefix(l, "# ")
		switch {
		case ok && (!looksLikeCommand(rest) || bare && !operatorTool(rest)):
			return false
		case ok:
			prompted++
		case blank(l):
		case looksLikeCommand(l):
			return false
		default:
			other++
		}
	}
	return prompted > 0 && other > 0
}

// plainCommands tells whether a fence without a shell label holds commands. Its
// first line starts with a program that people know; or it has the form of a
// command, and the text or another line vouches for it.
func plainCommands(lines []string, l lead) bool {
	first := firstLine(lines)
	if first == "" {
		return false
	}
	if looksLikeCommand(first) {
		return true
	}
	if !formOfCommand(first) || looksLikeOutput(first) || otherLanguage(first) {
		return false
	}
	return l.introducesCommand() || hasLongFlag(first) ||
		slices.ContainsFunc(lines, looksLikeCommand)
}

// firstLine returns the first line that is neither empty nor a comment.
func firstLine(lines []string) string {
	for _, l := range lines {
		if t := strings.TrimSpace(l); t != "" && t[0] != '#' {
			return t
		}
	}
	return ""
}

// firstCode returns the first line of code that is neither empty nor a comment.
func firstCode(code string) string {
	for line := range strings.Lines(code) {
		if t := strings.TrimSpace(line); t != "" && t[0] != '#' {
			return t
		}
	}
	return ""
}

// foreignStart looks at the first line of code for another language or output.
func foreignStart(code string) (why, detail string) {
	first := firstCode(code)
	switch {
	case first == "":
		return WhyFragment, "there are only comments"
	case first[0] == '>':
		return WhyNotShell, "it starts with the prompt of another program, which a shell would take for a redirection"
	case looksLikeOutput(first):
		return WhyOutput, ""
	case strings.HasPrefix(first, "- ") || strings.HasPrefix(first, "* "):
		return WhyNotShell, "it is a list"
	case otherLanguage(first):
		return WhyNotShell, ""
	}
	return "", ""
}

// mixedOutput says that somebody would have to tell the two apart.
const mixedOutput = "commands and output stand in it without prompts"

// judgeCode reads the code with a shell's own grammar.
func (p *fileParser) judgeCode(v *verdict) {
	if code := strings.TrimRight(v.code, "\n"); endsInBackslash(code) {
		v.refuse(WhyFragment, "the last line goes on, but nothing follows")
		return
	}
	if n := brokenContinuation(v.code); n >= 0 {
		v.refuse(WhyFragment, "a blank behind the backslash in line "+itoa(v.first+n+1)+" cuts the command in two")
		p.report(Diagnostic{Line: v.first + n + 1, Col: 1, Severity: Warning, Rule: "broken-continuation",
			Message: "a blank behind the backslash cuts this command in two", Hint: "remove the blank at the end of the line"})
		return
	}
	if n, what := oddCharacter(v.code); what != "" {
		v.refuse(WhyNotShell, "line "+itoa(v.first+n)+" has "+what)
		p.report(Diagnostic{Line: v.first + n, Col: 1, Severity: Warning, Rule: "odd-character",
			Message: "this line has " + what, Hint: "type it anew"})
		return
	}
	holes := findHoles(v.code)
	if len(holes) > mostHoles {
		v.refuse(WhyPlaceholder, "it is full of placeholders")
		return
	}
	code, err := p.shell.readShell(mask(v.code, holes), holes)
	if err != nil {
		switch {
		case errors.Is(err, errTooDeep):
			v.refuse(WhyNotShell, err.Error())
		case slices.ContainsFunc(strings.Split(v.code, "\n"), looksLikeOutput):
			v.refuse(WhyOutput, mixedOutput)
		case syntax.IsIncomplete(err):
			v.refuse(WhyFragment, "a command in it has no end")
		case len(holes) > 0 && holes[0].angled:
			v.refuse(WhyPlaceholder, "it holds placeholders, and a shell can't read it")
		default:
			v.text(WhyNotShell, "a shell can't read it")
		}
		return
	}
	if len(holes) > 0 {
		holes = openHoles(code.places, holes)
	}
	for _, h := range holes {
		v.holes = append(v.holes, h.name)
	}
	v.block = true
	if why, detail := p.judgeStatements(v, code.stmts); why != "" {
		v.refuse(why, detail)
		if why == WhyNotShell || why == WhyOutput && detail == "" {
			v.block = why == WhyOutput
		}
		return
	}
	for _, h := range holes {
		if !h.angled || p.book.paramFor(h.name) == nil {
			v.refuse(WhyPlaceholder, "nothing is known to put in for "+v.code[h.start:h.end])
			return
		}
	}
	if code.standIn != "" {
		v.refuse(WhyPlaceholder, "nothing is known to put in for "+code.standIn)
	}
}

// brokenContinuation returns the line that ends in a backslash and a blank, or -1.
func brokenContinuation(code string) int {
	if !strings.Contains(code, "\\ \n") && !strings.Contains(code, "\\\t\n") {
		return -1
	}
	n := 0
	for line := range strings.Lines(code) {
		line = strings.TrimSuffix(line, "\n")
		if t := strings.TrimRight(line, " \t"); t != line && endsInBackslash(t) {
			return n
		}
		n++
	}
	return -1
}
