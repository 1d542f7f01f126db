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
