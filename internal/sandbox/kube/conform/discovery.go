package conform

var discoveryGroups = []group{
	{"the server says what it is", []exchange{
		{method: "GET", path: "/version", status: 200, want: `{major: "1", minor: <any>, gitVersion: "<matches> ^v1\\.", platform: <any>, goVersion: <any>}`},
		{method: "GET", path: "/readyz", status: 200, text: "ok"},
		{method: "GET", path: "/livez", status: 200, text: "ok"},
		{method: "GET", path: "/healthz", status: 200, text: "ok"},
		{as: "anonymous", method: "GET", path: "/version", status: 200, want: `{major: "1"}`},
	}},
	{"what there is can be discovered", []exchange{
		{method: "GET", path: "/api", status: 200, want: `{kind: APIVersions, versions: [v1]}`},
		{method: "GET", path: "/apis", status: 200, want: `{kind: APIGroupList, apiVersion: v1, groups: {<contains>: [
			{name: apps, versions: [{groupVersion: apps/v1, version: v1}], preferredVersion: {groupVersion: apps/v1, version: v1}},
			{name: batch, preferredVersion: {groupVersion: batch/v1, version: v1}}, {name: events.k8s.io}, {name: rbac.authorization.k8s.io},
			{name: authorization.k8s.io}, {name: apiextensions.k8s.io}, {name: storage.k8s.io}, {name: networking.k8s.io}, {name: discovery.k8s.io}]}}`},
		{method: "GET", path: "/apis/apps", status: 200, want: `{kind: APIGroup, name: apps, preferredVersion: {version: v1}}`},
		{method: "GET", path: "/api/v1", status: 200, want: `{kind: APIResourceList, groupVersion: v1, resources: {<contains>: [
			{name: configmaps, singularName: configmap, namespaced: true, kind: ConfigMap, shortNames: [cm], verbs: [create, delete, deletecollection, get, list, patch, update, watch]},
			{name: namespaces, singularName: namespace, namespaced: false, kind: Namespace, shortNames: [ns], verbs: [create, delete, get, list, patch, update, watch]},
			{name: namespaces/finalize, kind: Namespace, verbs: [update]}, {name: namespaces/status, verbs: [get, patch, update]},
			{name: pods, shortNames: [po], categories: [all]}, {name: pods/log, namespaced: true, kind: Pod, verbs: [get]},
			{name: pods/status, verbs: [get, patch, update]}, {name: pods/eviction, group: policy, version: v1, kind: Eviction, verbs: [create]},
			{name: serviceaccounts/token, group: authentication.k8s.io, version: v1, kind: TokenRequest, verbs: [create]},
			{name: events, shortNames: [ev]}, {name: persistentvolumeclaims, shortNames: [pvc]}, {name: secrets}, {name: services, shortNames: [svc]}]}}`},
		{method: "GET", path: "/apis/apps/v1", status: 200, want: `{kind: APIResourceList, groupVersion: apps/v1, resources: {<contains>: [
			{name: deployments, singularName: deployment, shortNames: [deploy], categories: [all], kind: Deployment, namespaced: true},
			{name: deployments/scale, group: autoscaling, version: v1, kind: Scale, verbs: [get, patch, update]},
			{name: deployments/status, verbs: [get, patch, update]}]}}`},
		{method: "GET", path: "/api", accept: asAggregated, status: 200, want: `{kind: APIGroupDiscoveryList, apiVersion: apidiscovery.k8s.io/v2, items: [
			{versions: [{version: v1, freshness: Current, resources: {<contains>: [{resource: pods, responseKind: {kind: Pod}, scope: Namespaced, singularResource: pod, shortNames: [po]}]}}]}]}`},
		{method: "GET", path: "/apis", accept: asAggregated, status: 200, want: `{kind: APIGroupDiscoveryList, items: {<contains>: [
			{metadata: {name: apps}, versions: [{version: v1, resources: {<contains>: [{resource: deployments, subresources: {<contains>: [{subresource: status}, {subresource: scale}]}}]}}]}]}}`},
		{method: "GET", path: "/openapi/v3", status: 200, want: `{paths: {apis/apps/v1: {serverRelativeURL: "<has> /openapi/v3/apis/apps/v1?hash="}, api/v1: <any>}}`},
		{method: "GET", path: "/openapi/v3/apis/apps/v1", status: 200, want: `{openapi: "<matches> ^3", components: {schemas: {io.k8s.api.apps.v1.Deployment: {type: object, x-kubernetes-group-version-kind: [{group: apps, kind: Deployment, version: v1}]}}}}`},
	}},
	{"what there isn't is not found", []exchange{
		{method: "GET", path: "/apis/nobody.example/v1", status: 404, text: "404 page not found"},
		{method: "GET", path: "/apis/nobody.example/v1/things", status: 404, text: "404 page not found"},
		{method: "GET", path: "/apis/apps/v9/deployments", status: 404, want: `{kind: Status, reason: NotFound, message: the server could not find the requested resource, details: {}, code: 404}`},
		{method: "GET", path: "/apis/apps/v1/nothings", status: 404, want: `{kind: Status, reason: NotFound, message: the server could not find the requested resource, details: {}, code: 404}`},
		{method: "GET", path: "/api/v1/namespaces/${ns}/nothings", status: 404, want: `{kind: Status, status: Failure, reason: NotFound, message: the server could not find the requested resource, code: 404}`},
		{method: "POST", path: "/api/v1/namespaces/${ns}/configmaps/x", body: "{}", status: 405, want: `{kind: Status, reason: MethodNotAllowed, message: "the server does not allow this method on the requested resource", code: 405}`},
	}},
}
