package expect

import (
	"strings"
	"testing"
	"time"

	"runbook/internal/steps"
	"runbook/internal/world"
)

var noon = time.Date(2026, 8, 22, 12, 0, 0, 0, time.UTC)

func fresh() world.Fact { return world.Fact{Presence: world.Present, Seen: noon} }

func thing(kind, group, namespace, name string, body map[string]any) world.Object {
	meta, _ := body["metadata"].(map[string]any)
	if meta == nil {
		meta = map[string]any{}
		body["metadata"] = meta
	}
	meta["name"], meta["namespace"] = name, namespace
	return world.Object{Fact: fresh(), Ref: world.NewRef(kind, "", namespace, name), Kind: kind, Group: group, Body: body}
}

func gone(kind, namespace, name string) world.Object {
	return world.Object{Fact: world.Fact{Presence: world.Gone, Seen: noon}, Ref: world.NewRef(kind, "", namespace, name)}
}

func worldOf(objects ...world.Object) world.World {
	w := world.World{Now: noon}
	for _, o := range objects {
		w = w.With(world.Update{Object: &o}, noon)
	}
	return w
}

func conditions(kindStatus ...string) map[string]any {
	var list []any
	for i := 0; i < len(kindStatus); i += 2 {
		list = append(list, map[string]any{"type": kindStatus[i], "status": kindStatus[i+1]})
	}
	return map[string]any{"status": map[string]any{"conditions": list}}
}

func kube(kind, namespace, name string, check steps.Check, args ...string) steps.Expectation {
	return steps.Expectation{Subject: steps.Subject{Source: steps.Kube, Kind: kind, Name: name, Namespace: namespace}, Check: check, Args: args}
}

type tell struct {
	name  string
	e     steps.Expectation
	w     world.World
	want  world.Answer
	why   string
	final bool
}

func tellAll(t *testing.T, cases []tell) {
	t.Helper()
	for _, c := range cases {
		got := Judge(c.e, c.w, "shop", "")
		if got.Answer != c.want || got.Final != c.final || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s:\n got %s (final %v) %q\nwant %s (final %v) %q", c.name, got.Answer, got.Final, got.Why, c.want, c.final, c.why)
		}
		if got.Answer != world.Holds && got.Why == "" {
			t.Errorf("%s: no reason", c.name)
		}
	}
}

func TestAnObjectIsWhatTheSentenceSays(t *testing.T) {
	secret := thing("Secret", "", "shop", "db", map[string]any{})
	secret.Keys = []string{"password", "username"}
	deleted := thing("PersistentVolumeClaim", "", "shop", "data-0", map[string]any{"metadata": map[string]any{
		"deletionTimestamp": "2026-08-22T11:59:00Z", "finalizers": []any{"kubernetes.io/pvc-protection"}}})
	noKind := world.Object{Fact: world.Fact{Presence: world.NoKind, Seen: noon}, Ref: world.NewRef("cluster", "", "shop", "db")}
	hidden := world.Object{Fact: world.Fact{Presence: world.Hidden, Why: "forbidden"}, Ref: world.NewRef("secret", "", "shop", "db")}
	tellAll(t, []tell{
		{"exists", kube("secret", "", "db", steps.Exists), worldOf(secret), world.Holds, "", false},
		{"exists under its long name in the default namespace", kube("secrets", "shop", "db", steps.Exists), worldOf(secret), world.Holds, "", false},
		{"in another namespace nobody has asked", kube("secret", "other", "db", steps.Exists), worldOf(secret), world.CantTell, "no answer yet", false},
		{"exists not", kube("secret", "", "db", steps.Exists), worldOf(gone("secret", "shop", "db")), world.DoesNot, "not found in namespace shop", false},
		{"has its keys", kube("secret", "", "db", steps.HasKeys, "username", "password"), worldOf(secret), world.Holds, "", false},
		{"lacks a key", kube("secret", "", "db", steps.HasKeys, "username", "URL"), worldOf(secret), world.DoesNot, "lacks URL", false},
		{"absent", kube("secret", "", "db", steps.Absent), worldOf(gone("secret", "shop", "db")), world.Holds, "", false},
		{"absent with its kind", kube("cluster", "", "db", steps.Absent), worldOf(noKind), world.Holds, "not installed", false},
		{"not absent", kube("secret", "", "db", steps.Absent), worldOf(secret), world.DoesNot, "still there", false},
		{"going", kube("pvc", "", "data-0", steps.Absent), worldOf(deleted), world.TooEarly, "held by finalizer kubernetes.io/pvc-protection", false},
		{"exists while it goes", kube("pvc", "", "data-0", steps.Exists), worldOf(deleted), world.Holds, "being deleted", false},
		{"absence can't be told when hidden", kube("secret", "", "db", steps.Absent), worldOf(hidden), world.CantTell, "forbidden", false},
		{"absence can't be told before an answer", kube("secret", "", "db", steps.Absent), worldOf(), world.CantTell, "no answer yet", false},
		{"ready needs its kind", kube("cluster", "", "db", steps.Ready), worldOf(noKind), world.DoesNot, "knows no kind", false},
		{"active namespace", kube("ns", "", "shop", steps.Active), worldOf(thing("Namespace", "", "", "shop", map[string]any{"status": map[string]any{"phase": "Active"}})), world.Holds, "", false},
		{"condition", kube("job", "", "p", steps.Condition, "Complete", ""), worldOf(thing("Job", "batch", "shop", "p", conditions("Complete", "True"))), world.Holds, "", false},
		{"condition not there", kube("job", "", "p", steps.Condition, "Complete", ""), worldOf(thing("Job", "batch", "shop", "p", conditions())), world.DoesNot, "no condition Complete", false},
		{"condition that can't come any more", kube("job", "", "p", steps.Condition, "Complete", ""), worldOf(thing("Job", "batch", "shop", "p", conditions("Failed", "True"))), world.DoesNot, "failed for good", true},
		{"condition False wanted", kube("job", "", "p", steps.Condition, "Complete", "False"), worldOf(thing("Job", "batch", "shop", "p", conditions("Complete", "False"))), world.Holds, "", false},
		{"keys of what has none", kube("job", "", "p", steps.HasKeys, "a"), worldOf(thing("Job", "batch", "shop", "p", conditions())), world.CantTell, "has no keys", false},
	})
}

