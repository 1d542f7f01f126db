package vault

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/go-secure-stdlib/parseutil"
)

// changeVersions deletes, undeletes or destroys the versions that are named.
func (e *kv2) changeVersions(s *Server, req *request, kind, name string) (*reply, error) {
	versions, err := intList(req.data["versions"])
	if err != nil {
		return nil, fieldError("versions", err)
	}
	if len(versions) == 0 {
		if kind == "destroy" {
			return nil, badRequest("no version number provided")
		}
		return nil, badRequest("No version number provided")
	}
	ent := e.entries[name]
	if ent == nil {
		return nil, nil
	}
	for _, n := range versions {
		v := ent.versions[n]
		if v == nil || v.destroyed {
			continue
		}
		switch kind {
		case "delete":
			ent.softDelete(n, s.now())
		case "undelete":
			v.deletion = e.deletionTime(ent, s.now())
		case "destroy":
			v.destroyed, v.data = true, nil
		}
	}
	return nil, nil
}

func (e *entry) softDelete(n int, now time.Time) {
	if v := e.versions[n]; v != nil && !v.gone(now) {
		v.deletion = now
	}
}

func intList(v any) ([]int, error) {
	var parts []any
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []any:
		parts = v
	case string:
		for _, p := range strings.Split(v, ",") {
			parts = append(parts, strings.TrimSpace(p))
		}
	case json.Number:
		parts = []any{v}
	default:
		return nil, fmt.Errorf("expected a list of numbers, got %T", v)
	}
	var out []int
	for _, p := range parts {
		n, err := parseutil.ParseInt(p)
		if err != nil {
			return nil, err
		}
		out = append(out, int(n))
	}
	return out, nil
}
