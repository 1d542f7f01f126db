package steps

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Sources are where values of parameters come from, strongest first.
type Sources struct {
	Set   map[string]string           // --set
	Env   func(string) (string, bool) // the environment; nil means none
	Saved map[string]string           // the last run on this context
}

// A ValueError says that a parameter can't have the value it was given. It
// never holds the value of a secret.
type ValueError struct {
	Param  string
	Source ValueSource
	Text   string // what is wrong
	Hint   string // what it must look like
}

func (e *ValueError) Error() string {
	from := map[ValueSource]string{FromSet: "--set", FromEnv: "the environment", FromSaved: "the last run", FromDefault: "its default"}[e.Source]
	if from != "" {
		from = " (from " + from + ")"
	}
	text := "parameter " + e.Param + from + ": " + e.Text
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Resolve finds the value of every parameter that has one. The error joins a
// [*ValueError] for each name that isn't known and each value that isn't
// allowed; the values are those without fault. An empty variable of the
// environment counts as none, unless the parameter may be empty.
func (r *Runbook) Resolve(src Sources) (Values, error) {
	values := Values{}
	var errs []error
	var names []string
	for _, q := range r.Params {
		names = append(names, q.Name)
		text, from := q.lookUp(src)
		if from == FromNone || from == FromDefault && strings.Contains(text, "${") {
			continue
		}
		if err := q.Validate(text); err != nil {
			e := &ValueError{Param: q.Name, Source: from, Text: err.Error()}
			if from == FromSaved {
				continue // asked for again: nobody chose it in this run
			}
			errs = append(errs, e)
			continue
		}
		values[q.Name] = Value{Text: text, Source: from, Secret: q.Secret}
	}
	r.complete(values)
	for name := range src.Set {
		if r.Param(name) == nil {
			errs = append(errs, &ValueError{Param: name, Source: FromSet, Text: "the runbook has no such parameter", Hint: suggestion(name, names)})
		}
	}
	slices.SortStableFunc(errs, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return values, errors.Join(errs...)
}

func (q Param) lookUp(src Sources) (string, ValueSource) {
	if s, ok := src.Set[q.Name]; ok {
		return s, FromSet
	}
	if src.Env != nil {
		if s, ok := src.Env(q.Name); ok && (s != "" || q.Validate("") == nil && q.HasDefault) {
			return s, FromEnv
		}
	}
	if s, ok := src.Saved[q.Name]; ok && !q.Secret {
		return s, FromSaved
	}
	if q.HasDefault {
		return q.Default, FromDefault
	}
	return "", FromNone
}

// complete adds the defaults that are made from other parameters, as far as
// those are known.
func (r *Runbook) complete(v Values) {
	for again := true; again; {
		again = false
		for _, q := range r.Params {
			if _, ok := v[q.Name]; ok || !q.derived() || !known(q.Default, v) {
				continue
			}
			text := fill(q.Default, v, nil)
			if q.Validate(text) == nil {
				v[q.Name] = Value{Text: text, Source: FromDefault}
				again = true
			}
		}
	}
}

// derived tells whether the default refers to other parameters.
func (q Param) derived() bool { return q.HasDefault && strings.Contains(q.Default, "${") }

// known tells whether all parameters that s refers to have a value.
func known(s string, v Values) bool {
	all := true
	eachReference(s, func(name string, _ int) {
		_, ok := v[name]
		all = all && ok
	})
	return all
}

// Missing returns the parameters that have no value yet and must be asked for.
// A default that is made from others isn't missing as long as those are; when
// they are known and make a value that isn't allowed, it is.
func (r *Runbook) Missing(v Values) []Param {
	var missing []Param
	for _, q := range r.Params {
		if _, ok := v[q.Name]; ok || q.derived() && !known(q.Default, v) {
			continue
		}
		missing = append(missing, q)
	}
	return missing
}

// Validate tells whether text may be the value of the parameter. The error says
// what it must look like, and doesn't repeat a secret.
func (q Param) Validate(text string) error {
	if strings.ContainsRune(text, 0) {
		return errors.New("it holds a NUL, which an environment variable can't")
	}
	shown := quoted(text)
	if q.Secret {
		shown = "the value"
	}
	switch q.Type {
	case BoolParam:
		if text != "true" && text != "false" {
			return fmt.Errorf("%s must be true or false", shown)
		}
	case IntParam:
		if _, err := strconv.Atoi(text); err != nil {
			return fmt.Errorf("%s must be a whole number", shown)
		}
	}
	if len(q.Choices) > 0 && !slices.Contains(q.Choices, text) {
		return fmt.Errorf("%s must be one of: %s", shown, strings.Join(q.Choices, ", "))
	}
	if q.Pattern != "" {
		re, err := regexp.Compile(`^(?:` + q.Pattern + `)$`)
		if err != nil {
			return fmt.Errorf("the pattern %s isn't a regular expression", quoted(q.Pattern))
		}
		if !re.MatchString(text) {
			if q.Example != "" && !q.Secret {
				return fmt.Errorf("%s must match %s, for example %s", shown, q.Pattern, q.Example)
			}
			return fmt.Errorf("%s must match %s", shown, q.Pattern)
		}
	}
	return nil
}
