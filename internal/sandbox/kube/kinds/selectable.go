package kinds

// SelectableFields names the fields, beside the object's name and namespace, that field selectors of a
// resource may use, and where each is in the object. It is nil for a resource that has none.
func SelectableFields(groupResource string) map[string][]string {
	switch groupResource {
	case "pods":
		return map[string][]string{
			"spec.nodeName": {"spec", "nodeName"}, "spec.restartPolicy": {"spec", "restartPolicy"},
			"spec.schedulerName": {"spec", "schedulerName"}, "spec.serviceAccountName": {"spec", "serviceAccountName"},
			"spec.hostNetwork": {"spec", "hostNetwork"}, "status.phase": {"status", "phase"},
			"status.podIP": {"status", "podIP"}, "status.podIPs": {"status", "podIP"}, "status.nominatedNodeName": {"status", "nominatedNodeName"},
		}
	case "events":
		return map[string][]string{
			"involvedObject.kind": {"involvedObject", "kind"}, "involvedObject.namespace": {"involvedObject", "namespace"},
			"involvedObject.name": {"involvedObject", "name"}, "involvedObject.uid": {"involvedObject", "uid"},
			"involvedObject.apiVersion":      {"involvedObject", "apiVersion"},
			"involvedObject.resourceVersion": {"involvedObject", "resourceVersion"},
			"involvedObject.fieldPath":       {"involvedObject", "fieldPath"},
			"reason":                         {"reason"}, "type": {"type"}, "source": {"source", "component"},
			"reportingComponent": {"reportingComponent"}, "reportingController": {"reportingComponent"},
		}
	case "secrets":
		return map[string][]string{"type": {"type"}}
	case "namespaces":
		return map[string][]string{"status.phase": {"status", "phase"}, "name": {"metadata", "name"}}
	case "nodes":
		return map[string][]string{"spec.unschedulable": {"spec", "unschedulable"}}
	case "services":
		return map[string][]string{"spec.clusterIP": {"spec", "clusterIP"}, "spec.type": {"spec", "type"}}
	case "jobs.batch":
		return map[string][]string{"status.successful": {"status", "succeeded"}}
	case "replicasets.apps":
		return map[string][]string{"status.replicas": {"status", "replicas"}}
	}
	return nil
}
