// Package dig takes fields out of decoded objects; it is pure. What is missing,
// or of another type, is the zero value: an object of another version is no
// error, and nobody has to ask for each step of the way.
package dig

import (
	"encoding/json"
	"time"
)

// At returns the value at the path of keys, or nil.
func At(v any, path ...string) any {
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

// Text returns the string at the path.
func Text(v any, path ...string) string {
	s, _ := At(v, path...).(string)
	return s
}

// Int returns the whole number at the path, whichever decoder made it.
func Int(v any, path ...string) int64 {
	switch n := At(v, path...).(type) {
	case int64:
		return n
	case int:
		return int64(n)
	case float64:
		return int64(n)
	case json.Number:
		i, _ := n.Int64()
		return i
	}
	return 0
}

// Bool returns the truth at the path.
func Bool(v any, path ...string) bool {
	b, _ := At(v, path...).(bool)
	return b
}

// List returns the list at the path.
func List(v any, path ...string) []any {
	l, _ := At(v, path...).([]any)
	return l
}

// Map returns the object at the path.
func Map(v any, path ...string) map[string]any {
	m, _ := At(v, path...).(map[string]any)
	return m
}

// Time returns the RFC 3339 time at the path.
func Time(v any, path ...string) time.Time {
	t, _ := time.Parse(time.RFC3339, Text(v, path...))
	return t
}
