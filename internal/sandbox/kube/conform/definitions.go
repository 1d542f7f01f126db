package conform

const (
	crds   = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	things = "/apis/${ns}.example.com/v1/namespaces/${ns}/things"
	crd    = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: "things.${ns}.example.com"}, spec: {group: "${ns}.example.com", scope: Namespaced,
		names: {plural: things, singular: thing, kind: Thing, shortNames: [th], categories: [conform]},
		versions: [{name: v1, served: true, storage: true, subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}},
			additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}, {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status'}, {name: Wide, type: string, priority: 1, jsonPath: .spec.mode}],
			selectableFields: [{jsonPath: .spec.mode}],
			schema: {openAPIV3Schema: {type: object, properties: {
				spec: {type: object, required: [size], properties: {size: {type: integer, minimum: 1}, mode: {type: string, default: quick, enum: [quick, slow]}, ports: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], properties: {name: {type: string}, port: {type: integer}}}}}},
				status: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}]}}`
)

// ruled is a definition with a rule in CEL.
const ruled = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: "things.${ns}.example.com"}, spec: {group: "${ns}.example.com", scope: Namespaced, names: {plural: things, kind: Thing},
	versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}, x-kubernetes-validations: [{rule: "self.size < 100", message: too large}]}}}}}]}}`

var ruleGroups = []group{
	{"a rule of a definition is kept", []exchange{
		{method: "POST", path: crds, body: ruled, status: 201},
		{method: "GET", path: things, status: 200, eventually: true},
		{method: "POST", path: things, status: 422, body: `{apiVersion: "${ns}.example.com/v1", kind: Thing, metadata: {name: b}, spec: {size: 100}}`, want: `{reason: Invalid, message: "<has> spec: Invalid value: ", details: {causes: [{message: "<has> too large", field: spec}]}}`},
	}},
}

