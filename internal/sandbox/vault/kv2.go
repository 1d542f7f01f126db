package vault

import (
	"fmt"
	"net/http"
	"sort"
	"strings"
	"time"

	"github.com/hashicorp/go-secure-stdlib/parseutil"
)

// defaultMaxVersions is what neither the mount nor the entry says otherwise.
const defaultMaxVersions = 10

// A kv2 keeps versions.
type kv2 struct {
	entries map[string]*entry
	config  struct {
		maxVersions int
		casRequired bool
		deleteAfter time.Duration // negative switches it off for every entry
	}
}

type entry struct {
	versions    map[int]*version
	current     int
	oldest      int
	created     time.Time
	updated     time.Time
	maxVersions int
	casRequired bool
	deleteAfter time.Duration
	custom      map[string]string // nil until set
}

type version struct {
	data      map[string]any
	created   time.Time
	deletion  time.Time // zero is never; may lie in the future
	destroyed bool
}

func newKV2() *kv2 { return &kv2{entries: map[string]*entry{}} }

func (e *kv2) checksExistence(path string) bool {
	kind, rest, _ := strings.Cut(path, "/")
	return rest != "" && (kind == "data" || kind == "metadata")
}

func (e *kv2) exists(_ *request, path string) bool {
	_, rest, _ := strings.Cut(path, "/")
	_, ok := e.entries[rest]
	return ok
}

// handle finds the endpoint by the first segment, as the engine's paths do.
func (e *kv2) handle(s *Server, req *request, path string) (*reply, error) {
	kind, name, below := strings.Cut(path, "/")
	entryPath := below && name != "" && !strings.HasSuffix(name, "/")
	switch {
	case path == "config":
		return e.configAPI(req)
	case kind == "data" && entryPath:
		return e.dataAPI(s, req, name)
	case kind == "metadata" && below:
		return e.metadataAPI(s, req, name)
	case kind == "subkeys" && entryPath:
		return e.subkeys(s, req, name)
	case (kind == "delete" || kind == "undelete" || kind == "destroy") && below:
		if req.op != opUpdate {
			return nil, errUnsupported
		}
		return e.changeVersions(s, req, kind, name)
	}
	return e.invalidPath(req, path)
}

var cliVerbs = map[op]string{opCreate: "put", opUpdate: "put", opPatch: "patch", opRead: "get", opList: "list", opDelete: "delete"}

func (e *kv2) invalidPath(req *request, path string) (*reply, error) {
	verb, ok := cliVerbs[req.op]
	if !ok {
		return nil, errUnsupported
	}
	warning := fmt.Sprintf("Invalid path for a versioned K/V secrets engine. See the API docs for the appropriate API endpoints to use. If using the Vault CLI, use 'vault kv %s' for this operation.", verb)
	switch path {
	case "metadata", "data", "delete", "undelete", "destroy":
		warning = "Non-listing operations on the root of a K/V v2 mount are not supported."
	}
	return &reply{status: http.StatusNotFound, warnings: []string{warning}}, nil
}

func (e *kv2) dataAPI(s *Server, req *request, name string) (*reply, error) {
	switch req.op {
	case opRead:
		return e.readData(s, req, name)
	case opCreate, opUpdate:
		return e.writeData(s, req, name)
	case opPatch:
		return e.patchData(s, req, name)
	case opDelete:
		if ent := e.entries[name]; ent != nil {
			ent.softDelete(ent.current, s.now())
		}
		return nil, nil
	}
	return nil, errUnsupported
}

// pick finds the version that the request names, or the current one.
func (e *kv2) pick(req *request, name string) (*entry, int, *version, error) {
	n, _, err := req.number("version")
	if err != nil {
		return nil, 0, nil, err
	}
	ent := e.entries[name]
	if ent == nil {
		return nil, 0, nil, nil
	}
	if n <= 0 {
		n = ent.current
	}
	return ent, n, ent.versions[n], nil
}

func (v *version) gone(now time.Time) bool {
	return v.destroyed || !v.deletion.IsZero() && v.deletion.Before(now)
}

func (e *entry) versionInfo(n int, v *version) map[string]any {
	return map[string]any{
		"version": n, "created_time": stamp(v.created), "deletion_time": stamp(v.deletion),
		"destroyed": v.destroyed, "custom_metadata": e.customOrNil(),
	}
}

