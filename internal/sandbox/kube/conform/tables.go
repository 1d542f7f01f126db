package conform

var tableGroups = []group{
	{"kubectl get asks for tables", []exchange{
		{method: "POST", path: maps, body: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {l: x}}, data: {k: v, l: w}}`, status: 201},
		{method: "GET", path: maps + "?labelSelector=l", accept: asTable, status: 200, want: `{kind: Table, apiVersion: meta.k8s.io/v1, metadata: {resourceVersion: <any>},
			columnDefinitions: [{name: Name, type: string, format: name}, {name: Data, type: string}, {name: Age, type: string}], rows: [{cells: [a, 2, "<matches> ^[0-9]+s$"], object: {kind: PartialObjectMetadata, metadata: {name: a}}}]}`},
		{method: "GET", path: maps + "/a?includeObject=None", accept: asTable, status: 200, want: `{rows: [{object: null}]}`},
		{method: "GET", path: maps + "/a?includeObject=Object", accept: asTable, status: 200, want: `{rows: [{object: {kind: ConfigMap, data: {k: v}}}]}`},
		{method: "POST", path: "/api/v1/namespaces/${ns}/secrets", body: `{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {k: dg==}}`, status: 201},
		{method: "GET", path: "/api/v1/namespaces/${ns}/secrets", accept: asTable, status: 200, want: `{columnDefinitions: [{name: Name}, {name: Type}, {name: Data}, {name: Age}], rows: [{cells: [s, Opaque, 1, <any>]}]}`},
		{method: "POST", path: pods, status: 201, body: `{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: app, image: i}]}}`},
		{method: "PATCH", path: pods + "/p/status", kind: mergePatch, status: 200, body: `{status: {phase: Pending, containerStatuses: [{name: app, image: i, imageID: "", ready: false, restartCount: 3, state: {waiting: {reason: CrashLoopBackOff}}}]}}`},
		{method: "GET", path: pods, accept: asTable, status: 200, want: `{columnDefinitions: [{name: Name}, {name: Ready}, {name: Status}, {name: Restarts}, {name: Age}, {name: IP, priority: 1}, {name: Node, priority: 1}, {name: Nominated Node, priority: 1}, {name: Readiness Gates, priority: 1}],
			rows: [{cells: [p, 0/1, CrashLoopBackOff, "3", <any>, <none>, <none>, <none>, <none>]}]}`},
		{method: "POST", path: deployments, status: 201, body: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: 0, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}`},
		{method: "GET", path: deployments, accept: asTable, status: 200, want: `{columnDefinitions: [{name: Name}, {name: Ready}, {name: Up-to-date}, {name: Available}, {name: Age}, {name: Containers, priority: 1}, {name: Images, priority: 1}, {name: Selector, priority: 1}], rows: [{cells: [d, 0/0, 0, 0, <any>, c, i, a=b]}]}`},
		{method: "GET", path: "/api/v1/namespaces/${ns}", accept: asTable, status: 200, want: `{columnDefinitions: [{name: Name}, {name: Status}, {name: Age}], rows: [{cells: ["${ns}", Active, <any>]}]}`},
		{method: "POST", path: "/api/v1/namespaces/${ns}/services", status: 201, body: `{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {clusterIP: None, selector: {a: b}, ports: [{port: 80}]}}`},
		{method: "GET", path: "/api/v1/namespaces/${ns}/services", accept: asTable, status: 200, want: `{columnDefinitions: [{name: Name}, {name: Type}, {name: Cluster-IP}, {name: External-IP}, {name: Port(s)}, {name: Age}, {name: Selector}], rows: [{cells: [s, ClusterIP, None, <none>, 80/TCP, <any>, a=b]}]}`},
		{method: "POST", path: "/api/v1/namespaces/${ns}/persistentvolumeclaims", status: 201, body: `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}, spec: {storageClassName: none-such, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}`},
		{method: "GET", path: "/api/v1/namespaces/${ns}/persistentvolumeclaims", accept: asTable, status: 200, want: `{columnDefinitions: [{name: Name}, {name: Status}, {name: Volume}, {name: Capacity}, {name: Access Modes}, {name: StorageClass}, {name: VolumeAttributesClass}, {name: Age}, {name: VolumeMode}], rows: [{cells: [c, Pending, "", "", "", none-such, <unset>, <any>, Filesystem]}]}`},
	}},
}

