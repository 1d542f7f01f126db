package guard

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"runbook/internal/dig"
	"runbook/internal/risk"
	"runbook/internal/world"
)

// processEffects are what becomes of the value that running pods have read.
func processEffects(d deed, h home) []effect {
	var out []effect
	add := func(e effect, ok bool) {
		if ok {
			out = append(out, e)
		}
	}
	for _, m := range manifests(d) {
		add(h.rewired(m))
	}
	for _, t := range d.Touches {
		add(h.environment(t, d))
		add(h.restarted(t, d))
	}
	return out
}

// A user is a pod that reads the value when one of its containers starts.
type user struct {
	pod        map[string]any
	containers []reading
}

// A reading is a container that reads the value: into which variable, or "" for
// all keys of the Secret and for files.
type reading struct {
	name, variable string
	started        time.Time // zero when it doesn't run
}

// users are the pods that read the value, as far as they could be listed.
func (h home) users() []user {
	items, _ := h.listed("pod")
	var out []user
	for _, o := range items {
		if rs := h.readings(dig.At(o.Body, "spec"), dig.At(o.Body, "status")); len(rs) > 0 {
			out = append(out, user{o.Body, rs})
		}
	}
	return out
}

// readings are the containers of a pod that read the value.
func (h home) readings(spec, status any) []reading {
	var volumes []string
	for _, v := range dig.List(spec, "volumes") {
		if dig.Text(v, "secret", "secretName") == h.name || slices.ContainsFunc(dig.List(v, "projected", "sources"), func(s any) bool { return dig.Text(s, "secret", "name") == h.name }) {
			volumes = append(volumes, dig.Text(v, "name"))
		}
	}
	var out []reading
	for _, c := range slices.Concat(dig.List(spec, "initContainers"), dig.List(spec, "containers")) {
		variables := h.variables(c)
		if len(variables) == 0 && slices.ContainsFunc(dig.List(c, "volumeMounts"), func(m any) bool { return slices.Contains(volumes, dig.Text(m, "name")) }) {
			variables = []string{""}
		}
		for _, v := range variables {
			out = append(out, reading{name: dig.Text(c, "name"), variable: v, started: startedAt(status, dig.Text(c, "name"))})
		}
	}
	return out
}

// variables are those of a container that get the value. The last of several
// entries of one name wins, and env wins over envFrom.
func (h home) variables(container any) []string {
	var out []string
	for _, f := range dig.List(container, "envFrom") {
		if dig.Text(f, "secretRef", "name") == h.name {
			out = append(out, dig.Text(f, "prefix")+h.Key)
		}
	}
	for _, e := range dig.List(container, "env") {
		name := dig.Text(e, "name")
		out = slices.DeleteFunc(out, func(v string) bool { return v == name })
		if dig.Text(e, "valueFrom", "secretKeyRef", "name") == h.name && dig.Text(e, "valueFrom", "secretKeyRef", "key") == h.Key {
			out = append(out, name)
		}
	}
	return out
}

func startedAt(status any, container string) time.Time {
	for _, c := range dig.List(status, "containerStatuses") {
		if dig.Text(c, "name") == container {
			return dig.Time(c, "state", "running", "startedAt")
		}
	}
	return time.Time{}
}

// rewired judges the manifest of a workload whose pods read the value: whether
// the containers would get it from where they get it now.
func (h home) rewired(m manifest) (effect, bool) {
	template := dig.At(m.spec, "template", "spec")
	if m.kind == "cronjob" || template == nil || !h.here(m.namespace) {
		return effect{}, false
	}
	then := map[string]bool{}
	for _, r := range h.readings(template, nil) {
		then[r.name+"/"+r.variable] = true
	}
	for _, u := range h.users() {
		if !controlledBy(u.pod, m.kind, m.name) {
			continue
		}
		for _, r := range u.containers {
			if !then[r.name+"/"+r.variable] {
				return h.elsewhere(orElse(r.variable, "the file")), true
			}
		}
	}
	return effect{}, false
}

