package operators

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

const (
	esFinalizer = "externalsecrets.external-secrets.io/externalsecret-cleanup"
	dataHash    = "reconcile.external-secrets.io/data-hash"
	managedBy   = "reconcile.external-secrets.io/managed"
	createdBy   = "reconcile.external-secrets.io/created-by"
	longestWait = 7 * time.Minute // External Secrets' longest back-off
)

// The messages of a failed ExternalSecret. They are generic: what went wrong is only in the Event.
const (
	msgGet       = "could not get secret data from provider"
	msgUpdate    = "could not update secret"
	msgImmutable = "could not update secret, target is immutable"
	msgOwned     = "target is owned by another ExternalSecret"
	msgDelete    = "could not delete secret"
)

// externalSecrets turns entries of a store into Secrets.
type externalSecrets struct {
	*cluster
	vaults *vaults
	tries  map[types.UID]*try
}

// try remembers the last attempt at an ExternalSecret that is not in its status.
type try struct {
	seen     string // what the object looked like: generation and hash of labels and annotations
	failures int
	due      time.Time
}

func newExternalSecrets(c *cluster) controller {
	e := &externalSecrets{c, &vaults{c}, map[types.UID]*try{}}
	return controller{"external-secrets", []GVR{ExternalSecrets, Secrets, ClusterStores, SecretStores, Deployments, Namespaces}, e.pass}
}

func (e *externalSecrets) pass(ctx context.Context) (time.Duration, error) {
	if !e.installed(SecretsOperator) {
		return 0, nil
	}
	var next time.Duration
	var failed error
	alive := map[types.UID]bool{}
	for _, o := range e.all(ExternalSecrets) {
		alive[o.GetUID()] = true
		after, err := e.reconcile(ctx, o)
		if err != nil {
			failed = err
		}
		next = sooner(next, after)
	}
	for uid := range e.tries {
		if !alive[uid] {
			delete(e.tries, uid)
		}
	}
	return next, failed
}

// reconcile syncs one ExternalSecret if it is its turn, and returns when the next turn is.
func (e *externalSecrets) reconcile(ctx context.Context, o *unstructured.Unstructured) (time.Duration, error) {
	if o.GetDeletionTimestamp() != nil {
		return 0, e.cleanUp(ctx, o)
	}
	if !slices.Contains(o.GetFinalizers(), esFinalizer) {
		return 0, e.merge(ctx, ExternalSecrets, o, map[string]any{"metadata": map[string]any{
			"finalizers": append(anys(o.GetFinalizers()), esFinalizer), "resourceVersion": o.GetResourceVersion()}})
	}
	t, known := e.tries[o.GetUID()]
	if !known {
		t = &try{due: e.now().Add(e.pace.of(e.pace.delays.Sync))}
		e.tries[o.GetUID()] = t
	}
	seen := resourceVersion(o)
	if t.seen != seen && t.seen != "" {
		t.due, t.failures = e.now(), 0 // an edit or a force-sync annotation is acted on at once
	}
	t.seen = seen
	if wait := t.due.Sub(e.now()); wait > 0 {
		return wait, nil
	}
	if wait, current := e.current(o, seen); current {
		return wait, nil
	}
	return e.sync(ctx, o, t)
}

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// resourceVersion is what status.syncedResourceVersion holds: the generation and a hash of labels and annotations.
func resourceVersion(o *unstructured.Unstructured) string {
	raw, _ := json.Marshal([]any{o.GetAnnotations(), o.GetLabels()}) // maps of strings always marshal
	sum := sha256.Sum256(raw)
	return strconv.FormatInt(o.GetGeneration(), 10) + "-" + hex.EncodeToString(sum[:])[:32]
}

