package steps

import "strings"

// A swap is a word that the text tells its readers to replace by one of their
// own: "replace `my-cluster` with the name of your cluster".
type swap struct {
	line int
	word string
}

// judgeSwaps refuses what holds a word that the text of its section, or of one
// around it, says to replace.
func (p *fileParser) judgeSwaps() {
	swaps := p.findSwaps()
	if len(swaps) == 0 {
		return
	}
	for _, f := range p.scan.fences {
		v := &f.verdict
		if !v.block || v.why != "" || v.action != nil {
			continue
		}
		for _, s := range swaps {
			if p.coveredBy(f.open, s.line) && holdsWord(v.code, s.word) {
				v.refuse(WhyPlaceholder, "the text says to put something else in for "+s.word)
				break
			}
		}
	}
}

// coveredBy tells whether what the text says in a line is about a fence: they
// stand in the same section, or the line in one around it.
func (p *fileParser) coveredBy(fence, line int) bool {
	h, at := p.headAt(fence), p.headAt(line)
	if h == at {
		return true
	}
	for i := h - 1; i > at; i-- {
		if at >= 0 && p.heads[i].level <= p.heads[at].level {
			return false
		}
	}
	return at < h && (at < 0 || p.heads[at].level < p.heads[h].level)
}

// findSwaps looks for "replace `x` with …" in the text.
func (p *fileParser) findSwaps() []swap {
	return p.swapsOf(p.swapsOf(nil, "re", "plac"), "su", "bstitut")
}

// swapsOf adds those with one verb, whose second half begins with a rare letter:
// that is found faster.
func (p *fileParser) swapsOf(swaps []swap, start, rest string) []swap {
	text := p.doc.text
	for at := 0; ; {
		i := strings.Index(text[at:], rest)
		if i < 0 {
			return swaps
		}
		i += at
		at = i + len(rest)
		verb := i - len(start)
		if verb < 0 || !strings.EqualFold(text[verb:i], start) {
			continue
		}
		words := swappedWords(text[:verb], text[at:])
		if len(words) == 0 || p.inFence(p.doc.lineAt(i)) {
			continue
		}
		for _, w := range words {
			swaps = append(swaps, swap{line: p.doc.lineAt(i), word: w})
		}
	}
}

// swappedWords reads the words in quotes between the verb and "with": the name
// of what is the reader's has to follow. "To replace `a` with a new one" says
// what a command does.
func swappedWords(before, after string) []string {
	const longest = 300
	if len(after) > longest {
		after = after[:longest]
	}
	ending, rest := cutWord(after)
	if ending != "e" && ending != "ing" {
		return nil
	}
	rest = strings.Join(strings.Fields(rest), " ")
	var words []string
	for {
		for _, word := range []string{"and ", "or ", "the ", "both ", "each ", "any ", "all ", ", "} {
			rest = strings.TrimPrefix(rest, word)
		}
		w, more, ok := cutQuoted(rest)
		if !ok {
			break
		}
		if len(w) > 1 && !strings.ContainsAny(w, " <>$[]{}") {
			words = append(words, w)
		}
		rest = strings.TrimLeft(more, " ")
	}
	for _, word := range []string{"placeholder ", "placeholders ", "value ", "values ", "above ", "below "} {
		rest = strings.TrimPrefix(rest, word)
	}
	rest, ok := strings.CutPrefix(rest, "with ")
	if !ok || !swapsForReaders(lastWordOf(before), rest) {
		return nil
	}
	return words
}

// cutQuoted takes a word in quotes or backquotes from the front.
func cutQuoted(s string) (word, rest string, ok bool) {
	if s == "" || strings.IndexByte("`\"'", s[0]) < 0 {
		return "", s, false
	}
	word, rest, ok = strings.Cut(s[1:], s[:1])
	return word, rest, ok
}

// swapsForReaders tells whether what follows "with" is something that only the
// reader knows. Behind "to" or "will", that must be said outright.
func swapsForReaders(before, with string) bool {
	first, rest := cutWord(with)
	second, _ := cutWord(rest)
	switch {
	case first == "your", first == "whatever", first == "whichever", second == "actual", second == "appropriate", second == "relevant":
		return true
	case before == "to" || before == "will" || before == "would" || before == "can":
		return false
	}
	return first == "the" || first == "a" && second == "name"
}

func lastWordOf(s string) string {
	s = strings.TrimRight(s, " \n")
	return s[strings.LastIndexAny(s, " \n")+1:]
}

// holdsWord tells whether code has a word outside of comments.
func holdsWord(code, word string) bool {
	for line := range strings.Lines(code) {
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			continue
		}
		for at := 0; ; {
			i := strings.Index(line[at:], word)
			if i < 0 {
				break
			}
			i += at
			at = i + len(word)
			if (i == 0 || !partOfName(line[i-1])) && (at == len(line) || !partOfName(line[at])) {
				return true
			}
		}
	}
	return false
}

func partOfName(c byte) bool { return isWord(c) || c == '-' || c == '$' }

// ownCues ask for the reader's own values in the sentence above a fence.
var ownCues = newPhrases("with your own", "use whatever", "replace the values", "replacing the values", "update the values in", "fill in your", "fill in the")
