package risk

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Classify says what a shell text would do. It never fails: a text that isn't shell is judged
// line by line, and is Unknown at least, with the reason in ParseError.
func Classify(text string, c Context) Result {
	w := &walker{ctx: c, left: maxCommands, t: tables()}
	w.res.Command = text
	norm, notes := normalise(text)
	w.res.Notes = notes
	w.generates = generator(norm)
	f := &frame{w: w}
	f.script(norm, nil)
	if w.parser != nil {
		w.t.parsers.Put(w.parser)
	}
	w.veilTexts()
	w.unfold()
	w.sortReasons()
	return w.res
}

// generator finds what makes a new credential out of randomness, in a shell, in a template,
// or in another language.
func generator(text string) bool {
	if !strings.Contains(text, "and") && !strings.Contains(text, "gen") && !strings.Contains(text, "token") && !strings.Contains(text, "derive") {
		return false // what all of them have
	}
	for _, s := range []string{"/dev/urandom", "/dev/random", "secrets.token", "randAlpha", "randBytes", "genCA", "genPrivateKey", "genSelfSigned", "derivePassword", "random_password", "token_hex", "SecureRandom", "randomBytes"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// unfold makes every sentence one line, whatever words of the command are in it.
func (w *walker) unfold() {
	for i := range w.res.Reasons {
		w.res.Reasons[i].Why = oneLine(w.res.Reasons[i].Why)
	}
	for i := range w.res.Notes {
		w.res.Notes[i] = oneLine(w.res.Notes[i])
	}
}

func oneLine(s string) string {
	if !strings.ContainsAny(s, "\n\r") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c == '\n' || c == '\r' }), " ")
}

// sortReasons puts the worst first, keeps the order of the text within a class, and drops
// what the rounds of a loop repeat.
func (w *walker) sortReasons() {
	rs := w.res.Reasons
	if len(rs) < 2 {
		return
	}
	out := make([]Reason, 0, len(rs))
	seen := make(map[Reason]bool, len(rs))
	for c := Destroy; c >= Read; c-- {
		for _, r := range rs {
			if r.Class == c && !seen[r] {
				seen[r] = true
				out = append(out, r)
			}
		}
	}
	w.res.Reasons = out
}

// script judges a text in the frame's own shell.
func (f *frame) script(text string, in *stream) {
	if f.w.depth >= maxDepth {
		f.add(Unknown, shown(firstLine(text)), "nested too deep to be judged")
		return
	}
	f.w.depth++
	defer func() { f.w.depth-- }()
	src := f.src
	defer func() { f.src = src }()
	f.src = text
	file, err := f.parse(text)
	if err != nil {
		f.salvage(text, err, in)
		return
	}
	f.doubtful(text)
	f.stmts(file.Stmts, in)
	if f.w.depth == 1 {
		f.uncalled()
	}
}

func (f *frame) parse(text string) (*syntax.File, error) {
	if len(text) > maxText || len(text) > maxOpen && strings.Count(text, "(")+strings.Count(text, "{") > maxOpen {
		// The parser calls itself for whatever is nested; Go's stack is not endless.
		return nil, errors.New("too long or too deeply nested to be parsed as a whole")
	}
	if f.w.parser == nil {
		f.w.parser, _ = f.w.t.parsers.Get().(*syntax.Parser)
	}
	if f.w.parser == nil {
		f.w.parser = syntax.NewParser(syntax.Variant(syntax.LangBash))
	}
	return f.w.parser.Parse(strings.NewReader(text), "")
}

// salvage judges what isn't shell: each line that is, and of the others the words.
func (f *frame) salvage(text string, err error, in *stream) {
	if f.w.res.ParseError == "" {
		f.w.res.ParseError = err.Error()
	}
	f.add(Unknown, shown(firstLine(text)), "isn't valid shell: "+err.Error())
	joined := strings.ReplaceAll(text, "\\\n", " ")
	for line := range strings.SplitSeq(joined, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || !f.w.spend(1) {
			continue
		}
		f.src = line
		if file, err := f.parse(line); err == nil {
			f.stmts(file.Stmts, in)
			continue
		}
		f.crude(line)
	}
}

// doubtful judges once more the lines with a # right behind a backquote: our parser takes it for
// a comment in some places where a shell goes on reading.
func (f *frame) doubtful(text string) {
	if !strings.Contains(text, "`#") {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.Contains(line, "`#") && f.w.spend(1) {
			f.add(Unknown, shown(line), "has a # behind a backquote, which isn't read alike everywhere")
			f.crude(line)
		}
	}
}

// firstLine is the beginning of a text that isn't known to be commands: the rest may be
// anything.
func firstLine(text string) string {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, " \n"), "\n")
	if strings.TrimSpace(rest) != "" {
		return first + " …"
	}
	return first
}

// crude judges a line that doesn't parse by cutting it at every operator.
func (f *frame) crude(line string) {
	cut := func(r rune) bool { return strings.ContainsRune("|&;()`{}", r) }
	for part := range strings.FieldsFuncSeq(line, cut) {
		var args []word
		for _, s := range strings.Fields(part) {
			s = strings.Trim(s, `"'$`)
			switch s {
			case "", "then", "do", "else", "if", "while", "until", "!", "done", "fi", "in":
				continue
			}
			args = append(args, word{text: s, known: true})
		}
		if len(args) > 0 {
			f.run(args, shown(strings.TrimSpace(part)), nil)
		}
	}
}
