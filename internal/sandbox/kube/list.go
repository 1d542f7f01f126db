package kube

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"runbook/internal/sandbox/kube/store"
)

// list answers GET on a collection.
func (s *Server) list(w http.ResponseWriter, q *request) {
	f, err := negotiate(q.http)
	if err != nil {
		writeError(w, err)
		return
	}
	page, err := s.page(q)
	if err != nil {
		writeError(w, err)
		return
	}
	writeWarnings(w, q.warnings)
	if f.as == "Table" {
		t := s.table(q, page.items, strconv.FormatUint(page.revision, 10), true)
		t.Continue, t.RemainingItemCount = page.more, page.remaining
		s.write(w, f, http.StatusOK, t)
		return
	}
	items := make([]any, len(page.items))
	for i, obj := range page.items {
		obj = q.res.shown(obj)
		switch {
		case f.as != "":
			obj = partial(obj)
		case q.res.builtin != nil: // the list says what they are
			obj = maps.Clone(obj)
			delete(obj, "apiVersion")
			delete(obj, "kind")
		}
		items[i] = obj
	}
	remaining := int64(0)
	if page.remaining != nil {
		remaining = *page.remaining
	}
	list := q.list(items, page.revision, page.more, remaining)
	if f.as != "" {
		list["apiVersion"], list["kind"] = "meta.k8s.io/v1", "PartialObjectMetadataList"
	}
	s.write(w, f, http.StatusOK, list)
}

func (q *request) list(items []any, revision uint64, more string, remaining int64) map[string]any {
	m := map[string]any{"resourceVersion": strconv.FormatUint(revision, 10)}
	if more != "" {
		m["continue"] = more
		if remaining > 0 {
			m["remainingItemCount"] = remaining
		}
	}
	if items == nil {
		items = []any{}
	}
	return map[string]any{"apiVersion": q.res.apiVersion(), "kind": q.res.listKind, "metadata": m, "items": items}
}

// page is a part of a collection.
type page struct {
	items     []map[string]any
	revision  uint64
	more      string
	remaining *int64
}

// token is what a continue token says: where the next page starts and at which revision it is read.
type token struct {
	Version  string `json:"v"`
	Revision int64  `json:"rv"`
	Start    string `json:"start"`
}

const expiredContinue = "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list."

func (s *Server) page(q *request) (page, error) {
	sel, err := q.selection()
	if err != nil {
		return page{}, err
	}
	limit, err := q.int("limit")
	if err != nil {
		return page{}, err
	}
	start, p, err := s.read(q)
	if err != nil {
		return page{}, err
	}
	var picked []map[string]any
	for _, obj := range p.items {
		if pageKey(obj) >= start && sel.matches(obj) {
			picked = append(picked, obj)
		}
	}
	p.items = picked
	if limit > 0 && int64(len(picked)) > limit {
		p.items = picked[:limit]
		p.more = encodeToken(token{Version: "meta.k8s.io/v1", Revision: int64(p.revision), Start: pageKey(picked[limit])})
		if sel.everything() {
			left := int64(len(picked)) - limit
			p.remaining = &left
		}
	}
	return p, nil
}

func pageKey(obj map[string]any) string { return namespaceOf(obj) + "/" + nameOf(obj) }

func encodeToken(t token) string {
	// A struct of strings and numbers always encodes.
	data, _ := json.Marshal(t)
	return base64.RawURLEncoding.EncodeToString(data)
}

// read finds the objects at the revision that the request asks for.
func (s *Server) read(q *request) (start string, p page, err error) {
	rv, match := q.query.Get("resourceVersion"), metav1.ResourceVersionMatch(q.query.Get("resourceVersionMatch"))
	if c := q.query.Get("continue"); c != "" {
		return s.resume(q, c, rv)
	}
	if err := checkMatch(rv, match); err != nil {
		return "", page{}, err
	}
	p.items, p.revision = s.store.List(q.res.stored, q.namespace)
	if rv == "" || rv == "0" {
		return "", p, nil
	}
	asked, err := strconv.ParseUint(rv, 10, 64)
	if err != nil {
		return "", page{}, apierrors.NewBadRequest("invalid resource version \"" + rv + "\": " + err.Error())
	}
	if asked > p.revision {
		return "", page{}, tooLarge(asked, p.revision)
	}
	exact := match == metav1.ResourceVersionMatchExact || match == "" && q.query.Get("limit") != ""
	if !exact {
		return "", p, nil
	}
	items, err := s.store.ListAt(q.res.stored, q.namespace, asked)
	if errors.Is(err, store.ErrCompacted) {
		return "", page{}, apierrors.NewResourceExpired("The resourceVersion for the provided list is too old.")
	}
	return "", page{items: items, revision: asked}, err
}

func checkMatch(rv string, match metav1.ResourceVersionMatch) error {
	refuse := func(msg string) error {
		return optionForbidden("ListOptions", "resourceVersionMatch", "Forbidden: "+msg)
	}
	switch {
	case match == "":
		return nil
	case rv == "":
		return refuse("resourceVersionMatch is forbidden unless resourceVersion is provided")
	case match == metav1.ResourceVersionMatchExact && rv == "0":
		return refuse("resourceVersionMatch \"Exact\" is forbidden for resourceVersion \"0\"")
	case match != metav1.ResourceVersionMatchExact && match != metav1.ResourceVersionMatchNotOlderThan:
		return optionForbidden("ListOptions", "resourceVersionMatch", fmt.Sprintf(`Unsupported value: %q: supported values: "Exact", "NotOlderThan", ""`, match))
	}
	return nil
}

// resume reads the next page at the revision of the first one. A token without a revision goes on with
// what is there now.
func (s *Server) resume(q *request, c, rv string) (string, page, error) {
	if rv != "" && rv != "0" {
		return "", page{}, apierrors.NewBadRequest("specifying resource version is not allowed when using continue")
	}
	var t token
	data, err := base64.RawURLEncoding.DecodeString(c)
	if err == nil {
		err = json.Unmarshal(data, &t)
	}
	if err != nil || t.Version != "meta.k8s.io/v1" || t.Start == "" {
		return "", page{}, apierrors.NewBadRequest("continue key is not valid: " + fmt.Sprint(err))
	}
	if t.Revision < 0 {
		items, rev := s.store.List(q.res.stored, q.namespace)
		return t.Start, page{items: items, revision: rev}, nil
	}
	items, err := s.store.ListAt(q.res.stored, q.namespace, uint64(t.Revision))
	if errors.Is(err, store.ErrCompacted) {
		expired := apierrors.NewResourceExpired(expiredContinue)
		expired.ErrStatus.ListMeta.Continue = encodeToken(token{Version: t.Version, Revision: -1, Start: t.Start})
		return "", page{}, expired
	}
	return t.Start, page{items: items, revision: uint64(t.Revision)}, err
}

func tooLarge(asked, current uint64) error {
	err := apierrors.NewTimeoutError(fmt.Sprintf("Too large resource version: %d, current: %d", asked, current), 1)
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeResourceVersionTooLarge, Message: "Too large resource version"}}
	return err
}

func optionForbidden(kind, option, message string) error {
	st := apierrors.NewInvalid(metaKind(kind), "", nil)
	st.ErrStatus.Message = fmt.Sprintf("%s.meta.k8s.io \"\" is invalid: %s: %s", kind, option, message)
	st.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeForbidden, Message: message, Field: option}}
	return st
}
