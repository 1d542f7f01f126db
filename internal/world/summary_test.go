package world

import (
	"strings"
	"testing"
	"time"
)

func text(lines []Line) string {
	var out []string
	for _, l := range lines {
		out = append(out, l.String())
	}
	return strings.Join(out, "\n")
}

func TestASummaryIsWhatOneWouldLookUpNext(t *testing.T) {
	seen := Fact{Presence: Present, Seen: noon.Add(-2 * time.Second)}
	claim := present(map[string]any{"apiVersion": "v1", "kind": "PersistentVolumeClaim",
		"metadata": map[string]any{"name": "data-0", "namespace": "shop"},
		"spec":     map[string]any{"volumeName": "pv-1"},
		"status":   map[string]any{"phase": "Bound", "capacity": map[string]any{"storage": "8Gi"}}})
	claim.Related = []Object{present(map[string]any{"apiVersion": "v1", "kind": "PersistentVolume",
		"metadata": map[string]any{"name": "pv-1"}, "spec": map[string]any{"persistentVolumeReclaimPolicy": "Delete"}})}
	claim.Fact = seen
	failed := present(map[string]any{"apiVersion": "external-secrets.io/v1", "kind": "ExternalSecret",
		"metadata": map[string]any{"name": "app", "namespace": "shop"},
		"status":   map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "False", "reason": "SecretSyncedError"}}}})
	failed.Events = []Event{{Type: "Warning", Reason: "UpdateFailed", Count: 6, Last: noon.Add(-time.Minute),
		Message: `(key: shop), err: cannot find secret data for key: "usernme"`}}
	failed.Fact = seen
	gone := Object{Ref: NewRef("secret", "", "shop", "app"), Fact: Fact{Presence: Gone, Seen: noon}}
	hidden := Object{Ref: NewRef("secret", "", "shop", "app"), Fact: Fact{Presence: Hidden, Why: "you may not get secrets in namespace shop", Seen: noon}}
	asking := Object{Ref: NewRef("secret", "", "shop", "app")}
	stale := gone
	stale.Presence, stale.Stale, stale.StaleSince = Present, true, time.Date(2026, 8, 22, 14, 2, 11, 0, time.UTC)
	for _, c := range []struct {
		name string
		got  []Line
		want string
	}{
		{"a claim says what its deletion costs", Summary(claim, noon), "✓ pvc/data-0 in shop: Bound (2s ago)\n    8Gi, deleted with the claim (Delete)"},
		{"a failure gives the cause and its source", Summary(failed, noon), "✗ es/app in shop (2s ago)\n    no property \"usernme\" in the entry shop\n    UpdateFailed: (key: shop), err: cannot find secret data for key: \"usernme\" (6 times, 60s ago)"},
		{"absent", Summary(gone, noon), "✗ secret/app in shop: absent (now)\n    not found in namespace shop"},
		{"hidden", Summary(hidden, noon), "? secret/app in shop: can't be read (now)\n    you may not get secrets in namespace shop"},
		{"asking", Summary(asking, noon), "? secret/app in shop: asking (asking)\n    no answer yet"},
		{"stale", Summary(stale, noon), "? secret/app in shop (stale since 14:02:11)\n    not heard since 14:02:11"},
		{"vault sealed", Health{Fact: seen, Address: "https://v", Initialized: true, Sealed: true, Version: "1.14.0"}.Summary(noon), "✗ vault https://v (2s ago)\n    sealed: somebody has to unseal it\n    version 1.14.0"},
		{"token with few uses", Token{Fact: seen, TTL: time.Hour, NumUses: 3, Policies: []string{"shop"}}.Summary(noon), "✓ vault token: 59m left (2s ago)\n    policies shop\n    3 uses left: every look costs one"},
		{"entry", Entry{Fact: seen, Path: "east/shop", KV: 2, Version: 4, Keys: []string{"a", "b"}, Created: noon.Add(-time.Hour)}.Summary(noon), "✓ vault east/shop: version 4 (2s ago)\n    a, b\n    written 60m ago"},
		{"capabilities", Capabilities{Fact: seen, Path: "east/data/shop", List: []string{"deny"}}.Summary(noon), "✗ may read east/data/shop (2s ago)\n    the policy denies east/data/shop\n    deny"},
		{"probe", Probe{Fact: seen, URL: "https://shop", Status: 503}.Summary(noon), "✗ https://shop: 503 (2s ago)\n    answers 503"},
	} {
		if got := text(c.got); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestASummaryHasAtMostFourLines(t *testing.T) {
	o := present(map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "a\x1b[31m\nb", "namespace": "n",
		"ownerReferences": []any{map[string]any{"kind": "Job", "name": "j"}}},
		"status": map[string]any{"phase": "Running", "containerStatuses": []any{map[string]any{"name": "c", "restartCount": int64(3), "state": map[string]any{"terminated": map[string]any{"exitCode": int64(1)}}}}}})
	o.Events = []Event{{Type: "Warning", Reason: "BackOff", Message: "bad\x1b]0;title\x07\nthing"}}
	got := Summary(o, noon)
	if len(got) != 1+mostDetail {
		t.Errorf("got %d lines, want %d:\n%s", len(got), 1+mostDetail, text(got))
	}
	if strings.ContainsAny(text(got), "\x1b\x07") {
		t.Errorf("an escape got through: %q", text(got))
	}
}
