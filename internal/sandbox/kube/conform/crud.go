package conform

const maps = "/api/v1/namespaces/${ns}/configmaps"

var crudGroups = []group{
	{"an object is made, read, changed and deleted", []exchange{
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {l: x}}, data: {k: v}}`, status: 201,
			want: `{kind: ConfigMap, apiVersion: v1, metadata: {name: a, namespace: "${ns}", uid: <any>, resourceVersion: <any>, creationTimestamp: "<matches> Z$", generation: <absent>, labels: {l: x},
			managedFields: [{manager: conform, operation: Update, apiVersion: v1, time: <any>, fieldsType: FieldsV1, fieldsV1: {"f:data": {".": {}, "f:k": {}}, "f:metadata": {"f:labels": {".": {}, "f:l": {}}}}}]}, data: {k: v}}`, keep: "first=metadata.resourceVersion"},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}`, status: 409,
			want: `{kind: Status, apiVersion: v1, metadata: {}, status: Failure, message: configmaps "a" already exists, reason: AlreadyExists, details: {name: a, kind: configmaps}, code: 409}`},
		{method: "GET", path: maps + "/a", status: 200, want: `{kind: ConfigMap, metadata: {name: a, resourceVersion: "${first}"}, data: {k: v}}`, keep: "uid=metadata.uid"},
		{method: "PUT", path: maps + "/a", body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: w}}`, status: 200, want: `{metadata: {uid: "${uid}", labels: <absent>}, data: {k: w}}`, keep: "second=metadata.resourceVersion"},
		{method: "PUT", path: maps + "/a", body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, resourceVersion: "${first}"}}`, status: 409,
			want: `{reason: Conflict, message: 'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again', details: {name: a, kind: configmaps}, code: 409}`},
		{method: "PUT", path: maps + "/a", body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, uid: wrong}}`, status: 409, want: `{reason: Conflict, message: "<has> Precondition failed: UID in precondition: wrong, UID in object meta: "}`},
		{method: "PUT", path: maps + "/a", body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: w}}`, status: 200, want: `{metadata: {resourceVersion: "${second}"}}`},
		{method: "DELETE", path: maps + "/a", body: `{kind: DeleteOptions, apiVersion: v1, preconditions: {uid: wrong}}`, status: 409, want: `{reason: Conflict, message: "<has> the UID in the precondition (wrong) does not match the UID in record"}`},
		{method: "DELETE", path: maps + "/a", status: 200, want: `{kind: Status, status: Success, details: {name: a, kind: configmaps, uid: "${uid}"}}`},
		{method: "GET", path: maps + "/a", status: 404, want: `{kind: Status, status: Failure, message: configmaps "a" not found, reason: NotFound, details: {name: a, kind: configmaps}, code: 404}`},
		{method: "DELETE", path: maps + "/a", status: 404, want: `{reason: NotFound, message: configmaps "a" not found}`},
		{method: "PUT", path: maps + "/a", body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}`, status: 404, want: `{reason: NotFound}`},
	}},
	{"an object may come as YAML and go as metadata", []exchange{
		{method: "POST", path: maps, kind: yamlType, body: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata: {k: v}\n", status: 201, want: `{data: {k: v}}`},
		{method: "GET", path: maps + "/a", accept: asMetadata, status: 200, want: `{kind: PartialObjectMetadata, apiVersion: meta.k8s.io/v1, metadata: {name: a}, data: <absent>}`},
		{method: "GET", path: maps, accept: asMetadatas, status: 200, want: `{kind: PartialObjectMetadataList, apiVersion: meta.k8s.io/v1, items: {<contains>: [{metadata: {name: a}, data: <absent>}]}}`},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {generateName: made-}}`, status: 201, want: `{metadata: {generateName: made-, name: "<matches> ^made-[a-z0-9]{5}$"}}`},
	}},
	{"many are deleted at once", []exchange{
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {l: x}}}`, status: 201},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: b, labels: {l: x}}}`, status: 201},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, labels: {l: y}}}`, status: 201},
		{method: "DELETE", path: maps + "?labelSelector=l%3Dx", status: 200, want: `{kind: ConfigMapList, items: [{metadata: {name: a}}, {metadata: {name: b}}]}`},
		{method: "GET", path: maps + "?labelSelector=l", status: 200, want: `{items: [{metadata: {name: c}}]}`},
	}},
}

var refusalGroups = []group{
	{"what is wrong with an object is said", []exchange{
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: Upper_Case}}`, status: 422,
			want: `{reason: Invalid, message: "<has> ConfigMap \"Upper_Case\" is invalid: metadata.name: Invalid value: \"Upper_Case\": a lowercase RFC 1123 subdomain must consist of", details: {name: Upper_Case, kind: ConfigMap, causes: [{reason: FieldValueInvalid, field: metadata.name}]}, code: 422}`},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {}}`, status: 422, want: `{reason: Invalid, message: "<has> name or generateName is required"}`},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: elsewhere}}`, status: 400, want: `{reason: BadRequest, message: the namespace of the provided object does not match the namespace sent on the request}`},
		{method: "POST", path: "/api/v1/namespaces/no-such-one/configmaps", body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}`, status: 404, want: `{reason: NotFound, message: namespaces "no-such-one" not found, details: {kind: namespaces, name: no-such-one}}`},
		{method: "POST", path: maps, body: `{"apiVersion": `, status: 400, want: `{reason: BadRequest}`},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: Secret, metadata: {name: a}}`, status: 400, want: `{reason: BadRequest, message: "<has> Secret in version \"v1\" cannot be handled as a ConfigMap"}`},
		{method: "POST", path: maps, body: `{apiVersion: v2, kind: ConfigMap, metadata: {name: a}}`, status: 400, want: `{reason: BadRequest, message: "<has> ConfigMap in version \"v2\" cannot be handled as a ConfigMap: no kind \"ConfigMap\" is registered for version \"v2\" in scheme"}`},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: 1}}`, status: 400, want: `{reason: BadRequest, message: "<has> ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field"}`},
		{method: "POST", path: maps, kind: unsupported, body: `x`, status: 415, want: `{reason: UnsupportedMediaType, code: 415}`},
		{method: "GET", path: maps, accept: notAcceptable, status: 406, want: `{reason: NotAcceptable, code: 406}`},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, resourceVersion: "5"}}`, status: 500, want: `{message: resourceVersion should not be set on objects to be created}`},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {l: "not a value!"}}}`, status: 422, want: `{details: {causes: [{field: metadata.labels, reason: FieldValueInvalid}]}}`},
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {"bad key": v}}`, status: 422, want: `{details: {causes: [{field: "data[bad key]", reason: FieldValueInvalid}]}}`},
	}},
	{"an unknown field is refused, warned of or ignored as asked", []exchange{
		{method: "POST", path: maps + "?fieldValidation=Strict", body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, nope: 1}`, status: 400,
			want: `{reason: BadRequest, message: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "nope"'}`},
		{method: "POST", path: maps + "?fieldValidation=Warn", body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, nope: 1}`, status: 201, warn: `unknown field \"nope\"`, want: `{nope: <absent>}`},
		{method: "POST", path: maps + "?fieldValidation=Ignore", body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: b}, nope: 1}`, status: 201, want: `{nope: <absent>}`},
		{method: "POST", path: maps + "?fieldValidation=Perhaps", body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}`, status: 422, want: `{reason: Invalid, message: "<has> fieldValidation: Unsupported value: \"Perhaps\""}`},
		{method: "POST", path: "/apis/apps/v1/namespaces/${ns}/deployments?fieldValidation=Strict", status: 400,
			body: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i, imagee: j}]}}}}`,
			want: `{message: 'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.template.spec.containers[0].imagee"'}`},
	}},
	{"what may not change stays", []exchange{
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}, immutable: true}`, status: 201},
		{method: "PATCH", path: maps + "/a", kind: mergePatch, body: `{data: {k: w}}`, status: 422, want: `{message: "<has> data: Forbidden: field is immutable when ` + "`immutable`" + ` is set"}`},
		{method: "PUT", path: maps + "/a", body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}`, status: 400, want: `{message: the name of the object (b) does not match the name on the URL (a)}`},
		{method: "POST", path: "/apis/apps/v1/namespaces/${ns}/deployments", status: 201,
			body: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: 0, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}`},
		{method: "PATCH", path: "/apis/apps/v1/namespaces/${ns}/deployments/d", kind: mergePatch, body: `{spec: {selector: {matchLabels: {a: c}}, template: {metadata: {labels: {a: c}}}}}`, status: 422,
			want: `{reason: Invalid, details: {causes: {<contains>: [{reason: FieldValueInvalid, message: "<has> field is immutable", field: spec.selector}]}}}`},
		{method: "POST", path: "/api/v1/namespaces/${ns}/secrets", body: `{apiVersion: v1, kind: Secret, metadata: {name: s}, type: Opaque}`, status: 201},
		{method: "PATCH", path: "/api/v1/namespaces/${ns}/secrets/s", kind: mergePatch, body: `{type: other/type}`, status: 422, want: `{message: 'Secret "s" is invalid: type: Invalid value: "other/type": field is immutable'}`},
	}},
}
