package steps

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A ParseError is something that the author of a runbook wrote wrong.
type ParseError struct {
	Pos  Pos
	Text string
	Hint string // what to do about it; may be empty
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Pos.Line, e.Pos.Col, e.Text)
}

// ParseExpectation reads one sentence about the world. The error is a
// [*ParseError] at pos.
func ParseExpectation(text string, pos Pos) (Expectation, error) {
	text = strings.TrimSpace(text)
	p := sentence{e: Expectation{Text: text, Pos: pos}}
	if err := p.parse(text); err != nil {
		err.Pos = pos
		return Expectation{}, err
	}
	return p.e, nil
}

// ParseSubject reads a thing to watch: `kind[.group]/name [in namespace]`,
// `vault mount/path`, `vault`, or a URL. The error is a [*ParseError] at pos.
func ParseSubject(text string, pos Pos) (Subject, error) {
	text = strings.TrimSpace(text)
	p := sentence{}
	rest, err := p.subject(text)
	if err == nil && rest != "" {
		err = wrong("after "+quoted(strings.TrimSpace(strings.TrimSuffix(text, rest)))+" nothing is expected, but there is "+quoted(rest), "watch names things, it doesn't judge them")
	}
	if err != nil {
		err.Pos = pos
		return Subject{}, err
	}
	return p.e.Subject, nil
}

func wrong(text, hint string) *ParseError { return &ParseError{Text: text, Hint: hint} }

type sentence struct {
	e Expectation
}

func (p *sentence) parse(text string) *ParseError {
	if text == "" {
		return wrong("an expectation is empty", "write a sentence like `secret/name exists`")
	}
	if strings.ContainsFunc(text, isControl) {
		return wrong("an expectation must stand on one line, without control characters", "")
	}
	if expr, ok := strings.CutPrefix(text, "cel:"); ok {
		return p.cel(strings.TrimSpace(expr))
	}
	if rest, ok := strings.CutPrefix(text, "output "); ok {
		return p.output(strings.TrimSpace(rest))
	}
	rest, err := p.subject(text)
	if err != nil {
		return err
	}
	switch p.e.Subject.Source {
	case Vault:
		return p.vault(rest)
	case HTTP:
		return p.http(rest)
	}
	return p.kube(rest)
}

// subject reads the subject and returns what follows it.
func (p *sentence) subject(text string) (string, *ParseError) {
	word, rest := cutWord(text)
	s := &p.e.Subject
	switch {
	case word == "vault":
		s.Source = Vault
		next, after := cutWord(rest)
		if next == "token" || strings.Contains(next, "/") {
			s.Entry = next
			rest = after
		}
		return rest, nil
	case strings.Contains(word, "://"):
		u, err := url.Parse(fill(word, nil, nil))
		if err != nil && !strings.Contains(word, "${") {
			return "", wrong(quoted(word)+" isn't a URL", "")
		}
		if !strings.HasPrefix(word, "https://") && !strings.HasPrefix(word, "http://") || u != nil && u.Host == "" {
			return "", wrong(quoted(word)+" isn't a URL that can be asked", "write http:// or https:// and a host")
		}
		s.Source, s.URL = HTTP, word
		return rest, nil
	}
	kind, name, ok := strings.Cut(word, "/")
	if !ok || kind == "" || name == "" {
		return "", wrong(quoted(word)+" isn't a subject", "write `kind/name`, `kind/name in namespace`, `vault mount/path` or a URL")
	}
	if strings.Contains(kind, "${") {
		kind = strings.TrimSpace(kind)
	}
	s.Source, s.Name = Kube, name
	s.Kind, s.Group, _ = strings.Cut(strings.ToLower(kind), ".")
	if !kubeKind.MatchString(s.Kind) || strings.Contains(name, "/") {
		return "", wrong(quoted(word)+" isn't a subject", "write `kind/name`, with kubectl's name for the kind")
	}
	if next, after := cutWord(rest); next == "in" {
		s.Namespace, rest = cutWord(after)
		if s.Namespace == "" || s.Namespace == "is" || s.Namespace == "has" || s.Namespace == "exists" {
			return "", wrong("after `in` the namespace is missing", "")
		}
	}
	return rest, nil
}

var kubeKind = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// cutWord splits the first word off; what follows starts without a blank.
func cutWord(s string) (word, rest string) {
	word, rest, _ = strings.Cut(s, " ")
	return word, strings.TrimLeft(rest, " ")
}

