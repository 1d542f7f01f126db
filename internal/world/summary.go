package world

import (
	"fmt"
	"strings"
	"time"

	"runbook/internal/dig"
)

// A Line is one line of the live pane.
type Line struct {
	Answer Answer // "" on a line of detail
	Text   string
	Age    string // of the fact, on the first line only
	Detail bool
}

func (l Line) String() string {
	if l.Detail {
		return "    " + l.Text
	}
	return l.Answer.Sign() + " " + l.Text + " (" + l.Age + ")"
}

// mostDetail is how many lines may follow the first.
const mostDetail = 3

// lines puts a verdict and details together; the reason of the verdict is the
// first detail.
func lines(f Fact, v Verdict, now time.Time, title string, details ...string) []Line {
	out := []Line{{Answer: v.Answer, Text: Clean(title), Age: Age(f, now)}}
	seen := map[string]bool{"": true}
	for _, d := range append([]string{v.Why}, details...) {
		if d = Clean(d); !seen[d] && len(out) <= mostDetail {
			seen[d] = true
			out = append(out, Line{Text: d, Detail: true})
		}
	}
	return out
}

// Summary is what the live pane shows of an object at now: whether it is
// ready, and up to three lines of what a person would look up next.
func Summary(o Object, now time.Time) []Line {
	v := Judge(o, now)
	title := o.Ref.Short()
	if o.Ref.Namespace != "" {
		title += " in " + o.Ref.Namespace
	}
	if o.Presence == Present && o.Ref.Name == "" {
		return lines(o.Fact, v, now, fmt.Sprintf("%s: %d", title, len(o.Related)))
	}
	if o.Presence != Present {
		return lines(o.Fact, v, now, title+": "+presenceWord(o.Presence))
	}
	s := newSubject(o, now)
	if word := stateWord(s); word != "" {
		title += ": " + word
	}
	details := append(facts(s), s.Note)
	// An event older than the object's present good state only frightens.
	if e, ok := newestEvent(s); ok && (v.Answer != Holds || e.Type == "Warning" && s.since(e.Last) < 5*time.Minute) {
		details = append([]string{e.Reason + ": " + e.Message + eventAge(s, e)}, details...)
	}
	return lines(o.Fact, v, now, title, details...)
}

func presenceWord(p Presence) string {
	switch p {
	case Gone:
		return "absent"
	case NoKind:
		return "no such kind"
	case Hidden:
		return "can't be read"
	}
	return "asking"
}

// stateWord is the kind's own word for its state, where it has one.
func stateWord(s subject) string {
	switch s.Kind {
	case "Secret", "ConfigMap":
		return fmt.Sprintf("%d keys", len(s.Keys))
	case "Deployment", "StatefulSet", "ReplicaSet":
		return fmt.Sprintf("%d/%d ready", s.num("status", "readyReplicas"), numOr(s.Body, 1, "spec", "replicas"))
	case "DaemonSet":
		return fmt.Sprintf("%d/%d ready", s.num("status", "numberReady"), s.num("status", "desiredNumberScheduled"))
	case "Order", "Challenge":
		return orElse(s.str("status", "state"), "new")
	case "Application":
		return strings.TrimSpace(s.str("status", "sync", "status") + " " + s.str("status", "health", "status"))
	}
	return s.str("status", "phase")
}

func newestEvent(s subject) (Event, bool) {
	for _, e := range s.Events {
		if e.Type == "Warning" {
			return e, true
		}
	}
	if len(s.Events) > 0 {
		return s.Events[0], true
	}
	return Event{}, false
}

func eventAge(s subject, e Event) string {
	var parts []string
	if e.Count > 1 {
		parts = append(parts, fmt.Sprintf("%d times", e.Count))
	}
	if !e.Last.IsZero() {
		parts = append(parts, Span(s.since(e.Last))+" ago")
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// facts are a kind's details beside the reason.
func facts(s subject) []string {
	switch s.Kind {
	case "Secret", "ConfigMap":
		return []string{strings.Join(s.Keys, ", ")}
	case "Pod":
		return []string{restarted(s), owner(s)}
	case "PersistentVolumeClaim":
		return []string{claimed(s)}
	case "PersistentVolume":
		return []string{s.str("spec", "capacity", "storage") + ", " + s.str("spec", "persistentVolumeReclaimPolicy") +
			claimName(s)}
	case "Gateway":
		return gatewayFacts(s)
	case "HTTPRoute":
		return []string{strings.Join(strs(s.Body, "spec", "hostnames"), ", ")}
	case "ExternalSecret":
		if t := dig.Time(s.Body, "status", "refreshTime"); !t.IsZero() {
			return []string{"synced " + Span(s.since(t)) + " ago into " + TargetSecret(s.Body)}
		}
	case "Cluster":
		return []string{fmt.Sprintf("%d of %d instances ready", s.num("status", "readyInstances"), numOr(s.Body, 1, "spec", "instances"))}
	case "Certificate":
		if t := dig.Time(s.Body, "status", "notAfter"); !t.IsZero() {
			return []string{"valid until " + t.UTC().Format(time.DateOnly)}
		}
	case "Service":
		return []string{s.str("spec", "type") + " " + s.str("spec", "clusterIP")}
	case "Job":
		return []string{fmt.Sprintf("%d active, %d succeeded, %d failed", s.num("status", "active"), s.num("status", "succeeded"), s.num("status", "failed"))}
	}
	return podFacts(s)
}

// podFacts sums up the pods of a workload.
func podFacts(s subject) []string {
	pods, _ := s.relatives("pod")
	var n int64
	for _, p := range pods {
		r, _ := restarts(subject{Object: p, now: s.now})
		n += r
	}
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d restarts in %d pods", n, len(pods))}
}

func owner(s subject) string {
	for _, o := range dig.List(s.Body, "metadata", "ownerReferences") {
		return "owned by " + dig.Text(o, "kind") + " " + dig.Text(o, "name")
	}
	return ""
}

func claimName(s subject) string {
	if name := s.str("spec", "claimRef", "name"); name != "" {
		return ", claimed by " + s.str("spec", "claimRef", "namespace") + "/" + name
	}
	return ""
}

func gatewayFacts(s subject) []string {
	var routes, addresses []string
	for _, l := range Listeners(s.Body) {
		routes = append(routes, fmt.Sprintf("%s: %d routes", l.Name, l.Attached))
	}
	for _, a := range dig.List(s.Body, "status", "addresses") {
		addresses = append(addresses, dig.Text(a, "value"))
	}
	return []string{strings.Join(routes, ", "), strings.Join(addresses, ", ")}
}
