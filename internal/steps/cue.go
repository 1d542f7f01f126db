package steps

import "strings"

// A lead is the text that introduces a fence.
type lead struct {
	sentence string // the last one above it, in lower case
	says     said   // what of leadCues it has
	heading  string // of the section, when nothing stands between it and the fence
	marked   bool   // a comment marks the fence as output
	adjacent bool   // another fence stands right above it
}

// leadOf reads upward from the fence to the next empty line, heading or fence.
func (p *fileParser) leadOf(i int) lead {
	f := p.scan.fences[i]
	floor := p.first
	if i > 0 {
		prev := p.scan.fences[i-1]
		floor = max(floor, prev.end)
		if prev.ended {
			floor = max(floor, prev.end+1)
		}
	}
	var l lead
	j, last := f.open-1, -1 // last is the line behind the paragraph
	const most = 6
	for ; j >= floor && (last < 0 || last-j <= most); j-- {
		text := strings.TrimSpace(p.doc.line(j))
		if text == "" {
			if last >= 0 {
				break
			}
			continue
		}
		if c := p.commentEnding(j); c != nil {
			if last >= 0 {
				break
			}
			body := strings.ToLower(p.doc.text[c.start:c.end])
			l.marked = l.marked || strings.Contains(body, "expected_similarity") || strings.TrimSpace(body) == "output"
			j = c.open
			continue
		}
		if n := runLen(text, '#'); n > 0 && n < len(text) && text[n] == ' ' {
			if last < 0 {
				l.heading = strings.ToLower(plainText(text[n+1:]))
			}
			break
		}
		if last < 0 {
			last = j + 1
		}
	}
	l.adjacent = i > 0 && last < 0 && l.heading == "" && j < floor
	if last >= 0 {
		l.sentence = strings.ToLower(lastSentence(strings.ReplaceAll(strings.TrimSpace(p.doc.lines(j+1, last)), "\n", " ")))
	}
	return l
}

