package steps

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Bind returns the plan of a run with these values. A parameter without a
// value stays open: its ${NAME} remains as it is, and blocks that need it
// aren't offered. The error joins what can't be bound; the plan holds the rest.
func (r *Runbook) Bind(v Values) (*Plan, error) {
	v = maps.Clone(v)
	if v == nil {
		v = Values{}
	}
	r.complete(v)
	p := &Plan{Runbook: r, Values: v}
	for _, q := range r.Protects {
		p.Protects = append(p.Protects, q.Bind(v))
	}
	b := binder{book: r, values: v, shell: newShellReader()}
	for _, s := range r.Steps {
		p.Steps = append(p.Steps, b.step(s))
	}
	for _, f := range r.Faults {
		p.Faults = append(p.Faults, f.Bind(v))
	}
	return p, errors.Join(b.errs...)
}

type binder struct {
	book   *Runbook
	values Values
	shell  *shellReader
	errs   []error
}

func (b *binder) step(s Step) BoundStep {
	bound := BoundStep{Step: s, Taken: true}
	if w := s.When.Unmet(b.values); w != nil {
		bound.Taken = false
		bound.WhyNot = w.Param + " isn't decided yet"
		if value, ok := b.values[w.Param]; ok {
			bound.WhyNot = w.Param + " is " + value.Text
		}
	}
	if s.Done != nil {
		e := s.Done.Bind(b.values)
		bound.Done = &e
	}
	bound.Before = b.expectations(s.Before)
	bound.Expect = b.expectations(s.Expect)
	bound.Watch = nil
	for _, w := range s.Watch {
		bound.Watch = append(bound.Watch, w.Bind(b.values))
	}
	bound.Cost = fill(s.Cost, b.values, nil)
	bound.Blocks = slices.Clone(s.Blocks)
	bound.Code = make([]string, len(s.Blocks))
	for i := range bound.Blocks {
		bound.Code[i] = b.block(&bound.Blocks[i])
		if !bound.Taken && bound.Blocks[i].Offered {
			bound.Blocks[i].Offered, bound.Blocks[i].Why, bound.Blocks[i].Detail = false, WhyNotTaken, bound.WhyNot
		}
	}
	return bound
}

func (b *binder) expectations(list []Expectation) []Expectation {
	var out []Expectation
	for _, e := range list {
		out = append(out, e.Bind(b.values))
	}
	return out
}

// block binds one block and returns what it would run.
func (b *binder) block(k *Block) string {
	if k.Kind == ActionBlock {
		if k.Action == nil {
			return ""
		}
		a, err := k.Action.Bind(b.values)
		if err != nil {
			b.errs = append(b.errs, fmt.Errorf("%s:%d:%d: %w", b.book.Path, k.Action.Pos.Line, k.Action.Pos.Col, err))
			k.Offered, k.Why, k.Detail = false, WhyPlaceholder, err.Error()
			return ""
		}
		k.Action = &a
		return fill(k.Code, shown(b.values), nil)
	}
	code, open := b.resolve(k.Code)
	if open != "" && k.Offered {
		k.Offered, k.Why, k.Detail = false, WhyPlaceholder, open
	}
	return code
}

// shown are the values that may be seen.
func shown(v Values) Values {
	out := maps.Clone(v)
	maps.DeleteFunc(out, func(_ string, value Value) bool { return value.Secret })
	return out
}

// resolve fills the placeholders of shell code in. What remains open is named.
func (b *binder) resolve(code string) (resolved, open string) {
	holes := findHoles(code)
	if len(holes) == 0 {
		return code, ""
	}
	read, err := b.shell.readShell(mask(code, holes), holes)
	if err != nil {
		return code, "the code can't be read as shell"
	}
	places := read.places
	var out strings.Builder
	at := 0
	for i, h := range holes {
		if h.start < at || !h.angled || places[i] == commentPlace {
			continue
		}
		text, ok, why := b.fillHole(h.name, places[i])
		if !ok {
			if open == "" {
				open = why
			}
			continue
		}
		out.WriteString(code[at:h.start])
		out.WriteString(text)
		at = h.end
	}
	out.WriteString(code[at:])
	return out.String(), open
}

// fillHole returns a value in the form that its place needs. Secrets stay
// references to the environment: a command line can be read by others.
func (b *binder) fillHole(name string, where place) (text string, ok bool, why string) {
	q := b.book.paramFor(name)
	if q == nil {
		return "", false, "nothing is known to put in for <" + name + ">"
	}
	v, has := b.values[q.Name]
	switch {
	case !has:
		return "", false, q.Name + " has no value yet"
	case where == unsafePlace:
		return "", false, "<" + name + "> stands where no value can be quoted"
	case v.Secret && where == quotedHereDoc:
		return "", false, "the secret " + q.Name + " would be part of the command: the here-document isn't expanded"
	case (where == hereDoc || where == quotedHereDoc) && strings.Contains(v.Text, "\n"):
		return "", false, "the value of " + q.Name + " has more than one line, which a here-document can't take"
	case v.Secret:
		return secretReference(q.Name, where), true, ""
	}
	switch where {
	case doubleQuoted:
		return `"` + Quote(v.Text) + `"`, true, ""
	case singleQuoted:
		return strings.ReplaceAll(v.Text, "'", `'\''`), true, ""
	case hereDoc:
		return hereDocEscape(v.Text), true, ""
	case quotedHereDoc:
		return v.Text, true, ""
	}
	return Quote(v.Text), true, ""
}

func secretReference(name string, where place) string {
	switch where {
	case doubleQuoted, hereDoc:
		return "${" + name + "}"
	case singleQuoted:
		return `'"$` + name + `"'`
	}
	return `"$` + name + `"`
}

var hereDocEscape = strings.NewReplacer(`\`, `\\`, `$`, `\$`, "`", "\\`").Replace

// Quote makes s one word of a POSIX shell that stands for exactly s.
func Quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Bind fills the parameters in. It fails when a manifest can't be read again.
func (a Action) Bind(v Values) (Action, error) {
	for _, s := range []*string{&a.Entry, &a.Property, &a.Namespace, &a.Name, &a.Type} {
		*s = fill(*s, v, nil)
	}
	data := make([]ActionData, len(a.Data))
	for i, d := range a.Data {
		d.Secret = refersToSecret(d.Literal, v) || refersToSecret(d.Template, v) || d.Generate != "" || d.Template != ""
		d.Literal = fill(d.Literal, v, nil)
		d.Template = fill(d.Template, v, templateEscape)
		data[i] = d
	}
	a.Data = data
	manifests := make([]Manifest, len(a.Manifests))
	for i, m := range a.Manifests {
		bound, err := bindManifest(m, v)
		if err != nil {
			return a, fmt.Errorf("bind manifest in line %d: %w", m.Line, err)
		}
		manifests[i] = bound
	}
	a.Manifests = manifests
	if a.Wait != nil {
		e := a.Wait.Bind(v)
		a.Wait = &e
	}
	return a, nil
}

var templateEscape = strings.NewReplacer("{{", `{{"{{"}}`).Replace