// current reports whether nothing has to be done, and for how long that will be so.
func (e *externalSecrets) current(o *unstructured.Unstructured, seen string) (time.Duration, bool) {
	synced, _, _ := unstructured.NestedString(o.Object, "status", "syncedResourceVersion")
	if synced != seen || !holds(o, "Ready") || !e.targetIsOurs(o) {
		return 0, false
	}
	interval, ok := refreshInterval(o)
	if !ok {
		return 0, true
	}
	at, _, _ := unstructured.NestedString(o.Object, "status", "refreshTime")
	refreshed, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return 0, false
	}
	wait := refreshed.Add(interval).Sub(e.now())
	return wait, wait > 0
}

// refreshInterval returns how often an ExternalSecret is read again; never for CreatedOnce, OnChange and interval 0.
func refreshInterval(o *unstructured.Unstructured) (time.Duration, bool) {
	policy, _, _ := unstructured.NestedString(o.Object, "spec", "refreshPolicy")
	if policy != "" && policy != "Periodic" {
		return 0, false
	}
	text, ok, _ := unstructured.NestedString(o.Object, "spec", "refreshInterval")
	if !ok {
		return time.Hour, true
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d > 0
}

// targetIsOurs reports whether the target Secret still is what was written. It is what makes manual edits short-lived.
func (e *externalSecrets) targetIsOurs(o *unstructured.Unstructured) bool {
	t := targetOf(o)
	s := e.find(Secrets, o.GetNamespace(), t.name)
	if t.creation == "Orphan" {
		return true
	}
	if s == nil {
		reason, _ := condition(o, "Ready")["reason"].(string)
		return t.creation == "None" || reason == "SecretMissing" || reason == "SecretDeleted"
	}
	if t.creation == "Merge" {
		return s.GetAnnotations()[dataHash] != ""
	}
	return s.GetAnnotations()[dataHash] == hashData(rawData(s)) && owns(o, s)
}

func (e *externalSecrets) sync(ctx context.Context, o *unstructured.Unstructured, t *try) (time.Duration, error) {
	asked := e.now() // what is written to Vault from here on belongs to the next refresh
	data, err := e.fetch(ctx, o)
	if err != nil {
		return e.failed(ctx, o, t, msgGet, err)
	}
	ready, message, err := e.apply(ctx, o, data)
	if err != nil {
		if passing(err) {
			return 0, err // somebody wrote the Secret meanwhile: the next look decides on what is there now
		}
		return e.failed(ctx, o, t, message, err)
	}
	t.failures = 0
	t.due = e.now()
	status := map[string]any{
		"refreshTime":           stamp(asked),
		"syncedResourceVersion": resourceVersion(o),
		"binding":               map[string]any{"name": targetOf(o).name},
		"conditions":            merged(conditionsOf(o.Object, "status", "conditions"), e.now(), ready),
	}
	return 0, e.setStatus(ctx, ExternalSecrets, o, status)
}

// failed reports an attempt that did not work and puts the next one off, twice as long each time.
func (e *externalSecrets) failed(ctx context.Context, o *unstructured.Unstructured, t *try, message string, cause error) (time.Duration, error) {
	wait := e.pace.of(e.pace.delays.Failed)
	for i := 0; i < t.failures && wait < longestWait; i++ {
		wait *= 2
	}
	t.failures++
	wait = min(wait, longestWait)
	t.due = e.now().Add(wait)
	e.warn(ctx, o, "external-secrets", "UpdateFailed", cause.Error())
	status, _, _ := unstructured.NestedMap(o.Object, "status")
	if status == nil {
		status = map[string]any{}
	}
	status["conditions"] = merged(conditionsOf(o.Object, "status", "conditions"), e.now(),
		cond{kind: "Ready", status: "False", reason: "SecretSyncedError", message: message})
	return wait, e.setStatus(ctx, ExternalSecrets, o, status)
}

// storeOf finds the store of an ExternalSecret. An empty kind means a SecretStore beside it: nothing defaults it.
func (e *externalSecrets) storeOf(o *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	ref, _, _ := unstructured.NestedStringMap(o.Object, "spec", "secretStoreRef")
	name, ns := ref["name"], o.GetNamespace()
	if ref["kind"] != "ClusterSecretStore" {
		s := e.find(SecretStores, ns, name)
		if s == nil {
			return nil, fmt.Errorf(`could not get SecretStore %q, SecretStore.external-secrets.io %q not found`, name, name)
		}
		return s, e.usable(s, "SecretStore")
	}
	s := e.find(ClusterStores, "", name)
	if s == nil {
		return nil, fmt.Errorf(`could not get ClusterSecretStore %q, ClusterSecretStore.external-secrets.io %q not found`, name, name)
	}
	if !e.admits(s, ns) {
		return nil, fmt.Errorf("using cluster store %q is not allowed from namespace %q: denied by spec.condition", name, ns)
	}
	return s, e.usable(s, "ClusterSecretStore")
}

// usable is the flood gate: no request goes out through a store that is not ready itself.
func (e *externalSecrets) usable(store *unstructured.Unstructured, kind string) error {
	if !holds(store, "Ready") {
		return fmt.Errorf("%s %q is not ready", kind, store.GetName())
	}
	return nil
}

// cleanUp lets a deleted ExternalSecret go. An owned Secret goes with it by its owner reference; deletionPolicy Delete
// takes it away here.
func (e *externalSecrets) cleanUp(ctx context.Context, o *unstructured.Unstructured) error {
	if !slices.Contains(o.GetFinalizers(), esFinalizer) {
		return nil
	}
	t := targetOf(o)
	if s := e.find(Secrets, o.GetNamespace(), t.name); s != nil && t.deletion == "Delete" && owns(o, s) {
		if err := e.remove(ctx, Secrets, s, -1); err != nil {
			return err
		}
	}
	left := slices.DeleteFunc(slices.Clone(o.GetFinalizers()), func(f string) bool { return f == esFinalizer })
	return e.merge(ctx, ExternalSecrets, o, map[string]any{"metadata": map[string]any{
		"finalizers": anys(left), "resourceVersion": o.GetResourceVersion()}})
}

// fetch reads every value that an ExternalSecret asks for.
func (e *externalSecrets) fetch(ctx context.Context, o *unstructured.Unstructured) (map[string]string, error) {
	store, err := e.storeOf(o)
	if err != nil {
		return nil, err
	}
	client, err := e.vaults.open(ctx, store, o.GetNamespace())
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	keep := targetOf(o).deletion == "Retain"
	from, _, _ := unstructured.NestedSlice(o.Object, "spec", "dataFrom")
	for i, raw := range from {
		ref, _, _ := unstructured.NestedMap(raw.(map[string]any), "extract")
		data, err := e.vaults.read(ctx, client, store, str(ref, "key"), str(ref, "version"))
		if errors.Is(err, errNoEntry) && !keep {
			e.normal(ctx, o, "external-secrets", "MissingProviderSecret", fmt.Sprintf("secret does not exist at provider using spec.dataFrom[%d]", i))
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("error processing spec.dataFrom[%d].extract, err: %w", i, err)
		}
		for k, v := range data {
			out[k] = text(v)
		}
	}
	data, _, _ := unstructured.NestedSlice(o.Object, "spec", "data")
	for i, raw := range data {
		item := raw.(map[string]any)
		ref, _, _ := unstructured.NestedMap(item, "remoteRef")
		value, err := e.value(ctx, client, store, ref)
		if errors.Is(err, errNoEntry) && !keep {
			e.normal(ctx, o, "external-secrets", "MissingProviderSecret", fmt.Sprintf("secret does not exist at provider using spec.data[%d] (key: %s)", i, str(ref, "key")))
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("error processing spec.data[%d] (key: %s), err: %w", i, str(ref, "key"), err)
		}
		out[str(item, "secretKey")] = value
	}
	return out, nil
}

func str(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return strings.TrimSpace(s)
}
