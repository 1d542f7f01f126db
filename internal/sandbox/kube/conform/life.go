package conform

var statusGroups = []group{
	{"spec and status change each by their own way", []exchange{
		{method: "POST", path: deployments, status: 201, body: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: 0, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}, status: {readyReplicas: 7}}`, want: `{metadata: {generation: 1}, status: {readyReplicas: <absent>}}`},
		{method: "PATCH", path: deployments + "/d/status", kind: mergePatch, body: `{spec: {minReadySeconds: 5}, metadata: {labels: {l: x}}, status: {collisionCount: 3}}`, status: 200, want: `{metadata: {generation: 1, labels: <absent>}, spec: {minReadySeconds: <absent>}, status: {collisionCount: 3}}`},
		{method: "PATCH", path: deployments + "/d", kind: mergePatch, body: `{spec: {minReadySeconds: 6}, status: {collisionCount: 9}}`, status: 200, want: `{metadata: {generation: 2}, spec: {minReadySeconds: 6}, status: {collisionCount: 3}}`},
		{method: "PATCH", path: deployments + "/d", kind: mergePatch, body: `{metadata: {labels: {x: y}}}`, status: 200, want: `{metadata: {generation: 2}}`},
		{method: "GET", path: deployments + "/d/status", status: 200, want: `{kind: Deployment, status: {collisionCount: 3}}`},
		// Annotations of a Deployment are copied to its ReplicaSets, so they count as its spec.
		{method: "PATCH", path: deployments + "/d", kind: mergePatch, body: `{metadata: {annotations: {x: y}}}`, status: 200, want: `{metadata: {generation: 3}}`},
		{method: "PATCH", path: deployments + "/d/status?fieldManager=ctl", kind: mergePatch, body: `{status: {collisionCount: 4}}`, status: 200, want: `{metadata: {managedFields: {<contains>: [{manager: ctl, subresource: status, operation: Update}]}}}`},
		{method: "PATCH", path: deployments + "/nope/status", kind: mergePatch, body: `{}`, status: 404, want: `{message: deployments.apps "nope" not found, details: {name: nope, group: apps, kind: deployments}}`},
	}},
	{"scale is a view of its own", []exchange{
		{method: "POST", path: deployments, status: 201, body: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: 0, paused: true, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}`},
		{method: "GET", path: deployments + "/d/scale", status: 200, want: `{kind: Scale, apiVersion: autoscaling/v1, metadata: {name: d, namespace: "${ns}"}, status: {selector: a=b}}`},
		{method: "PATCH", path: deployments + "/d/scale", kind: mergePatch, body: `{spec: {replicas: 1}}`, status: 200, want: `{spec: {replicas: 1}}`},
		{method: "GET", path: deployments + "/d", status: 200, want: `{metadata: {generation: 2}, spec: {replicas: 1}}`},
	}},
}

