package conform

const deployments = "/apis/apps/v1/namespaces/${ns}/deployments"

var patchGroups = []group{
	{"a merge patch", []exchange{
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {x: "1", y: "2"}}, data: {k: v, l: w}}`, status: 201},
		{method: "PATCH", path: maps + "/a", kind: mergePatch, body: `{metadata: {labels: {x: null}}, data: {k: null, m: n}}`, status: 200, want: `{metadata: {labels: {x: <absent>, y: "2"}}, data: {k: <absent>, l: w, m: n}}`, keep: "rv=metadata.resourceVersion"},
		{method: "PATCH", path: maps + "/a", kind: mergePatch, body: `{data: {l: w}}`, status: 200, want: `{metadata: {resourceVersion: "${rv}"}}`},
		{method: "PATCH", path: maps + "/a", kind: mergePatch, body: `{metadata: {resourceVersion: "1"}, data: {l: x}}`, status: 409, want: `{reason: Conflict}`},
		{method: "PATCH", path: maps + "/a", kind: mergePatch, body: `{metadata: {name: b}}`, status: 400, want: `{reason: BadRequest, message: "<has> the name of the object (b) does not match the name on the URL (a)"}`},
		{method: "PATCH", path: maps + "/nope", kind: mergePatch, body: `{}`, status: 404, want: `{reason: NotFound, message: configmaps "nope" not found}`},
		{method: "PATCH", path: maps + "/a", kind: jsonType, body: `{}`, status: 415, want: `{reason: UnsupportedMediaType, message: "415: Unsupported Media Type", details: {}}`},
		{method: "PATCH", path: maps + "/a", kind: mergePatch, body: `[]`, status: 400, want: `{reason: BadRequest}`},
		{method: "PATCH", path: maps + "/a?fieldValidation=Strict", kind: mergePatch, body: `{nope: 1}`, status: 422, want: `{reason: Invalid, message: "<has> unknown field \"nope\""}`},
	}},
	{"a JSON patch", []exchange{
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}`, status: 201},
		{method: "PATCH", path: maps + "/a", kind: jsonPatch, body: `[{op: test, path: /data/k, value: v}, {op: replace, path: /data/k, value: w}, {op: add, path: /data/l, value: x}, {op: copy, from: /data/l, path: /data/m}, {op: move, from: /data/m, path: /data/n}]`, status: 200, want: `{data: {k: w, l: x, n: x, m: <absent>}}`},
		{method: "PATCH", path: maps + "/a", kind: jsonPatch, body: `[{op: test, path: /data/k, value: v}]`, status: 422, want: `{reason: Invalid, message: "<has> the server rejected our request due to an error in our request", code: 422}`},
		{method: "PATCH", path: maps + "/a", kind: jsonPatch, body: `[{op: remove, path: /data/nope}]`, status: 422, want: `{reason: Invalid}`},
		{method: "PATCH", path: maps + "/a", kind: jsonPatch, body: `{op: remove}`, status: 400, want: `{reason: BadRequest}`},
		{method: "PATCH", path: maps + "/a", kind: jsonPatch, body: `[{op: remove, path: /data/l}]`, status: 200, want: `{data: {l: <absent>, k: w}}`},
	}},
	{"a strategic merge patch knows the keys of lists", []exchange{
		{method: "POST", path: deployments, status: 201, body: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: 0, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i, env: [{name: X, value: "1"}, {name: Y, value: "2"}]}, {name: e, image: j}]}}}}`},
		{method: "PATCH", path: deployments + "/d", kind: strategic, status: 200, body: `{spec: {template: {spec: {containers: [{name: c, image: k, env: [{name: X, $patch: delete}, {name: Z, value: "3"}]}]}}}}`,
			want: `{metadata: {generation: 2}, spec: {template: {spec: {containers: [{name: c, image: k, env: [{name: Z, value: "3"}, {name: Y, value: "2"}]}, {name: e, image: j}]}}}}`},
		{method: "PATCH", path: deployments + "/d", kind: strategic, status: 200, body: `{spec: {template: {spec: {containers: [{name: e, $patch: delete}]}}}}`, want: `{spec: {template: {spec: {containers: [{name: c}]}}}}`},
		{method: "PATCH", path: deployments + "/d", kind: strategic, status: 200, body: `{spec: {strategy: {$retainKeys: [type], type: Recreate}}}`, want: `{spec: {strategy: {type: Recreate, rollingUpdate: <absent>}}}`},
		{method: "PATCH", path: deployments + "/d", kind: mergePatch, status: 200, body: `{spec: {template: {spec: {containers: [{name: only, image: z}]}}}}`, want: `{spec: {template: {spec: {containers: [{name: only, image: z}]}}}}`},
	}},
}

var applyGroups = []group{
	{"a server-side apply", []exchange{
		{method: "PATCH", path: maps + "/a", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}`, status: 422,
			want: `{reason: Invalid, message: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch'}`},
		{method: "PATCH", path: maps + "/a?fieldManager=one", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v, l: w}}`, status: 201,
			want: `{data: {k: v, l: w}, metadata: {managedFields: [{manager: one, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {"f:data": {"f:k": {}, "f:l": {}}}}]}}`},
		{method: "PATCH", path: maps + "/a?fieldManager=one", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v, l: w}}`, status: 200, keep: "rv=metadata.resourceVersion"},
		{method: "PATCH", path: maps + "/a?fieldManager=one", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v, l: w}}`, status: 200, want: `{metadata: {resourceVersion: "${rv}"}}`},
		{method: "PATCH", path: maps + "/a?fieldManager=two", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: other}}`, status: 409,
			want: `{reason: Conflict, message: 'Apply failed with 1 conflict: conflict with "one": .data.k', details: {causes: [{reason: FieldManagerConflict, message: conflict with "one", field: .data.k}]}, code: 409}`},
		{method: "PATCH", path: maps + "/a?fieldManager=two", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}`, status: 200,
			want: `{metadata: {managedFields: {<contains>: [{manager: one, operation: Apply, fieldsV1: {"f:data": {"f:k": {}, "f:l": {}}}}, {manager: two, operation: Apply, fieldsV1: {"f:data": {"f:k": {}}}}]}}}`},
		{method: "PATCH", path: maps + "/a?fieldManager=two&force=true", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: other}}`, status: 200, want: `{data: {k: other, l: w}}`},
		{method: "PATCH", path: maps + "/a?fieldManager=one", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {}}`, status: 200, want: `{data: {k: other, l: <absent>}}`},
		{method: "PATCH", path: maps + "/a?fieldManager=three", kind: mergePatch, body: `{data: {k: third}}`, status: 200, want: `{data: {k: third}}`},
		{method: "PATCH", path: maps + "/a?fieldManager=two", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: other}}`, status: 409,
			want: `{message: '<has> Apply failed with 1 conflict: conflict with "three" using v1', details: {causes: [{reason: FieldManagerConflict, field: .data.k}]}}`},
	}},
	{"a server-side apply that is wrong", []exchange{
		{method: "PATCH", path: maps + "/a?fieldManager=one", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}`, status: 400, want: `{reason: BadRequest, message: "<has> the name of the object"}`},
		{method: "PATCH", path: maps + "/a?fieldManager=one", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, managedFields: [{manager: x}]}}`, status: 400, want: `{message: metadata.managedFields must be nil}`},
		{method: "PATCH", path: maps + "/a?fieldManager=one", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, nope: x}`, status: 500, want: `{message: "<has> .nope: field not declared in schema", code: 500}`},
		{method: "PATCH", path: maps + "/a?fieldManager=one&fieldValidation=Strict", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, nope: x}`, status: 500, want: `{message: "<has> .nope: field not declared in schema"}`},
		{method: "PATCH", path: maps + "/a?fieldManager=one", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, uid: 01234567-89ab-cdef-0123-456789abcdef}}`, status: 409, want: `{reason: Conflict}`},
	}},
	{"lists with keys belong to several at once", []exchange{
		{method: "PATCH", path: deployments + "/d?fieldManager=one", kind: applyPatch, status: 201, body: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: 0, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}`},
		{method: "PATCH", path: deployments + "/d?fieldManager=two", kind: applyPatch, status: 200, body: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {template: {spec: {containers: [{name: e, image: j}]}}}}`,
			want: `{metadata: {generation: 2}, spec: {template: {spec: {containers: [{name: c}, {name: e}]}}}}`},
		{method: "PATCH", path: deployments + "/d?fieldManager=two", kind: applyPatch, status: 200, body: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}}`, want: `{metadata: {generation: 3}, spec: {template: {spec: {containers: [{name: c}]}}}}`},
		{method: "PATCH", path: deployments + "/d?fieldManager=two", kind: applyPatch, status: 409, body: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {template: {spec: {containers: [{name: c, image: z}]}}}}`,
			want: `{details: {causes: [{reason: FieldManagerConflict, field: '.spec.template.spec.containers[name="c"].image'}]}}`},
	}},
}

var dryRunGroups = []group{
	{"a dry run changes nothing", []exchange{
		{method: "POST", path: maps + "?dryRun=All", body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}`, status: 201, want: `{metadata: {name: a, uid: <any>, resourceVersion: <absent>}}`},
		{method: "GET", path: maps + "/a", status: 404},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}`, status: 201, keep: "rv=metadata.resourceVersion"},
		{method: "POST", path: maps + "?dryRun=All", body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}`, status: 409, want: `{reason: AlreadyExists}`},
		{method: "PATCH", path: maps + "/a?dryRun=All", kind: mergePatch, body: `{data: {k: w}}`, status: 200, want: `{data: {k: w}, metadata: {resourceVersion: "${rv}"}}`},
		{method: "PATCH", path: maps + "/a?dryRun=All&fieldManager=x&force=true", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: z}}`, status: 200, want: `{data: {k: z}}`},
		{method: "PUT", path: maps + "/a?dryRun=All", body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}`, status: 200, want: `{data: <absent>}`},
		{method: "DELETE", path: maps + "/a?dryRun=All", status: 200, want: `{status: Success}`},
		{method: "GET", path: maps + "/a", status: 200, want: `{data: {k: v}, metadata: {resourceVersion: "${rv}"}}`},
		{method: "POST", path: maps + "?dryRun=Some", body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}`, status: 422, want: `{reason: Invalid, message: "<has> dryRun: Unsupported value: [\"Some\"]: supported values: \"All\""}`},
		{method: "PATCH", path: maps + "/new?dryRun=All&fieldManager=x", kind: applyPatch, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: new}}`, status: 201},
		{method: "GET", path: maps + "/new", status: 404},
	}},
}
