package risk

import (
	"cmp"
	"slices"
	"strings"
)

// veil is a value that nothing that is said about a text may show: the words in front of it,
// the value, both without quotes, and what stands in its place. It is bound to the
// words in front so that a document can't make another word vanish by calling it a password.
type veil struct {
	anchor, value, show string
	// head and all are the letters of the anchor, and of both: most texts lack one.
	head, all letters
}

// maxVeils bounds the work; a text with more values than that has its commands cut short.
const maxVeils = 500

// unseen stands in the place of a value.
const unseen = "…"

// hide has a value left out wherever it follows the anchor. What names a file or a variable
// is no value.
func (f *frame) hide(anchor string, v word, show string) {
	if anchor == "" || v.text == "" || strings.HasPrefix(v.text, "@") || v.text == "-" || v.text[0] == markOpen ||
		!v.known && strings.HasPrefix(v.text, "$") {
		return
	}
	f.veil(anchor, v.text, show)
	if v.src != "" {
		f.veil(anchor, v.src, show)
	}
}

func (f *frame) veil(anchor, value, show string) {
	d := veil{anchor: strings.TrimRight(bareOf(unmark.Replace(anchor)).s, " "), value: bareOf(unmark.Replace(value)).s, show: show}
	if d.anchor == "" || strings.TrimSpace(d.value) == "" || d.value == d.show {
		return
	}
	w := f.w
	if w.veiled == nil {
		w.veiled = map[veil]bool{}
	}
	if w.veiled[d] || len(w.veils) > maxVeils {
		return
	}
	w.veiled[d] = true
	d.head = lettersOf(d.anchor)
	d.all = d.head | lettersOf(d.value)
	w.veils = append(w.veils, d)
}

// veilTexts takes the values out of everything that is said about the text.
func (w *walker) veilTexts() {
	if len(w.veils) == 0 && !strings.Contains(w.res.Command, "<<") {
		return
	}
	r := &w.res
	for i := range r.Reasons {
		x := &r.Reasons[i]
		x.Command, x.Why = w.veil(x.Command), w.veil(x.Why)
	}
	for i := range r.Touches {
		t := &r.Touches[i]
		t.Name, t.Host, t.Path, t.Vault = w.veil(t.Name), w.veil(t.Host), w.veil(t.Path), w.veil(t.Vault)
	}
	for i := range r.Targets {
		r.Targets[i].Value, r.Targets[i].Command = w.veil(r.Targets[i].Value), w.veil(r.Targets[i].Command)
	}
	for i := range r.Opens {
		r.Opens[i].Where, r.Opens[i].Command = w.veil(r.Opens[i].Where), w.veil(r.Opens[i].Command)
	}
	for i := range r.Notes {
		r.Notes[i] = w.veil(r.Notes[i])
	}
	for _, s := range []*string{&r.Endless, &r.Interactive, &r.Generates, &r.Prints, &r.ParseError} {
		*s = w.veil(*s)
	}
}

func (w *walker) veil(s string) string {
	if s == "" {
		return s
	}
	s = withoutHeredoc(s)
	if len(w.veils) > maxVeils {
		if first, _, more := strings.Cut(s, " "); more {
			return first + " " + unseen
		}
	}
	if len(w.veils) == 0 {
		return s
	}
	var p bare
	var spans []span
	has, cut := lettersOf(s), strings.HasSuffix(s, unseen)
	for i := range w.veils {
		v := &w.veils[i]
		if v.head&^has != 0 || !cut && v.all&^has != 0 {
			continue
		}
		if p.at == nil {
			p = bareOf(s)
		}
		spans = v.find(p, spans)
	}
	if spans == nil {
		return s
	}
	return cutSpans(s, spans)
}

// letters is a set of bytes, blanks left out and some taken for the same.
type letters uint64

func lettersOf(s string) letters {
	var l letters
	for i := range len(s) {
		if s[i] > ' ' {
			l |= 1 << (s[i] & 63)
		}
	}
	return l
}

// withoutHeredoc cuts a text of several lines where a here-document begins.
func withoutHeredoc(s string) string {
	i := strings.Index(s, "<<")
	if i < 0 {
		return s
	}
	if j := strings.IndexByte(s[i:], '\n'); j >= 0 {
		return s[:i+j] + " " + unseen
	}
	return s
}

// bare is a text without its quotes and backslashes and with single blanks, so that a value is
// found however deep it is quoted; at has the place of each byte in the text.
type bare struct {
	s  string
	at []int32
}

func bareOf(s string) bare {
	b := make([]byte, 0, len(s))
	at := make([]int32, 0, len(s))
	for i := range len(s) {
		c := s[i]
		switch c {
		case '\\', '\'', '"':
			continue
		case '\n', '\t', '\r':
			c = ' '
		}
		if c == ' ' && len(b) > 0 && b[len(b)-1] == ' ' {
			continue
		}
		b = append(b, c)
		at = append(at, int32(i))
	}
	return bare{string(b), at}
}

// span is a piece of a text with what stands in its place.
type span struct {
	from, to int
	show     string
}

// find adds the places where the value stands behind the anchor. A text that was cut short
// may end within it.
func (v *veil) find(p bare, spans []span) []span {
	for from := 0; ; {
		i := strings.Index(p.s[from:], v.anchor)
		if i < 0 {
			return spans
		}
		i += from
		from = i + len(v.anchor)
		if i > 0 && wordByte(p.s[i-1]) && (wordByte(v.anchor[0]) || v.anchor[0] == '-') {
			continue
		}
		for _, k := range []int{from, from + len(p.s[from:]) - len(strings.TrimLeft(p.s[from:], " "))} {
			if n := valueLen(p.s[k:], v.value); n > 0 {
				spans = append(spans, span{int(p.at[k]), int(p.at[k+n-1]) + 1, v.show})
				from = k + n
				break
			}
		}
	}
}

// cutSpans replaces pieces of a text; of two that overlap the one that begins first counts.
func cutSpans(s string, spans []span) string {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	var b strings.Builder
	end := 0
	for _, x := range spans {
		if x.from < end {
			if x.to <= end {
				continue
			}
			x.from = end
		}
		b.WriteString(s[end:x.from])
		b.WriteString(x.show)
		end = x.to
	}
	b.WriteString(s[end:])
	return b.String()
}

// valueLen is how much of a text's beginning is the value, 0 if the text begins otherwise.
func valueLen(s, form string) int {
	if form == "" {
		return 0
	}
	if strings.HasPrefix(s, form) {
		if n := len(form); n == len(s) || !wordByte(s[n]) || !wordByte(form[n-1]) {
			return n
		}
		return 0
	}
	if rest, cut := strings.CutSuffix(s, unseen); cut && rest != "" && strings.HasPrefix(form, rest) {
		return len(s)
	}
	return 0
}

func wordByte(c byte) bool { return letter(c) || c >= '0' && c <= '9' || c >= 0x80 }