var lifeGroups = []group{
	{"a finalizer holds an object", []exchange{
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, finalizers: [example.com/hold]}}`, status: 201},
		{method: "DELETE", path: maps + "/a", status: 200, want: `{kind: ConfigMap, metadata: {name: a, deletionTimestamp: <any>, deletionGracePeriodSeconds: 0, finalizers: [example.com/hold]}}`, keep: "at=metadata.deletionTimestamp"},
		{method: "DELETE", path: maps + "/a", status: 200, want: `{metadata: {deletionTimestamp: "${at}"}}`},
		{method: "PATCH", path: maps + "/a", kind: mergePatch, body: `{metadata: {finalizers: [example.com/hold, example.com/more]}}`, status: 422, want: `{reason: Invalid, message: "<has> metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted"}`},
		{method: "PATCH", path: maps + "/a", kind: mergePatch, body: `{metadata: {labels: {l: x}}}`, status: 200, want: `{metadata: {labels: {l: x}}}`},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}`, status: 409, want: `{reason: AlreadyExists, message: '<has> configmaps "a" already exists'}`},
		{method: "PATCH", path: maps + "/a", kind: mergePatch, body: `{metadata: {finalizers: null}}`, status: 200},
		{method: "GET", path: maps + "/a", status: 404},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: b, finalizers: [nodomain]}}`, status: 422, want: `{reason: Invalid}`},
	}},
	{"a namespace comes with what belongs to it", []exchange{
		{method: "GET", path: "/api/v1/namespaces/${ns}", status: 200, want: `{metadata: {labels: {kubernetes.io/metadata.name: "${ns}"}}, spec: {finalizers: [kubernetes]}, status: {phase: Active}}`},
		{method: "GET", path: "/api/v1/namespaces/${ns}/serviceaccounts/default", status: 200, want: `{metadata: {name: default}}`, eventually: true},
		{method: "GET", path: maps + "/kube-root-ca.crt", status: 200, want: `{data: {ca.crt: <any>}}`, eventually: true},
	}},
	{"a namespace goes with all that is in it", []exchange{
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: held, finalizers: [example.com/hold]}}`, status: 201},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: free}}`, status: 201},
		{method: "DELETE", path: "/api/v1/namespaces/${ns}", status: 200, want: `{kind: Namespace, metadata: {deletionTimestamp: <any>}, spec: {finalizers: [kubernetes]}, status: {phase: Terminating}}`},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: late}}`, status: 403,
			want: `{reason: Forbidden, message: '<has> configmaps "late" is forbidden: unable to create new content in namespace ${ns} because it is being terminated', details: {name: late, kind: configmaps, causes: [{reason: NamespaceTerminating, message: "namespace ${ns} is being terminated", field: metadata.namespace}]}, code: 403}`},
		{method: "GET", path: maps + "/free", status: 404, eventually: true},
		{method: "GET", path: "/api/v1/namespaces/${ns}", status: 200, eventually: true, want: `{status: {phase: Terminating, conditions: {<contains>: [
			{type: NamespaceDeletionDiscoveryFailure, status: "False", reason: ResourcesDiscovered}, {type: NamespaceDeletionGroupVersionParsingFailure, status: "False", reason: ParsedGroupVersions},
			{type: NamespaceDeletionContentFailure, status: "False", reason: ContentDeleted},
			{type: NamespaceContentRemaining, status: "True", reason: SomeResourcesRemain, message: "Some resources are remaining: configmaps. has 1 resource instances"},
			{type: NamespaceFinalizersRemaining, status: "True", reason: SomeFinalizersRemain, message: "Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances"}]}}}`},
		{method: "GET", path: maps + "/held", status: 200, want: `{metadata: {deletionTimestamp: <any>}}`},
		{method: "PATCH", path: maps + "/held", kind: mergePatch, body: `{metadata: {finalizers: null}}`, status: 200},
		{method: "GET", path: "/api/v1/namespaces/${ns}", status: 404, eventually: true, want: `{message: 'namespaces "${ns}" not found'}`},
	}},
	{"some namespaces are for ever", []exchange{
		{method: "DELETE", path: "/api/v1/namespaces/default", status: 403, want: `{reason: Forbidden, message: '<has> namespaces "default" is forbidden: this namespace may not be deleted'}`},
		{method: "DELETE", path: "/api/v1/namespaces/kube-system", status: 403},
	}},
	{"what has no owner any more is collected", []exchange{
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: owner}}`, status: 201, keep: "uid=metadata.uid"},
		{method: "POST", path: "/api/v1/namespaces/${ns}/secrets", body: `{apiVersion: v1, kind: Secret, metadata: {name: child, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: "${uid}"}]}}`, status: 201, keep: "child=metadata.uid"},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: grandchild, ownerReferences: [{apiVersion: v1, kind: Secret, name: child, uid: "${child}"}]}}`, status: 201},
		{method: "DELETE", path: maps + "/owner", status: 200, want: `{status: Success}`},
		{method: "GET", path: "/api/v1/namespaces/${ns}/secrets/child", status: 404, eventually: true},
		{method: "GET", path: maps + "/grandchild", status: 404, eventually: true},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: orphan, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: "${uid}"}]}}`, status: 201},
		{method: "GET", path: maps + "/orphan", status: 404, eventually: true},
	}},
	{"an owner may leave orphans, or wait for its dependents", []exchange{
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: owner}}`, status: 201, keep: "uid=metadata.uid"},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: kept, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: "${uid}"}]}}`, status: 201},
		{method: "DELETE", path: maps + "/owner?propagationPolicy=Orphan", status: 200, want: `{kind: ConfigMap, metadata: {deletionTimestamp: <any>, finalizers: [orphan]}}`},
		{method: "GET", path: maps + "/owner", status: 404, eventually: true},
		{method: "GET", path: maps + "/kept", status: 200, want: `{metadata: {ownerReferences: <absent>}}`},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: second}}`, status: 201, keep: "uid=metadata.uid"},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: waits, finalizers: [example.com/hold], ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: second, uid: "${uid}", blockOwnerDeletion: true}]}}`, status: 201},
		{method: "DELETE", path: maps + "/second?propagationPolicy=Foreground", status: 200, want: `{metadata: {deletionTimestamp: <any>, finalizers: [foregroundDeletion]}}`},
		{method: "GET", path: maps + "/waits", status: 200, eventually: true, want: `{metadata: {deletionTimestamp: <any>}}`},
		{method: "GET", path: maps + "/second", status: 200, want: `{metadata: {finalizers: [foregroundDeletion]}}`},
		{method: "PATCH", path: maps + "/waits", kind: mergePatch, body: `{metadata: {finalizers: null}}`, status: 200},
		{method: "GET", path: maps + "/second", status: 404, eventually: true},
	}},
}
