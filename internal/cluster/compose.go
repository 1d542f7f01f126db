package cluster

import (
	"cmp"
	"slices"
	"time"

	"runbook/internal/dig"
	"runbook/internal/world"
)

// A composer makes one wanted object out of the reports it is made of, and
// remembers which those are.
type composer struct {
	ask   func(query) report
	asked []query
}

// explained is for how many pods that aren't ready the events are read: the
// third says what the first two do.
const explained = 3

func (c *composer) report(q query) report {
	if !slices.Contains(c.asked, q) {
		c.asked = append(c.asked, q)
	}
	return c.ask(q)
}

func (c *composer) object(ref world.Ref) world.Object {
	q := query{kind: ref.Kind, group: ref.Group, namespace: ref.Namespace, name: ref.Name, labels: ref.Selector}
	r := c.report(q)
	if ref.Name == "" {
		return listed(ref, r)
	}
	o := one(ref, r)
	if o.Presence != world.Present {
		return o
	}
	o.Events = c.events(o)
	o.Related = c.related(o)
	return o
}

// one is the object of a query by name.
func one(ref world.Ref, r report) world.Object {
	o := world.Object{Fact: r.fact, Ref: ref, Kind: r.kind, Group: r.group, Note: r.note, ServerTime: r.serverTime}
	if r.fact.Presence != world.Present {
		return o
	}
	if len(r.items) == 0 {
		o.Presence = world.Gone
		return o
	}
	o.Body, o.Keys = r.items[0].body, r.items[0].keys
	return o
}

// listed is the object that stands for all of a query; its items are related
// to it.
func listed(ref world.Ref, r report) world.Object {
	o := one(ref, r)
	o.Body, o.Keys = nil, nil
	o.Related = items(r)
	return o
}

func items(r report) []world.Object {
	var out []world.Object
	for _, it := range r.items {
		ref := world.NewRef(r.kind, r.group, dig.Text(it.body, "metadata", "namespace"), dig.Text(it.body, "metadata", "name"))
		out = append(out, world.Object{
			Fact: r.fact, Ref: ref, Kind: r.kind, Group: r.group, ServerTime: r.serverTime, Body: it.body, Keys: it.keys,
		})
	}
	return out
}

func (c *composer) related(o world.Object) []world.Object {
	var out []world.Object
	for _, q := range relatives(o) {
		r := c.report(q)
		if q.name != "" {
			out = append(out, one(q.ref(), r))
			continue
		}
		found := slices.DeleteFunc(items(r), func(r world.Object) bool { return !belongs(o, r) })
		if len(found) == 0 {
			// Stands for a list that is empty, or not known.
			found = []world.Object{one(q.ref(), report{fact: r.fact})}
		}
		out = append(out, found...)
	}
	c.explain(out)
	return out
}

// explain reads the events of related objects that are in the way.
func (c *composer) explain(related []world.Object) {
	n := 0
	for i, r := range related {
		if r.Presence != world.Present || r.Body == nil || n == explained || !unready(r) {
			continue
		}
		n++
		related[i].Events = c.events(r)
	}
}

// unready is a cheap look at whether events could matter.
func unready(o world.Object) bool {
	switch o.Ref.Kind {
	case "pod", "secretstore", "clustersecretstore":
		return world.Judge(o, o.Seen).Answer != world.Holds
	}
	return false
}

// events are those of the object, newest first. Normal ones count: the reason
// why a claim is pending is one.
func (c *composer) events(o world.Object) []world.Event {
	if o.Kind == "Event" {
		return nil
	}
	namespace := dig.Text(o.Body, "metadata", "namespace")
	if namespace == "" {
		namespace = "default" // where events about cluster-scoped objects go
	}
	r := c.report(query{
		kind: "event", namespace: namespace,
		fields: "involvedObject.kind=" + o.Kind + ",involvedObject.name=" + dig.Text(o.Body, "metadata", "name"),
	})
	uid := dig.Text(o.Body, "metadata", "uid")
	var out []world.Event
	for _, it := range r.items {
		if of := dig.Text(it.body, "involvedObject", "uid"); of != "" && uid != "" && of != uid {
			continue // about a namesake that is gone
		}
		out = append(out, event(it.body))
	}
	slices.SortStableFunc(out, func(a, b world.Event) int { return cmp.Compare(b.Last.UnixNano(), a.Last.UnixNano()) })
	return out
}

func event(body map[string]any) world.Event {
	e := world.Event{
		Type: dig.Text(body, "type"), Reason: world.Plain(dig.Text(body, "reason")), Message: world.Plain(dig.Text(body, "message")),
		Count: int(max(1, dig.Int(body, "count"), dig.Int(body, "series", "count"))),
	}
	for _, path := range [][]string{{"series", "lastObservedTime"}, {"lastTimestamp"}, {"eventTime"}, {"firstTimestamp"}, {"metadata", "creationTimestamp"}} {
		if t, err := time.Parse(time.RFC3339Nano, dig.Text(body, path...)); err == nil {
			e.Last = t
			break
		}
	}
	return e
}
