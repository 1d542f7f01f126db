package kube

import "maps"

// eventNames maps the fields of a core Event to those of events.k8s.io: one object, two spellings.
func eventNames() map[string]string {
	return map[string]string{
		"involvedObject": "regarding", "message": "note", "reportingComponent": "reportingController",
		"source": "deprecatedSource", "firstTimestamp": "deprecatedFirstTimestamp",
		"lastTimestamp": "deprecatedLastTimestamp", "count": "deprecatedCount",
	}
}

func eventToNew(obj map[string]any) map[string]any {
	out := maps.Clone(obj)
	for core, renamed := range eventNames() {
		if v, ok := out[core]; ok {
			delete(out, core)
			out[renamed] = v
		}
	}
	out["apiVersion"] = "events.k8s.io/v1"
	return out
}

func eventToCore(obj map[string]any) map[string]any {
	out := maps.Clone(obj)
	for core, renamed := range eventNames() {
		if v, ok := out[renamed]; ok {
			delete(out, renamed)
			out[core] = v
		}
	}
	out["apiVersion"] = "v1"
	return out
}
