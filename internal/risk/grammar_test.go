package risk

import (
	"errors"
	"strings"
	"testing"
)

func TestTheTablesLoad(t *testing.T) {
	set, err := loadTables()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(set.sections); n < 900 {
		t.Errorf("the tables know %d programs, want 900 and more", n)
	}
	for name := range set.sections {
		if _, err := set.read(name); err != nil {
			t.Error(err)
		}
	}
}

func TestABadLineIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"delete => destroy x":                 "g.txt:1: rule before any tool",
		"values -n":                           "g.txt:1: values before any tool",
		"tool":                                "g.txt:1: tool without a name",
		"tool a\ntool a":                      "g.txt:2: a is declared twice",
		"tool a\nx => bad y":                  `g.txt:2: parse class "bad"`,
		"tool a\nx =>":                        "g.txt:2: rule without a class",
		"tool a\nx => read y @nope":           "g.txt:2: effect @nope: not known",
		"tool a\nhook nope":                   "g.txt:2: hook nope: not known",
		"tool a\nlike b":                      "g.txt:2: like b: no such tool above",
		"tool a\nfoo bar":                     "g.txt:2: foo: not a directive",
		"tool a\nx|$ => read z":               `g.txt:2: "x|$": the $ of an end stands alone`,
		"tool a\nx|-y => read z":              `g.txt:2: "x|-y" mixes words and flags`,
		"tool a\n-x=1|-y=2 => read z":         "g.txt:2: flag",
		"tool a\n=> read y\n=> write z":       "g.txt:3: a second line for everything",
		"tool a\nstop x y z":                  "g.txt:2: stop wants one digit",
		"readers b\ntool b":                   "g.txt:2: b is declared twice",
		"tool a\ndry x":                       "g.txt:2: flag",
		"# a comment\n\ntool a\nx =>\ny => z": "g.txt:4: rule without a class\ng.txt:5: parse class",
	} {
		set := newTableSet()
		err := set.scan("g.txt", text)
		for name := range set.sections {
			_, wrong := set.read(name)
			err = errors.Join(err, wrong)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("loading %q: %v, want %q", text, err, want)
		}
	}
}

func TestTheMostSpecificLineWins(t *testing.T) {
	set := newTableSet()
	err := set.scan("g.txt", `
tool t
values -n --mode
bools b: -n
attached -p
=> unknown anything
* => write any word
a => read a
a b => interrupt a and b
a -f => destroy a forced
a --mode=x|y => rotate a in a mode
a !-q z => write a z not quiet
c $ => read c alone
c => write c with more
** del => destroy del somewhere
d d* => interrupt d with a shape
`)
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"":           "anything",
		"q":          "any word",
		"a":          "a",
		"-n x a":     "a",
		"a b":        "a and b",
		"a b -f":     "a and b",
		"a -f":       "a forced",
		"a -f=false": "a",
		"a -f -f=no": "a",
		"a --mode x": "a in a mode",
		"a --mode=z": "a",
		"a z":        "a z not quiet",
		"a z -q":     "a",
		"a -- -f":    "a",
		"c":          "c with more",
		"d del":      "d with a shape",
		"d xx":       "any word",
		"-psecret a": "a",
		"-qf a":      "a forced",
		"-nfoo a":    "a",
		"a -n":       "a",
	} {
		var ws []word
		for s := range strings.FieldsSeq(args) {
			ws = append(ws, lit(s))
		}
		r, _ := set.tool("t").match(set.tool("t").parse(ws, &larder{}))
		if r == nil || r.why != want {
			t.Errorf("t %s falls under %+v, want %q", args, r, want)
		}
	}
}

func TestAPatternMatchesTheWholeWord(t *testing.T) {
	for _, r := range []struct {
		pattern, s string
		want       bool
	}{
		{"a*", "abc", true}, {"a*", "ba", false}, {"*a", "cba", true}, {"*a*b", "xaxxb", true}, {"*a*b", "xaxxbc", false},
		{"a?c", "abc", true}, {"a?c", "ac", false}, {"*", "", true}, {"a/*/c", "a/b/d/c", true}, {"**x", "x", true},
	} {
		if got := globMatch(r.pattern, r.s); got != r.want {
			t.Errorf("globMatch(%q, %q) = %v, want %v", r.pattern, r.s, got, r.want)
		}
	}
}
