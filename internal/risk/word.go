package risk

import (
	"slices"
	"strings"
)

// word is one argument after expansion.
type word struct {
	// text holds the source of whatever isn't known ("$NS", "$(…)") in its place.
	text  string
	known bool
	// many marks an unquoted expansion that isn't known: it can be no word, or several.
	many bool
	// quoted words are never taken for an alias or a flag cluster's bracket.
	quoted bool
	// veiled words are values: no reason names them.
	veiled bool
	// src is the word as it is written, where that differs.
	src string
	// in is what a process substitution would be read to yield.
	in *stream
}

// A larder is where the words, flags and calls of a text come from: a few pieces of memory
// for many of them.
type larder struct {
	words []word
	flags []flag
	calls []call
}

// room returns an empty list with room for n words that nobody else uses.
func (l *larder) room(n int) []word { return take(&l.words, n) }

// take cuts an empty list with room for n off a larger piece of memory.
func take[T any](from *[]T, n int) []T {
	if n > cap(*from)-len(*from) {
		*from = make([]T, 0, max(n, min(2*cap(*from), 128)))
	}
	at := len(*from)
	*from = (*from)[:at+n]
	return (*from)[at : at : at+n]
}

func lit(s string) word { return word{text: s, known: true} }

func texts(ws []word) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = w.text
	}
	return out
}

func joined(ws []word) string {
	if len(ws) == 1 {
		return ws[0].text
	}
	var b strings.Builder
	for i, w := range ws {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}

func allKnown(ws []word) bool {
	for _, w := range ws {
		if !w.known {
			return false
		}
	}
	return true
}

// stream is what one command hands to the next: a pipe, a here-document, a substitution.
type stream struct {
	text string
	// known is false where the text isn't all there is, or isn't what comes out.
	known bool
	// objects are the manifests that the stream is known to hold.
	objects []Touch
	// credential marks manifests that hold a Secret.
	credential bool
	// completion marks the output of `tool completion bash`: functions, no commands.
	completion bool
	// here marks a here-document or here-string: an author's text, not a program's output.
	here bool
	// shaped marks what went through a program that may have changed it: its kinds and names
	// are believed, its values aren't.
	shaped bool
	// from names the file or program it comes from.
	from string
}

// reshaped is the stream behind a program that may change what it reads.
func (s stream) reshaped() stream {
	s.shaped = true
	s.objects = slices.Clone(s.objects)
	for i := range s.objects {
		s.objects[i].Given = Given{}
	}
	return s
}

func (s *stream) orEmpty() stream {
	if s == nil {
		return stream{}
	}
	return *s
}
