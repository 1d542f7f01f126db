package operators

import (
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// cond is one condition as a controller wants it.
type cond struct {
	kind, status, reason, message string
	generation                    int64 // observedGeneration; 0 for APIs whose conditions have none
}

func isStatus(ok bool) string {
	if ok {
		return "True"
	}
	return "False"
}

// conditionsOf returns the conditions at path of o.
func conditionsOf(o map[string]any, path ...string) []any {
	list, _, _ := unstructured.NestedSlice(o, path...)
	return list
}

// condition returns o's status condition of the given type, or nil.
func condition(o *unstructured.Unstructured, kind string) map[string]any {
	return pick(conditionsOf(o.Object, "status", "conditions"), kind)
}

func pick(all []any, kind string) map[string]any {
	for _, c := range all {
		if m, ok := c.(map[string]any); ok && m["type"] == kind {
			return m
		}
	}
	return nil
}

func holds(o *unstructured.Unstructured, kind string) bool {
	c := condition(o, kind)
	return c != nil && c["status"] == "True"
}

// merged returns before with want put in; transition times stay where the status does.
func merged(before []any, now time.Time, want ...cond) []any {
	out := append([]any(nil), before...)
	for _, w := range want {
		m := map[string]any{
			"type": w.kind, "status": w.status, "reason": w.reason, "message": w.message, "lastTransitionTime": stamp(now)}
		if w.generation > 0 {
			m["observedGeneration"] = w.generation
		}
		old := pick(before, w.kind)
		if old != nil && old["status"] == w.status && old["lastTransitionTime"] != nil {
			m["lastTransitionTime"] = old["lastTransitionTime"]
		}
		out = putCondition(out, m)
	}
	return out
}

func putCondition(all []any, m map[string]any) []any {
	for i, c := range all {
		if old, ok := c.(map[string]any); ok && old["type"] == m["type"] {
			all[i] = m
			return all
		}
	}
	return append(all, m)
}
