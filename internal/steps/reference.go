package steps

import (
	"regexp"
	"strings"
)

// referenceAt reads ${NAME} at the start of s and returns the name.
func referenceAt(s string) string {
	if !strings.HasPrefix(s, "${") {
		return ""
	}
	n := 2
	for n < len(s) && isWord(s[n]) {
		n++
	}
	if n == len(s) || s[n] != '}' {
		return ""
	}
	return s[2:n]
}

// eachReference calls f with every parameter that s refers to as ${NAME}.
func eachReference(s string, f func(name string, at int)) {
	for i := 0; i < len(s); i++ {
		n := strings.Index(s[i:], "${")
		if n < 0 {
			return
		}
		i += n
		if name := referenceAt(s[i:]); name != "" {
			f(name, i)
		}
	}
}

// fill replaces each ${NAME} of a known parameter with its value, put into
// the form that the place needs. What isn't a parameter stays as it is.
func fill(s string, v Values, form func(string) string) string {
	if !strings.Contains(s, "${") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		name := ""
		if s[i] == '$' {
			name = referenceAt(s[i:])
		}
		value, ok := v[name]
		if name == "" || !ok {
			b.WriteByte(s[i])
			i++
			continue
		}
		text := value.Text
		if form != nil {
			text = form(text)
		}
		b.WriteString(text)
		i += len(name) + len("${}")
	}
	return b.String()
}

// refersToSecret tells whether s holds the value of a secret parameter.
func refersToSecret(s string, v Values) bool {
	found := false
	eachReference(s, func(name string, _ int) { found = found || v[name].Secret })
	return found
}

func fillAll(words []string, v Values, form func(string) string) []string {
	if words == nil {
		return nil
	}
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = fill(w, v, form)
	}
	return out
}

// Bind fills the parameters in. A value changes what is compared, never what
// the sentence means: in a pattern it stands for itself, in CEL it stays
// inside its string.
func (e Expectation) Bind(v Values) Expectation {
	e.Text = fill(e.Text, v, nil)
	e.Subject = e.Subject.Bind(v)
	switch e.Check {
	case OutputMatch:
		e.Args = fillAll(e.Args, v, regexp.QuoteMeta)
	case Expression:
		e.Args = fillAll(e.Args, v, celEscape)
	default:
		e.Args = fillAll(e.Args, v, nil)
	}
	return e
}

// Bind fills the parameters in.
func (s Subject) Bind(v Values) Subject {
	s.Name = fill(s.Name, v, nil)
	s.Namespace = fill(s.Namespace, v, nil)
	s.Entry = fill(s.Entry, v, nil)
	s.URL = fill(s.URL, v, nil)
	return s
}

// Bind fills the parameters in.
func (q Protect) Bind(v Values) Protect {
	for _, s := range []*string{&q.Name, &q.Secret, &q.Key, &q.Vault, &q.Property, &q.Cost} {
		*s = fill(*s, v, nil)
	}
	return q
}

var celEscape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `'`, `\'`, "\n", `\n`, "\r", `\r`).Replace
