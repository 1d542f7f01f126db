package survey

// dig returns the value at the path of keys, or nil.
func dig(v any, path ...string) any {
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

func str(v any, path ...string) string {
	s, _ := dig(v, path...).(string)
	return s
}

func list(v any, path ...string) []any {
	l, _ := dig(v, path...).([]any)
	return l
}

// number reads a whole number, whichever decoder made it.
func number(v any, path ...string) int64 {
	switch n := dig(v, path...).(type) {
	case int64:
		return n
	case float64:
		return int64(n)
	}
	return 0
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
