package steps

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// looksLikeOutput tells lines that programs print from lines that people type:
// tables, logs, trees, messages of kubectl.
func looksLikeOutput(line string) bool {
	s := strings.TrimSpace(line)
	if s == "" {
		return false
	}
	if isTableHeader(s) || isLogLine(s) || startsWithNumber(s) {
		return true
	}
	if r, _ := utf8.DecodeRuneInString(s); r >= 0x2500 && r <= 0x27BF && r != '➜' && r != '❯' || r >= 0x1F300 {
		return true // box drawing, marks and emoji
	}
	if object, rest := cutWord(s); strings.Contains(object, "/") && !strings.ContainsAny(object[:1], "./~$\"'") {
		if verdict, more := cutWord(rest); isVerdictWord(verdict) && (more == "" || more[0] == '(') {
			return true // deployment.apps/web configured
		}
	}
	return startsWithAny(s, messageMarks)
}

// messageMarks start what kubectl, helm and others say.
var messageMarks = []string{"Error:", "error:", "Error from server", "ERROR:", "Warning:", "WARNING:", "Success!", "NAME:", "STATUS:", "LAST DEPLOYED:"}

// startsWithAny tells whether s, which isn't empty, starts with one of some
// marks.
func startsWithAny(s string, marks []string) bool {
	for _, mark := range marks {
		if s[0] == mark[0] && strings.HasPrefix(s, mark) {
			return true
		}
	}
	return false
}

// startsWithNumber knows lines of figures: a decimal fraction is no program.
func startsWithNumber(s string) bool {
	word, rest := cutWord(s)
	whole, fraction, ok := strings.Cut(word, ".")
	return ok && rest != "" && whole != "" && fraction != "" && strings.Trim(whole+fraction, "0123456789") == ""
}

func isVerdictWord(s string) bool {
	switch strings.Trim(s, ".") {
	case "created", "configured", "deleted", "unchanged", "patched", "scaled", "restarted", "labeled", "annotated", "condition", "evicted", "cordoned", "uncordoned", "drained", "serverside-applied", "edited", "replaced":
		return true
	}
	return false
}

// isTableHeader knows the first line of a table: two words or more in capitals
// with wide gaps between them, or bars.
func isTableHeader(s string) bool {
	if s[0] == '|' || strings.HasPrefix(s, "+--") || strings.HasPrefix(s, "----") || strings.HasPrefix(s, "====") {
		return true
	}
	if !inHeader(s[0]) {
		return false
	}
	first, rest, ok := strings.Cut(s, "  ")
	if !ok {
		if first, rest, ok = strings.Cut(s, "\t"); !ok {
			return false
		}
	}
	return isCapitals(first) && isCapitals(strings.TrimSpace(rest))
}

// isColumns knows the head of a table in any case: three bare words or more, each
// alone between wide gaps.
func isColumns(line string) bool {
	columns := 0
	for rest := strings.TrimSpace(line); rest != ""; columns++ {
		n := strings.IndexAny(rest, " \t")
		if n < 0 {
			n = len(rest)
		}
		if !namesColumn(rest[:n]) {
			return false
		}
		gap := rest[n:]
		rest = strings.TrimLeft(gap, " \t")
		if rest != "" && gap[0] != '\t' && len(gap)-len(rest) < 2 {
			return false
		}
	}
	return columns > 2
}

// namesColumn tells whether a word is a name but for slashes, colons and
// parentheses, and no flag.
func namesColumn(word string) bool {
	named := false
	for i := range len(word) {
		switch c := word[i]; {
		case isWord(c) || c == '-' || c == '.':
			named = true
		case c == '/' || c == ':' || c == '(' || c == ')':
		default:
			return false
		}
	}
	return named && word[0] != '-'
}

func isCapitals(s string) bool {
	letters := 0
	for i := range len(s) {
		if !inHeader(s[i]) {
			return false
		}
		if s[i] >= 'A' {
			letters++
		}
	}
	return letters > 1
}

