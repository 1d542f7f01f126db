package shell

import (
	"hash/fnv"
	"strconv"
	"strings"
)

// psFields is how many words ps prints before the command of a process: its
// pid, its parent, its state, and when it was started, in five.
const psFields = 8

// parsePS reads a line of ps for a process: psFields words, then its command
// and, of programs that aren't the system's own, its environment.
func parsePS(line string) (process, bool) {
	rest := strings.TrimSpace(line)
	var words [psFields]string
	for i := range words {
		word, after, _ := strings.Cut(rest, " ")
		if word == "" {
			return process{}, false
		}
		words[i], rest = word, strings.TrimLeft(after, " ")
	}
	pid, err := strconv.Atoi(words[0])
	if err != nil || strings.HasPrefix(words[2], "Z") {
		return process{}, false
	}
	parent, _ := strconv.Atoi(words[1])
	when := fnv.New64a()
	_, _ = when.Write([]byte(strings.Join(words[3:], " "))) // never fails
	return process{pid: pid, parent: parent, started: when.Sum64(), text: strings.TrimRight(rest, "\n")}, true
}