// elsewhere is a process that gets its value from another place, without any
// Secret being touched.
func (h home) elsewhere(variable string) effect {
	return effect{layer: Process, rotates: true, how: "changes where " + variable + " of the pods comes from, and so", then: "the Secret stays as it is, and the restart that follows reads something else",
		undo: "apply the old manifest again, or kubectl rollout undo"}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// environment judges kubectl set env on a workload that reads the value.
func (h home) environment(t risk.Touch, d deed) (effect, bool) {
	if t.Op != "update" || !h.here(t.Namespace) {
		return effect{}, false
	}
	for _, u := range h.users() {
		if t.Name != "" && !controlledBy(u.pod, t.Kind, t.Name) {
			continue
		}
		for _, r := range u.containers {
			if r.variable != "" && d.says(r.variable+"=", r.variable+"-", `"`+r.variable+`"`) && d.says(" env ", " patch ") {
				return h.elsewhere(r.variable), true
			}
		}
	}
	return effect{}, false
}

// controlledBy tells whether a pod is one of a workload.
func controlledBy(pod map[string]any, kind, name string) bool {
	for _, o := range dig.List(pod, "metadata", "ownerReferences") {
		owner := dig.Text(o, "name")
		switch {
		case variable(name):
			return true
		case kind == "deployment" && dig.Text(o, "kind") == "ReplicaSet":
			base, _, _ := cutLast(owner, "-")
			if base == name {
				return true
			}
		case strings.EqualFold(dig.Text(o, "kind"), kind) && owner == name:
			return true
		}
	}
	return false
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// workloads are the kinds whose pods a command restarts.
var workloads = []string{"deployment", "replicaset", "statefulset", "daemonset", "replicationcontroller"}

// restarted judges what makes pods start anew: they read the Secret then, and a
// value that was written after they had started becomes effective.
func (h home) restarted(t risk.Touch, d deed) (effect, bool) {
	if t.Op == "read" || t.Op == "wait" || t.Op == "create" || t.Op == "exec" || d.only("annotates", "labels") {
		return effect{}, false
	}
	if why := h.untellable(); why != "" && d.Class == risk.Interrupt && restarts(t, h) {
		return effect{layer: Process, how: "may activate a pending new value of", then: "can't tell, because " + why, undo: "not restarting"}, true
	}
	written, by := h.written()
	if h.secret().Presence != world.Present || written.IsZero() {
		return effect{}, false
	}
	stale, fresh := 0, 0
	for _, u := range h.users() {
		if !hits(t, u.pod, h) {
			continue
		}
		for _, r := range u.containers {
			switch {
			case r.started.IsZero():
			case written.After(r.started):
				stale++
			default:
				fresh++
			}
		}
	}
	if stale == 0 {
		return effect{}, false
	}
	how := "this restart activates a pending new value of"
	if t.Op == "apply" || t.Op == "update" && d.Class < risk.Interrupt {
		how = "a restart by this activates a pending new value of"
	}
	then := "the Secret was written " + written.UTC().Format(time.DateTime) + " UTC"
	if by != "" {
		then += " by " + by
	}
	then += ", after the pods had read it"
	if fresh > 0 {
		then += "; some pods have the new value already, so that sessions break now and then"
	}
	return effect{layer: Process, rotates: true, how: how, then: then, undo: h.undoPending()}, true
}

// untellable says why it can't be told whether a value is pending; "" when it can.
func (h home) untellable() string {
	_, known := h.listed("pod")
	switch {
	case h.secret().Presence == world.Gone:
		return ""
	case h.secret().Presence != world.Present:
		return "the Secret can't be read"
	case !known:
		return "the pods can't be listed"
	}
	return ""
}

// undoPending says how the old value can be kept while pods still have it.
func (h home) undoPending() string {
	e := h.entry()
	if e.Presence == world.Present && e.KV == 2 && e.Version > 1 {
		return fmt.Sprintf("not restarting; before that, give %s of the Vault entry %s its value of version %d back, if that is the old one", h.Property, h.Vault, e.Version-1)
	}
	return "not restarting: the old value is nowhere but in the running pods"
}

// restarts tells whether a touch may restart pods beside the Secret.
func restarts(t risk.Touch, h home) bool {
	return t.Kind == "node" || h.here(t.Namespace) && (t.Kind == "pod" || slices.Contains(workloads, t.Kind))
}

// hits tells whether a touch restarts a pod.
func hits(t risk.Touch, pod map[string]any, h home) bool {
	switch {
	case t.Kind == "node":
		return t.Name == "" || named(t.Name, dig.Text(pod, "spec", "nodeName"))
	case !h.here(t.Namespace):
		return false
	case t.Kind == "pod":
		return t.Op == "delete" && (t.Name == "" || named(t.Name, dig.Text(pod, "metadata", "name")))
	case slices.Contains(workloads, t.Kind):
		return t.Name == "" || controlledBy(pod, t.Kind, t.Name)
	}
	return false
}
