package kube_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"runbook/internal/sandbox/kube"
)

// By convention the uid of kube-system is the identity of a cluster: a run must
// not be taken for one on another sandbox.
func TestTwoClustersAreToldApart(t *testing.T) {
	uid := func(c *cluster) string {
		o, err := c.client.Resource(nss).Get(c.ctx, "kube-system", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return string(o.GetUID())
	}
	a, b := start(t, kube.Options{}), start(t, kube.Options{})
	if one, other := uid(a), uid(b); one == "" || one == other {
		t.Errorf("both are %q", one)
	} else if again := uid(a); again != one {
		t.Errorf("one is %q, and then %q", one, again)
	}
}
