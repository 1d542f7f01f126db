package conform

const events = "/api/v1/namespaces/${ns}/events"

var eventGroups = []group{
	{"an Event has two forms", []exchange{
		{method: "POST", path: events, status: 201, body: `{apiVersion: v1, kind: Event, metadata: {name: e.1}, type: Warning, reason: UpdateFailed, message: it failed, count: 2, firstTimestamp: "2026-08-22T10:00:00Z", lastTimestamp: "2026-08-22T10:05:00Z", source: {component: external-secrets}, involvedObject: {apiVersion: v1, kind: ConfigMap, name: a, namespace: "${ns}", uid: u-1}}`,
			want: `{kind: Event, apiVersion: v1, involvedObject: {name: a}, reportingComponent: "<any>", reportingInstance: ""}`},
		{method: "GET", path: events + "?fieldSelector=involvedObject.name%3Da,involvedObject.kind%3DConfigMap,type%3DWarning,reason%3DUpdateFailed", status: 200, want: `{kind: EventList, items: [{metadata: {name: e.1}}]}`},
		{method: "GET", path: events + "?fieldSelector=involvedObject.uid%3Du-1", status: 200, want: `{items: [{count: 2}]}`},
		{method: "GET", path: events + "?fieldSelector=involvedObject.name%3Db", status: 200, want: `{items: []}`},
		{method: "GET", path: "/apis/events.k8s.io/v1/namespaces/${ns}/events/e.1", status: 200, want: `{kind: Event, apiVersion: events.k8s.io/v1, note: it failed, reason: UpdateFailed, regarding: {kind: ConfigMap, name: a}, deprecatedCount: 2, deprecatedSource: {component: external-secrets}, message: <absent>}`},
		{method: "GET", path: "/apis/events.k8s.io/v1/namespaces/${ns}/events?fieldSelector=regarding.name%3Da", status: 200, want: `{items: [{note: it failed}]}`},
		{method: "POST", path: events, status: 422, body: `{apiVersion: v1, kind: Event, metadata: {name: e.2}, reason: R, involvedObject: {kind: ConfigMap, name: a, namespace: elsewhere}}`, want: `{reason: Invalid, message: "<has> involvedObject.namespace: Invalid value: \"elsewhere\": does not match event.namespace"}`},
		{method: "POST", path: "/apis/events.k8s.io/v1/namespaces/${ns}/events", status: 201, body: `{apiVersion: events.k8s.io/v1, kind: Event, metadata: {name: e.3}, type: Normal, reason: Scheduled, action: Binding, note: assigned, eventTime: "2026-08-22T10:00:00.000000Z", reportingController: default-scheduler, reportingInstance: here, regarding: {kind: Pod, name: p, namespace: "${ns}"}}`},
		{method: "GET", path: events + "/e.3", status: 200, want: `{message: assigned, involvedObject: {name: p}, reportingComponent: default-scheduler, eventTime: "2026-08-22T10:00:00.000000Z", firstTimestamp: null, source: {}}`},
	}},
}

const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}"

