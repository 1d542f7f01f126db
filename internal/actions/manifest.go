package actions

import (
	"fmt"

	"sigs.k8s.io/yaml"

	"runbook/internal/steps"
)

// parse reads one manifest. What it must have to be applied is checked here,
// so that the error names the line of the runbook and not of a request.
func parse(m steps.Manifest) (map[string]any, error) {
	var o map[string]any
	if err := yaml.Unmarshal([]byte(m.Text), &o); err != nil {
		return nil, fmt.Errorf("apply manifest of line %d: %w", m.Line, err)
	}
	meta, _ := o["metadata"].(map[string]any)
	for name, ok := range map[string]bool{
		"apiVersion": isText(o["apiVersion"]), "kind": isText(o["kind"]), "metadata.name": isText(meta["name"]),
	} {
		if !ok {
			return nil, fmt.Errorf("apply manifest of line %d: it has no %s", m.Line, name)
		}
	}
	return o, nil
}

func isText(v any) bool {
	s, ok := v.(string)
	return ok && s != ""
}
