package steps

import "strings"

// phrases are texts to be looked for all at once. Each is at least two bytes
// long.
type phrases struct {
	starts [1 << 10]uint8 // of a pair of bytes: 1 and the bucket with what starts like that
	bucket [][]string
	all    []string
}

func newPhrases(texts ...string) *phrases {
	p := &phrases{all: texts}
	for _, t := range texts {
		at := &p.starts[pair(t[0], t[1])]
		if *at == 0 {
			p.bucket = append(p.bucket, nil)
			*at = uint8(len(p.bucket))
		}
		p.bucket[*at-1] = append(p.bucket[*at-1], t)
	}
	return p
}

func pair(a, b byte) int { return (int(a)<<5 ^ int(b)) & (1<<10 - 1) }

// in tells whether one of the phrases stands in a text.
func (p *phrases) in(s string) bool {
	for i := 1; i < len(s); i++ {
		b := p.starts[pair(s[i-1], s[i])]
		if b == 0 {
			continue
		}
		for _, t := range p.bucket[b-1] {
			if strings.HasPrefix(s[i-1:], t) {
				return true
			}
		}
	}
	return false
}

// after returns what follows the first of the phrases, in their own order,
// that stands in a text.
func (p *phrases) after(s string) string {
	for _, t := range p.all {
		if _, rest, ok := strings.Cut(s, t); ok {
			return rest
		}
	}
	return ""
}

// leadCues are the sets of phrases that every sentence above a fence is searched
// for, all in one go.
var leadCues = newPhraseSets(strongCues, fileCues, negations, insideCues, loginCues, machineParts, ownCues)

// The bits of leadCues, in their order.
const (
	saysOutput said = 1 << iota
	saysFile
	saysNot
	saysInside
	saysLogin
	saysMachine
	saysOwn
)

// said are the sets of phrases that a text has something of.
type said uint8

func (s said) has(bit said) bool { return s&bit != 0 }

// phraseSets are several sets of phrases to be looked for all at once.
type phraseSets struct {
	starts [1 << 10]uint8 // as in [phrases]
	bucket [][]marked
}

type marked struct {
	text string
	bit  said
}

func newPhraseSets(sets ...*phrases) *phraseSets {
	p := &phraseSets{}
	for n, set := range sets {
		for _, t := range set.all {
			at := &p.starts[pair(t[0], t[1])]
			if *at == 0 {
				p.bucket = append(p.bucket, nil)
				*at = uint8(len(p.bucket))
			}
			p.bucket[*at-1] = append(p.bucket[*at-1], marked{t, 1 << n})
		}
	}
	return p
}

// in tells which of the sets have a phrase in a text.
func (p *phraseSets) in(s string) said {
	var found said
	for i := 1; i < len(s); i++ {
		b := p.starts[pair(s[i-1], s[i])]
		if b == 0 {
			continue
		}
		for _, t := range p.bucket[b-1] {
			if strings.HasPrefix(s[i-1:], t.text) {
				found |= t.bit
			}
		}
	}
	return found
}
