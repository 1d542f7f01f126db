package redact

import (
	"bytes"
	"regexp"
	"strings"
)

// Sentence returns s as it may be shown where the program itself speaks: why
// something failed, what a command would do, what a server says of an object.
// It knows the same values and shapes as [Redactor.Text], but in prose a name
// and a colon don't make the rest of the line a secret: "error retrieving
// secret: permission denied" stays as it is, "password: hunter2" doesn't. No
// escape is left, colour included. Text of several lines is no sentence, and
// is judged as what a command prints.
func (r *Redactor) Sentence(s string) string {
	var c cleaner
	var in span
	c.feed(&in, unfinished.ReplaceAll([]byte(s), []byte("$1")))
	c.flush(&in)
	if bytes.ContainsAny(in.text, "\r\n") {
		return r.Text(string(in.text))
	}
	in.marks = nil
	known := r.cutShort(in.text)
	line := in.mask(merge(known))
	if trigger(line.text, 0) < 0 {
		return string(line.text)
	}
	return string(line.mask(merge(proseRules(line.text))).text)
}

// unfinished is a title or the like that nothing ends. In a stream its end may be
// still to come; in a sentence what follows is the message.
var unfinished = regexp.MustCompile(`\x1b[\]PX^_]([^\x07\x1b]*)$`)

// cutShort finds registered values in a line. Where it was cut with an ellipsis,
// the head of a value right before that counts too.
func (r *Redactor) cutShort(line []byte) []region {
	text, cut := bytes.CutSuffix(line, []byte("…"))
	if !cut {
		known, _ := r.current().find(line, true)
		return known
	}
	known, hold := r.current().find(text, false)
	if len(text)-hold >= gram {
		known = append(known, region{hold, len(text)})
	}
	return known
}

// proseRules is lineRules for a line of prose.
func proseRules(line []byte) []region {
	if key, _ := beginsPEM(line); key.to > 0 {
		return []region{key}
	}
	out := proseAssignments(line)
	out = append(out, flags(line)...)
	out = append(out, shapes(line)...)
	return append(out, embedded(line)...)
}

// maxNames is how many names with a colon behind them are read one by one in a
// sentence. What follows more of them is no sentence.
const maxNames = 100

// proseAssignments are the values beside names. Where a name and a colon hide a
// word only, or nothing, the rest of the sentence is looked at anew: it may hold
// another one.
func proseAssignments(line []byte) []region {
	var out []region
	from := 0
	for range maxNames {
		next := -1
		for _, r := range assignments(line[from:]) {
			r = region{r.from + from, r.to + from}
			narrow, ok := inProse(line, r)
			if ok {
				out = append(out, narrow)
			}
			if !ok || narrow.to < r.to {
				next = narrow.to
				break
			}
		}
		if next < 0 {
			return out
		}
		from = next
	}
	for _, r := range assignments(line[from:]) {
		out = append(out, region{r.from + from, r.to + from})
	}
	return out
}

// inProse narrows what stands behind a colon to its first word, and leaves it
// alone where that is a word of the language.
func inProse(line []byte, r region) (region, bool) {
	before := bytes.TrimRight(line[:r.from], " \t")
	if !bytes.HasSuffix(before, []byte(":")) {
		return r, true // an equals sign or a quotation mark says that it is a value
	}
	_, key, quoted := keyBefore(line, len(before)-1)
	header := split(key)
	if n := len(header); quoted || n > 0 && (header[0] == "x" || credentialHeaders[header[n-1]]) {
		return r, true
	}
	r.to = r.from + until(line[r.from:r.to], " \t")
	word := strings.TrimRight(string(line[r.from:r.to]), ".,:;)")
	r.to = r.from + len(word)
	return r, looksMade(word)
}

// credentialHeaders end the names behind which nothing but a credential stands;
// X-Vault-Token and its like are known by their first letter.
var credentialHeaders = words(`authorization bearer cookie`)

// looksMade reports whether a word looks made up and not spoken: it is long
// enough to be looked for, and has a digit, a sign, or capitals inside.
func looksMade(word string) bool {
	if len(word) < minLen {
		return false
	}
	for i := range len(word) {
		switch c := word[i]; {
		case lower(c), c == '-', c == '\'':
		case upper(c) && (i == 0 || strings.ToUpper(word) == word):
		case c == '_' && strings.ToUpper(word) == word:
		default:
			return true
		}
	}
	return false
}
