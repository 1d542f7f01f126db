package vault

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// A Holding is what a path of Vault has in it: names, never a value.
type Holding struct {
	Mount   string // that the path is, or is in; "" for a namespace
	Type    string // of the mount: "kv", "pki"; only KV mounts can be listed
	Path    string // the path without what the API puts between mount and entry
	Entry   bool   // an entry of exactly this path is there
	Entries []string
	// More tells that the entries are only the first ones.
	More     bool
	Unlisted []Unlisted
}

// An Unlisted is a folder of which nothing can be told, as the API names it.
type Unlisted struct{ Path, Why string }

const (
	mostEntries = 2000 // that one answer names
	mostFolders = 300  // that are asked for one answer
)

// Holding lists what is below a path, however deep, with one request for each
// folder: a mount, a folder or an entry in it. The path may be an entry's, as
// the API names it too (mount/metadata/entry). A mount that isn't there is
// NoMount; an error means that nothing could be told.
func (c *Client) Holding(ctx context.Context, path string) (Holding, error) {
	path = strings.Trim(path, "/")
	if err := c.spare(ctx, path); err != nil {
		return Holding{}, err
	}
	m, kind, err := c.mountOf(ctx, path)
	if err != nil {
		return Holding{}, err
	}
	h := Holding{Mount: strings.TrimSuffix(m.path, "/"), Type: kind, Path: path}
	if m.kv == 0 {
		return h, nil
	}
	if m.kv == 2 {
		m.rest = withoutAPI(m.rest)
	}
	h.Path = strings.TrimSuffix(m.path+m.rest, "/")
	l := lister{client: c, folders: mostFolders, into: &h}
	if m.rest != "" {
		folder, name := m.rest[:strings.LastIndex(m.rest, "/")+1], m.rest[strings.LastIndex(m.rest, "/")+1:]
		keys, err := c.keys(ctx, mount{m.path, m.kv, folder})
		h.Entry = slices.Contains(keys, name)
		if err != nil || !slices.Contains(keys, name+"/") {
			return h, l.told(m, err)
		}
	}
	return h, l.below(ctx, m)
}

// NamespaceHolding lists what the mounts of a namespace hold. Its entries begin
// with the namespace.
func (c *Client) NamespaceHolding(ctx context.Context, namespace string) (Holding, error) {
	namespace = strings.Trim(namespace, "/")
	h := Holding{Path: namespace}
	if err := c.spare(ctx, namespace); err != nil {
		return h, err
	}
	mounts, err := c.mountsIn(ctx, namespace, &h)
	if err != nil {
		return h, err
	}
	l := lister{client: c, folders: mostFolders, into: &h}
	for _, path := range sorted(mounts) {
		m := mountFrom(namespace+"/"+path, mapAt(mounts, path))
		switch kind := textAt(mapAt(mounts, path), "type"); {
		case m.kv > 0:
			if err := l.below(ctx, m); err != nil {
				return h, err
			}
		case !slices.Contains([]string{"system", "cubbyhole", "identity", "ns_system", "ns_cubbyhole", "ns_identity"}, kind):
			h.Unlisted = append(h.Unlisted, Unlisted{m.path, "it is a mount of type " + oneLine(kind) + ", which keeps no entries"})
		}
	}
	return h, nil
}

// mountsIn are the mounts of a namespace. Whoever may not read them all is told
// by Vault of those that it may use, and of no other: that is said to be short.
func (c *Client) mountsIn(ctx context.Context, namespace string, h *Holding) (map[string]any, error) {
	a, err := c.call(ctx, http.MethodGet, namespace+"/sys/mounts", nil)
	if KindOf(err) != Denied {
		return a.data, err
	}
	all := namespace + "/sys/mounts"
	h.Unlisted = append(h.Unlisted, Unlisted{all, "the token lacks the capability read on " + all + ", so that there may be mounts it isn't told of"})
	a, err = c.call(ctx, http.MethodGet, namespace+"/sys/internal/ui/mounts", nil)
	return mapAt(a.data, "secret"), err
}

