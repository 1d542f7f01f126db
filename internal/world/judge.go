package world

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"runbook/internal/dig"
)

// A rule says whether an object that is there and heard of is ready.
type rule func(subject) Verdict

// rules is keyed by kind and group, as the cluster names them. The strictness
// is our own: a tool that reconciles may call a route without an answer
// current, a person at night may not.
var rules = map[string]rule{
	"Pod":                       podReady,
	"Namespace":                 namespaceReady,
	"Node":                      nodeReady,
	"Service":                   serviceReady,
	"PersistentVolumeClaim":     claimReady,
	"PersistentVolume":          volumeReady,
	"Deployment.apps":           deploymentReady,
	"ReplicaSet.apps":           replicasReady,
	"StatefulSet.apps":          replicasReady,
	"DaemonSet.apps":            replicasReady,
	"Job.batch":                 jobReady,
	"CronJob.batch":             cronJobReady,
	"Ingress.networking.k8s.io": ingressReady,
	"CustomResourceDefinition.apiextensions.k8s.io": definitionReady,
	"APIService.apiregistration.k8s.io":             apiServiceReady,
	"HorizontalPodAutoscaler.autoscaling":           autoscalerReady,
	"ExternalSecret.external-secrets.io":            externalSecretReady,
	"SecretStore.external-secrets.io":               storeReady,
	"ClusterSecretStore.external-secrets.io":        storeReady,
	"Cluster.postgresql.cnpg.io":                    postgresReady,
	"HTTPRoute.gateway.networking.k8s.io":           routeReady,
	"Gateway.gateway.networking.k8s.io":             gatewayReady,
	"GatewayClass.gateway.networking.k8s.io":        gatewayClassReady,
	"Certificate.cert-manager.io":                   certificateReady,
	"Order.acme.cert-manager.io":                    acmeReady,
	"Challenge.acme.cert-manager.io":                acmeReady,
	"Application.argoproj.io":                       applicationReady,
}

// inert are the kinds that no controller has to act on: they are ready when
// they're there.
var inert = []string{
	"Secret", "ConfigMap", "ServiceAccount", "Endpoints", "ResourceQuota", "LimitRange", "Event", "Event.events.k8s.io",
	"EndpointSlice.discovery.k8s.io", "Lease.coordination.k8s.io", "PodDisruptionBudget.policy",
	"Role.rbac.authorization.k8s.io", "RoleBinding.rbac.authorization.k8s.io",
	"ClusterRole.rbac.authorization.k8s.io", "ClusterRoleBinding.rbac.authorization.k8s.io",
	"StorageClass.storage.k8s.io", "CSIDriver.storage.k8s.io", "PriorityClass.scheduling.k8s.io",
	"IngressClass.networking.k8s.io", "NetworkPolicy.networking.k8s.io",
	"MutatingWebhookConfiguration.admissionregistration.k8s.io",
	"ValidatingWebhookConfiguration.admissionregistration.k8s.io",
	"ReferenceGrant.gateway.networking.k8s.io", "AppProject.argoproj.io",
}

// Judge says whether the object is ready by its kind's own rule at now, by the
// clock of this machine. What can't be asked, or wasn't heard of lately, is
// never ready.
func Judge(o Object, now time.Time) Verdict {
	if v, ok := Unknown(o); ok {
		return v
	}
	if o.Presence == Gone {
		return fails("%s", absentText(o))
	}
	if o.Presence == NoKind {
		return fails("%s", noKindText(o))
	}
	if o.Ref.Name == "" {
		return judgeList(o, now)
	}
	v := judgePresent(newSubject(o, now))
	if v.Answer == Holds {
		if why := unheard(o); why != "" {
			return unsure("%s", why)
		}
	}
	return v
}

// Unknown is the verdict about an object of which nothing can be said now, and
// whether that is so: not answered yet, not allowed, or not heard of lately.
func Unknown(o Object) (Verdict, bool) {
	switch {
	case o.Presence == Asking:
		return unsure("no answer yet"), true
	case o.Presence == Hidden:
		return unsure("%s", orElse(o.Why, "it can't be read")), true
	case o.Stale:
		return unsure("%s", staleText(o.Fact)), true
	}
	return Verdict{}, false
}

func noKindText(o Object) string {
	return orElse(o.Why, fmt.Sprintf("the cluster knows no kind %q", o.Ref.Kind))
}

func absentText(o Object) string {
	if o.Ref.Name == "" {
		return "there are none" + inNamespace(o.Ref.Namespace)
	}
	return "not found" + inNamespace(o.Ref.Namespace)
}

func inNamespace(namespace string) string {
	if namespace == "" {
		return ""
	}
	return " in namespace " + namespace
}

func judgePresent(s subject) Verdict {
	id := s.Kind
	if s.Group != "" {
		id += "." + s.Group
	}
	deleting := s.str("metadata", "deletionTimestamp") != ""
	switch ready, ok := rules[id]; {
	case deleting && id != "Namespace":
		return fails("%s", deletingText(s))
	case ok:
		return ready(s)
	case slices.Contains(inert, id):
		return holds()
	}
	return conditionsReady(s)
}