var defaultGroups = []group{
	{"defaults are filled in", []exchange{
		{method: "POST", path: deployments, status: 201, body: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: 0, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: "i:1", ports: [{containerPort: 80}], readinessProbe: {httpGet: {path: /, port: 80}}}]}}}}`,
			want: `{spec: {strategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 25%, maxSurge: 25%}}, revisionHistoryLimit: 10, progressDeadlineSeconds: 600, template: {spec: {restartPolicy: Always, terminationGracePeriodSeconds: 30, dnsPolicy: ClusterFirst, schedulerName: default-scheduler, securityContext: {},
			containers: [{imagePullPolicy: IfNotPresent, terminationMessagePath: /dev/termination-log, terminationMessagePolicy: File, ports: [{protocol: TCP}], readinessProbe: {timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3, httpGet: {scheme: HTTP}}, resources: {}}]}}}}`},
		{method: "POST", path: "/api/v1/namespaces/${ns}/secrets", body: `{apiVersion: v1, kind: Secret, metadata: {name: s}, stringData: {k: v}}`, status: 201, want: `{type: Opaque, data: {k: dg==}, stringData: <absent>}`},
		{method: "POST", path: "/api/v1/namespaces/${ns}/services", status: 201, body: `{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {a: b}, ports: [{port: 80}]}}`,
			want: `{spec: {type: ClusterIP, clusterIP: "<matches> ^[0-9.]+$", clusterIPs: [<any>], sessionAffinity: None, ipFamilies: [IPv4], ipFamilyPolicy: SingleStack, internalTrafficPolicy: Cluster, ports: [{protocol: TCP, port: 80, targetPort: 80}]}, status: {loadBalancer: {}}}`},
		{method: "POST", path: pods, status: 201, body: `{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: app, image: "i"}]}}`, want: `{metadata: {generation: 1}, spec: {enableServiceLinks: true, preemptionPolicy: PreemptLowerPriority, priority: 0, tolerations: [{key: node.kubernetes.io/not-ready, tolerationSeconds: 300}, {key: node.kubernetes.io/unreachable}], containers: [{imagePullPolicy: Always}]}, status: {phase: Pending, qosClass: BestEffort}}`},
		{method: "POST", path: "/apis/batch/v1/namespaces/${ns}/jobs", status: 201, body: `{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}`,
			want: `{spec: {parallelism: 1, completions: 1, backoffLimit: 6, completionMode: NonIndexed, selector: {matchLabels: {batch.kubernetes.io/controller-uid: <any>}}, template: {metadata: {labels: {batch.kubernetes.io/job-name: j, job-name: j, controller-uid: <any>}}}}}`},
		{method: "POST", path: "/api/v1/namespaces/${ns}/persistentvolumeclaims", status: 201, body: `{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: c}, spec: {storageClassName: none-such, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}`, want: `{metadata: {finalizers: [kubernetes.io/pvc-protection]}, spec: {volumeMode: Filesystem}, status: {phase: Pending}}`},
	}},
	{"built-in kinds are checked", []exchange{
		{method: "POST", path: deployments, status: 422, body: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {template: {spec: {containers: [{name: c, image: i}]}}}}`, want: `{reason: Invalid, message: "<has> spec.selector: Required value"}`},
		{method: "POST", path: deployments, status: 422, body: `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: c}}, spec: {containers: [{name: c, image: i}]}}}}`, want: "{message: \"<has> `selector` does not match template `labels`\"}"},
		{method: "POST", path: pods, status: 422, body: `{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: []}}`, want: `{message: 'Pod "p" is invalid: spec.containers: Required value'}`},
		{method: "POST", path: pods, status: 422, body: `{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c}]}}`, want: `{message: 'Pod "p" is invalid: spec.containers[0].image: Required value'}`},
		{method: "POST", path: pods, status: 422, body: `{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: i, volumeMounts: [{name: v, mountPath: /x}]}]}}`, want: `{message: 'Pod "p" is invalid: spec.containers[0].volumeMounts[0].name: Not found: "v"'}`},
		{method: "POST", path: "/api/v1/namespaces/${ns}/services", status: 422, body: `{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {selector: {a: b}}}`, want: `{message: 'Service "s" is invalid: spec.ports: Required value'}`},
		{method: "POST", path: "/api/v1/namespaces/${ns}/secrets", status: 422, body: `{apiVersion: v1, kind: Secret, metadata: {name: s}, type: kubernetes.io/tls, data: {tls.crt: dg==}}`, want: `{message: "<has> data[tls.key]: Required value"}`},
		{method: "POST", path: "/api/v1/namespaces/${ns}/secrets", status: 400, body: `{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {k: "not base64!"}}`, want: `{reason: BadRequest, message: "<has> illegal base64 data"}`},
		{method: "POST", path: "/api/v1/namespaces/${ns}/secrets", status: 422, body: `{apiVersion: v1, kind: Secret, metadata: {name: s}, type: kubernetes.io/basic-auth, data: {k: dg==}}`, want: `{reason: Invalid, message: "<has> data[username]: Required value"}`},
	}},
}