var accessGroups = []group{
	{"who may not is told what", []exchange{
		{as: "stranger", method: "GET", path: maps, status: 401, want: `{kind: Status, status: Failure, message: Unauthorized, reason: Unauthorized, code: 401}`},
		{as: "anonymous", method: "GET", path: maps, status: 403, want: `{reason: Forbidden, message: 'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "${ns}"', details: {kind: configmaps}, code: 403}`},
		{as: "nobody", method: "GET", path: maps, status: 403, want: `{message: 'configmaps is forbidden: User "conform-nobody" cannot list resource "configmaps" in API group "" in the namespace "${ns}"'}`},
		{as: "nobody", method: "GET", path: maps + "/a", status: 403, want: `{message: 'configmaps "a" is forbidden: User "conform-nobody" cannot get resource "configmaps" in API group "" in the namespace "${ns}"', details: {name: a, kind: configmaps}}`},
		{as: "nobody", method: "GET", path: maps + "?watch=1", status: 403, want: `{message: '<has> cannot watch resource "configmaps"'}`},
		{as: "nobody", method: "PATCH", path: deployments + "/d/scale", kind: mergePatch, body: "{}", status: 403, want: `{message: 'deployments.apps "d" is forbidden: User "conform-nobody" cannot patch resource "deployments/scale" in API group "apps" in the namespace "${ns}"'}`},
		{as: "nobody", method: "GET", path: "/api/v1/nodes", status: 403, want: `{message: 'nodes is forbidden: User "conform-nobody" cannot list resource "nodes" in API group "" at the cluster scope'}`},
		{as: "nobody", method: "GET", path: "/metrics", status: 403, want: `{message: 'forbidden: User "conform-nobody" cannot get path "/metrics"'}`},
		{as: "nobody", method: "GET", path: "/apis", status: 200},
	}},
	{"a role opens what it names", []exchange{
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}`, status: 201},
		{method: "POST", path: roles + "/roles", status: 201, body: `{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: reader}, rules: [{apiGroups: [""], resources: [configmaps], resourceNames: [a], verbs: [get]}]}`},
		{method: "POST", path: roles + "/rolebindings", status: 201, body: `{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: reader}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: conform-nobody}]}`},
		{as: "nobody", method: "GET", path: maps + "/a", status: 200, want: `{metadata: {name: a}}`, eventually: true},
		{as: "nobody", method: "GET", path: maps + "/b", status: 403},
		{as: "nobody", method: "GET", path: maps, status: 403},
		{as: "nobody", method: "POST", path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", status: 201, body: `{apiVersion: authorization.k8s.io/v1, kind: SelfSubjectAccessReview, spec: {resourceAttributes: {namespace: "${ns}", verb: get, resource: configmaps, name: a}}}`, want: `{status: {allowed: true}}`},
		{as: "nobody", method: "POST", path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", status: 201, body: `{apiVersion: authorization.k8s.io/v1, kind: SelfSubjectAccessReview, spec: {resourceAttributes: {namespace: "${ns}", verb: delete, resource: configmaps, name: a}}}`, want: `{status: {allowed: false}}`},
		{as: "nobody", method: "POST", path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", status: 201, body: `{apiVersion: authorization.k8s.io/v1, kind: SelfSubjectRulesReview, spec: {namespace: "${ns}"}}`, want: `{status: {resourceRules: {<contains>: [{verbs: [get], apiGroups: [""], resources: [configmaps], resourceNames: [a]}]}}}`},
		{as: "nobody", method: "POST", path: "/apis/authentication.k8s.io/v1/selfsubjectreviews", status: 201, body: `{apiVersion: authentication.k8s.io/v1, kind: SelfSubjectReview}`, want: `{status: {userInfo: {username: conform-nobody, groups: {<contains>: ["system:authenticated"]}}}}`},
		{method: "DELETE", path: roles + "/rolebindings/reader", status: 200},
		{as: "nobody", method: "GET", path: maps + "/a", status: 403, eventually: true},
		{method: "POST", path: roles + "/roles", status: 422, body: `{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: bad}, rules: [{apiGroups: [""], resources: [configmaps], verbs: []}]}`, want: `{reason: Invalid, details: {causes: [{reason: FieldValueRequired, field: "rules[0].verbs"}]}}`},
		{method: "PATCH", path: roles + "/rolebindings/nope", kind: mergePatch, body: "{}", status: 404, want: `{message: rolebindings.rbac.authorization.k8s.io "nope" not found}`},
	}},
	{"roles are made of others", []exchange{
		{method: "POST", path: "/apis/rbac.authorization.k8s.io/v1/clusterroles", status: 201, body: `{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: "${ns}-part", labels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}}, rules: [{apiGroups: ["${ns}.example"], resources: [things], verbs: [get]}]}`},
		{method: "GET", path: "/apis/rbac.authorization.k8s.io/v1/clusterroles/view", status: 200, eventually: true, want: `{rules: {<contains>: [{apiGroups: ["${ns}.example"], resources: [things], verbs: [get]}]}}`},
	}},
	{"a service account logs in with a token of its own", []exchange{
		{method: "POST", path: "/api/v1/namespaces/${ns}/serviceaccounts", status: 201, body: `{apiVersion: v1, kind: ServiceAccount, metadata: {name: robot}}`},
		{method: "POST", path: "/api/v1/namespaces/${ns}/serviceaccounts/robot/token", status: 201, body: `{apiVersion: authentication.k8s.io/v1, kind: TokenRequest, spec: {expirationSeconds: 3600}}`, want: `{status: {token: <any>, expirationTimestamp: <any>}}`, keep: "token=status.token"},
		{method: "POST", path: "/apis/authentication.k8s.io/v1/tokenreviews", status: 201, body: `{apiVersion: authentication.k8s.io/v1, kind: TokenReview, spec: {token: "${token}"}}`,
			want: `{status: {authenticated: true, user: {username: "system:serviceaccount:${ns}:robot", groups: {<contains>: ["system:serviceaccounts", "system:serviceaccounts:${ns}", "system:authenticated"]}}}}`},
		{method: "POST", path: "/apis/authentication.k8s.io/v1/tokenreviews", status: 201, body: `{apiVersion: authentication.k8s.io/v1, kind: TokenReview, spec: {token: garbage}}`, want: `{status: {authenticated: <absent>, error: <any>}}`},
	}},
}

const pods = "/api/v1/namespaces/${ns}/pods"

var logGroups = []group{
	{"logs come from the node", []exchange{
		{method: "POST", path: pods, status: 201, body: `{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {nodeName: "${node}", containers: [{name: app, image: i}]}}`},
		{method: "GET", path: pods + "/p/log", status: 200, text: Log},
		{method: "GET", path: pods + "/p/log?container=app&tailLines=2", status: 200, text: "two\nthree\n"},
		{method: "GET", path: pods + "/p/log?limitBytes=5", status: 200, text: "one\nt"},
		{method: "GET", path: pods + "/p/log?tailLines=-1", status: 422, want: `{reason: Invalid, message: "<has> tailLines: Invalid value: -1: must be greater than or equal to 0"}`},
		{method: "GET", path: pods + "/p/log?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z", status: 422, want: `{reason: Invalid, message: "<has> at most one of ` + "`sinceTime` or `sinceSeconds`" + ` may be specified"}`},
		{method: "GET", path: pods + "/p/log?container=nope", status: 400, want: `{reason: BadRequest, message: container nope is not valid for pod p}`},
		{method: "GET", path: pods + "/nope/log", status: 404, want: `{reason: NotFound, message: pods "nope" not found}`},
		{method: "POST", path: pods, status: 201, body: `{apiVersion: v1, kind: Pod, metadata: {name: two}, spec: {nodeName: "${node}", initContainers: [{name: init, image: i}], containers: [{name: app, image: i}, {name: slow, image: i}]}}`},
		{method: "GET", path: pods + "/two/log", status: 400, want: `{reason: BadRequest, message: "a container name must be specified for pod two, choose one of: [init app slow]"}`},
		{method: "GET", path: pods + "/two/log?container=slow", status: 400, want: `{reason: BadRequest, message: 'container "slow" in pod "two" is waiting to start: ContainerCreating', code: 400}`},
		{method: "POST", path: pods, status: 201, body: `{apiVersion: v1, kind: Pod, metadata: {name: lost}, spec: {containers: [{name: app, image: i}]}}`},
		{method: "GET", path: pods + "/lost/log", status: 204},
	}},
}
