package vault

import (
	"fmt"
	"net/http"
	"sort"
	"strings"
)

// A space is a namespace: its own mounts, logins and policies.
type space struct {
	path     string // "" for the root, else with a slash at its end
	mounts   map[string]*mount
	auths    map[string]*mount
	policies map[string]*policy
}

func (s *Server) addSpace(path string) {
	ns := &space{path: path, mounts: map[string]*mount{}, auths: map[string]*mount{}, policies: map[string]*policy{}}
	s.spaces[path] = ns
	ns.policies["default"] = mustPolicy(path, "default", defaultPolicy)
	s.addBuiltinMounts(ns)
}

// namespaceOf finds the namespace by header and by the start of the path: both
// may name a part of it. Without any namespace configured the header is
// ignored, because the free edition doesn't know it.
func (s *Server) namespaceOf(header, path string) (*space, string, error) {
	if len(s.spaces) == 1 {
		return s.spaces[""], path, nil
	}
	prefix := ""
	if h := strings.Trim(header, "/"); h != "" && h != "root" {
		prefix = h + "/"
	}
	if _, ok := s.spaces[prefix]; !ok {
		return nil, path, fail(http.StatusNotFound, fmt.Sprintf("no handler for route %q. route entry not found.", prefix+path))
	}
	full, best := prefix+path, prefix
	for p := range s.spaces {
		if len(p) > len(best) && strings.HasPrefix(full, p) {
			best = p
		}
	}
	return s.spaces[best], strings.TrimPrefix(full, best), nil
}

// mountAt returns the mount that the path lies in and the rest of the path.
func (ns *space) mountAt(path string) (*mount, string) { return longest(ns.mounts, path) }

// authAt is mountAt for logins, whose paths start with auth/.
func (ns *space) authAt(path string) (*mount, string) {
	rest, ok := strings.CutPrefix(path, "auth/")
	if !ok {
		return nil, path
	}
	return longest(ns.auths, rest)
}

func longest(mounts map[string]*mount, path string) (*mount, string) {
	var best *mount
	for p, m := range mounts {
		if (strings.HasPrefix(path, p) || path+"/" == p) && (best == nil || len(p) > len(best.path)) {
			best = m
		}
	}
	if best == nil {
		return nil, path
	}
	return best, strings.TrimPrefix(strings.TrimPrefix(path, strings.TrimSuffix(best.path, "/")), "/")
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// listUnder is the listing of a folder: the names right below the prefix, and
// those further down cut to their folder.
func listUnder[V any](m map[string]V, prefix string) []string {
	seen := map[string]bool{}
	for k := range m {
		rest, ok := strings.CutPrefix(k, prefix)
		if !ok || rest == "" {
			continue
		}
		if i := strings.Index(rest, "/"); i >= 0 {
			rest = rest[:i+1]
		}
		seen[rest] = true
	}
	return sortedKeys(seen)
}

// listing is the reply to a list; an empty one is not found.
func listing(keys []string) *reply {
	if len(keys) == 0 {
		return nil
	}
	return &reply{data: map[string]any{"keys": keys}}
}
