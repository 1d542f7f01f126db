package steps

import "strings"

// oddCharacter finds characters that look like others to people and mean
// something else to a shell: blanks that don't separate, dashes that start no
// flag, marks that turn the direction of text, codes that a terminal acts on.
// A flag with the wrong dash is a name to kubectl: `delete pod x –namespace y`
// deletes in the wrong namespace.
func oddCharacter(code string) (line int, what string) {
	plain := true
	for i := 0; plain && i < len(code); i++ {
		c := code[i]
		plain = c >= ' ' && c < 0x7F || c == '\n' || c == '\t'
	}
	if plain {
		return 0, ""
	}
	n := 0
	for l := range strings.Lines(code) {
		n++
		if what := oddIn(l); what != "" {
			return n, what
		}
	}
	return 0, ""
}

func oddIn(line string) string {
	before := ' '
	comment := strings.HasPrefix(strings.TrimSpace(line), "#")
	runes := []rune(line)
	for i, r := range runes {
		switch {
		case isControl(r) && r != '\t' && r != '\n':
			return "a control character"
		case r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0xFEFF || r == 0xAD:
			return "an invisible character"
		case comment:
		case r == 0xA0 || r == 0x202F || r == 0x2007:
			return "a blank that a shell doesn't separate words at"
		case (r == '–' || r == '—') && before == ' ' && i+1 < len(runes) && runes[i+1] < 0x80 && isLetter(byte(runes[i+1])):
			return "a long dash where a flag has a hyphen"
		}
		before = r
	}
	return ""
}

// isControl knows the characters that a terminal acts on instead of showing.
func isControl(r rune) bool { return r < ' ' || r >= 0x7F && r < 0xA0 }
