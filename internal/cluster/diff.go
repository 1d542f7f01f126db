package cluster

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"runbook/internal/dig"
	"runbook/internal/world"
)

// A Change is one field that an apply changes. Of a Secret's data only the key
// is told, and whether it is added, changed or removed.
type Change struct {
	Path     string // spec.replicas, metadata.labels["app.kubernetes.io/name"], spec.containers[0].image
	Old, New string // JSON; "" when the field wasn't or isn't there
}

func (c Change) String() string {
	switch {
	case c.Old == "":
		return "+ " + c.Path + ": " + c.New
	case c.New == "":
		return "- " + c.Path + ": " + c.Old
	}
	return "~ " + c.Path + ": " + c.Old + " → " + c.New
}

// hiddenValue stands for a value of a Secret, which says no more than that
// there is one.
const hiddenValue = "(hidden)"

// ours are the parts of an object that an apply is about; the rest is the
// server's own.
func ours(o *unstructured.Unstructured) map[string]any {
	if o == nil {
		return map[string]any{}
	}
	out := maps.Clone(o.Object)
	delete(out, "status")
	delete(out, "apiVersion")
	delete(out, "kind")
	out["metadata"] = map[string]any{}
	for _, field := range []string{"labels", "annotations", "finalizers", "ownerReferences"} {
		if v := dig.At(o.Object, "metadata", field); v != nil {
			out["metadata"].(map[string]any)[field] = v
		}
	}
	if notes, ok := dig.At(out, "metadata", "annotations").(map[string]any); ok {
		notes = maps.Clone(notes)
		delete(notes, lastApplied)
		out["metadata"].(map[string]any)["annotations"] = notes
	}
	return out
}

// differences lists the changed fields by path.
func differences(old, now *unstructured.Unstructured) []Change {
	secret := now.GetKind() == "Secret" && now.GetAPIVersion() == "v1"
	d := differ{secret: secret}
	d.walk("", ours(old), ours(now), false)
	return d.out
}

type differ struct {
	secret bool
	out    []Change
}

func (d *differ) walk(path string, old, now any, hide bool) {
	x, isX := old.(map[string]any)
	y, isY := now.(map[string]any)
	if (isX || old == nil) && (isY || now == nil) && (isX || isY) {
		keys := slices.Collect(maps.Keys(x))
		for k := range y {
			if _, both := x[k]; !both {
				keys = append(keys, k)
			}
		}
		slices.Sort(keys)
		for _, k := range keys {
			hidden := hide || d.secret && path == "" && (k == "data" || k == "stringData")
			d.walk(join(path, k), x[k], y[k], hidden)
		}
		return
	}
	a, listA := old.([]any)
	b, listB := now.([]any)
	if listA && listB && len(a) == len(b) {
		for i := range a {
			d.walk(fmt.Sprintf("%s[%d]", path, i), a[i], b[i], hide)
		}
		return
	}
	d.leaf(path, old, now, hide)
}

func (d *differ) leaf(path string, old, now any, hide bool) {
	a, b := written(old), written(now)
	if a == b {
		return
	}
	if hide || d.secret && strings.HasPrefix(path, "metadata.annotations") {
		a, b = mask(a), mask(b)
	}
	d.out = append(d.out, Change{Path: path, Old: a, New: b})
}

func mask(s string) string {
	if s == "" {
		return ""
	}
	return hiddenValue
}

func written(v any) string {
	if v == nil {
		return ""
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return world.Plain(string(text))
}

func join(path, key string) string {
	switch {
	case strings.ContainsAny(key, "./"):
		return fmt.Sprintf("%s[%q]", path, key)
	case path == "":
		return key
	}
	return path + "." + key
}
