package steps

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A promptKind says whose prompt a line starts with.
type promptKind int

const (
	noPrompt    promptKind = iota
	localPrompt            // "$ ", "% ", "➜  ": the reader's own shell
	hostPrompt             // "root@node:~# ", "sh-4.4$ ", "/ # ": a shell somewhere else
	replPrompt             // "postgres=# ", "gpg> ", "PS C:\>": not a shell of ours
)

// promptOf finds the prompt at the start of a line and how long it is.
func promptOf(line string) (promptKind, int) {
	i := len(line) - len(strings.TrimLeft(line, " \t"))
	s := line[i:]
	if s == "" {
		return noPrompt, 0
	}
	if s[0] == '$' || s[0] == '%' || s[0] >= 0x80 {
		for _, mark := range []string{"$ ", "% ", "➜  ", "➜ ", "❯ ", "› "} {
			if strings.HasPrefix(s, mark) {
				return localPrompt, i + len(mark)
			}
		}
		switch s {
		case "$", "%", "➜", "❯":
			return localPrompt, len(line)
		}
	}
	kind, n := longPrompt(s)
	if kind == noPrompt {
		return noPrompt, 0
	}
	return kind, i + n
}

// longPrompt knows the prompts that name a host, a folder or a program.
func longPrompt(s string) (promptKind, int) {
	if strings.HasPrefix(s, "PS ") && strings.Contains(s, ">") || len(s) > 3 && s[1:3] == `:\` && strings.Contains(s, ">") {
		return replPrompt, strings.IndexByte(s, '>') + 1
	}
	if strings.HasPrefix(s, "/ # ") || strings.HasPrefix(s, "/ $ ") {
		return hostPrompt, 4
	}
	const longest = 60
	n := 0
	for n < len(s) && n <= longest && s[n] != '#' && s[n] != '$' && s[n] != '>' {
		n++
	}
	if n == 0 || n == len(s) || n > longest || n+1 < len(s) && s[n+1] != ' ' {
		return noPrompt, 0
	}
	head, end := s[:n], min(n+2, len(s))
	switch {
	case s[n] == '>':
		if isName(head) && isWord(head[0]) || strings.HasSuffix(head, ">>") || strings.Contains(head, "(") && !strings.Contains(head, " ") {
			return replPrompt, end
		}
	case strings.HasSuffix(head, "="):
		if isName(strings.TrimRight(head, "=-")) {
			return replPrompt, end // postgres=#
		}
	case head[0] == '[' && strings.Contains(head, "@") && strings.HasSuffix(strings.TrimSpace(head), "]"):
		return hostPrompt, end // [user@host ~]#
	case (s[n] == '#' || s[n] == '$') && end > n+1 && isName(head):
		return hostPrompt, end // node4# systemctl
	case s[n] == '#' && end > n+1 && strings.HasSuffix(head, " ") && numberedHost(head[:len(head)-1]):
		return hostPrompt, end // db-02-prod # systemctl
	case s[n] == '$' && end > n+1 && strings.HasSuffix(head, " ") && (isName(strings.TrimSpace(head)) || head[0] == '~'):
		return hostPrompt, end // some-repo $ make
	case strings.Contains(head, " ") || strings.ContainsAny(head, `"'=|;`):
	case strings.Contains(head, "@") && strings.Contains(head, ":"), strings.HasSuffix(head, ":~"),
		strings.HasPrefix(head, "sh-"), strings.HasPrefix(head, "bash-"), strings.HasSuffix(head, ":/"):
		return hostPrompt, end
	case strings.Contains(head, "@") && isName(strings.ReplaceAll(strings.ReplaceAll(head, "@", ""), "~", "")):
		return hostPrompt, end
	}
	return noPrompt, 0
}

// numberedHost tells whether a word is a host by its looks: two dashes or more,
// and figures in it. Who calls a program like that is alone.
func numberedHost(s string) bool {
	return isName(s) && strings.Count(s, "-") > 1 && strings.ContainsAny(s, "0123456789")
}

func isName(s string) bool {
	for i := range len(s) {
		if !isWord(s[i]) && s[i] != '-' && s[i] != '.' {
			return false
		}
	}
	return s != ""
}

// A session is what the prompted lines of a fence hold.
type session struct {
	code        []string
	first, last int // lines of the fence, from 0
	kind        promptKind
	lastKind    promptKind
	broken      bool // a command goes on behind the end of what belongs to it
	leading     bool // a prompt stands in the first line that isn't empty or a comment
	local       bool // some prompt is that of the reader's own shell
}

