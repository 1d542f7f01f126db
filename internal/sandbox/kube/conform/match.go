package conform

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// match tells where the answer lacks something. Objects may have more than is wanted, lists may not, except for
// {<contains>: […]}, which wants elements of a list in any order. "<any>" is any value but null, "<absent>" a missing
// key, "<has> x" a text with x in it, "<matches> x" one that the expression x describes.
func match(path string, want, got any) string {
	switch w := want.(type) {
	case map[string]any:
		if some, ok := w["<contains>"].([]any); ok {
			return contains(path, some, got)
		}
		return object(path, w, got)
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("at %q: got %s, want a list of %d", path, short(got), len(w))
		}
		for i := range w {
			if problem := match(fmt.Sprintf("%s.%d", path, i), w[i], g[i]); problem != "" {
				return problem
			}
		}
		return ""
	case string:
		return text(path, w, got)
	}
	if !reflect.DeepEqual(want, got) {
		return fmt.Sprintf("at %q: got %s, want %v", path, short(got), want)
	}
	return ""
}

func object(path string, want map[string]any, got any) string {
	g, ok := got.(map[string]any)
	if !ok {
		return fmt.Sprintf("at %q: got %s, want an object", path, short(got))
	}
	for k, v := range want {
		gv, has := g[k]
		switch {
		case v == "<absent>" && has:
			return fmt.Sprintf("at %q: got %s, want none", path+"."+k, short(gv))
		case v == "<absent>":
			continue
		case !has:
			return fmt.Sprintf("at %q: missing", path+"."+k)
		}
		if problem := match(path+"."+k, v, gv); problem != "" {
			return problem
		}
	}
	return ""
}

func contains(path string, want []any, got any) string {
	g, ok := got.([]any)
	if !ok {
		return fmt.Sprintf("at %q: got %s, want a list", path, short(got))
	}
	for _, w := range want {
		found, closest := false, ""
		for _, e := range g {
			problem := match(path, w, e)
			if found = problem == ""; found {
				break
			}
			if sameName(w, e) {
				closest = problem
			}
		}
		if !found {
			return fmt.Sprintf("at %q: nothing like %v; %s", path, w, closest)
		}
	}
	return ""
}

// sameName reports whether both are objects that go by the same name, so that their difference is worth telling.
func sameName(a, b any) bool {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	for _, k := range []string{"name", "type", "resource"} {
		if x[k] != nil && reflect.DeepEqual(x[k], y[k]) {
			return true
		}
	}
	return false
}

func text(path, want string, got any) string {
	g, isText := got.(string)
	switch {
	case want == "<any>":
		if got != nil {
			return ""
		}
	case strings.HasPrefix(want, "<has> "):
		if isText && strings.Contains(g, strings.TrimPrefix(want, "<has> ")) {
			return ""
		}
	case strings.HasPrefix(want, "<matches> "):
		if isText && regexp.MustCompile(strings.TrimPrefix(want, "<matches> ")).MatchString(g) {
			return ""
		}
	case isText && g == want:
		return ""
	}
	return fmt.Sprintf("at %q: got %s, want %s", path, short(got), want)
}

func short(v any) string {
	s := fmt.Sprint(v)
	if len(s) > 300 {
		s = s[:300] + "…"
	}
	return s
}

func at(v any, path string) any {
	for k := range strings.SplitSeq(path, ".") {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}
