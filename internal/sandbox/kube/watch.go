package kube

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"runbook/internal/sandbox/kube/store"
)

// bookmarkEvery is how often an idle watch that wants bookmarks gets one, as in kube-apiserver.
const bookmarkEvery = time.Minute

// watcher is one open watch.
type watcher struct {
	s        *Server
	q        *request
	sel      selection
	form     form
	w        http.ResponseWriter
	at       uint64
	initial  bool // initial objects are still to be sent
	marked   bool // sendInitialEvents: their end is to be marked
	columned bool // the table's columns have been sent
}

func (s *Server) watch(w http.ResponseWriter, q *request) {
	v := &watcher{s: s, q: q, w: w}
	timeout, err := v.open()
	if err != nil {
		writeError(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache, private")
	writeWarnings(w, q.warnings)
	w.WriteHeader(http.StatusOK)
	v.flush()
	v.run(timeout)
}

func (v *watcher) open() (time.Duration, error) {
	var err error
	if v.form, err = negotiate(v.q.http); err != nil {
		return 0, err
	}
	if v.sel, err = v.q.selection(); err != nil {
		return 0, err
	}
	seconds, err := v.q.int("timeoutSeconds")
	if err != nil {
		return 0, err
	}
	if err := v.start(); err != nil {
		return 0, err
	}
	if seconds <= 0 {
		// Somewhere between half an hour and an hour, so that not all watches end at once.
		seconds = 1800 + int64(v.at%1800)
	}
	return time.Duration(seconds) * time.Second, nil
}

// start decides from which revision events are sent and whether what is there now comes first.
func (v *watcher) start() error {
	rv, initial := v.q.query.Get("resourceVersion"), v.q.query.Get("sendInitialEvents")
	match := metav1.ResourceVersionMatch(v.q.query.Get("resourceVersionMatch"))
	if initial != "" && match != metav1.ResourceVersionMatchNotOlderThan {
		return optionForbidden("ListOptions", "resourceVersionMatch", "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan")
	}
	if initial == "" && match != "" {
		return optionForbidden("ListOptions", "resourceVersionMatch", "Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided")
	}
	now := v.s.store.Revision()
	switch wanted, _ := strconv.ParseBool(initial); {
	case wanted:
		v.initial, v.marked = true, v.q.bool("allowWatchBookmarks")
		return nil
	case initial != "":
		v.at = now
	case rv == "" || rv == "0":
		v.initial = true
		return nil
	}
	if rv == "" || rv == "0" {
		return nil
	}
	asked, err := strconv.ParseUint(rv, 10, 64)
	if err != nil {
		return fmt.Errorf("resourceVersion: Invalid value: %q: %w", rv, err)
	}
	if asked > now {
		return tooLarge(asked, now)
	}
	v.at = asked
	return nil
}

// run sends events until the client leaves, the server closes, the time is over, the resource is
// removed, or the events that come next have been forgotten.
func (v *watcher) run(timeout time.Duration) {
	ctx := v.q.http.Context()
	end, mark := time.NewTimer(timeout), time.NewTicker(bookmarkEvery)
	defer end.Stop()
	defer mark.Stop()
	if v.initial && !v.sendInitial() {
		return
	}
	for {
		events, revision, changed, err := v.s.store.Since(v.q.res.stored, v.at)
		if errors.Is(err, store.ErrCompacted) {
			v.sendError(apierrors.NewResourceExpired(fmt.Sprintf("too old resource version: %d (%d)", v.at, revision)))
			return
		}
		for _, e := range events {
			if e.Type == store.Dropped || !v.sendEvent(e) {
				return
			}
		}
		v.at = revision
		select {
		case <-ctx.Done():
			return
		case <-v.s.closing:
			return
		case <-end.C:
			v.bookmark(nil)
			return
		case <-mark.C:
			v.bookmark(nil)
		case <-changed:
		}
	}
}

func (v *watcher) sendInitial() bool {
	items, revision := v.s.store.List(v.q.res.stored, v.q.namespace)
	v.at = revision
	for _, obj := range items {
		if v.sel.matches(obj) && !v.send("ADDED", obj) {
			return false
		}
	}
	if v.marked {
		v.bookmark(map[string]any{metav1.InitialEventsAnnotationKey: "true"})
	}
	return true
}

// sendEvent translates a change for this watch's selector: an object that starts to match is ADDED, one
// that ceases to is DELETED.
func (v *watcher) sendEvent(e store.Event) bool {
	if v.q.namespace != "" && v.q.res.namespaced && e.Key.Namespace != v.q.namespace {
		return true
	}
	now := e.Type != store.Deleted && v.sel.matches(e.Object)
	before := e.Prev != nil && v.sel.matches(e.Prev)
	switch {
	case now && before:
		return v.send("MODIFIED", e.Object)
	case now:
		return v.send("ADDED", e.Object)
	case before:
		obj := e.Prev
		if e.Type == store.Deleted {
			obj = e.Object
		}
		return v.send("DELETED", withRevision(obj, revisionOf(e.Object)))
	}
	return true
}

func withRevision(obj map[string]any, rv string) map[string]any {
	if revisionOf(obj) == rv {
		return obj
	}
	out, m := make(map[string]any, len(obj)), map[string]any{}
	for k, x := range obj {
		out[k] = x
	}
	for k, x := range meta(obj) {
		m[k] = x
	}
	m["resourceVersion"] = rv
	out["metadata"] = m
	return out
}

func (v *watcher) send(kind string, obj map[string]any) bool {
	var body any = v.q.res.shown(obj)
	switch v.form.as {
	case "Table":
		body = v.s.table(v.q, []map[string]any{obj}, revisionOf(obj), !v.columned)
		v.columned = true
	case "PartialObjectMetadata":
		body = partial(obj)
	}
	return v.frame(kind, body)
}

func (v *watcher) bookmark(annotations map[string]any) {
	if !v.q.bool("allowWatchBookmarks") {
		return
	}
	m := map[string]any{"resourceVersion": strconv.FormatUint(v.at, 10)}
	if annotations != nil {
		m["annotations"] = annotations
	}
	obj := map[string]any{"apiVersion": v.q.res.apiVersion(), "kind": v.q.res.kind, "metadata": m}
	var body any = obj
	switch v.form.as {
	case "Table":
		body = v.s.table(v.q, nil, strconv.FormatUint(v.at, 10), !v.columned)
	case "PartialObjectMetadata":
		body = partial(obj)
	}
	v.frame("BOOKMARK", body)
}

func (v *watcher) sendError(err error) { v.frame("ERROR", statusOf(err)) }

func (v *watcher) frame(kind string, obj any) bool {
	data, err := json.Marshal(map[string]any{"type": kind, "object": obj})
	if err != nil {
		return false
	}
	if _, err := v.w.Write(append(data, '\n')); err != nil {
		return false
	}
	v.flush()
	return true
}

func (v *watcher) flush() {
	if f, ok := v.w.(http.Flusher); ok {
		f.Flush()
	}
}