func TestStaleFactsSaySinceWhenWhateverIsAsked(t *testing.T) {
	o := thing("Secret", "", "shop", "db", map[string]any{"status": map[string]any{"phase": "Active"}})
	o.Keys = []string{"a"}
	o.Stale, o.StaleSince, o.Why = true, time.Date(2026, 8, 22, 14, 2, 11, 0, time.UTC), "connection refused"
	for _, c := range []steps.Check{steps.Ready, steps.Active, steps.Exists, steps.Absent, steps.HasKeys, steps.Accepted, steps.Condition, steps.JSONPath, steps.TLSListener} {
		got := Judge(kube("secret", "", "db", c, "a", "==", "a"), worldOf(o), "shop", "")
		if got.Answer != world.CantTell || !strings.Contains(got.Why, "since 14:02:11: connection refused") {
			t.Errorf("%s: got %+v", c, got)
		}
	}
}

func TestAPathIsComparedAsKubernetesOrders(t *testing.T) {
	o := thing("Pod", "", "shop", "x", map[string]any{
		"status": map[string]any{"phase": "Running", "capacity": map[string]any{"storage": "900Mi"}},
		"spec":   map[string]any{"replicas": int64(9), "empty": "", "list": []any{map[string]any{"n": "a"}, map[string]any{"n": "b"}}}})
	var cases []tell
	for _, c := range []struct {
		path, op, value string
		want            world.Answer
		why             string
	}{
		{"{.status.phase}", "==", "Running", world.Holds, ""},
		{"{.status.phase}", "==", "Pending", world.DoesNot, "{.status.phase} is Running"},
		{"{.status.phase}", "!=", "Pending", world.Holds, ""},
		{"{.spec.replicas}", "==", "9", world.Holds, ""},
		{"{.spec.replicas}", "<", "10", world.Holds, ""},
		{"{.spec.replicas}", ">=", "10", world.DoesNot, "is 9"},
		{"{.status.capacity.storage}", "<", "1Gi", world.Holds, ""},
		{"{.status.phase}", ">", "1", world.CantTell, "not a number"},
		{"{.spec.replicas}", "<", "1e999999999", world.CantTell, "not a number"},
		{"{.spec.replicas}", "<", "1e99", world.Holds, ""},
		{"{.spec.list[*].n}", "==", "a b", world.Holds, ""},
		{"{.status.nothing}", "==", "x", world.DoesNot, "is not set"},
		{"{.status.nothing}", "!=", "x", world.CantTell, "is not set"},
		{"{.spec.empty}", "==", "x", world.DoesNot, "is empty"},
		{"{.spec[", "==", "x", world.CantTell, "can't be read"},
	} {
		cases = append(cases, tell{c.path + c.op + c.value, kube("pod", "", "x", steps.JSONPath, c.path, c.op, c.value), worldOf(o), c.want, c.why, false})
	}
	secret := thing("Secret", "", "shop", "db", map[string]any{})
	cases = append(cases, tell{"a value of a Secret", kube("secret", "", "db", steps.JSONPath, "{.data.password}", "==", "x"), worldOf(secret), world.CantTell, "not read", false})
	tellAll(t, cases)
}

