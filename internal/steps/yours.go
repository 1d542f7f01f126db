package steps

import "strings"

// yours finds the words that begin with "your", or have it as a part:
// your-token, yourdomain.com, sk-your-key, YOUR_HOST. Nothing is called that.
func yours(holes []hole, code, your string) []hole {
	for at := 0; ; {
		i := strings.Index(code[at:], your)
		if i < 0 {
			return holes
		}
		i += at
		at = i + len(your)
		if !beginsPart(code, i) || !goesOnAsName(code[at:]) {
			continue
		}
		start := i
		for start > 0 && !gaps[code[start-1]] {
			start--
		}
		for at < len(code) && !gaps[code[at]] {
			at++
		}
		if start > 0 && code[start-1] == '<' || code[start] == '$' {
			continue // <your-name> is found as that, and $your_name is a variable
		}
		holes = append(holes, hole{start: start, end: at, name: code[start:at]})
	}
}

// beginsPart tells whether a word, or a part of one behind a dash, begins at i.
func beginsPart(code string, i int) bool {
	return i == 0 || gaps[code[i-1]] || strings.IndexByte("-_.", code[i-1]) >= 0
}

// goesOnAsName tells whether what follows "your" makes it the name of
// something, and no word of a sentence.
func goesOnAsName(rest string) bool {
	if len(rest) > 1 && strings.IndexByte("-_.", rest[0]) >= 0 {
		return isLetter(rest[1])
	}
	const shortest = 2
	n := 0
	for n < len(rest) && isLetter(rest[n]) {
		n++
	}
	return n >= shortest && !strings.HasPrefix(rest, "self") && !strings.HasPrefix(rest, "selves")
}

// standInSegment tells whether a segment of a path or URL, which stands at i, is
// the name of a kind of value in capitals: repos/example/REPO_NAME/teams. What
// stands between the slashes of sed and its like is a pattern.
func standInSegment(code string, i int, w string) bool {
	if w[0] < 'A' || w[0] > 'Z' || !isStandIn(w) || !strings.ContainsAny(w, "_-") || i < 2 || !isWord(code[i-2]) && strings.IndexByte(".:/}", code[i-2]) < 0 {
		return false
	}
	line := code[strings.LastIndexByte(code[:i], '\n')+1 : i]
	return !strings.Contains(line, "sed ") && !strings.Contains(line, "perl ") && !strings.Contains(line, "awk ")
}
