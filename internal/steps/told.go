package steps

import "strings"

// placed tells whether a text says that what follows it, to the end of the
// section, is meant for another machine.
func placed(text string) bool { return allElsewhere(text) || goesToMachine(text) }

// goesToMachine finds a line that begins with the machine to do something on:
// "On each node, install the packages", "**On the replica:**".
func goesToMachine(text string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], "On ")
		if i < 0 {
			return false
		}
		i += at
		at = i + len("On ")
		start := strings.LastIndexByte(text[:i], '\n') + 1
		if strings.Trim(text[start:i], " \t0123456789.)*-+>_[]#") != "" {
			continue
		}
		const longest = 200
		words := strings.Fields(strings.ToLower(text[at:min(at+longest, len(text))]))
		n := machineAt(words, true)
		if n < 0 {
			continue
		}
		if strings.HasSuffix(strings.TrimRight(words[n], "*_"), ":") || n+1 < len(words) && tellsToDo(words[n+1]) {
			return true
		}
	}
}

// tellsToDo tells whether a word begins what the reader is to do.
func tellsToDo(w string) bool {
	switch strings.Trim(w, ".,:;*_") {
	case "run", "execute", "do", "perform", "issue", "type", "use", "you", "install", "create", "edit", "open", "add", "remove", "delete", "copy", "make", "set", "load",
		"enable", "disable", "start", "stop", "restart", "check", "verify", "download", "update", "upgrade", "mount", "unmount":
		return true
	}
	return false
}

// eachCues send the reader to one machine after the other.
var eachCues = newPhrases("onnect to each ", "og in to each ", "og into each ", "og on to each ")

// allElsewhere tells whether a text says that everything below it is meant for
// another machine: "these commands are to be run on a replica", "connect to each
// node".
func allElsewhere(text string) bool {
	says := placeCues.in(text)
	if says.has(saysEach) {
		words := strings.Fields(strings.ToLower(eachCues.after(text)))
		if machineWords.in(" " + strings.Join(words[:min(len(words), 3)], " ")) {
			return true
		}
	}
	if !says.has(saysRunOn) {
		return false
	}
	words := strings.Fields(strings.ToLower(text))
	for i := 1; i+2 < len(words); i++ {
		switch words[i] {
		case "run", "used", "executed", "issued", "performed":
		default:
			continue
		}
		switch words[i-1] {
		case "be", "is", "are":
		default:
			continue
		}
		at := i + 1
		if words[at] == "once" || words[at] == "directly" {
			at++
		}
		switch words[at] {
		case "on", "in", "inside", "within", "from":
			if at+1 < len(words) && words[at+1] != "any" && endsInMachine(words[at+1:], true) {
				return true
			}
		}
	}
	return false
}

// endsInMachine tells whether words start with a noun phrase like "the first
// master node". "A node" is one of these only where that is meant: vague.
func endsInMachine(words []string, vague bool) bool { return machineAt(words, vague) >= 0 }

// machineAt returns the index of the last word of that noun phrase, or -1.
func machineAt(words []string, vague bool) int {
	const most = 6
	determined := false
	for i, w := range words[:min(most, len(words))] {
		plain := strings.Trim(w, ".,:;)*_`")
		if w[0] == '(' && strings.TrimRight(w, ".,:;)") != w {
			continue // any proxy (`*-lb-*`) host
		}
		switch plain {
		case "the", "each", "every", "any", "all", "both", "that", "this", "one", "of":
			determined = determined || plain != "of"
			continue
		case "a", "an":
			determined = vague
			continue
		case "your", "my", "local", "own", "same", "current", "new", "named", "called", "other", "and", "or":
			return -1
		}
		switch {
		case !determined:
			return -1
		case isMachine(plain) && (plain != w || i+1 == len(words) || goesOn(words[i+1])):
			return i
		case strings.TrimRight(w, ".,:;)") != w:
			return -1
		}
	}
	return -1
}

// runPlaces are what every text that [allElsewhere] looks for has.
var runPlaces = newPhrases("run on", "run in", "run from", "used from", "used on", "executed on", "executed in", "executed from", "issued from", "performed on", "run once", "run directly")

// placeCues are both in one go, and their bits.
var placeCues = newPhraseSets(runPlaces, eachCues)

const (
	saysRunOn said = 1 << iota
	saysEach
)