func (e *entry) customOrNil() any {
	if e.custom == nil {
		return nil
	}
	return e.custom
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func (e *kv2) readData(s *Server, req *request, name string) (*reply, error) {
	ent, n, v, err := e.pick(req, name)
	if err != nil || v == nil {
		return nil, err
	}
	rep := &reply{data: map[string]any{"data": nil, "metadata": ent.versionInfo(n, v)}}
	if v.gone(s.now()) {
		rep.status = http.StatusNotFound
		return rep, nil
	}
	rep.data["data"] = v.data
	return rep, nil
}

// subkeys is readData with every value taken out.
func (e *kv2) subkeys(s *Server, req *request, name string) (*reply, error) {
	if req.op != opRead {
		return nil, errUnsupported
	}
	depth, _, err := req.number("depth")
	if err != nil {
		return nil, err
	}
	ent, n, v, err := e.pick(req, name)
	if err != nil || v == nil {
		return nil, err
	}
	rep := &reply{data: map[string]any{"subkeys": nil, "metadata": ent.versionInfo(n, v)}}
	if v.gone(s.now()) {
		rep.status = http.StatusNotFound
		return rep, nil
	}
	rep.data["subkeys"] = withoutValues(v.data, depth, 1)
	return rep, nil
}

// withoutValues keeps the names down to a depth; 0 is all of them.
func withoutValues(m map[string]any, limit, depth int) map[string]any {
	out := map[string]any{}
	for k, v := range m {
		out[k] = nil
		if below, ok := v.(map[string]any); ok && len(below) > 0 && (limit == 0 || depth < limit) {
			out[k] = withoutValues(below, limit, depth+1)
		}
	}
	return out
}

// checkCAS compares the version that the writer expects with the current one.
func (e *kv2) checkCAS(req *request, ent *entry) error {
	options, _, err := req.table("options")
	if err != nil {
		return err
	}
	v, given := options["cas"]
	if !given {
		if e.config.casRequired || ent.casRequired {
			return badRequest("check-and-set parameter required for this call")
		}
		return nil
	}
	cas, err := parseutil.ParseInt(v)
	if err != nil {
		return badRequest("error parsing check-and-set parameter")
	}
	if int(cas) != ent.current {
		return badRequest("check-and-set parameter did not match the current version")
	}
	return nil
}

func (e *kv2) writeData(s *Server, req *request, name string) (*reply, error) {
	data, ok, err := req.table("data")
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, badRequest("no data provided")
	}
	ent := e.entries[name]
	if ent == nil {
		ent = &entry{versions: map[int]*version{}}
	}
	if err := e.checkCAS(req, ent); err != nil {
		return nil, err
	}
	e.entries[name] = ent
	rep := e.addVersion(ent, data, s.now())
	if unknown := unknownFields(req, "path", "version", "options", "data"); len(unknown) > 0 {
		rep.warnings = append(rep.warnings, fmt.Sprintf("Endpoint ignored these unrecognized parameters: %v", unknown))
	}
	return rep, nil
}

func unknownFields(req *request, known ...string) []string {
	var out []string
	for k := range req.data {
		found := false
		for _, n := range known {
			found = found || n == k
		}
		if !found {
			out = append(out, k)
		}
	}
	sort.Strings(out)
	return out
}

// addVersion appends a version and drops those that are too many.
func (e *kv2) addVersion(ent *entry, data map[string]any, now time.Time) *reply {
	v := &version{data: data, created: now, deletion: e.deletionTime(ent, now)}
	ent.current++
	ent.versions[ent.current] = v
	ent.updated = now
	if ent.created.IsZero() {
		ent.created = now
	}
	keep := max(ent.maxVersions, e.config.maxVersions)
	if keep <= 0 {
		keep = defaultMaxVersions
	}
	if ent.current-ent.oldest >= keep {
		last := ent.current - keep
		for n := ent.oldest; n <= last; n++ {
			delete(ent.versions, n)
		}
		ent.oldest = last + 1
	}
	return &reply{data: ent.versionInfo(ent.current, v)}
}

// deletionTime is when a version made now deletes itself: the shorter of what
// the entry and the mount say.
func (e *kv2) deletionTime(ent *entry, now time.Time) time.Time {
	mount := e.config.deleteAfter
	after := ent.deleteAfter
	if mount < 0 || mount == 0 && after == 0 {
		return time.Time{}
	}
	if after == 0 || mount != 0 && mount < after {
		after = mount
	}
	return now.Add(after)
}

// patchData merges into the current version as RFC 7396 says: null removes.
func (e *kv2) patchData(s *Server, req *request, name string) (*reply, error) {
	patch, ok, err := req.table("data")
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, badRequest("no data provided")
	}
	ent := e.entries[name]
	if ent == nil {
		return &reply{status: http.StatusNotFound, bare: true}, nil
	}
	if err := e.checkCAS(req, ent); err != nil {
		return nil, err
	}
	v := ent.versions[ent.current]
	if v == nil {
		return &reply{status: http.StatusNotFound, bare: true}, nil
	}
	if v.gone(s.now()) {
		return &reply{status: http.StatusNotFound, data: ent.versionInfo(ent.current, v)}, nil
	}
	return e.addVersion(ent, mergePatch(v.data, patch), s.now()), nil
}

func mergePatch(into, patch map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range into {
		out[k] = v
	}
	for k, v := range patch {
		switch below, isMap := v.(map[string]any); {
		case v == nil:
			delete(out, k)
		case isMap:
			old, _ := out[k].(map[string]any)
			out[k] = mergePatch(old, below)
		default:
			out[k] = v
		}
	}
	return out
}
