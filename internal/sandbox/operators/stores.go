package operators

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

// storeRevalidation is how often External Secrets looks at a store again. Until then a Ready store may be a lie.
const storeRevalidation = 5 * time.Minute

// stores validates SecretStores and ClusterSecretStores: that a client can be built and that it can log in. Whether
// the login may read an entry is not asked.
type stores struct {
	*cluster
	vaults *vaults
	checks map[types.UID]check
}

type check struct {
	generation int64
	at         time.Time
	ok         bool
}

func newStores(c *cluster) controller {
	s := &stores{c, &vaults{c}, map[types.UID]check{}}
	return controller{"secret-stores", []GVR{ClusterStores, SecretStores, Deployments, Secrets}, s.pass}
}

func (s *stores) pass(ctx context.Context) (time.Duration, error) {
	if !s.installed(SecretsOperator) {
		return 0, nil
	}
	var failed error
	for _, kind := range []GVR{ClusterStores, SecretStores} {
		for _, o := range s.all(kind) {
			if class, _, _ := unstructured.NestedString(o.Object, "spec", "controller"); class != "" && class != "default" {
				continue // another controller's; nothing is written
			}
			if err := s.validate(ctx, kind, o); err != nil {
				failed = err
			}
		}
	}
	return 0, failed
}

func (s *stores) validate(ctx context.Context, kind GVR, o *unstructured.Unstructured) error {
	last, known := s.checks[o.GetUID()]
	again := storeRevalidation
	if !last.ok {
		again = s.pace.of(s.pace.delays.Failed)
	}
	if known && last.generation == o.GetGeneration() && s.now().Sub(last.at) < again {
		return nil
	}
	c := cond{kind: "Ready", status: "True", reason: "Valid", message: "store validated"}
	detail := s.try(ctx, o)
	if detail != nil {
		c = cond{kind: "Ready", status: "False", reason: "InvalidProviderConfig", message: detail.stage}
		s.warn(ctx, o, "external-secrets", c.reason, fmt.Sprintf("%s: %s", detail.stage, detail.err))
	} else if !holds(o, "Ready") {
		s.normal(ctx, o, "external-secrets", c.reason, c.message)
	}
	s.checks[o.GetUID()] = check{o.GetGeneration(), s.now(), detail == nil}
	status := map[string]any{"conditions": merged(conditionsOf(o.Object, "status", "conditions"), s.now(), c)}
	if detail == nil {
		status["capabilities"] = "ReadWrite"
	}
	return s.setStatus(ctx, kind, o, status)
}

// storeFault says at which stage a store failed; the stage is the condition's message, the rest only goes to the Event.
type storeFault struct {
	stage string
	err   error
}

func (s *stores) try(ctx context.Context, o *unstructured.Unstructured) *storeFault {
	if referent(o) {
		return nil // credentials come from the namespace of each ExternalSecret: there is nothing to log in with yet
	}
	client, err := s.vaults.open(ctx, o, o.GetNamespace())
	if err != nil {
		return &storeFault{"unable to create client", err}
	}
	if _, err := client.Auth().Token().LookupSelfWithContext(ctx); err != nil {
		return &storeFault{"unable to validate store", err}
	}
	return nil
}

// referent reports whether a cluster-wide store takes its credentials from whoever uses it.
func referent(o *unstructured.Unstructured) bool {
	if o.GetKind() != "ClusterSecretStore" {
		return false
	}
	for _, path := range [][]string{{"tokenSecretRef"}, {"kubernetes", "serviceAccountRef"}, {"kubernetes", "secretRef"}, {"appRole", "secretRef"}} {
		ref, ok, _ := unstructured.NestedMap(o.Object, append([]string{"spec", "provider", "vault", "auth"}, path...)...)
		if ok && ref["namespace"] == nil {
			return true
		}
	}
	return false
}

// admits reports whether a cluster-wide store lets itself be used from namespace: any of its conditions has to match.
func (c *cluster) admits(store *unstructured.Unstructured, namespace string) bool {
	conditions, _, _ := unstructured.NestedSlice(store.Object, "spec", "conditions")
	if len(conditions) == 0 {
		return true
	}
	have := labels.Set{}
	if ns := c.find(Namespaces, "", namespace); ns != nil {
		have = ns.GetLabels()
	}
	for _, raw := range conditions {
		m, _ := raw.(map[string]any)
		if names, _, _ := unstructured.NestedStringSlice(m, "namespaces"); slices.Contains(names, namespace) {
			return true
		}
		if patterns, _, _ := unstructured.NestedStringSlice(m, "namespaceRegexes"); slices.ContainsFunc(patterns, func(p string) bool {
			ok, err := regexp.MatchString(p, namespace)
			return err == nil && ok
		}) {
			return true
		}
		if sel, ok, _ := unstructured.NestedMap(m, "namespaceSelector"); ok && selects(sel, have) {
			return true
		}
	}
	return false
}

// selects matches a label selector as the API writes it; one that can't be read matches nothing.
func selects(selector map[string]any, have labels.Set) bool {
	s, ok := typed[metav1.LabelSelector](&unstructured.Unstructured{Object: selector})
	if !ok {
		return false
	}
	sel, err := metav1.LabelSelectorAsSelector(s)
	return err == nil && sel.Matches(have)
}