func TestARouteIsAcceptedByEachParent(t *testing.T) {
	route := func(status string) world.Object {
		return thing("HTTPRoute", "gateway.networking.k8s.io", "shop", "web", map[string]any{
			"spec": map[string]any{"parentRefs": []any{map[string]any{"name": "edge", "namespace": "infra"}}},
			"status": map[string]any{"parents": []any{map[string]any{"parentRef": map[string]any{"name": "edge", "namespace": "infra"},
				"conditions": []any{map[string]any{"type": "Accepted", "status": status, "reason": "NotAllowedByListeners"}}}}}})
	}
	tellAll(t, []tell{
		{"accepted", kube("httproute", "", "web", steps.Accepted), worldOf(route("True")), world.Holds, "", false},
		{"not accepted", kube("httproute", "", "web", steps.Accepted), worldOf(route("False")), world.DoesNot, "NotAllowedByListeners", false},
	})
}

func TestAGatewayListensForAHostAndANamespace(t *testing.T) {
	listener := func(name, protocol, hostname, from, resolved string) (spec, status map[string]any) {
		spec = map[string]any{"name": name, "protocol": protocol, "hostname": hostname, "allowedRoutes": map[string]any{"namespaces": map[string]any{
			"from": from, "selector": map[string]any{"matchLabels": map[string]any{"gate": "open"}}}}}
		status = map[string]any{"name": name, "conditions": []any{
			map[string]any{"type": "ResolvedRefs", "status": resolved, "reason": "InvalidCertificateRef"},
			map[string]any{"type": "Accepted", "status": "True"}, map[string]any{"type": "Programmed", "status": "True"}}}
		return spec, status
	}
	gateway := func(protocol, hostname, from, resolved string) world.Object {
		spec, status := listener("https", protocol, hostname, from, resolved)
		return thing("Gateway", "gateway.networking.k8s.io", "infra", "edge", map[string]any{
			"spec": map[string]any{"listeners": []any{spec}}, "status": map[string]any{"listeners": []any{status}}})
	}
	shop := func(labels map[string]any) world.Object {
		return thing("Namespace", "", "", "shop", map[string]any{"metadata": map[string]any{"labels": labels}})
	}
	open, closed := shop(map[string]any{"gate": "open"}), shop(nil)
	asks := kube("gateway", "infra", "edge", steps.TLSListener, "shop.example.org", "shop")
	tellAll(t, []tell{
		{"open to all", asks, worldOf(gateway("HTTPS", "*.example.org", "All", "True"), closed), world.Holds, "", false},
		{"open by label", asks, worldOf(gateway("HTTPS", "*.example.org", "Selector", "True"), open), world.Holds, "", false},
		{"closed by label", asks, worldOf(gateway("HTTPS", "*.example.org", "Selector", "True"), closed), world.DoesNot, "gate=open, shop has none", false},
		{"labels not known", asks, worldOf(gateway("HTTPS", "*.example.org", "Selector", "True")), world.CantTell, "no answer yet", false},
		{"only its own namespace", asks, worldOf(gateway("HTTPS", "*.example.org", "Same", "True"), open), world.DoesNot, "own namespace infra", false},
		{"another host", asks, worldOf(gateway("HTTPS", "*.other.org", "All", "True"), open), world.DoesNot, "no TLS listener for shop.example.org, only https (HTTPS *.other.org)", false},
		{"no TLS", asks, worldOf(gateway("HTTP", "*.example.org", "All", "True"), open), world.DoesNot, "only https (HTTP *.example.org)", false},
		{"no certificate", asks, worldOf(gateway("HTTPS", "*.example.org", "All", "False"), open), world.DoesNot, "InvalidCertificateRef", false},
		{"whoever", kube("gateway", "infra", "edge", steps.TLSListener, "shop.example.org", ""), worldOf(gateway("HTTPS", "", "Same", "True")), world.Holds, "", false},
	})
}

