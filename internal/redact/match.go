package redact

import (
	"encoding/binary"
	"slices"
	"strings"
)

// minLen is the shortest text, in bytes, that is looked for. Anything shorter
// occurs by chance too often to say something.
const minLen = 6

// gram is how many leading bytes the index is keyed by; it is below minLen.
const gram = 4

// stride is how far a search may jump: minLen - gram + 1.
const stride = 3

// patterns is an immutable set of texts to find: an index by the first bytes
// with a bitmap in front, since nearly every position matches nothing.
type patterns struct {
	seen   map[string]bool
	byHead map[uint32][]string // longest first
	bitmap [1 << 13]byte       // one bit for each 16-bit hash of a head
	early  [1 << 13]byte       // the same of the four bytes at offsets 0, 1 and 2
	tails  map[string]bool     // every proper head shorter than gram
	maxLen int
}

func newPatterns() *patterns {
	return &patterns{seen: map[string]bool{}, byHead: map[uint32][]string{}, tails: map[string]bool{}}
}

// with returns a set that holds the additional texts too.
func (p *patterns) with(texts []string) *patterns {
	next := newPatterns()
	for t := range p.seen {
		next.add(t)
	}
	for _, t := range texts {
		if len(t) >= minLen && !next.seen[t] {
			next.add(t)
		}
	}
	for _, list := range next.byHead {
		slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	}
	return next
}

func (p *patterns) add(t string) {
	p.seen[t] = true
	h := head(t)
	p.byHead[h] = append(p.byHead[h], t)
	k := fold(h)
	p.bitmap[k>>3] |= 1 << (k & 7)
	for n := range stride {
		k := fold(head(t[n:]))
		p.early[k>>3] |= 1 << (k & 7)
	}
	for n := 1; n < gram; n++ {
		p.tails[t[:n]] = true
	}
	p.maxLen = max(p.maxLen, len(t))
}

// skip returns from where on a known text may start. Every text that starts at
// i, i+1 or i+2 holds the four bytes at i+2, because it is at least minLen long;
// so two of three positions need no look.
func (p *patterns) skip(text []byte, i int) int {
	for i+minLen <= len(text) {
		k := fold(binary.LittleEndian.Uint32(text[i+stride-1:]))
		if p.early[k>>3]&(1<<(k&7)) != 0 {
			break
		}
		i += stride
	}
	return i
}

func head(t string) uint32 {
	return uint32(t[0]) | uint32(t[1])<<8 | uint32(t[2])<<16 | uint32(t[3])<<24
}

func fold(h uint32) uint32 { return (h * 0x9e3779b1) >> 16 }

// at looks at the start of text: how long the longest text found there is, and
// whether a longer one may still come with more input.
func (p *patterns) at(text []byte) (found int, open bool) {
	if len(text) < gram {
		return 0, p.tails[string(text)]
	}
	h := binary.LittleEndian.Uint32(text)
	k := fold(h)
	if p.bitmap[k>>3]&(1<<(k&7)) == 0 {
		return 0, false
	}
	for _, t := range p.byHead[h] {
		n, more := folded(text, t)
		if n > 0 {
			return n, open
		}
		open = open || more
	}
	return 0, open
}

// maxFold bounds what may stand between two lines of a value: more is no fold,
// and waiting for its end would hold the output back.
const maxFold = 80

// folded returns how much of text is t, and whether that takes more text to
// tell. A line that ends inside the value, behind the bytes that it is found by,
// doesn't hide it, and neither does the indentation of the next one: programs
// fold long words, and write over half a line.
func folded(text []byte, t string) (n int, more bool) {
	if len(t) <= len(text) && string(text[:len(t)]) == t {
		return len(t), false
	}
	i := 0
	for j := 0; j < len(t); {
		switch {
		case i == len(text):
			return 0, true
		case text[i] == t[j]:
			i, j = i+1, j+1
		case j >= minLen && (text[i] == '\n' || text[i] == '\r'):
			from := i
			for i < len(text) && strings.IndexByte("\r\n \t", text[i]) >= 0 {
				i++
			}
			if i-from > maxFold {
				return 0, false
			}
			if i < len(text) && t[j] == ' ' { // it was folded at a blank
				j++
			}
		default:
			return 0, false
		}
	}
	return i, false
}

// find returns the regions of text that are known, and from where on more input
// is needed to tell. Overlapping finds make one region, so that no end of the
// second is left over.
func (p *patterns) find(text []byte, final bool) (regions []region, hold int) {
	if p.maxLen == 0 {
		return nil, len(text)
	}
	end := len(text)
	for i := p.skip(text, 0); i < end; i = p.skip(text, i+1) {
		found, open := p.at(text[i:])
		if open && !final {
			return p.cut(regions, i)
		}
		if found == 0 {
			continue
		}
		if n := len(regions); n > 0 && i <= regions[n-1].to {
			regions[n-1].to = max(regions[n-1].to, i+found)
		} else {
			regions = append(regions, region{i, i + found})
		}
	}
	return regions, end
}

// cut ends a search at i; a region that may still grow is searched again.
func (p *patterns) cut(regions []region, i int) ([]region, int) {
	if n := len(regions); n > 0 && regions[n-1].to >= i {
		return regions[:n-1], regions[n-1].from
	}
	return regions, i
}