func deletingText(s subject) string {
	text := "being deleted for " + Span(s.since(dig.Time(s.Body, "metadata", "deletionTimestamp")))
	if held := strs(s.Body, "metadata", "finalizers"); len(held) > 0 {
		text += ", held by finalizer " + strings.Join(held, ", ")
	}
	return text
}

// unheard says which related object was not heard of when the verdict would
// otherwise be good: a fresh parent over a stale child is no news.
func unheard(o Object) string {
	for _, r := range o.Related {
		if r.Stale {
			return r.Ref.Short() + " " + staleText(r.Fact)
		}
	}
	return ""
}

// judgeList judges all objects of a list; the worst speaks for it.
func judgeList(o Object, now time.Time) Verdict {
	var worst Verdict
	var at string
	good := 0
	for _, item := range o.Related {
		v := Judge(item, now)
		if v.Answer == Holds {
			good++
		}
		if at == "" || worse(v, worst) {
			worst, at = v, item.Ref.Short()
		}
	}
	if worst.Answer == Holds {
		return holdsBut("%d of %d", good, len(o.Related))
	}
	worst.Why = Say("%d of %d ready; %s: %s", good, len(o.Related), at, worst.Why)
	return worst
}

func worse(a, b Verdict) bool {
	rank := map[Answer]int{Holds: 0, TooEarly: 1, CantTell: 2, DoesNot: 3}
	return rank[a.Answer] > rank[b.Answer]
}

func orElse(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}

// conditionsReady is the rule for kinds that nobody here knows: the convention
// of the Ready condition, and no verdict where there is none.
func conditionsReady(s subject) Verdict {
	if lag := s.behind(); lag != "" {
		return waits("%s", lag)
	}
	if c, ok := s.cond("Stalled"); ok && c.is("True") {
		return fails("stalled: %s", c.text())
	}
	if c, ok := s.cond("Reconciling"); ok && c.is("True") {
		return waits("reconciling: %s", c.text())
	}
	for _, kind := range []string{"Ready", "Available"} {
		if c, ok := s.cond(kind); ok {
			return byCondition(s, c)
		}
	}
	if len(dig.List(s.Body, "status", "conditions")) == 0 && s.young() {
		return waits("no status yet")
	}
	if dig.At(s.Body, "status") == nil {
		return unsure("no status after %s: is its controller running?", Span(s.age()))
	}
	return unsure("kind %s doesn't say whether it is ready", s.Kind)
}

// byCondition is the verdict of one condition whose True is good.
func byCondition(s subject, c condition) Verdict {
	if c.Observed != 0 && c.Observed < s.generation() {
		return waits("its controller has seen generation %d of %d", c.Observed, s.generation())
	}
	switch c.Status {
	case "True":
		return holds()
	case "False":
		early := s.young() || (!c.Since.IsZero() && s.since(c.Since) < grace)
		return waitsOrFails(early, "%s", orElse(c.text(), c.Type+" is False"))
	}
	return waits("%s", orElse(c.text(), c.Type+" is Unknown"))
}

// others are the kinds whose readiness waits for what other steps bring: a
// claim for its first pod, a service for pods behind it.
var others = []string{"persistentvolumeclaim", "persistentvolume", "service", "ingress"}

// HasRule reports whether an object of the kind (in any of its names) can be
// expected to become ready by itself once it was applied. For other kinds, being
// there is all there is to wait for.
func HasRule(kind string) bool {
	kind = NewRef(kind, "", "", "").Kind
	if slices.Contains(others, kind) {
		return false
	}
	for id := range rules {
		if k, _, _ := strings.Cut(id, "."); strings.ToLower(k) == kind {
			return true
		}
	}
	// Judged by their Ready condition alone.
	return slices.Contains([]string{"issuer", "clusterissuer", "certificaterequest", "pushsecret", "clusterexternalsecret"}, kind)
}

// JudgeCondition says whether the object has the condition with the status; an
// empty status means True.
func JudgeCondition(o Object, now time.Time, kind, status string) Verdict {
	if v, unknown := Unknown(o); unknown {
		return v
	}
	if o.Presence != Present {
		return Judge(o, now)
	}
	status = orElse(status, "True")
	s := newSubject(o, now)
	if lag := s.behind(); lag != "" {
		return waits("%s", lag)
	}
	c, ok := s.cond(kind)
	switch {
	case ok && c.Observed != 0 && c.Observed < s.generation():
		return waits("condition %s is of generation %d, the object of %d", kind, c.Observed, s.generation())
	case ok && c.is(status):
		return holds()
	}
	text := fmt.Sprintf("there is no condition %s", kind)
	if ok {
		text = joinText(kind+" is "+c.Status, c.text())
	}
	if v := judgePresent(s); v.Final {
		return failsForGood("%s; %s", text, v.Why)
	}
	return waitsOrFails(!ok && s.young(), "%s", text)
}