func prompted(line string) bool {
	kind, _ := promptOf(line)
	return kind != noPrompt
}

// readSession keeps the prompted lines, their continuations and
// here-documents; everything else is expected output. It returns nil for a
// fence without a prompt.
func (p *fileParser) readSession(lines []string, root bool) *session {
	if !root && !slices.ContainsFunc(lines, prompted) {
		return nil
	}
	s := session{first: -1}
	kind, _ := promptOf(firstLine(lines))
	s.leading = kind != noPrompt || root
	for i := 0; i < len(lines); {
		kind, n := promptOf(lines[i])
		if root && strings.HasPrefix(lines[i], "# ") {
			kind, n = localPrompt, 2
		}
		if kind == noPrompt {
			i++
			continue
		}
		s.kind, s.lastKind = max(s.kind, kind), kind
		s.local = s.local || kind == localPrompt
		first := lines[i][n:]
		if blank(first) {
			i++
			continue
		}
		if inner, _ := promptOf(first); inner == localPrompt || inner == hostPrompt {
			s.kind = max(s.kind, hostPrompt) // a prompt behind a prompt: whose it is can't be told
		}
		if s.first < 0 {
			s.first = i
		}
		s.code = append(s.code, first)
		i = p.continuation(&s, lines, i+1)
		s.last = i - 1
	}
	if s.kind == noPrompt {
		return nil
	}
	return &s
}

// continuation takes the lines that belong to the command whose first line is
// the last of s.code, and returns the line behind them.
func (p *fileParser) continuation(s *session, lines []string, i int) int {
	start := len(s.code) - 1
	const longest = 40 // of a loop or quoted text; here-documents may be longer
	for taken := 0; i < len(lines); i++ {
		last := s.code[len(s.code)-1]
		if end := hereDocument(last); end != "" {
			i = s.takeHereDocument(lines, i, end)
			if s.broken {
				return i
			}
			i--
			continue
		}
		if !endsInBackslash(last) && (taken >= longest || !p.incomplete(strings.Join(s.code[start:], "\n"))) {
			return i
		}
		if kind, _ := promptOf(lines[i]); kind != noPrompt {
			s.broken = true
			return i
		}
		line := lines[i]
		if t := strings.TrimLeft(line, " "); strings.HasPrefix(t, "> ") || t == ">" {
			line = strings.TrimPrefix(strings.TrimPrefix(t, ">"), " ")
		}
		s.code = append(s.code, line)
		taken++
	}
	last := s.code[len(s.code)-1]
	s.broken = s.broken || endsInBackslash(last) || hereDocument(last) != ""
	return i
}

func (s *session) takeHereDocument(lines []string, i int, end string) int {
	for ; i < len(lines); i++ {
		line := lines[i]
		if t, ok := strings.CutPrefix(line, "> "); ok {
			line = t
		}
		if strings.TrimLeft(line, "\t") == end {
			// The delimiter must not be read as a command of its own.
			s.code = append(s.code, line)
			return i + 1
		}
		s.code = append(s.code, line)
	}
	s.broken = true
	return i
}

// hereDocument returns the delimiter of a here-document that a line opens.
func hereDocument(line string) string {
	_, rest, ok := strings.Cut(line, "<<")
	if !ok || strings.HasPrefix(rest, "<") {
		return ""
	}
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "-"), " ")
	n := 0
	for n < len(rest) && (isWord(rest[n]) || strings.IndexByte(`'"\`, rest[n]) >= 0) {
		n++
	}
	return strings.Trim(rest[:n], `'"\`)
}

func endsInBackslash(s string) bool {
	n := len(s)
	for n > 0 && s[n-1] == '\\' {
		n--
	}
	return (len(s)-n)%2 == 1
}

func (p *fileParser) incomplete(code string) bool {
	_, err := p.shell.readShell(mask(code, findHoles(code)), nil)
	return err != nil && syntax.IsIncomplete(err)
}

// promptsAreData tells whether what looks like a prompt stands inside
// here-documents or quotes of code that needs none: no command is named `$`.
func (p *fileParser) promptsAreData(code string) bool {
	file, err := parseShell(p.shell.parser, mask(code, findHoles(code)))
	if err != nil {
		return false
	}
	data := true
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			kind, _ := promptOf(literal(call.Args[0]))
			data = data && kind == noPrompt
		}
		return data
	})
	return data
}