func TestVaultIsAskedFromTheEarliestCauseOn(t *testing.T) {
	entry := func(keys ...string) world.Entry {
		return world.Entry{Fact: fresh(), Path: "east/shop", KV: 2, Version: 1, Keys: keys}
	}
	vault := func(change func(*world.World)) world.World {
		w := world.World{Now: noon, Health: world.Health{Fact: fresh(), Initialized: true}, Token: world.Token{Fact: fresh(), Never: true},
			Entries: map[string]world.Entry{"east/shop": entry("a", "b")},
			Caps:    map[string]world.Capabilities{"east/data/shop": {Fact: fresh(), Path: "east/data/shop", List: []string{"read"}}}}
		change(&w)
		return w
	}
	asIs := func(*world.World) {}
	say := func(entry string, c steps.Check, args ...string) steps.Expectation {
		return steps.Expectation{Subject: steps.Subject{Source: steps.Vault, Entry: entry}, Check: c, Args: args}
	}
	hide := func(w *world.World) {
		w.Entries["east/shop"] = world.Entry{Fact: world.Fact{Presence: world.Hidden, Why: "503"}, Path: "east/shop"}
	}
	tellAll(t, []tell{
		{"active", say("", steps.Active), vault(asIs), world.Holds, "", false},
		{"sealed", say("", steps.Active), vault(func(w *world.World) { w.Health.Sealed = true }), world.DoesNot, "sealed", false},
		{"exists", say("east/shop", steps.Exists), vault(asIs), world.Holds, "", false},
		{"keys", say("east/shop", steps.HasKeys, "a", "c"), vault(asIs), world.DoesNot, "lacks c", false},
		{"unknown entry", say("east/other", steps.Exists), vault(asIs), world.CantTell, "no answer yet", false},
		{"hidden because sealed", say("east/shop", steps.HasKeys, "a"), vault(func(w *world.World) { hide(w); w.Health.Sealed = true }), world.CantTell, "Vault: sealed", false},
		{"hidden because the token is dead", say("east/shop", steps.Absent), vault(func(w *world.World) { hide(w); w.Token.Presence, w.Token.Why = world.Gone, "expired" }), world.CantTell, "Vault: expired", false},
		{"hidden otherwise", say("east/shop", steps.Exists), vault(hide), world.CantTell, "503", false},
		{"absent", say("east/shop", steps.Absent), vault(func(w *world.World) {
			w.Entries["east/shop"] = world.Entry{Fact: world.Fact{Presence: world.Gone, Seen: noon}}
		}), world.Holds, "", false},
		{"a deleted version is not absent", say("east/shop", steps.Absent), vault(func(w *world.World) { e := entry(); e.Deleted = true; w.Entries["east/shop"] = e }), world.DoesNot, "undeleted", false},
		{"still there", say("east/shop", steps.Absent), vault(asIs), world.DoesNot, "still there", false},
		{"may read", say("token", steps.MayRead, "east/data/shop"), vault(asIs), world.Holds, "", false},
		{"may not read", say("token", steps.MayRead, "east/data/shop"), vault(func(w *world.World) {
			w.Caps["east/data/shop"] = world.Capabilities{Fact: fresh(), Path: "east/data/shop", List: []string{"deny"}}
		}), world.DoesNot, "denies east/data/shop", false},
		{"rights not asked yet", say("token", steps.MayRead, "west/data/shop"), vault(asIs), world.CantTell, "no answer yet", false},
	})
}

