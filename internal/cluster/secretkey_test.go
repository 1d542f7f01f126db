package cluster

import (
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
	viewer := b.connect(b.url, "viewer")
	for name, want := range map[string]string{"app": "read secret/app: ", "": "read secrets in default: "} {
		err := viewer.SecretValues(t.Context(), "default", name, func(string, []byte) { t.Errorf("%q: it hands something on", name) })
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %q and why", name, err, want)
		}
	}
}
