package cluster

import (
	"slices"
	"strings"
)

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// An item is one object as it may be kept: without the values of a Secret.
type item struct {
	body map[string]any
	keys []string // of a Secret or ConfigMap, sorted
}

// strip takes everything out of a decoded object that could hold a Secret's
// value. It changes body: the original must not live on. What kubectl apply
// leaves in an annotation is the whole manifest, stringData included, which a
// metadata-only read would return as well.
func strip(body map[string]any) item {
	it := item{body: body}
	kind, _ := body["kind"].(string)
	version, _ := body["apiVersion"].(string)
	secret := kind == "Secret" && version == "v1"
	if secret || kind == "ConfigMap" && version == "v1" {
		it.keys = names(body, "data", "stringData", "binaryData")
	}
	if secret {
		delete(body, "data")
		delete(body, "stringData")
	}
	meta, _ := body["metadata"].(map[string]any)
	if kind == "Pod" || kind == "Event" || kind == "EndpointSlice" {
		delete(meta, "managedFields") // large, and nobody asks who wrote these
	}
	notes, _ := meta["annotations"].(map[string]any)
	delete(notes, lastApplied)
	for k, v := range notes {
		// Other appliers keep manifests in annotations of their own.
		if text, _ := v.(string); secret && (strings.Contains(text, `"stringData"`) || strings.Contains(text, `"data"`)) {
			delete(notes, k)
		}
	}
	return it
}

func names(body map[string]any, fields ...string) []string {
	var out []string
	for _, f := range fields {
		m, _ := body[f].(map[string]any)
		for k := range m {
			if !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	slices.Sort(out)
	return out
}
