package risk

import (
	"encoding/base64"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Given are the values that a text gives the keys of a Secret. Like a Secret of
// Vault they stand behind a function, so that nothing prints them by accident;
// they are for comparing.
type Given struct {
	of func(key string) (value string, known bool)
}

// Value is what a key is given. It is not known where a variable, another
// program or a file that wasn't read decides it.
func (g Given) Value(key string) (value string, known bool) {
	if g.of == nil {
		return "", false
	}
	return g.of(key)
}

// String hides the values.
func (Given) String() string { return "[values]" }

// GoString hides the values.
func (Given) GoString() string { return "[values]" }

// MarshalText hides the values.
func (Given) MarshalText() ([]byte, error) { return []byte("[values]"), nil }

// SecretGiven reads the manifest of one Secret: the names of its keys, and what
// they are given. ${…} in it is text like any other.
func SecretGiven(manifest string) (keys []string, g Given) {
	var o object
	if yaml.Unmarshal([]byte(manifest), &o) != nil {
		return nil, Given{}
	}
	return o.keys(), o.given(stream{known: true})
}

// keys are the names of the keys that an object is given.
func (o object) keys() []string {
	var out []string
	for _, data := range []map[string]yaml.Node{o.Data, o.StringData} {
		for k := range data {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// given are the values of a Secret as the API server would keep them: stringData
// wins over data. Of a text that isn't known as a whole a value is only certain
// where the author wrote the text and left nothing open in the value.
func (o object) given(s stream) Given {
	certain := func(text string) bool {
		return !s.shaped && (s.known || s.here && !strings.ContainsAny(text, "$`\x01\x02\x03"))
	}
	return Given{func(key string) (string, bool) {
		if n, ok := o.StringData[key]; ok {
			return n.Value, n.Kind == yaml.ScalarNode && n.Tag == "!!str" && certain(n.Value)
		}
		n, ok := o.Data[key]
		if !ok || !certain(n.Value) {
			return "", false
		}
		raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
		return string(raw), err == nil
	}}
}

// flagsGiven are the values of `kubectl create secret generic`: literals, and
// files that were read.
func flagsGiven(c *call) Given {
	values := map[string]word{}
	files := map[string]bool{}
	for _, name := range []string{"--from-literal", "--from-file"} {
		for _, w := range c.all(name) {
			key, rest, ok := strings.Cut(w.text, "=")
			if !ok {
				key, rest = w.text[strings.LastIndexByte(w.text, '/')+1:], w.text
			}
			w.text = rest
			values[key], files[key] = w, name == "--from-file"
		}
	}
	return Given{func(key string) (string, bool) {
		w, ok := values[key]
		if !ok || !w.known {
			return "", false
		}
		if !files[key] {
			return unmark.Replace(w.text), true
		}
		s := c.f.file(w)
		return s.text, s.known
	}}
}