func sorted(m map[string]any) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// spare refuses to list with a token that has only so many uses: each folder
// would cost one.
func (c *Client) spare(ctx context.Context, path string) error {
	if !c.limited.Load() {
		_, _ = c.Token(ctx) // a token that may not ask about itself can still be one that may list
	}
	if c.limited.Load() {
		return &Error{Op: "list", Object: path, Kind: Costly, Detail: "the token has only so many uses, and each folder would cost one"}
	}
	return nil
}

// withoutAPI is the entry of a path that may be one of the API of KV v2. An
// entry may be called like a part of the API; then it is named twice.
func withoutAPI(rest string) string {
	for _, api := range []string{"metadata", "data", "subkeys", "delete", "undelete", "destroy"} {
		if entry, ok := strings.CutPrefix(rest, api+"/"); ok {
			return entry
		}
	}
	return rest
}

// A lister walks folders, the nearest first, until its bounds.
type lister struct {
	client  *Client
	folders int // that may still be asked
	into    *Holding
}

// below lists all folders from one on.
func (l *lister) below(ctx context.Context, m mount) error {
	if m.rest != "" {
		m.rest += "/"
	}
	for queue := []string{m.rest}; len(queue) > 0; queue = queue[1:] {
		at := mount{m.path, m.kv, queue[0]}
		if l.folders == 0 || len(l.into.Entries) >= mostEntries {
			l.into.More = true
			return nil
		}
		l.folders--
		keys, err := l.client.keys(ctx, at)
		if err := l.told(at, err); err != nil {
			return err
		}
		for _, k := range keys {
			if strings.HasSuffix(k, "/") {
				queue = append(queue, at.rest+k)
				continue
			}
			l.into.Entries = append(l.into.Entries, at.path+at.rest+k)
		}
	}
	return nil
}

// told keeps why one folder could not be listed, and returns what makes asking
// for the next one pointless.
func (l *lister) told(m mount, err error) error {
	switch KindOf(err) {
	case "":
		return err
	case Denied:
		path := m.at("metadata")
		l.into.Unlisted = append(l.into.Unlisted, Unlisted{path, fmt.Sprintf("the token lacks the capability list on %s", path)})
		return nil
	}
	return err
}

// keys are the names right in a folder; those of folders end in a slash.
func (c *Client) keys(ctx context.Context, folder mount) ([]string, error) {
	a, err := c.call(ctx, list, folder.at("metadata"), nil)
	if KindOf(err) == NotFound {
		return nil, nil // an empty folder is none
	}
	return textsAt(a.data, "keys"), err
}

// mountOf asks which mount a path is, or is in; kv is 0 for one that keeps no
// entries.
func (c *Client) mountOf(ctx context.Context, path string) (mount, string, error) {
	a, err := c.call(ctx, http.MethodGet, "sys/internal/ui/mounts/"+path, nil)
	switch KindOf(err) {
	case "":
	case NotFound:
		return mount{}, "", &Error{Op: "find", Object: path, Kind: NoMount, Detail: "there is no such mount"}
	case Denied:
		return mount{}, "", c.explainDenied(ctx, path)
	default:
		return mount{}, "", err
	}
	if err != nil {
		return mount{}, "", err
	}
	m := mountFrom(textAt(a.data, "path"), a.data)
	rest, ok := strings.CutPrefix(path+"/", m.path)
	if !ok || m.path == "" {
		return mount{}, "", errors.New("find " + path + ": Vault names another mount")
	}
	m.rest = strings.TrimSuffix(rest, "/")
	return m, oneLine(textAt(a.data, "type")), nil
}

// mountFrom reads what Vault says of a mount; kv is 0 for one that keeps no
// entries.
func mountFrom(path string, said map[string]any) mount {
	m := mount{path: path}
	if kind := textAt(said, "type"); kind != "kv" && kind != "generic" {
		return m
	}
	m.kv = 1
	if textAt(mapAt(said, "options"), "version") == "2" {
		m.kv = 2
	}
	return m
}
