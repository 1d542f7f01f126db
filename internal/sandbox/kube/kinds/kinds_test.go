package kinds

import (
	"testing"

	admission "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"
	sigsyaml "sigs.k8s.io/yaml"
)

func find(t *testing.T, gr string) *Kind {
	t.Helper()
	for _, k := range All() {
		if k.GroupResource() == gr && k.StorageOf == "" {
			return k
		}
	}
	t.Fatalf("no kind is kept as %s", gr)
	return nil
}

func read(t *testing.T, k *Kind, text string) runtime.Object {
	t.Helper()
	o := k.New()
	if err := sigsyaml.UnmarshalStrict([]byte(text), o); err != nil {
		t.Fatal(err)
	}
	k.Default(o)
	return o
}

func TestEveryKindDefaultsAndValidatesAnEmptyObject(t *testing.T) {
	for _, k := range All() {
		o := k.New()
		k.Default(o)
		k.Create(o)
		k.Default(o)
		_ = k.Validate(o)
		_ = k.ValidateUpdate(o, o.DeepCopyObject())
		if k.Plural == "" || k.Singular == "" || k.GVK.Kind == "" {
			t.Errorf("%v has no name", k.GVK)
		}
	}
}

func TestWhatIsInvalidIsSaidAsTheRealServerSaysIt(t *testing.T) {
	const pod = `spec: {containers: [{name: c, image: i}]}`
	tests := []struct{ name, kind, object, want string }{
		{"a pod", "pods", pod, ""},
		{"a pod of nothing", "pods", `spec: {}`, "spec.containers: Required value"},
		{"two containers of one name", "pods", `spec: {containers: [{name: c, image: i}, {name: c, image: i}]}`, `spec.containers[1].name: Duplicate value: "c"`},
		{"a mount of nothing", "pods", `spec: {containers: [{name: c, image: i, volumeMounts: [{name: v, mountPath: /x}]}]}`, `spec.containers[0].volumeMounts[0].name: Not found: "v"`},
		{"more requested than allowed", "pods", `spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}`, `spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`},
		{"a selector that misses", "deployments.apps", `spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: c}}, spec: {containers: [{name: c, image: i}]}}}`, "spec.template.metadata.labels: Invalid value: {\"a\":\"c\"}: `selector` does not match template `labels`"},
		{"a job that restarts for ever", "jobs.batch", `spec: {template: {spec: {containers: [{name: c, image: i}]}}}`, `spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"`},
		{"a claim without a mode", "persistentvolumeclaims", `spec: {resources: {requests: {storage: 1Gi}}}`, "spec.accessModes: Required value: at least 1 access mode is required"},
		{"a claim of nothing", "persistentvolumeclaims", `spec: {accessModes: [ReadWriteOnce]}`, "spec.resources[storage]: Required value"},
		{"a TLS Secret without a key", "secrets", `{type: kubernetes.io/tls, stringData: {tls.crt: x}}`, "data[tls.key]: Required value"},
		{"a basic-auth Secret with a password", "secrets", `{type: kubernetes.io/basic-auth, stringData: {password: x}}`, ""},
		{"a bad key", "configmaps", `data: {"a b": x}`, `data[a b]: Invalid value: "a b": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`},
		{"a service without ports", "services", `spec: {}`, "spec.ports: Required value"},
		{"a headless service without ports", "services", `spec: {clusterIP: None}`, ""},
		{"a role without verbs", "roles.rbac.authorization.k8s.io", `rules: [{apiGroups: [""], resources: [pods], verbs: []}]`, "rules[0].verbs: Required value: verbs must contain at least one value"},
		{"a binding to nothing", "clusterrolebindings.rbac.authorization.k8s.io", `roleRef: {kind: Role, name: x}`, `roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"`},
		{"an ingress of nothing", "ingresses.networking.k8s.io", `spec: {}`, "spec: Invalid value: \"\": either `defaultBackend` or `rules` must be specified"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := find(t, tt.kind)
			got := ""
			if errs := k.Validate(read(t, k, tt.object)); len(errs) > 0 {
				got = errs.ToAggregate().Error()
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestWhatCannotChangeIsRefused(t *testing.T) {
	tests := []struct{ name, kind, old, new, want string }{
		{"a Secret's type", "secrets", `type: a`, `type: b`, `type: Invalid value: "b": field is immutable`},
		{"an immutable ConfigMap", "configmaps", `{immutable: true, data: {a: b}}`, `{immutable: true, data: {a: c}}`, "data: Forbidden: field is immutable when `immutable` is set"},
		{"what a binding refers to", "rolebindings.rbac.authorization.k8s.io", `roleRef: {kind: Role, name: a}`, `roleRef: {kind: Role, name: b}`, `roleRef: Invalid value: {"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"b"}: field is immutable`},
		{"a service's address", "services", `spec: {clusterIP: 10.0.0.1}`, `spec: {clusterIP: 10.0.0.2}`, `spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set`},
		{"a pod's image may", "pods", `spec: {containers: [{name: c, image: a}]}`, `spec: {containers: [{name: c, image: b}]}`, ""},
		{"a claim's size may grow", "persistentvolumeclaims", `{spec: {resources: {requests: {storage: 1Gi}}}, status: {phase: Bound}}`, `{spec: {resources: {requests: {storage: 2Gi}}}, status: {phase: Bound}}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := find(t, tt.kind)
			got := ""
			if errs := k.ValidateUpdate(read(t, k, tt.new), read(t, k, tt.old)); len(errs) > 0 {
				got = errs.ToAggregate().Error()
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestAMovingTagIsAlwaysPulled(t *testing.T) {
	for image, want := range map[string]string{
		"nginx": "Always", "nginx:latest": "Always", "nginx:1.27": "IfNotPresent", "host:5000/nginx": "Always",
		"host:5000/nginx:1": "IfNotPresent", "nginx@sha256:00": "IfNotPresent",
	} {
		if got := string(pullPolicy(image)); got != want {
			t.Errorf("%s: got %s, want %s", image, got, want)
		}
	}
}

func TestAWebhookThatSaysNothingOfFailureFails(t *testing.T) {
	k := find(t, "validatingwebhookconfigurations.admissionregistration.k8s.io")
	o := read(t, k, `webhooks: [{name: w, clientConfig: {service: {name: s, namespace: n}}, rules: [{apiGroups: [""], resources: [pods]}]}]`)
	h := o.(*admission.ValidatingWebhookConfiguration).Webhooks[0]
	if *h.FailurePolicy != admission.Fail || *h.TimeoutSeconds != 10 || *h.ClientConfig.Service.Port != 443 || *h.Rules[0].Scope != admission.AllScopes {
		t.Errorf("got %v", h)
	}
}
