package conform

var listGroups = []group{
	{"lists are selected and paged", []exchange{
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {app: x, tier: one}}}`, status: 201},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: b, labels: {app: x, tier: two}}}`, status: 201},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, labels: {app: y, tier: one}}}`, status: 201},
		{method: "GET", path: maps + "?labelSelector=app%3Dx", status: 200, want: `{kind: ConfigMapList, apiVersion: v1, metadata: {resourceVersion: <any>}, items: [{kind: <absent>, metadata: {name: a}}, {metadata: {name: b}}]}`},
		{method: "GET", path: maps + "?labelSelector=app+in+(x,y),tier!%3Dtwo", status: 200, want: `{items: [{metadata: {name: a}}, {metadata: {name: c}}]}`},
		{method: "GET", path: maps + "?labelSelector=app,!nope,tier+notin+(one)", status: 200, want: `{items: [{metadata: {name: b}}]}`},
		{method: "GET", path: maps + "?fieldSelector=metadata.name%3Dc", status: 200, want: `{items: [{metadata: {name: c}}]}`},
		{method: "GET", path: maps + "?labelSelector=app&fieldSelector=metadata.name!%3Dc", status: 200, want: `{items: [{metadata: {name: a}}, {metadata: {name: b}}]}`},
		{method: "GET", path: maps + "?fieldSelector=data.k%3Dv", status: 400, want: `{reason: BadRequest, message: '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"'}`},
		{method: "GET", path: maps + "?labelSelector=app%3D%3D%3D", status: 400, want: `{reason: BadRequest, message: "<has> unable to parse requirement"}`},
		{method: "GET", path: maps + "?labelSelector=nobody%3Dhas", status: 200, want: `{items: []}`},
		{method: "GET", path: "/api/v1/configmaps?fieldSelector=metadata.namespace%3D${ns},metadata.name%3Da", status: 200, want: `{items: [{metadata: {name: a, namespace: "${ns}"}}]}`},
		{method: "GET", path: maps + "?limit=2&fieldSelector=metadata.name!%3Dkube-root-ca.crt", status: 200, want: `{metadata: {continue: <any>, remainingItemCount: <absent>}, items: [{metadata: {name: a}}, {metadata: {name: b}}]}`, keep: "more=metadata.continue"},
		{method: "GET", path: maps + "?limit=2&fieldSelector=metadata.name!%3Dkube-root-ca.crt&continue=${more}", status: 200, want: `{metadata: {continue: <absent>}, items: [{metadata: {name: c}}]}`},
		{method: "GET", path: maps + "?limit=1&continue=nonsense", status: 400, want: `{reason: BadRequest, message: "<has> continue key is not valid"}`},
	}},
	{"pages are of one moment", []exchange{
		{method: "POST", path: "/api/v1/namespaces/${ns}/secrets", body: `{apiVersion: v1, kind: Secret, metadata: {name: a}}`, status: 201},
		{method: "POST", path: "/api/v1/namespaces/${ns}/secrets", body: `{apiVersion: v1, kind: Secret, metadata: {name: c}}`, status: 201},
		{method: "POST", path: "/api/v1/namespaces/${ns}/secrets", body: `{apiVersion: v1, kind: Secret, metadata: {name: d}}`, status: 201},
		{method: "GET", path: "/api/v1/namespaces/${ns}/secrets?limit=1", status: 200, want: `{metadata: {remainingItemCount: 2}, items: [{metadata: {name: a}}]}`, keep: "more=metadata.continue"},
		{method: "GET", path: "/api/v1/namespaces/${ns}/secrets?limit=1", status: 200, keep: "then=metadata.resourceVersion"},
		{method: "POST", path: "/api/v1/namespaces/${ns}/secrets", body: `{apiVersion: v1, kind: Secret, metadata: {name: b}}`, status: 201},
		{method: "GET", path: "/api/v1/namespaces/${ns}/secrets?limit=1&continue=${more}", status: 200, want: `{metadata: {remainingItemCount: 1}, items: [{metadata: {name: c}}]}`},
		{method: "GET", path: "/api/v1/namespaces/${ns}/secrets?resourceVersion=${then}&resourceVersionMatch=Exact", status: 200, want: `{metadata: {resourceVersion: "${then}"}, items: [{metadata: {name: a}}, {metadata: {name: c}}, {metadata: {name: d}}]}`},
		{method: "GET", path: "/api/v1/namespaces/${ns}/secrets?resourceVersion=0", status: 200, want: `{kind: SecretList}`},
		{method: "GET", path: "/api/v1/namespaces/${ns}/secrets?resourceVersionMatch=Exact", status: 422, want: `{reason: Invalid, message: "<has> resourceVersionMatch is forbidden unless resourceVersion is provided"}`},
		{method: "GET", path: "/api/v1/namespaces/${ns}/secrets?resourceVersion=nonsense", status: 400, want: `{reason: BadRequest}`},
		{method: "GET", path: "/api/v1/namespaces/${ns}/secrets?resourceVersion=999999999", status: 504, want: `{reason: Timeout, message: "<has> Too large resource version: 999999999, current: ", code: 504}`},
	}},
	{"kinds have fields of their own to select by", []exchange{
		{method: "POST", path: "/api/v1/namespaces/${ns}/secrets", body: `{apiVersion: v1, kind: Secret, metadata: {name: basic}, type: kubernetes.io/basic-auth, stringData: {username: u, password: p}}`, status: 201},
		{method: "GET", path: "/api/v1/namespaces/${ns}/secrets?fieldSelector=type%3Dkubernetes.io/basic-auth", status: 200, want: `{items: [{metadata: {name: basic}}]}`},
		{method: "POST", path: "/api/v1/namespaces/${ns}/pods", body: `{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {nodeName: somewhere, containers: [{name: c, image: i}]}}`, status: 201},
		{method: "GET", path: "/api/v1/namespaces/${ns}/pods?fieldSelector=spec.nodeName%3Dsomewhere,status.phase%3DPending", status: 200, want: `{items: [{metadata: {name: p}}]}`},
		{method: "GET", path: "/api/v1/namespaces/${ns}/pods?fieldSelector=status.phase%3DRunning", status: 200, want: `{items: []}`},
		{method: "GET", path: "/api/v1/namespaces?fieldSelector=status.phase%3DActive,metadata.name%3D${ns}", status: 200, want: `{items: [{metadata: {name: "${ns}"}}]}`},
	}},
}

var watchGroups = []group{
	{"a watch goes on where a list ended", []exchange{
		{method: "GET", path: maps, status: 200, keep: "then=metadata.resourceVersion"},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {l: x}}}`, status: 201},
		{method: "PATCH", path: maps + "/a", kind: mergePatch, body: `{metadata: {labels: {l: y}}}`, status: 200},
		{method: "PATCH", path: maps + "/a", kind: mergePatch, body: `{metadata: {labels: {l: y}}}`, status: 200},
		{method: "DELETE", path: maps + "/a", status: 200},
		{method: "GET", path: maps + "?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Da&resourceVersion=${then}", status: 200,
			stream: `[{type: ADDED, object: {kind: ConfigMap, apiVersion: v1, metadata: {name: a, labels: {l: x}}}}, {type: MODIFIED, object: {metadata: {labels: {l: y}}}}, {type: DELETED, object: {metadata: {name: a, labels: {l: y}}}}]`},
		{method: "GET", path: maps + "?watch=1&timeoutSeconds=1&labelSelector=l%3Dx&resourceVersion=${then}", status: 200,
			stream: `[{type: ADDED, object: {metadata: {labels: {l: x}}}}, {type: DELETED, object: {metadata: {name: a}}}]`},
		{method: "GET", path: maps + "?watch=1&timeoutSeconds=1&labelSelector=l%3Dy&resourceVersion=${then}", status: 200,
			stream: `[{type: ADDED, object: {metadata: {labels: {l: y}}}}, {type: DELETED, object: {metadata: {name: a}}}]`},
		{method: "GET", path: "/api/v1/watch/namespaces/${ns}/configmaps/a?timeoutSeconds=1&resourceVersion=${then}", status: 200, stream: `[{type: ADDED}, {type: MODIFIED}, {type: DELETED}]`},
		{method: "GET", path: maps + "?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Da&resourceVersion=${then}", accept: asMetadata, status: 200,
			stream: `[{type: ADDED, object: {kind: PartialObjectMetadata, metadata: {name: a}}}, {type: MODIFIED}, {type: DELETED}]`},
	}},
	{"a watch may begin with what there is", []exchange{
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {l: x}}}`, status: 201},
		{method: "GET", path: maps + "?watch=1&timeoutSeconds=1&labelSelector=l", status: 200, stream: `[{type: ADDED, object: {metadata: {name: a}}}]`},
		{method: "GET", path: maps + "?watch=1&timeoutSeconds=1&labelSelector=l&resourceVersion=0", status: 200, stream: `[{type: ADDED, object: {metadata: {name: a}}}]`},
		{method: "GET", path: maps + "?watch=1&timeoutSeconds=1&labelSelector=l&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan", status: 200,
			stream: `[{type: ADDED, object: {metadata: {name: a}}}, {type: BOOKMARK, object: {kind: ConfigMap, apiVersion: v1, metadata: {name: <absent>, resourceVersion: <any>, annotations: {k8s.io/initial-events-end: "true"}}}}]`},
		{method: "GET", path: maps + "?watch=1&sendInitialEvents=true&allowWatchBookmarks=true", status: 422, want: `{reason: Invalid, message: "<has> resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"}`},
		{method: "GET", path: maps + "?watch=1&timeoutSeconds=1&labelSelector=l", accept: asTable, status: 200, stream: `[{type: ADDED, object: {kind: Table, columnDefinitions: [{name: Name}, {name: Data}, {name: Age}], rows: [{cells: [a, 0, <any>]}]}}]`},
	}},
	{"a watch from nowhere", []exchange{
		{method: "GET", path: maps + "?watch=1&resourceVersion=nonsense", status: 500, want: `{message: 'resourceVersion: Invalid value: "nonsense": strconv.ParseUint: parsing "nonsense": invalid syntax', code: 500}`},
	}},
}

const budgets = "/apis/policy/v1/namespaces/${ns}/poddisruptionbudgets"

// beforeCompaction and afterCompaction are about a kind whose watches and lists come straight from storage: a real server
// keeps a history of most kinds in its memory for longer than the storage does.
var (
	beforeCompaction = []exchange{
		{method: "POST", path: budgets, body: `{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: a}}`, status: 201, keep: "then=metadata.resourceVersion"},
		{method: "POST", path: budgets, body: `{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}}`, status: 201},
		{method: "GET", path: budgets + "?limit=1", status: 200, want: `{items: [{metadata: {name: a}}]}`, keep: "more=metadata.continue"},
		{method: "POST", path: budgets, body: `{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: c}}`, status: 201},
	}
	afterCompaction = []exchange{
		{method: "GET", path: budgets + "?watch=1&timeoutSeconds=5&resourceVersion=${then}", status: 200, stream: `[{type: ERROR, object: {kind: Status, apiVersion: v1, status: Failure, reason: Expired, message: <any>, code: 410}}]`},
		{method: "GET", path: budgets + "?limit=1&continue=${more}", status: 410, keep: "rest=metadata.continue",
			want: `{kind: Status, reason: Expired, code: 410, message: "<has> The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results."}`},
		{method: "GET", path: budgets + "?continue=${rest}", status: 200, want: `{items: [{metadata: {name: b}}, {metadata: {name: c}}]}`},
		{method: "GET", path: budgets + "?resourceVersion=${then}&resourceVersionMatch=Exact", status: 410, want: `{reason: Expired, message: The resourceVersion for the provided list is too old.}`},
	}
)
