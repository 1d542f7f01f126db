package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"

	"runbook/internal/world"
)

// A query is what one watch is about. It is a key: equal queries share a watch.
type query struct {
	kind, group     string // as asked, canonical
	namespace, name string // no name means all that the selectors leave
	labels, fields  string
}

func (q query) ref() world.Ref {
	r := world.NewRef(q.kind, q.group, q.namespace, q.name)
	r.Selector = q.labels
	return r
}

// A report is what a source knows at one moment. Nobody changes one that was
// sent.
type report struct {
	fact        world.Fact
	serverTime  time.Time
	kind, group string // as the cluster names it
	note        string
	items       []item // by namespace and name
}

// A source keeps one query answered until its context ends: it lists, watches
// from there, and starts over when the watch ends for whatever reason. The
// watch is ended on purpose every o.Relist, because an open watch proves
// nothing: it survives the loss of the right to read, and some servers forget
// to say that it has fallen behind.
type source struct {
	client *Client
	query  query
	o      Options
	send   func(report) // blocks until the report is taken or the source ends
	kick   chan struct{}

	known map[string]item
	last  report
}

func (s *source) run(ctx context.Context) {
	failures := 0
	for ctx.Err() == nil {
		began := time.Now()
		err := s.cycle(ctx)
		if ctx.Err() != nil {
			return
		}
		var pause time.Duration
		switch {
		case err != nil:
			failures++
			pause = s.failed(err, failures)
		default:
			failures, pause = 0, s.o.rest(time.Since(began))
		}
		s.sleep(ctx, pause)
	}
}

// rest is the pause after a cycle that ended in an orderly way. One that ended
// at once is the work of a proxy, or of a server that starts up.
func (o Options) rest(lived time.Duration) time.Duration {
	if lived < o.MinBackoff {
		return o.MinBackoff
	}
	return 0
}

func (s *source) sleep(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.kick:
	case <-ctx.Done():
	}
}

// errGone says that a kind that discovery promised isn't served any more.
var errGone = errors.New("the kind is not served any more")

// cycle is one list and the watch that follows it. It returns nil when the
// watch ended in an orderly way and must be begun anew.
func (s *source) cycle(ctx context.Context) error {
	r, note, err := s.client.catalog.find(ctx, s.query.kind, s.query.group)
	if err != nil {
		return err
	}
	s.last.kind, s.last.group, s.last.note = r.kind, r.gvr.Group, note
	at := s.at(r)
	version, pollOnly, err := s.list(ctx, at)
	if apierrors.IsNotFound(err) {
		s.client.catalog.forget(ctx)
		if _, _, err := s.client.catalog.find(ctx, s.query.kind, s.query.group); err != nil {
			return err
		}
		return errGone
	}
	if err != nil {
		return err
	}
	if !pollOnly && r.can("watch") {
		err = s.watch(ctx, at, version)
		if !apierrors.IsForbidden(err) && !apierrors.IsMethodNotSupported(err) {
			return err
		}
	}
	// It may be read, but not watched.
	s.sleep(ctx, s.o.Poll)
	return nil
}

func (s *source) at(r resource) dynamic.ResourceInterface {
	at := s.client.dynamic.Resource(r.gvr)
	if r.namespaced && s.query.namespace != "" {
		return at.Namespace(s.query.namespace)
	}
	return at
}

func (s *source) options() metav1.ListOptions {
	o := metav1.ListOptions{LabelSelector: s.query.labels, FieldSelector: s.query.fields}
	if s.query.name != "" {
		o.FieldSelector = "metadata.name=" + s.query.name
	}
	return o
}

// list asks for everything there is now. Where listing is forbidden but the
// one object may be read, it is read, and pollOnly says to come again.
func (s *source) list(ctx context.Context, at dynamic.ResourceInterface) (version string, pollOnly bool, err error) {
	known := map[string]item{}
	o := s.options()
	o.Limit = pageSize
	for {
		page, err := s.page(ctx, at, o)
		if apierrors.IsForbidden(err) && s.query.name != "" {
			return "", true, s.read(ctx, at, err)
		}
		if err != nil {
			return "", false, err
		}
		for i := range page.Items {
			add(known, page.Items[i].Object)
		}
		version, o.Continue = page.GetResourceVersion(), page.GetContinue()
		if o.Continue == "" {
			break
		}
	}
	s.known = known
	s.heard()
	return version, false, nil
}

func (s *source) page(ctx context.Context, at dynamic.ResourceInterface, o metav1.ListOptions) (*unstructured.UnstructuredList, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	return at.List(ctx, o)
}

func (s *source) read(ctx context.Context, at dynamic.ResourceInterface, forbidden error) error {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	o, err := at.Get(ctx, s.query.name, metav1.GetOptions{})
	switch {
	case apierrors.IsForbidden(err):
		return forbidden
	case apierrors.IsNotFound(err):
		s.known = map[string]item{}
	case err != nil:
		return err
	default:
		s.known = map[string]item{}
		add(s.known, o.Object)
	}
	s.heard()
	return nil
}

