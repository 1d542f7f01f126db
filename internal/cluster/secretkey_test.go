package cluster

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

func TestWhatSecretsHoldIsHandedOn(t *testing.T) {
	b := newBench(t)
	b.apply(`
apiVersion: v1
kind: Secret
metadata: {name: app, namespace: default}
stringData: {password: hunter2-x9, user: app}
---
apiVersion: v1
kind: Secret
metadata: {name: empty, namespace: default}
---
apiVersion: v1
kind: Secret
metadata: {name: other, namespace: default}
stringData: {token: hunter3-x9}
`)
	for name, want := range map[string]map[string]string{
		"app":   {"password": "hunter2-x9", "user": "app"},
		"empty": {},
		"none":  {},
		"":      {"password": "hunter2-x9", "user": "app", "token": "hunter3-x9"},
	} {
		got := map[string]string{}
		err := b.admin.SecretValues(t.Context(), "default", name, func(key string, value []byte) { got[key] = string(value) })
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%q: got %v, %v, want %v", name, got, err, want)
		}
	}
	everywhere := map[string]bool{}
	b.apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: far}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: away, namespace: far}\nstringData: {token: hunter4-x9}\n")
	if err := b.admin.SecretValues(t.Context(), "", "", func(_ string, value []byte) { everywhere[string(value)] = true }); err != nil || !everywhere["hunter3-x9"] || !everywhere["hunter4-x9"] {
		t.Errorf("in all namespaces: %v, %v", everywhere, err)
	}
	viewer := b.connect(b.url, "viewer")
	if err := viewer.SecretValues(t.Context(), "", "", nil); err == nil || !strings.HasPrefix(err.Error(), "read secrets in all namespaces: ") {
		t.Errorf("in all namespaces it says %v", err)
	}
	for name, want := range map[string]string{"app": "read secret/app: ", "": "read secrets in default: "} {
		err := viewer.SecretValues(t.Context(), "default", name, func(string, []byte) { t.Errorf("%q: it hands something on", name) })
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %q and why", name, err, want)
		}
	}
}

// Those that aren't read can't be hidden: that is said, and no list is without a bound.
func TestOfVeryManySecretsItIsSaidThatNotAllAreRead(t *testing.T) {
	b := newBench(t)
	var many strings.Builder
	for i := range 501 {
		fmt.Fprintf(&many, "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s-%d, namespace: default}\nstringData: {token: hunter-%d}\n", i, i)
	}
	b.apply(many.String())
	n := 0
	err := b.admin.SecretValues(t.Context(), "default", "", func(string, []byte) { n++ })
	if err == nil || err.Error() != "read secrets in default: only the first 500 were read" || n != 500 {
		t.Errorf("%d were read: %v", n, err)
	}
}
