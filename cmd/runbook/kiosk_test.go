package main

import (
	"encoding/base64"
	"maps"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"runbook/internal/sandbox"
	"runbook/internal/sandbox/operators"
)

// appSecret returns the Secret that the application reads.
func appSecret(t *testing.T, s *sandbox.Sandbox) map[string]string {
	t.Helper()
	client, err := dynamic.NewForConfig(s.Rest())
	if err != nil {
		t.Fatal(err)
	}
	secret, err := client.Resource(operators.Secrets).Namespace("schmetterpause").Get(t.Context(), "schmetterpause-app", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	data := map[string]string{}
	encoded, _, err := unstructured.NestedStringMap(secret.Object, "data")
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range encoded {
		text, err := base64.StdEncoding.DecodeString(value)
		if err != nil {
			t.Fatal(err)
		}
		data[key] = string(text)
	}
	return data
}

func TestTheKioskGetsItsTokenInBothVariants(t *testing.T) {
	t.Parallel()
	for variant, done := range map[string]string{"external-secrets": "10 of 10 done", "ordinary-secrets": "9 of 9 done"} {
		t.Run(variant, func(t *testing.T) {
			t.Parallel()
			s := box(t, "")
			stdout, stderr, code := walked(t, s.Env(), "run", bringUp, "--set", "VARIANT="+variant, "--set", "KIOSK=true")
			if code != 0 || !strings.Contains(stdout, done) {
				t.Fatalf("exit %d, want %q:\n%s%s", code, done, stdout, stderr)
			}
			data := appSecret(t, s)
			if got, want := slices.Sorted(maps.Keys(data)), []string{"SP_KIOSK_TOKEN", "SP_SESSION_KEY"}; !slices.Equal(got, want) {
				t.Errorf("keys %q, want %q", got, want)
			}
			if token := data["SP_KIOSK_TOKEN"]; len(token) != 48 || strings.Trim(token, "0123456789abcdef") != "" {
				t.Error("the token isn't 24 bytes in hex")
			}
			for _, value := range data {
				if strings.Contains(stdout+stderr, value) {
					t.Error("a value is shown")
				}
			}
		})
	}
}

// Whoever turns the kiosk on later keeps the session key, and with it the players.
func TestTheKioskCanBeTurnedOnLater(t *testing.T) {
	t.Parallel()
	s := box(t, "")
	if _, stderr, code := walked(t, s.Env(), "run", bringUp, "--set", "VARIANT=external-secrets"); code != 0 {
		t.Fatalf("exit %d:\n%s", code, stderr)
	}
	before := appSecret(t, s)
	stdout, stderr, code := walked(t, s.Env(), "run", bringUp, "--set", "VARIANT=external-secrets", "--set", "KIOSK=true", "--only", "kiosk-token")
	if code != 0 {
		t.Fatalf("exit %d:\n%s%s", code, stdout, stderr)
	}
	after := appSecret(t, s)
	if before["SP_KIOSK_TOKEN"] != "" || after["SP_KIOSK_TOKEN"] == "" {
		t.Errorf("kiosk token before: %v, after: %v", before["SP_KIOSK_TOKEN"] != "", after["SP_KIOSK_TOKEN"] != "")
	}
	if before["SP_SESSION_KEY"] == "" || before["SP_SESSION_KEY"] != after["SP_SESSION_KEY"] {
		t.Error("the session key changed")
	}
}