func key(body map[string]any) string {
	meta, _ := body["metadata"].(map[string]any)
	namespace, _ := meta["namespace"].(string)
	name, _ := meta["name"].(string)
	return namespace + "/" + name
}

func add(known map[string]item, body map[string]any) {
	it := strip(body)
	known[key(body)] = it
}

// watch follows changes from version on until the watch ends, is ended by the
// server or by us. An error is one worth saying.
func (s *source) watch(ctx context.Context, at dynamic.ResourceInterface, version string) error {
	// The spread keeps many sources from relisting in the same instant.
	long := s.o.Relist + time.Duration(rand.Int64N(int64(s.o.Relist)/3+1))
	ctx, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	o := s.options()
	seconds := int64(long.Seconds()) + 5 // ours ends first; this one is for a lost connection
	o.ResourceVersion, o.AllowWatchBookmarks, o.TimeoutSeconds = version, true, &seconds
	w, err := at.Watch(ctx, o)
	switch {
	case err != nil && ctx.Err() != nil, apierrors.IsResourceExpired(err), apierrors.IsGone(err):
		return nil
	case err != nil:
		return err
	}
	defer w.Stop()
	for {
		select {
		case e, open := <-w.ResultChan():
			if !open {
				return nil
			}
			if err, done := s.changed(e); done {
				return err
			}
		case <-s.kick:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

// changed takes one event in. Done means that the watch is over.
func (s *source) changed(e watch.Event) (err error, done bool) {
	o, ok := e.Object.(*unstructured.Unstructured)
	switch e.Type {
	case watch.Added, watch.Modified:
		if !ok {
			return nil, true
		}
		add(s.known, o.Object)
	case watch.Deleted:
		if !ok {
			return nil, true
		}
		delete(s.known, key(o.Object))
	case watch.Error:
		err := apierrors.FromObject(e.Object)
		if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
			return nil, true
		}
		return err, true
	}
	s.heard()
	return nil, false
}

// heard reports what is known now, as fresh.
func (s *source) heard() {
	now := s.o.Now()
	s.last.fact = world.Fact{Presence: world.Present, Seen: now}
	s.last.serverTime = s.client.clock.at(now)
	s.last.items = make([]item, 0, len(s.known))
	for _, k := range slices.Sorted(maps.Keys(s.known)) {
		s.last.items = append(s.last.items, s.known[k])
	}
	s.send(s.last)
}

// failed reports what err means for what is known, and says when to try again.
func (s *source) failed(err error, failures int) time.Duration {
	now := s.o.Now()
	var missing *noKindError
	switch {
	case errors.Is(err, errGone):
		return s.o.MinBackoff
	case errors.As(err, &missing):
		s.answered(world.Fact{Presence: world.NoKind, Why: missing.text, Seen: now})
		return s.o.Poll / 2
	case apierrors.IsForbidden(err):
		s.answered(world.Fact{Presence: world.Hidden, Why: s.forbidden(err), Seen: now})
		return s.o.Relist
	case refused(err) && failures == 1:
		return s.o.MinBackoff // new credentials are fetched after the old ones were refused
	case refused(err):
		s.answered(world.Fact{Presence: world.Hidden, Why: s.client.why(err), Seen: now})
		return s.o.Poll
	case apierrors.IsTooManyRequests(err) && failures < 3:
		// A kind whose CRD was just made answers so for a second.
		return max(s.o.MinBackoff, retryAfter(err))
	}
	s.unheard(now, reason(err))
	return backoff(s.o, failures)
}

// answered replaces what was known by the answer that it can't be known. Old
// bodies are dropped: what may not be read now must not be shown on.
func (s *source) answered(f world.Fact) {
	s.known = nil
	s.last.fact, s.last.items, s.last.serverTime = f, nil, s.client.clock.at(f.Seen)
	s.send(s.last)
}

// unheard keeps what was last known and says since when it isn't fresh.
func (s *source) unheard(now time.Time, why string) {
	f := &s.last.fact
	if f.Seen.IsZero() {
		f.Presence, f.Why = world.Hidden, fmt.Sprintf("%s doesn't answer: %s", s.client.server, why)
	} else if !f.Stale {
		f.Stale, f.StaleSince = true, now
	}
	if f.Stale {
		f.Why = why
	}
	s.send(s.last)
}

func (s *source) forbidden(err error) string {
	what := s.query.kind
	if s.query.name != "" {
		what += " " + s.query.name
	}
	where := ""
	if s.query.namespace != "" {
		where = " in namespace " + s.query.namespace
	}
	// The rest of the server's words says why when there is a why.
	detail := ""
	if _, because, ok := strings.Cut(err.Error(), ": "); ok && strings.Contains(because, "error") {
		detail = ": " + world.Clean(because)
	}
	return "you may not read " + what + where + detail
}

func retryAfter(err error) time.Duration {
	if s, ok := apierrors.SuggestsClientDelay(err); ok {
		return min(time.Duration(s)*time.Second, 5*time.Second)
	}
	return time.Second
}

func backoff(o Options, failures int) time.Duration {
	d := o.MinBackoff << min(failures-1, 10)
	return min(d, o.MaxBackoff)
}
