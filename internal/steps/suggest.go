package steps

import "strings"

// suggestion proposes the word that was probably meant, or lists what there is.
func suggestion(got string, words []string) string {
	best, least := "", 4
	low := strings.ToLower(got)
	for _, w := range words {
		if n := distance(low, strings.ToLower(w)); n < least && n <= max(1, len(w)/4) {
			best, least = w, n
		}
	}
	if best != "" {
		return "did you mean " + quoted(best) + "?"
	}
	if len(words) == 0 {
		return ""
	}
	return "known: " + strings.Join(words, ", ")
}

// distance counts the letters to insert, remove, replace or swap between two
// words; words that differ a lot are only said to.
func distance(a, b string) int {
	const far = 99
	if len(a) > 64 || len(b) > 64 {
		return far
	}
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}
