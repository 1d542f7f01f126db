package vault

import (
	"strings"
	"time"

	"github.com/hashicorp/go-secure-stdlib/parseutil"
)

// A kv1 keeps one map per path, without versions.
type kv1 struct {
	entries map[string]map[string]any
	mount   *mount // whose lease time the entries have; nil for a cubbyhole
}

func newKV1(m *mount) *kv1 { return &kv1{entries: map[string]map[string]any{}, mount: m} }

func (e *kv1) checksExistence(string) bool { return true }

func (e *kv1) exists(_ *request, path string) bool {
	_, ok := e.entries[path]
	return ok
}

func (e *kv1) handle(_ *Server, req *request, path string) (*reply, error) {
	switch req.op {
	case opRead:
		data, ok := e.entries[path]
		if !ok {
			return nil, nil
		}
		return &reply{data: data, lease: e.leaseOf(data)}, nil
	case opList:
		if path != "" && !strings.HasSuffix(path, "/") {
			path += "/"
		}
		return listing(listUnder(e.entries, path)), nil
	case opCreate, opUpdate:
		if path == "" {
			return nil, badRequest("missing path")
		}
		if len(req.data) == 0 {
			return nil, badRequest("missing data fields")
		}
		e.entries[path] = req.data
		return nil, nil
	case opDelete:
		delete(e.entries, path)
		return nil, nil
	}
	return nil, errUnsupported
}

// leaseOf is how long an entry may be kept before it is read again, in seconds:
// the entry's own ttl, else that of the mount. A cubbyhole has none.
func (e *kv1) leaseOf(data map[string]any) int {
	if e.mount == nil {
		return 0
	}
	v, ok := data["ttl"]
	if !ok {
		v, ok = data["lease"]
	}
	if ok {
		if d, err := parseutil.ParseDurationSecond(v); err == nil {
			return int(d.Seconds())
		}
	}
	return int(seconds(e.mount.defaultTTL, defaultLease))
}

// upgrade turns the entries into first versions.
func (e *kv1) upgrade() *kv2 {
	out := newKV2()
	for path, data := range e.entries {
		v := &version{data: data, created: time.Unix(0, 0).UTC()}
		out.entries[path] = &entry{versions: map[int]*version{1: v}, current: 1, created: v.created, updated: v.created}
	}
	return out
}

// A cubbyhole is a kv1 of each token's own.
type cubbyhole struct{ byToken map[string]*kv1 }

func (c *cubbyhole) of(req *request) *kv1 {
	e, ok := c.byToken[req.tokenID]
	if !ok {
		e = newKV1(nil)
		c.byToken[req.tokenID] = e
	}
	return e
}

func (c *cubbyhole) checksExistence(string) bool { return true }

func (c *cubbyhole) exists(req *request, path string) bool { return c.of(req).exists(req, path) }

func (c *cubbyhole) handle(s *Server, req *request, path string) (*reply, error) {
	return c.of(req).handle(s, req, path)
}