// inHeader knows the characters that names of columns are made of.
func inHeader(c byte) bool {
	switch c {
	case ' ', '_', '-', '(', ')', '/', '%', '\t':
		return true
	}
	return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// isLogLine knows lines that start with a date, a time or a level.
func isLogLine(s string) bool {
	digits := func(s string, n int) bool {
		if len(s) < n {
			return false
		}
		for i := range n {
			if s[i] < '0' || s[i] > '9' {
				return false
			}
		}
		return true
	}
	s = strings.TrimPrefix(s, "[")
	switch {
	case digits(s, 4) && len(s) > 7 && (s[4] == '-' || s[4] == '/') && digits(s[5:], 2):
		return true
	case digits(s, 2) && len(s) > 5 && s[2] == ':' && digits(s[3:], 2):
		return true
	case len(s) > 6 && (s[0] == 'I' || s[0] == 'W' || s[0] == 'E' || s[0] == 'F') && digits(s[1:], 4) && s[5] == ' ':
		return true
	}
	return s != "" && startsWithAny(s, logMarks)
}

var logMarks = []string{"time=", "level=", "ts=", "INFO ", "INFO:", "INFO]", "WARN ", "ERROR ", "DEBUG ", "WARN]", "ERROR]"}

// otherLanguage tells whether the first line of code is plainly not shell, in a
// fence whose label says it is: YAML, JSON, SQL, PowerShell, prose.
func otherLanguage(line string) bool {
	s := strings.TrimSpace(line)
	if s == "" {
		return false
	}
	word, rest := cutWord(s)
	switch {
	case s == "[" || s == "---" || strings.HasPrefix(s, `{"`) || strings.HasPrefix(s, "[{") || strings.HasPrefix(s, "<?") || strings.HasPrefix(s, "</"):
		return true // "{" alone opens a group of commands as well as JSON; the shell's grammar decides
	case strings.HasSuffix(word, ":") && len(word) > 1:
		return true
	case isSQL(word, rest):
		return true
	case isPowerShell(word, rest):
		return true
	}
	return isProse(s)
}

func isSQL(word, rest string) bool {
	next, _ := cutWord(rest)
	switch word {
	case "SELECT", "ALTER", "GRANT", "REVOKE", "TRUNCATE", "VACUUM", "REINDEX", "SHOW", "BEGIN;", "COMMIT;", "INSERT", "UPDATE":
		return rest != ""
	case "CREATE", "DROP", "DELETE":
		return next == strings.ToUpper(next) && next != "" && unicode.IsLetter(rune(next[0]))
	case "select", "alter", "truncate", "vacuum", "insert", "create", "drop":
		return strings.HasSuffix(rest, ";") && !strings.Contains(rest, "; ") && word != "select" || word == "select" && strings.Contains(rest, "from ")
	}
	return false
}

// isPowerShell knows assignments to $names and Verb-Noun commands.
func isPowerShell(word, rest string) bool {
	if word[0] == '$' && strings.HasPrefix(rest, "= ") {
		return true
	}
	verb, noun, ok := strings.Cut(word, "-")
	if !ok || noun == "" || !unicode.IsUpper(rune(noun[0])) {
		return false
	}
	switch verb {
	case "Get", "Set", "New", "Remove", "Add", "Start", "Stop", "Invoke", "Import", "Export", "Write", "Install", "Connect", "Test", "Out", "Select":
		return true
	}
	return false
}

// isProse knows sentences: a capital first letter, and words after it. Programs
// are written in lower case, but for a few with a path or an extension.
func isProse(s string) bool {
	word, rest := cutWord(s)
	if len(word) < 1 || !unicode.IsUpper(rune(word[0])) || strings.ContainsAny(word, "=/._$") {
		return false
	}
	if word == strings.ToUpper(word) && len(word) > 1 {
		return false
	}
	switch word {
	case "R", "Rscript", "MagicK", "Xvfb", "X":
		return false
	}
	return len(strings.Fields(rest)) >= 1
}

// looksLikeCommand tells whether a line of a fence without a label starts like
// a command: with a program that people know, or a path to one.
func looksLikeCommand(line string) bool {
	s := strings.TrimSpace(line)
	for {
		word, rest := cutWord(s)
		if name, value, ok := strings.Cut(word, "="); ok && paramName.MatchString(name) {
			if rest == "" || strings.ContainsAny(value, "\"'`(") {
				return name == strings.ToUpper(name)
			}
			s = rest
			continue
		}
		switch word {
		case "sudo", "env", "time", "nohup", "exec":
			if rest != "" && rest[0] != '-' {
				s = rest
				continue
			}
		}
		if word == "" {
			return false
		}
		if wellKnown[word] {
			return plausibleArguments(word, rest)
		}
		if strings.HasPrefix(word, "$(") || (word == "for" || word == "while" || word == "until") && strings.Contains(s, "do") || word == "if" && strings.Contains(rest, "[") || word == "#!/bin/bash" || word == "#!/bin/sh" {
			return true
		}
		return (strings.HasPrefix(word, "./") || strings.HasPrefix(word, "~/") || strings.HasPrefix(word, "/usr/") || strings.HasPrefix(word, "/opt/") || strings.HasPrefix(word, "/bin/") || strings.HasPrefix(word, "bin/")) &&
			!strings.HasSuffix(word, "/") && !strings.HasSuffix(word, ":") && !strings.HasSuffix(word, ".yaml") && !strings.HasSuffix(word, ".md")
	}
}

// plausibleArguments tells a command from a word of prose or configuration
// that is also the name of a program: "time is short", "host: db".
func plausibleArguments(word, rest string) bool {
	next, _ := cutWord(rest)
	switch word {
	case "time", "host", "date", "id", "pass", "test", "read", "type", "open", "less", "more", "man", "find", "make", "go", "service", "unset", "watch", "source", "set", "node", "code", "task", "top", "free", "age", "step", "rook", "kind", "cut", "sort", "run", "which", "mount", "op":
		if next == "=" || next == ":" || strings.HasSuffix(rest, ".") && !strings.HasSuffix(rest, " .") || next == "is" || next == "the" || next == "a" || next == "of" {
			return false
		}
	}
	return next != "=" && next != ":" && !strings.HasPrefix(next, "(") && next != "is" && next != "->" && next != "→"
}

// formOfCommand tells whether a line starts with a word that could be the name
// of a program, followed by arguments.
func formOfCommand(line string) bool {
	word, rest := cutWord(strings.TrimPrefix(strings.TrimSpace(line), "sudo "))
	if len(word) < 2 || rest == "" || !plausibleArguments(word, rest) {
		return false
	}
	for i := range len(word) {
		c := word[i]
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' || c == '/') {
			return false
		}
	}
	return isLetter(word[0]) && !strings.HasSuffix(rest, ".") && !strings.HasSuffix(word, ".")
}

func hasLongFlag(line string) bool {
	_, rest, ok := strings.Cut(line, " --")
	return ok && rest != "" && isLetter(rest[0])
}