func TestAnAddressIsWhatItAnswers(t *testing.T) {
	answering := func(p world.Probe) world.World {
		p.URL = "https://shop"
		if p.Presence == world.Asking {
			p.Fact = fresh()
		}
		return world.World{Now: noon, Probes: map[string]world.Probe{"https://shop": p}}
	}
	say := func(c steps.Check, arg string) steps.Expectation {
		return steps.Expectation{Subject: steps.Subject{Source: steps.HTTP, URL: "https://shop"}, Check: c, Args: []string{arg}}
	}
	day := 24 * time.Hour
	tellAll(t, []tell{
		{"answers", say(steps.Answers, "200"), answering(world.Probe{Status: 200}), world.Holds, "", false},
		{"answers otherwise", say(steps.Answers, "200"), answering(world.Probe{Status: 404}), world.DoesNot, "answers 404", false},
		{"no answer", say(steps.Answers, "200"), answering(world.Probe{Fact: world.Fact{Presence: world.Gone, Why: "no such host"}}), world.DoesNot, "no such host", false},
		{"not probed", say(steps.Answers, "200"), world.World{}, world.CantTell, "no answer yet", false},
		{"redirects", say(steps.Redirects, "https"), answering(world.Probe{Status: 301, Location: "https://shop/"}), world.Holds, "", false},
		{"redirects elsewhere", say(steps.Redirects, "https"), answering(world.Probe{Status: 302, Location: "http://login"}), world.DoesNot, "redirects to http://login", false},
		{"no redirect", say(steps.Redirects, "https"), answering(world.Probe{Status: 200}), world.DoesNot, "no redirect", false},
		{"trusted", say(steps.Trusted, "21d"), answering(world.Probe{Trusted: true, NotAfter: noon.Add(22 * day)}), world.Holds, "", false},
		{"trusted too shortly", say(steps.Trusted, "21d"), answering(world.Probe{Trusted: true, NotAfter: noon.Add(20 * day)}), world.DoesNot, "expires in 20d", false},
		{"expired", say(steps.Trusted, "0s"), answering(world.Probe{Trusted: true, NotAfter: noon.Add(-day)}), world.DoesNot, "has expired", false},
		{"not trusted", say(steps.Trusted, "21d"), answering(world.Probe{TrustWhy: "signed by unknown authority", NotAfter: noon.Add(90 * day)}), world.DoesNot, "unknown authority", false},
		{"no TLS", say(steps.Trusted, "21d"), answering(world.Probe{}), world.DoesNot, "serves no certificate", false},
	})
}

func TestOutputIsMatchedLineByLine(t *testing.T) {
	e := steps.Expectation{Subject: steps.Subject{Source: steps.Output}, Check: steps.OutputMatch, Args: []string{`^HTTP\/2 200`}}
	for out, want := range map[string]world.Answer{
		"":                          world.TooEarly,
		"connecting\nHTTP/2 200 \n": world.Holds,
		"HTTP/2 404":                world.DoesNot,
	} {
		if got := Judge(e, world.World{}, "", out); got.Answer != want {
			t.Errorf("%q: got %+v, want %s", out, got, want)
		}
	}
}

func TestAllHoldsOnlyWhenEachDoes(t *testing.T) {
	w := worldOf(thing("Secret", "", "shop", "a", map[string]any{}), gone("secret", "shop", "b"),
		thing("Job", "batch", "shop", "j", conditions("Failed", "True")))
	yes, no, never := kube("secret", "", "a", steps.Exists), kube("secret", "", "b", steps.Exists), kube("job", "", "j", steps.Ready)
	unknown := kube("secret", "", "c", steps.Exists)
	yes.Text, no.Text, never.Text, unknown.Text = "a exists", "b exists", "j is ready", "c exists"
	for _, c := range []struct {
		es    []steps.Expectation
		want  world.Answer
		final bool
		why   string
	}{
		{nil, world.Holds, false, ""},
		{[]steps.Expectation{yes, yes}, world.Holds, false, ""},
		{[]steps.Expectation{yes, unknown}, world.CantTell, false, "c exists: no answer yet"},
		{[]steps.Expectation{unknown, no, yes}, world.DoesNot, false, "b exists: not found"},
		{[]steps.Expectation{no, never, yes}, world.DoesNot, true, "j is ready: failed for good"},
	} {
		got := All(c.es, w, "shop", "")
		if got.Answer != c.want || got.Final != c.final || !strings.HasPrefix(got.Why, c.why) {
			t.Errorf("got %+v, want %s (final %v) %q", got, c.want, c.final, c.why)
		}
	}
}

func TestAnExpressionIsJudgedOverTheObjectsItNames(t *testing.T) {
	say := func(expr string) steps.Expectation {
		return steps.Expectation{Subject: steps.Subject{Source: steps.CEL}, Check: steps.Expression, Args: []string{expr}}
	}
	web := thing("Deployment", "apps", "shop", "web", map[string]any{"status": map[string]any{"readyReplicas": int64(2)}})
	ready := `object("apps/v1", "Deployment", "web").status.readyReplicas >= `
	tellAll(t, []tell{
		{"true", say(ready + "2"), worldOf(web), world.Holds, "", false},
		{"false", say(ready + "3"), worldOf(web), world.DoesNot, "it is false", false},
		{"nobody asked", say(ready + "2"), worldOf(), world.CantTell, "deployment/web: no answer yet", false},
		{"not CEL", say(ready), worldOf(web), world.CantTell, "can't be read: column", false},
	})
}