var (
	kubePhrases = []string{"is ready", "is active", "is absent", "is accepted", "exists", "has keys a, b",
		"has a TLS listener for HOST open to NAMESPACE", "condition TYPE", "jsonpath {.path} == value"}
	vaultPhrases = []string{"is active", "token may read mount/path", "mount/path exists", "mount/path is absent", "mount/path has keys a, b"}
	httpPhrases  = []string{"answers 200", "redirects to https", "serves a trusted certificate for 21d"}
)

func (p *sentence) kube(rest string) *ParseError {
	e := &p.e
	word, after := cutWord(rest)
	switch {
	case rest == "exists":
		e.Check = Exists
	case word == "is":
		return p.is(after, Ready, Active, Absent, Accepted)
	case strings.HasPrefix(rest, "has keys "):
		return p.keys(strings.TrimPrefix(rest, "has keys "))
	case strings.HasPrefix(rest, "has a TLS listener for "):
		return p.listener(strings.TrimPrefix(rest, "has a TLS listener for "))
	case word == "condition":
		return p.condition(after)
	case word == "jsonpath":
		return p.jsonpath(after)
	default:
		return unknownPhrase(rest, kubePhrases)
	}
	return nil
}

func unknownPhrase(rest string, phrases []string) *ParseError {
	if rest == "" {
		return wrong("the sentence says nothing of its subject", "say one of: "+strings.Join(phrases, " · "))
	}
	hint := suggestion(rest, phrases)
	if strings.HasPrefix(hint, "known: ") {
		hint = "say one of: " + strings.Join(phrases, " · ")
	}
	return wrong(quoted(rest)+" can't be checked", hint)
}

func (p *sentence) is(word string, allowed ...Check) *ParseError {
	if slices.Contains(allowed, Check(word)) {
		p.e.Check = Check(word)
		return nil
	}
	var words []string
	for _, a := range allowed {
		words = append(words, string(a))
	}
	switch word {
	case "gone", "deleted", "removed", "missing":
		return wrong(quoted("is "+word)+" can't be checked", "did you mean `is absent`?")
	case "there", "present":
		return wrong(quoted("is "+word)+" can't be checked", "did you mean `exists`?")
	case "healthy", "available", "running", "up", "synced":
		return wrong(quoted("is "+word)+" can't be checked", "did you mean `is ready`?")
	}
	return wrong(quoted("is "+word)+" can't be checked", suggestion(word, words))
}

func (p *sentence) keys(list string) *ParseError {
	p.e.Check = HasKeys
	for key := range strings.SplitSeq(list, ",") {
		key = strings.TrimSpace(key)
		if key == "" || strings.Contains(key, " ") {
			return wrong("the keys in "+quoted(list)+" aren't a list", "separate them with commas")
		}
		p.e.Args = append(p.e.Args, key)
	}
	return nil
}

func (p *sentence) listener(rest string) *ParseError {
	host, rest := cutWord(rest)
	ns, ok := strings.CutPrefix(rest, "open to ")
	if host == "" || !ok && rest != "" || strings.Contains(ns, " ") {
		return wrong("who the listener is for can't be read from "+quoted(rest), "write `has a TLS listener for HOST open to NAMESPACE`")
	}
	p.e.Check, p.e.Args = TLSListener, []string{host, ns}
	return nil
}

func (p *sentence) condition(rest string) *ParseError {
	typ, status := cutWord(rest)
	if t, s, ok := strings.Cut(typ, "="); ok && status == "" {
		typ, status = t, s
	}
	status = strings.TrimPrefix(status, "is ")
	if typ == "" {
		return wrong("which condition is meant isn't said", "write `condition Complete`")
	}
	for _, known := range []string{"True", "False", "Unknown", ""} {
		if strings.EqualFold(status, known) {
			p.e.Check, p.e.Args = Condition, []string{typ, known}
			return nil
		}
	}
	return wrong("a condition can't be "+quoted(status), "write True, False or Unknown")
}

var operators = []string{"==", "!=", ">=", "<=", ">", "<"}

func (p *sentence) jsonpath(rest string) *ParseError {
	n := balanced(rest, '{', '}')
	if n == 0 {
		return wrong("the path in "+quoted(rest)+" has no end", "write it like kubectl: `jsonpath {.status.phase} == Running`")
	}
	path := rest[:n]
	op, value := cutWord(strings.TrimSpace(rest[n:]))
	if !slices.Contains(operators, op) {
		return wrong("after the path "+quoted(op)+" isn't a comparison", "use one of "+strings.Join(operators, " "))
	}
	if value == "" {
		return wrong("what the path is compared with is missing", "")
	}
	if s, err := strconv.Unquote(value); err == nil {
		value = s
	}
	p.e.Check, p.e.Args = JSONPath, []string{path, op, value}
	return nil
}