// commentEnding returns the comment whose last line is j.
func (p *fileParser) commentEnding(j int) *comment {
	lo, hi := 0, len(p.scan.comments)
	for lo < hi {
		mid := (lo + hi) / 2
		if p.scan.comments[mid].last < j {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(p.scan.comments) && p.scan.comments[lo].last == j {
		return &p.scan.comments[lo]
	}
	return nil
}

// lastSentence returns the last sentence of a paragraph. One that only says "for
// example" introduces nothing by itself: the one before it belongs to it.
func lastSentence(s string) string {
	s = strings.TrimRight(s, " .:!*_")
	last := afterSentence(s)
	switch strings.ToLower(last) {
	case "for example", "e.g", "example", "for instance", "like so", "zum beispiel", "z.b":
		if len(last) < len(s) {
			return afterSentence(strings.TrimRight(s[:len(s)-len(last)], " .:!*_")) + ": " + last
		}
	}
	return last
}

func afterSentence(s string) string {
	for i := len(s) - 2; i >= 0; i-- {
		switch s[i] {
		case '.', '!', '?', ':':
			if s[i+1] == ' ' {
				return strings.TrimSpace(s[i+1:])
			}
		case ')':
			if i > 0 && s[i-1] == '.' && s[i+1] == ' ' {
				return strings.TrimSpace(s[i+1:])
			}
		}
	}
	return s
}

// strongCues introduce what a command prints, whatever the fence looks like.
var strongCues = newPhrases(
	"should see", "should return", "should look", "should get", "should output", "should print", "should be similar", "should now see", "should then see",
	"will see", "'ll see", "'ll get", "you see", "example output", "expected output", "sample output", "output is", "output looks", "output will", "output should",
	"output similar", "similar to the following", "similar to this", "looks like", "look like", "looks similar", "look similar", "look something like",
	"something like this", "following output", "returns the following", "prints the following", "returns something like", "output like",
	"ausgabe", "sollte so aussehen", "sieht so aus",
)

// weakCues do so only when the fence doesn't look like commands.
var weakCues = newPhrases(
	"should show", "should produce", "should report", "should display", "should list", "will return", "will print", "will output", "will show", "will produce",
	"will display", "output would", "output of", "output from", "output:", " result is", " result should", "expected result", "expected response", "response is", "something like", "would return",
	"would see", "would look", "would print", "which returns", "which prints", "which outputs", "this returns", "this prints", "this outputs", "it returns",
	"it prints", "the output", "an output", "following error", "error message", "fails with", "following message", "error like", "log line", "following logs", "logs like", "erscheint",
	"will reflect", "alerts like", "response like",
)

// commandCues introduce a command, also where its output is spoken of.
var commandCues = newPhrases(
	"run ", "running", "execute", "executing", "command", "invoke", "invoking", "use the following", "typing", "type the following", "enter the following", "by using", " using ",
	"führe", "ausführen", "befehl", "aufruf", "call ", "issue ", "apply ", "create ", "install ", "to see ", "to get ", "to check", "to verify", "look at", "inspect", "if you see", "once you see", "invocation",
)

// runCues are the ones among them that speak of a command line and nothing else.
var runCues = newPhrases("run ", "run:", "running", "execute", "invoke", "command", "typing the following", "type the following", "führe", "befehl")

// introducesOutput tells whether the text says that the fence is output.
// Commands that are introduced by "which gives you something like" exist, too.
func (l lead) introducesOutput(commands bool) bool {
	switch {
	case l.marked || isOutputTitle(l.heading) || isOutputTitle(l.sentence):
		return true
	case endsInPrinting(l.sentence):
		return true
	case l.says.has(saysOutput):
		return !commandCues.in(l.sentence) || !commands && !outrightCues.in(l.sentence)
	}
	return !commands && weakCues.in(l.sentence) && !runCues.in(l.sentence)
}

// endsInPrinting tells whether a sentence ends in what a program does with the
// fence below: "this would output:". Then it is output, even if it reads like a
// command.
func endsInPrinting(s string) bool {
	at := strings.LastIndexByte(s, ' ')
	if at < 0 {
		return false
	}
	before := s[strings.LastIndexByte(s[:at], ' ')+1 : at]
	switch s[at+1:] {
	case "outputs", "prints":
		return before == "this"
	case "output", "print":
		return before == "would" || before == "will"
	}
	return false
}

// shownAsChange tells whether the text shows the fence as one side of a change
// to something else, "From:" or "To:".
func (l lead) shownAsChange() bool { return l.sentence == "from" || l.sentence == "to" }

// introducesCommand tells whether the text says that the fence is to be run.
func (l lead) introducesCommand() bool {
	return runCues.in(l.sentence + " ")
}

// opensShell tells whether the text says that the command opens a shell.
func (l lead) opensShell() bool {
	return strings.Contains(l.sentence, "shell") && shellCues.in(l.sentence)
}

// isOutputTitle knows titles that say nothing but "output".
func isOutputTitle(s string) bool {
	s = strings.TrimSpace(strings.Trim(s, "*_:`> -"))
	for _, lead := range []string{"example ", "sample ", "expected ", "the ", "command ", "console ", "terminal ", "possible ", "typical ", "(example) "} {
		s = strings.TrimPrefix(s, lead)
	}
	if strings.HasPrefix(s, "output ") {
		switch next, _ := cutWord(s[len("output "):]); next {
		case "for", "on", "of", "in", "from", "with", "after", "before":
			return true // typical output for a replica
		}
	}
	switch s {
	case "output", "outputs", "output example", "result", "results", "response", "output:", "example", "returns", "ausgabe", "beispielausgabe", "erwartete ausgabe":
		return s != "example"
	}
	return false
}

// fileCues say that a fence is to be written into a file.
var fileCues = newPhrases(
	"following lines to", "these lines to", "following line to", "this line to", "following lines in", "these lines in", "following line in", "this line in", "following lines into",
	"add the following to", "append the following to", "add this to", "append this to", "put the following in", "put this in", "paste the following in", "paste this in", "save the following", "save this",
	"with the following content", "with these contents", "with this content", "with the content", "containing the following", "with the following lines",
)

// writesFile tells whether the text says that the fence is the content of a
// file, and the code doesn't write it there itself.
func (l lead) writesFile(code string) bool {
	if !l.says.has(saysFile) || typedCues.in(l.sentence) {
		return false
	}
	first := firstCode(code)
	return !strings.Contains(first, "<<") && !strings.Contains(first, ">") && !strings.HasPrefix(first, "$ ") && !operatorTool(code)
}

// negations say that a command is not to be run.
var negations = newPhrases(
	"do not run", "don't run", "don’t run", "never run", "not to run", "must not run", "should not run", "shouldn't run", "not be run",
	"do not execute", "don't execute", "don’t execute", "never execute", "not be executed", "do not use this command", "do not use the following",
	"don't use this command", "never use", "avoid running", "do not do this", "don't do this", "don’t do this", "never do this", "do not try", "do not copy",
	"don't try", "nicht ausführen", "nicht verwenden", "niemals ausführen", "bad example", "wrong:",
	"do not ever run", "not do the following", "not run the following",
)

// negated tells whether the text or the first comment of the code says not to
// run it.
func (l lead) negated(code string) bool {
	s, not := l.sentence, l.says.has(saysNot)
	if strings.ContainsAny(s, "*_") {
		s = emphasis.Replace(s)
		not = negations.in(s)
	}
	if not && !alternatives.in(negations.after(s)) {
		return true
	}
	if l.sentence == "" && negations.in(l.heading) {
		return true
	}
	first, _, _ := strings.Cut(strings.TrimLeft(code, "\n "), "\n")
	return strings.HasPrefix(first, "#") && negations.in(strings.ToLower(first))
}

var emphasis = strings.NewReplacer("*", "", "_", "")

// outrightCues leave no doubt that a command follows.
var outrightCues = newPhrases("run the following", "execute the following", "use the following")

// shellCues say that a command opens a shell.
var shellCues = newPhrases("open a shell", "opens a shell", "get a shell", "start a shell", "launch a shell", "open an interactive shell", "start an interactive", "open a bash shell", "get an interactive shell", "spawn a shell")

// alternatives say that what is to be run instead follows a negation.
var alternatives = newPhrases("instead run", "instead, run", "instead use", "instead, use", "run instead", "use instead", "but run", "but use")

// typedCues say that a fence is typed, whatever else is said of it.
var typedCues = newPhrases("terminal", "prompt", "command line", "into your shell", "console")
