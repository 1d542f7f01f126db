package world

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"runbook/internal/dig"
)

// firstSync is how long the first round trip to the provider may take.
const firstSync = 60 * time.Second

// externalSecretReady wants more than the condition Ready=True: that stands
// also when the target Secret was deleted, kept after its entry vanished, or
// made from an older spec.
func externalSecretReady(s subject) Verdict {
	c, ok := s.cond("Ready")
	if !ok {
		if s.young() {
			return waits("no status yet")
		}
		return fails("nobody has looked at it for %s: is external-secrets running?", Span(s.age()))
	}
	if !c.is("True") {
		early := !c.Since.IsZero() && s.since(c.Since) < firstSync
		return waitsOrFails(early, "%s", syncFailure(s, c))
	}
	if c.Reason != "SecretSynced" || strings.Contains(c.Message, "retained") {
		return fails("it says Ready, but: %s", orElse(c.Message, c.Reason))
	}
	if synced, ok := syncedGeneration(s); ok && synced < s.generation() {
		return waits("synced for generation %d of %d", synced, s.generation())
	}
	if late, every := overdue(s); late > 0 {
		return fails("last synced %s ago although it refreshes every %s", Span(late), Span(every))
	}
	if s.str("spec", "target", "creationPolicy") == "None" {
		return holds()
	}
	return secretHas(s, TargetSecret(s.Body), targetKeys(s.Body)...)
}

// TargetSecret is the name of the Secret that an ExternalSecret fills.
func TargetSecret(body map[string]any) string {
	return orElse(dig.Text(body, "spec", "target", "name"), dig.Text(body, "metadata", "name"))
}