// balanced returns the length of the bracketed text at the start of s, or 0.
// Brackets in quotes don't count.
func balanced(s string, open, end byte) int {
	depth, quote := 0, byte(0)
	for i := range len(s) {
		c := s[i]
		switch {
		case quote != 0:
			if c == quote && s[i-1] != '\\' {
				quote = 0
			}
		case depth > 0 && (c == '"' || c == '\''):
			quote = c
		case c == open:
			depth++
		case c == end:
			depth--
			if depth == 0 {
				return i + 1
			}
		case depth == 0:
			return 0
		}
	}
	return 0
}

func (p *sentence) vault(rest string) *ParseError {
	e := &p.e
	word, after := cutWord(rest)
	switch {
	case e.Subject.Entry == "token":
		path, ok := strings.CutPrefix(rest, "may read ")
		if !ok || path == "" || strings.Contains(path, " ") {
			return unknownPhrase(rest, []string{"may read mount/path"})
		}
		e.Check, e.Args = MayRead, []string{path}
	case e.Subject.Entry == "":
		if word != "is" {
			return unknownPhrase(rest, vaultPhrases)
		}
		return p.is(after, Active)
	case rest == "exists":
		e.Check = Exists
	case word == "is":
		return p.is(after, Absent)
	case strings.HasPrefix(rest, "has keys "):
		return p.keys(strings.TrimPrefix(rest, "has keys "))
	default:
		return unknownPhrase(rest, vaultPhrases[2:])
	}
	return nil
}

func (p *sentence) http(rest string) *ParseError {
	e := &p.e
	word, after := cutWord(rest)
	switch {
	case word == "answers":
		code, err := strconv.Atoi(after)
		if (err != nil || code < 100 || code > 599) && referenceAt(after) == "" {
			return wrong(quoted(after)+" isn't a status that a server answers", "write it like `answers 200`")
		}
		e.Check, e.Args = Answers, []string{after}
	case rest == "redirects to https":
		e.Check, e.Args = Redirects, []string{"https"}
	case rest == "serves a trusted certificate":
		e.Check, e.Args = Trusted, []string{"0s"}
	case strings.HasPrefix(rest, "serves a trusted certificate for "):
		long := strings.TrimPrefix(rest, "serves a trusted certificate for ")
		if d, err := parseDuration(long); (err != nil || d < 0) && referenceAt(long) == "" {
			return wrong(quoted(long)+" isn't a duration", "write it like `21d` or `12h`")
		}
		e.Check, e.Args = Trusted, []string{long}
	default:
		return unknownPhrase(rest, httpPhrases)
	}
	return nil
}

func (p *sentence) output(rest string) *ParseError {
	p.e.Subject.Source, p.e.Check = Output, OutputMatch
	pattern, ok := strings.CutPrefix(rest, "matches ")
	if !ok {
		return unknownPhrase(rest, []string{"matches /pattern/"})
	}
	if len(pattern) < 3 || pattern[0] != '/' || pattern[len(pattern)-1] != '/' {
		return wrong("the pattern "+quoted(pattern)+" must stand between slashes", "write `output matches /pattern/`")
	}
	pattern = strings.ReplaceAll(pattern[1:len(pattern)-1], `\/`, `/`)
	if _, err := regexp.Compile(pattern); err != nil {
		return wrong("the pattern "+quoted(pattern)+" isn't a regular expression: "+regexpError(err), "")
	}
	p.e.Args = []string{pattern}
	return nil
}

// cel keeps the expression as text; that its brackets and quotes are closed is
// checked, the rest when it is compiled.
func (p *sentence) cel(expr string) *ParseError {
	if expr == "" {
		return wrong("the expression after `cel:` is missing", "")
	}
	var stack []byte
	for i := 0; i < len(expr); i++ {
		switch c := expr[i]; c {
		case '"', '\'':
			n := 1
			for i+n < len(expr) && expr[i+n] != c {
				if expr[i+n] == '\\' {
					n++
				}
				n++
			}
			if i+n >= len(expr) {
				return wrong("a string in the expression isn't closed", "")
			}
			i += n
		case '(', '[', '{':
			stack = append(stack, c)
		case ')', ']', '}':
			if len(stack) == 0 || stack[len(stack)-1] != opening(c) {
				return wrong("the brackets of the expression don't match at "+quoted(expr[i:]), "")
			}
			stack = stack[:len(stack)-1]
		}
	}
	if len(stack) > 0 {
		return wrong("a bracket of the expression isn't closed", "")
	}
	p.e.Subject.Source, p.e.Check, p.e.Args = CEL, Expression, []string{expr}
	return nil
}

func opening(c byte) byte {
	switch c {
	case ')':
		return '('
	case ']':
		return '['
	}
	return '{'
}
