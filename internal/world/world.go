package world

import (
	"maps"
	"time"
)

// A Ref names an object the way people do: any of the kind's names (deployment,
// deploy, Deployment), lower case.
type Ref struct {
	Kind      string
	Group     string // "" when not said
	Namespace string // "" for cluster-scoped kinds
	Name      string // "" stands for all objects of the kind in the namespace
	// Selector narrows a Ref without a name by labels, as kubectl's -l does.
	Selector string
}

func (r Ref) String() string {
	kind := r.Kind
	if r.Group != "" {
		kind += "." + r.Group
	}
	if r.Name == "" {
		return kind
	}
	return kind + "/" + r.Name
}

// A Presence says what is known of whether a thing exists.
type Presence string

// The presences.
const (
	Asking  Presence = ""        // asked for, no answer yet
	Present Presence = "present" //
	Gone    Presence = "absent"  // asked and not there
	NoKind  Presence = "no kind" // the cluster serves no such kind
	Hidden  Presence = "hidden"  // could not be asked; Fact.Why says why (forbidden, unreachable, …)
)

// A Fact is common to everything that can be known.
type Fact struct {
	Presence Presence
	Why      string // behind Hidden and NoKind
	// Seen is when this was last known to be true: the last event, bookmark or
	// answer, by the clock of this machine. The zero time means never.
	Seen time.Time
	// Stale is set while the source of the fact can't be heard, with the reason
	// in Why; the rest of the fact is then what was last known.
	Stale      bool
	StaleSince time.Time
}

// An Object is what is known of one object of the cluster.
type Object struct {
	Fact
	Ref    Ref
	Kind   string         // as the cluster names it: Deployment
	Group  string         // API group
	Body   map[string]any // the object without Secret data and last-applied annotation; nil unless Present
	Keys   []string       // of a Secret or ConfigMap, sorted
	Events []Event        // about the object, newest first
	// ServerTime is the API server's clock at Seen, for age gates.
	ServerTime time.Time
	// Note says how the name was understood when it could mean several kinds.
	Note string
	// Related are the objects that the verdict of this one needs, as far as
	// they're known: the pods of a workload, the Secret of an ExternalSecret.
	Related []Object
}

// An Event is a Kubernetes Event about an object.
type Event struct {
	Type, Reason, Message string
	Last                  time.Time
	Count                 int
}

// A Health is Vault's own state.
type Health struct {
	Fact
	Address     string
	Initialized bool
	Sealed      bool
	Standby     bool // standby or performance standby or DR secondary; Mode says which
	Mode        string
	Version     string
	Cluster     string
	ServerTime  time.Time
}

// A Token is what Vault says of the token in use.
type Token struct {
	Fact
	TTL      time.Duration // at Seen; 0 with Never means it doesn't expire
	Never    bool
	Policies []string
	NumUses  int // 0 means unlimited
}

// An Entry is what is known of a KV entry: never a value.
type Entry struct {
	Fact
	Path     string // mount/path
	Mount    string
	KV       int      // 1 or 2
	Version  int      // current version; 0 for KV v1
	Keys     []string // sorted
	KeysWhy  string   // why the keys are not known
	Created  time.Time
	Deletes  time.Time // when the current version is deleted, or was; zero when never
	Deleted  bool
	Destroys bool // the current version is destroyed
}

// Capabilities are what the token may do at a path.
type Capabilities struct {
	Fact
	Path string
	List []string
}

// A Probe is the answer of an address.
type Probe struct {
	Fact
	URL      string
	Status   int
	Location string // of a redirect
	// TLS
	Trusted   bool
	TrustWhy  string
	NotAfter  time.Time
	Subject   string
	IssuedFor []string
}

// A World is a snapshot of all facts. It is a value: nobody changes one that
// somebody else holds.
type World struct {
	Now     time.Time
	Objects map[Ref]Object
	Health  Health
	Token   Token
	Entries map[string]Entry        // by mount/path
	Caps    map[string]Capabilities // by path
	Probes  map[string]Probe        // by URL
}

// An Update is one new fact; exactly one field is set.
type Update struct {
	Object  *Object
	Health  *Health
	Token   *Token
	Entry   *Entry
	Caps    *Capabilities
	Probe   *Probe
	Dropped *Ref // no longer watched
}

// With returns the world after u, as of now.
func (w World) With(u Update, now time.Time) World {
	w.Now = now
	switch {
	case u.Object != nil:
		w.Objects = put(w.Objects, u.Object.Ref, *u.Object)
	case u.Health != nil:
		w.Health = *u.Health
	case u.Token != nil:
		w.Token = *u.Token
	case u.Entry != nil:
		w.Entries = put(w.Entries, u.Entry.Path, *u.Entry)
	case u.Caps != nil:
		w.Caps = put(w.Caps, u.Caps.Path, *u.Caps)
	case u.Probe != nil:
		w.Probes = put(w.Probes, u.Probe.URL, *u.Probe)
	case u.Dropped != nil:
		w.Objects = maps.Clone(w.Objects)
		delete(w.Objects, *u.Dropped)
	}
	return w
}

func put[K comparable, V any](m map[K]V, k K, v V) map[K]V {
	m = maps.Clone(m)
	if m == nil {
		m = map[K]V{}
	}
	m[k] = v
	return m
}
