package steps

import "strings"

// judgeStatements looks at the top-level statements of code that parses. Much
// that parses is no shell: prose, prompts, output.
func (p *fileParser) judgeStatements(v *verdict, stmts []statement) (why, detail string) {
	if len(stmts) == 0 {
		return WhyFragment, "there are only comments"
	}
	for i, s := range stmts {
		before, line := lineOf(v.code, s.at)
		if blank(before) {
			line = line[len(before):]
		}
		switch {
		case s.bare:
			return WhyNotShell, "a line starts with the prompt of another program, which a shell would take for a redirection"
		case looksLikeOutput(line), i > 0 && isColumns(line):
			return WhyOutput, mixedOutput
		}
		if !s.whole {
			continue
		}
		why, detail := p.judgeCall(v.code, &s.calls[0])
		if why == WhyNotShell && detail == "" && i > 0 && looksLikeCommand(firstCode(v.code)) {
			return WhyOutput, mixedOutput
		}
		if why != "" {
			return why, detail
		}
	}
	return judgeContext(v, stmts)
}

// lineOf returns the line that an offset lies in, and what stands in it before.
func lineOf(code string, at int) (before, line string) {
	start := strings.LastIndexByte(code[:at], '\n') + 1
	end := strings.IndexByte(code[at:], '\n')
	if end < 0 {
		end = len(code) - at
	}
	return code[start:at], code[start : at+end]
}

func (p *fileParser) judgeCall(code string, c *call) (why, detail string) {
	first := c.words[0]
	switch {
	case strings.HasPrefix(first, "-"):
		return WhyFragment, "it starts with options of a command that isn't there"
	case len(c.words) > 1 && c.words[1] == "=":
		return WhyNotShell, "a shell takes `" + first + " =` for a command named " + first
	case len(first) > 1 && strings.HasSuffix(first, ":"):
		return WhyNotShell, ""
	case len(c.words) > 1 && c.host != "" && !p.assigned(c.host):
		// `$mac docker ps`: a prompt that is also a variable to a shell
		return WhyRemote, "$" + c.host + " stands like the name of a machine before its commands"
	case first == unknownWord:
		return "", ""
	}
	before, line := lineOf(code, c.at)
	if blank(before) && isProse(line[len(before):]) {
		return WhyNotShell, ""
	}
	if a := arrowIn(c.words, line); a != "" {
		return WhyNotShell, "a shell would take `" + a + "` for a redirection"
	}
	return "", ""
}

// arrowIn returns an arrow of prose that stands in a line and that a shell has
// read as the last of its words before a redirection: `sync x -> invalid` would
// sync, and write a file.
func arrowIn(words []string, line string) string {
	for _, w := range words {
		switch w {
		case "-", "--", "=", "==":
			if strings.Contains(line, " "+w+"> ") {
				return w + ">"
			}
		}
	}
	return ""
}

// assigned tells whether the document sets a shell variable somewhere.
func (p *fileParser) assigned(name string) bool {
	if set, ok := p.vars[name]; ok {
		return set
	}
	set := p.book.Param(name) != nil
	for rest := p.doc.text; !set; {
		i := strings.Index(rest, name+"=")
		if i < 0 {
			break
		}
		set = i == 0 || !isWord(rest[i-1]) && rest[i-1] != '$' && rest[i-1] != '-'
		rest = rest[i+1:]
	}
	p.vars[name] = set
	return set
}

// judgeContext finds commands that open a shell elsewhere. What follows them
// in the same fence belongs there.
func judgeContext(v *verdict, stmts []statement) (why, detail string) {
	for i, s := range stmts {
		name, hands := openerIn(s.calls)
		v.hands = v.hands || hands
		if name == "" {
			continue
		}
		v.opens = name
		if i+1 < len(stmts) {
			return WhyRemote, "what follows `" + name + "` is meant for the shell that it opens"
		}
	}
	return "", ""
}
