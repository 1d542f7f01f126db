package vault

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/hashicorp/go-secure-stdlib/parseutil"
)

// configAPI serves the settings of the whole mount.
func (e *kv2) configAPI(req *request) (*reply, error) {
	switch req.op {
	case opRead:
		return &reply{data: map[string]any{
			"max_versions": e.config.maxVersions, "cas_required": e.config.casRequired,
			"delete_version_after": e.config.deleteAfter.String(),
		}}, nil
	case opUpdate:
	default:
		return nil, errUnsupported
	}
	limits, err := readLimits(req)
	if err != nil {
		return nil, err
	}
	if limits.maxVersions != nil {
		e.config.maxVersions = *limits.maxVersions
	}
	if limits.cas != nil {
		e.config.casRequired = *limits.cas
	}
	if limits.deleteAfter != nil {
		e.config.deleteAfter = max(*limits.deleteAfter, -time.Second)
	}
	return nil, nil
}

// limits are the settings that a mount and an entry share; nil is not given.
type limits struct {
	maxVersions *int
	cas         *bool
	deleteAfter *time.Duration
}

func readLimits(req *request) (limits, error) {
	var l limits
	if n, given, err := req.number("max_versions"); err != nil {
		return l, err
	} else if given {
		l.maxVersions = &n
	}
	if b, given, err := req.flag("cas_required"); err != nil {
		return l, err
	} else if given {
		l.cas = &b
	}
	if v, ok := req.data["delete_version_after"]; ok && v != nil {
		d, err := parseutil.ParseDurationSecond(v)
		if err != nil {
			return l, fieldError("delete_version_after", err)
		}
		d = d.Truncate(time.Second)
		l.deleteAfter = &d
	}
	return l, nil
}

func (e *kv2) metadataAPI(s *Server, req *request, name string) (*reply, error) {
	switch req.op {
	case opList:
		if name != "" && !strings.HasSuffix(name, "/") {
			name += "/"
		}
		return listing(listUnder(e.entries, name)), nil
	case opRead:
		ent := e.entries[name]
		if ent == nil {
			return nil, nil
		}
		return &reply{data: ent.metadata()}, nil
	case opDelete:
		delete(e.entries, name)
		return nil, nil
	case opCreate, opUpdate:
		return e.writeMetadata(s, req, name)
	case opPatch:
		return e.patchMetadata(req, name)
	}
	return nil, errUnsupported
}

func (e *entry) metadata() map[string]any {
	versions := map[string]any{}
	for n, v := range e.versions {
		versions[strconv.Itoa(n)] = map[string]any{
			"created_time": stamp(v.created), "deletion_time": stamp(v.deletion), "destroyed": v.destroyed,
		}
	}
	return map[string]any{
		"versions": versions, "current_version": e.current, "oldest_version": e.oldest,
		"created_time": stamp(e.created), "updated_time": stamp(e.updated), "max_versions": e.maxVersions,
		"cas_required": e.casRequired, "delete_version_after": e.deleteAfter.String(), "custom_metadata": e.customOrNil(),
	}
}

func (e *kv2) writeMetadata(s *Server, req *request, name string) (*reply, error) {
	if name == "" {
		return nil, badRequest("missing path")
	}
	l, err := readLimits(req)
	if err != nil {
		return nil, err
	}
	raw, given, err := req.table("custom_metadata")
	if err != nil {
		return nil, err
	}
	if !given && l == (limits{}) {
		return nil, nil
	}
	custom := map[string]string{}
	for k, v := range raw {
		custom[k] = fmt.Sprint(v)
	}
	if problem := validateCustom(custom); problem != "" {
		return nil, badRequest(problem)
	}
	ent := e.entries[name]
	if ent == nil {
		ent = &entry{versions: map[int]*version{}, created: s.now(), updated: s.now()}
		e.entries[name] = ent
	}
	ent.setLimits(l)
	if given {
		ent.custom = custom
	}
	return e.casWarning(l), nil
}

func (e *kv2) patchMetadata(req *request, name string) (*reply, error) {
	if name == "" {
		return nil, badRequest("missing path")
	}
	l, err := readLimits(req)
	if err != nil {
		return nil, err
	}
	raw, _, err := req.table("custom_metadata")
	if err != nil {
		return nil, err
	}
	set := map[string]string{}
	for k, v := range raw {
		if v != nil {
			set[k] = fmt.Sprint(v)
		}
	}
	if problem := validateCustom(set); problem != "" {
		return nil, badRequest(problem)
	}
	ent := e.entries[name]
	if ent == nil {
		return &reply{status: http.StatusNotFound, bare: true}, nil
	}
	ent.setLimits(l)
	if len(raw) > 0 && ent.custom == nil {
		ent.custom = map[string]string{}
	}
	for k := range raw {
		if v, ok := set[k]; ok {
			ent.custom[k] = v
		} else {
			delete(ent.custom, k)
		}
	}
	return e.casWarning(l), nil
}

func (e *entry) setLimits(l limits) {
	if l.maxVersions != nil {
		e.maxVersions = *l.maxVersions
	}
	if l.cas != nil {
		e.casRequired = *l.cas
	}
	if l.deleteAfter != nil {
		e.deleteAfter = *l.deleteAfter
	}
}

func (e *kv2) casWarning(l limits) *reply {
	if l.cas == nil || *l.cas || !e.config.casRequired {
		return nil
	}
	return &reply{warnings: []string{`"cas_required" set to false, but is mandated by backend config. This value will be ignored.`}}
}

// The bounds of custom metadata, in entries and bytes.
const (
	maxCustomKeys  = 64
	maxCustomKey   = 128
	maxCustomValue = 512
)

// validateCustom returns what is wrong with custom metadata, "" when nothing is.
func validateCustom(m map[string]string) string {
	const failed = "custom_metadata validation failed"
	if len(m) > maxCustomKeys {
		return listOf([]string{fmt.Sprintf("%s: payload must contain at most %d keys, provided %d", failed, maxCustomKeys, len(m))})
	}
	var errs []string
	for _, k := range sortedKeys(m) {
		v := m[k]
		if len(k) == 0 || len(k) > maxCustomKey {
			errs = append(errs, fmt.Sprintf("%s: length of key %q is %d but must be 0 < len(key) <= %d", failed, k, len(k), maxCustomKey))
		}
		if len(v) == 0 || len(v) > maxCustomValue {
			errs = append(errs, fmt.Sprintf("%s: length of value for key %q is %d but must be 0 < len(value) <= %d", failed, k, len(v), maxCustomValue))
		}
		if !printable(k) {
			errs = append(errs, fmt.Sprintf("%s: key %q (%s) contains unprintable characters", failed, k, k))
		}
		if !printable(v) {
			errs = append(errs, fmt.Sprintf("%s: value for key %q contains unprintable characters", failed, k))
		}
	}
	return listOf(errs)
}

func printable(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// listOf prints several errors the way Vault's list of errors does.
func listOf(errs []string) string {
	switch len(errs) {
	case 0:
		return ""
	case 1:
		return "1 error occurred:\n\t* " + errs[0] + "\n\n"
	}
	return fmt.Sprintf("%d errors occurred:\n\t* %s\n\n", len(errs), strings.Join(errs, "\n\t* "))
}
