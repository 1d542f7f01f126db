package operators

import "k8s.io/apimachinery/pkg/api/equality"

// same compares two values as the API would: an absent list is an empty one.
func same(a, b any) bool {
	if la, ok := a.([]any); ok && len(la) == 0 {
		a = nil
	}
	if lb, ok := b.([]any); ok && len(lb) == 0 {
		b = nil
	}
	return equality.Semantic.DeepEqual(a, b)
}
