package kube

import (
	"fmt"
	"slices"
)

// checkOptions refuses values of the options of a write that there aren't.
func (q *request) checkOptions() error {
	kind := map[string]string{"create": "CreateOptions", "update": "UpdateOptions", "patch": "PatchOptions", "delete": "DeleteOptions", "deletecollection": "DeleteOptions"}[q.verb]
	if kind == "" {
		return nil
	}
	if dry := q.query["dryRun"]; len(dry) > 0 && !slices.Equal(dry, []string{"All"}) {
		return optionError(kind, "dryRun", fmt.Sprintf(`Unsupported value: %q: supported values: "All"`, dry))
	}
	if v := q.query.Get("fieldValidation"); v != "" && kind != "DeleteOptions" && !slices.Contains([]string{"Ignore", "Warn", "Strict"}, v) {
		return optionError(kind, "fieldValidation", fmt.Sprintf(`Unsupported value: %q: supported values: "", "Ignore", "Strict", "Warn"`, v))
	}
	return nil
}