// targetKeys are the keys that the target Secret must have at least. With a
// template that replaces, they are the template's and not those fetched.
func targetKeys(body map[string]any) []string {
	template := dig.At(body, "spec", "target", "template")
	keys := keysOf(template, "data")
	if dig.Text(template, "mergePolicy") != "Merge" && (len(keys) > 0 || len(dig.List(template, "templateFrom")) > 0) {
		return keys
	}
	for _, d := range dig.List(body, "spec", "data") {
		if k := dig.Text(d, "secretKey"); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// syncedGeneration stands before the dash: the status has no
// observedGeneration.
func syncedGeneration(s subject) (int64, bool) {
	before, _, ok := strings.Cut(s.str("status", "syncedResourceVersion"), "-")
	n, err := strconv.ParseInt(before, 10, 64)
	return n, ok && err == nil
}

func overdue(s subject) (late, every time.Duration) {
	if policy := s.str("spec", "refreshPolicy"); policy != "" && policy != "Periodic" {
		return 0, 0
	}
	every, err := time.ParseDuration(orElse(s.str("spec", "refreshInterval"), "1h"))
	last := dig.Time(s.Body, "status", "refreshTime")
	if err != nil || every <= 0 || last.IsZero() {
		return 0, 0
	}
	if d := s.since(last); d > 2*every {
		return d, every
	}
	return 0, 0
}

// secretHas wants the Secret to be there with the keys.
func secretHas(s subject, name string, keys ...string) Verdict {
	secret := s.related("secret", s.namespace(), name)
	if v, unknown := Unknown(secret); unknown {
		return unsure("secret %s: %s", name, v.Why)
	}
	if secret.Presence != Present {
		return fails("its secret %s does not exist", name)
	}
	if missing := Missing(secret.Keys, keys); len(missing) > 0 {
		return fails("its secret %s lacks %s", name, strings.Join(missing, ", "))
	}
	return holds()
}

// Missing are the wanted names that aren't there, in the order wanted.
func Missing(have, want []string) []string {
	var out []string
	for _, w := range want {
		if !slices.Contains(have, w) {
			out = append(out, w)
		}
	}
	return out
}

var (
	noProperty = regexp.MustCompile(`cannot find secret data for key: "([^"]*)"`)
	entryKey   = regexp.MustCompile(`\(key: ([^)]+)\)`)
	storeGone  = regexp.MustCompile(`could not get (ClusterSecretStore|SecretStore) "([^"]*)"`)
	storeDown  = regexp.MustCompile(`(ClusterSecretStore|SecretStore) "([^"]*)" is not ready`)
	badKey     = regexp.MustCompile(`map has no entry for key "?([^"\s]*)"?`)
)

// syncFailure says why a sync fails. The condition is generic; the provider's
// words are only in the newest UpdateFailed event.
func syncFailure(s subject, c condition) string {
	if text := storeFailure(s); text != "" {
		return text
	}
	e, ok := s.event("UpdateFailed")
	if !ok {
		return c.text()
	}
	entry := ""
	if m := entryKey.FindStringSubmatch(e.Message); m != nil {
		entry = " " + m[1]
	}
	if m := noProperty.FindStringSubmatch(e.Message); m != nil {
		return "no property " + strconv.Quote(m[1]) + " in the entry" + entry
	}
	if m := badKey.FindStringSubmatch(e.Message); m != nil {
		return "its template uses " + m[1] + ", which is not fetched"
	}
	if m := storeDown.FindStringSubmatch(e.Message); m != nil {
		return "its store " + m[2] + " is not ready"
	}
	if m := storeGone.FindStringSubmatch(e.Message); m != nil && strings.Contains(e.Message, "not found") {
		return noStore(s, m[1], m[2])
	}
	switch {
	case strings.Contains(e.Message, "Secret does not exist"):
		return "the entry" + entry + " does not exist at the store's path (wrong name, deleted version, or KV version mismatch)"
	case strings.Contains(e.Message, "permission denied"), strings.Contains(e.Message, "Code: 403"):
		return "Vault denies the entry" + entry + ": no such mount, or the policy doesn't allow it"
	}
	return e.Message
}

func noStore(s subject, kind, name string) string {
	text := "there is no " + kind + " " + name
	if kind == "SecretStore" {
		text += inNamespace(s.namespace())
		if s.str("spec", "secretStoreRef", "kind") == "" {
			text += ": secretStoreRef has no kind, which means SecretStore"
		}
	}
	return text
}

// storeFailure blames the store when that is what fails: it comes earlier in
// the chain.
func storeFailure(s subject) string {
	kind, name := StoreOf(s.Body)
	store := s.related(kind, "", name)
	switch store.Presence {
	case Gone:
		known := map[string]string{"secretstore": "SecretStore", "clustersecretstore": "ClusterSecretStore"}
		return noStore(s, known[kind], name)
	case Present:
		if v := storeReady(subject{Object: store, now: s.now}); v.Answer == DoesNot {
			return "its store " + name + " is not ready: " + v.Why
		}
	}
	return ""
}

// StoreOf is the kind (canonical) and name of the store of an ExternalSecret.
// A ref without a kind means a SecretStore.
func StoreOf(body map[string]any) (kind, name string) {
	kind = strings.ToLower(orElse(dig.Text(body, "spec", "secretStoreRef", "kind"), "SecretStore"))
	return kind, dig.Text(body, "spec", "secretStoreRef", "name")
}

func storeReady(s subject) Verdict {
	c, ok := s.cond("Ready")
	if !ok {
		if class := s.str("spec", "controller"); class != "" {
			return fails("it is meant for controller class %q, which has not answered", class)
		}
		return waitsOrFails(s.young(), "no status yet")
	}
	if !c.is("True") {
		text := c.text()
		if e, ok := s.event("InvalidProviderConfig", "ValidationFailed"); ok {
			text = e.Message
		}
		return fails("%s", text)
	}
	if c.Reason == "ValidationUnknown" {
		return unsure("it says Ready, but its login could not be tested")
	}
	if s.Kind == "ClusterSecretStore" && referent(dig.At(s.Body, "spec", "provider"), "") {
		return unsure("it says Ready, but a store whose credentials are looked up in the caller's namespace is never tried")
	}
	return holdsBut("proves a login, not that the policy allows an entry")
}

// referent reports whether a reference to credentials below v names no
// namespace.
func referent(v any, key string) bool {
	m, ok := v.(map[string]any)
	if !ok {
		return false
	}
	if strings.HasSuffix(key, "Ref") && dig.Text(m, "name") != "" && dig.Text(m, "namespace") == "" {
		return true
	}
	for k, child := range m {
		if referent(child, k) {
			return true
		}
	}
	return false
}
