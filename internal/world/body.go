package world

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"runbook/internal/dig"
)

func numOr(v any, fallback int64, path ...string) int64 {
	if dig.At(v, path...) == nil {
		return fallback
	}
	return dig.Int(v, path...)
}

func strs(v any, path ...string) []string {
	var out []string
	for _, e := range dig.List(v, path...) {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func keysOf(v any, path ...string) []string {
	m := dig.Map(v, path...)
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// A condition is one entry of a conditions list.
type condition struct {
	Type, Status, Reason, Message string
	Observed                      int64 // generation; 0 when not said
	Since                         time.Time
}

func (c condition) is(status string) bool { return c.Status == status }

// text is the message, or the reason where there is none.
func (c condition) text() string {
	switch {
	case c.Message == "":
		return c.Reason
	case c.Reason == "" || strings.Contains(c.Message, c.Reason):
		return c.Message
	}
	return c.Reason + ": " + c.Message
}

func conditionIn(conditions []any, kind string) (condition, bool) {
	for _, c := range conditions {
		if dig.Text(c, "type") == kind {
			return condition{
				Type: kind, Status: dig.Text(c, "status"), Reason: dig.Text(c, "reason"), Message: dig.Text(c, "message"),
				Observed: dig.Int(c, "observedGeneration"), Since: dig.Time(c, "lastTransitionTime"),
			}, true
		}
	}
	return condition{}, false
}

// A subject is an object under judgement at one moment of the server's clock.
type subject struct {
	Object
	now time.Time
}

// newSubject moves now onto the API server's clock: a laptop that is five
// minutes ahead must not call a fresh object stuck.
func newSubject(o Object, now time.Time) subject {
	if !o.ServerTime.IsZero() && !o.Seen.IsZero() {
		now = o.ServerTime.Add(now.Sub(o.Seen))
	}
	return subject{Object: o, now: now}
}

func (s subject) str(path ...string) string { return dig.Text(s.Body, path...) }
func (s subject) num(path ...string) int64  { return dig.Int(s.Body, path...) }
func (s subject) name() string              { return s.str("metadata", "name") }
func (s subject) namespace() string         { return s.str("metadata", "namespace") }
func (s subject) generation() int64         { return s.num("metadata", "generation") }

func (s subject) cond(kind string) (condition, bool) {
	return conditionIn(dig.List(s.Body, "status", "conditions"), kind)
}

// isTrue reports whether the object has the condition with status True.
func (s subject) isTrue(kind string) bool {
	c, ok := s.cond(kind)
	return ok && c.is("True")
}

func (s subject) since(t time.Time) time.Duration {
	if t.IsZero() {
		return 0
	}
	return s.now.Sub(t)
}

func (s subject) age() time.Duration {
	return s.since(dig.Time(s.Body, "metadata", "creationTimestamp"))
}

// young reports whether the object is so new that silence means nothing yet. An
// object without a creation time isn't young: nobody would ever stop waiting.
func (s subject) young() bool {
	created := dig.Time(s.Body, "metadata", "creationTimestamp")
	return !created.IsZero() && s.now.Sub(created) < grace
}

// behind says how far the status lags behind the spec, or "".
func (s subject) behind() string {
	observed := dig.At(s.Body, "status", "observedGeneration")
	if observed == nil || dig.Int(observed) >= s.generation() {
		return ""
	}
	return "its controller has seen generation " + strconv.FormatInt(dig.Int(observed), 10) +
		" of " + strconv.FormatInt(s.generation(), 10)
}

// event returns the newest event with one of the reasons.
func (s subject) event(reasons ...string) (Event, bool) {
	for _, e := range s.Events {
		if slices.Contains(reasons, e.Reason) {
			return e, true
		}
	}
	return Event{}, false
}

// related returns the related object of that kind and name; one that nobody
// has looked for yet is Asking.
func (s subject) related(kind, namespace, name string) Object {
	for _, o := range s.Related {
		if o.Ref.Kind == kind && o.Ref.Name == name && (namespace == "" || o.Ref.Namespace == namespace) {
			return o
		}
	}
	return Object{Ref: NewRef(kind, "", namespace, name)}
}

// relatives returns the related objects of a kind that are there, and why the
// list may be short.
func (s subject) relatives(kind string) (present []Object, why string) {
	for _, o := range s.Related {
		switch {
		case o.Ref.Kind != kind:
		case o.Presence == Present:
			present = append(present, o)
		case o.Presence == Hidden:
			why = o.Why
		case o.Presence == Asking:
			why = "not asked yet"
		}
		if o.Ref.Kind == kind && o.Stale {
			why = staleText(o.Fact)
		}
	}
	return present, why
}