var definitionGroups = []group{
	{"a definition makes a kind", []exchange{
		{method: "POST", path: crds, body: crd, status: 201, want: `{spec: {names: {listKind: ThingList}, conversion: {strategy: None}}, status: {storedVersions: [v1]}}`},
		{method: "GET", path: crds + "/things.${ns}.example.com", status: 200, eventually: true, want: `{status: {acceptedNames: {plural: things, kind: Thing}, conditions: {<contains>: [
			{type: NamesAccepted, status: "True", reason: NoConflicts, message: no conflicts found}, {type: Established, status: "True", reason: InitialNamesAccepted, message: the initial names have been accepted}]}}}`},
		{method: "GET", path: things, status: 200, eventually: true, want: `{kind: ThingList, apiVersion: "${ns}.example.com/v1", items: []}`},
		{method: "GET", path: "/apis/${ns}.example.com/v1", status: 200, eventually: true, want: `{kind: APIResourceList, resources: [
			{name: things, singularName: thing, namespaced: true, kind: Thing, shortNames: [th], categories: [conform], verbs: [delete, deletecollection, get, list, patch, create, update, watch]},
			{name: things/status, verbs: [get, patch, update]}, {name: things/scale, group: autoscaling, version: v1, kind: Scale}]}`},
		{method: "POST", path: things, status: 201, body: `{apiVersion: "${ns}.example.com/v1", kind: Thing, metadata: {name: a}, spec: {size: 3, unknown: x}, status: {size: 9}}`,
			want: `{metadata: {generation: 1, uid: <any>}, spec: {size: 3, mode: quick, unknown: <absent>}, status: <absent>}`},
		{method: "POST", path: things + "?fieldValidation=Strict", status: 400, body: `{apiVersion: "${ns}.example.com/v1", kind: Thing, metadata: {name: b}, spec: {size: 3, unknown: x}}`, want: `{message: "<has> strict decoding error: unknown field \"spec.unknown\""}`},
		{method: "POST", path: things, status: 422, body: `{apiVersion: "${ns}.example.com/v1", kind: Thing, metadata: {name: b}, spec: {size: 0, mode: other}}`,
			want: `{reason: Invalid, message: "<has> Thing.${ns}.example.com \"b\" is invalid:", details: {group: "${ns}.example.com", kind: Thing, causes: {<contains>: [{field: spec.size, message: "<has> spec.size in body should be greater than or equal to 1"}, {field: spec.mode, reason: FieldValueNotSupported, message: "<has> Unsupported value: \"other\": supported values: \"quick\", \"slow\""}]}}}`},
		{method: "POST", path: things, status: 422, body: `{apiVersion: "${ns}.example.com/v1", kind: Thing, metadata: {name: b}, spec: {}}`, want: `{message: 'Thing.${ns}.example.com "b" is invalid: spec.size: Required value'}`},
		{method: "POST", path: things, status: 422, body: `{apiVersion: "${ns}.example.com/v1", kind: Thing, metadata: {name: b}, spec: {size: three}}`, want: `{message: "<has> spec.size: Invalid value: \"string\": spec.size in body must be of type integer: \"string\""}`},
		{method: "PATCH", path: things + "/a", kind: mergePatch, body: `{spec: {size: 4}, status: {size: 9}}`, status: 200, want: `{metadata: {generation: 2}, status: <absent>}`},
		{method: "PATCH", path: things + "/a/status", kind: mergePatch, body: `{spec: {size: 5}, status: {size: 4, anything: goes, conditions: [{type: Ready, status: "True"}]}}`, status: 200, want: `{metadata: {generation: 2}, spec: {size: 4}, status: {size: 4, anything: goes}}`},
		{method: "PATCH", path: things + "/a", kind: strategic, body: `{}`, status: 415, want: `{reason: UnsupportedMediaType}`},
		{method: "PATCH", path: things + "/a", kind: jsonPatch, body: `[{op: replace, path: /spec/size, value: 6}]`, status: 200, want: `{spec: {size: 6}}`},
		{method: "GET", path: things + "/a/scale", status: 200, want: `{kind: Scale, spec: {replicas: 6}, status: {replicas: 4}}`},
		{method: "GET", path: things + "?fieldSelector=spec.mode%3Dquick", status: 200, want: `{items: [{metadata: {name: a}}]}`},
		{method: "GET", path: things, accept: asTable, status: 200, want: `{kind: Table, columnDefinitions: [{name: Name, type: string, format: name, priority: 0}, {name: Size, type: integer}, {name: Ready}, {name: Wide, priority: 1}], rows: [{cells: [a, 6, "True", quick], object: {kind: PartialObjectMetadata, metadata: {name: a}}}]}`},
		{method: "PATCH", path: things + "/a?fieldManager=one", kind: applyPatch, body: `{apiVersion: "${ns}.example.com/v1", kind: Thing, metadata: {name: a}, spec: {ports: [{name: p, port: 1}]}}`, status: 200},
		{method: "PATCH", path: things + "/a?fieldManager=two", kind: applyPatch, body: `{apiVersion: "${ns}.example.com/v1", kind: Thing, metadata: {name: a}, spec: {ports: [{name: q, port: 2}]}}`, status: 200, want: `{spec: {ports: [{name: p}, {name: q}]}}`},
		{method: "DELETE", path: things + "/a", status: 200, want: `{kind: Status, status: Success, details: {name: a, group: "${ns}.example.com", kind: things}}`},
		{method: "DELETE", path: crds + "/things.${ns}.example.com", status: 200},
		{method: "GET", path: things, status: 404, text: "404 page not found", eventually: true},
		{method: "GET", path: crds + "/things.${ns}.example.com", status: 404, eventually: true},
	}},
	{"a definition that is wrong is refused", []exchange{
		{method: "POST", path: crds, status: 422, body: `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: wrong.example.com}, spec: {group: example.com, scope: Namespaced, names: {plural: things, kind: Thing}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`,
			want: `{reason: Invalid, message: "<has> metadata.name: Invalid value: \"wrong.example.com\": must be spec.names.plural+\".\"+spec.group"}`},
		{method: "POST", path: crds, status: 422, body: `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: things.example.com}, spec: {group: example.com, scope: Namespaced, names: {plural: things, kind: Thing}, versions: [{name: v1, served: true, storage: true}]}}`,
			want: `{reason: Invalid, message: "<has> spec.versions[0].schema.openAPIV3Schema: Required value"}`},
		{method: "POST", path: crds, status: 422, body: `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: things.example.com}, spec: {group: example.com, scope: Sometimes, names: {plural: things, kind: Thing}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}}`,
			want: `{reason: Invalid, message: "<has> spec.scope: Unsupported value: \"Sometimes\""}`},
	}},
}
