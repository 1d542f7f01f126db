package vault

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
)

// A mount is where an entry lives: "team/kv/app" may be the entry "app" of
// "team/kv" or "kv/app" of "team"; only Vault knows.
type mount struct {
	path string // with a slash at its end
	kv   int    // 1 or 2
	rest string // the entry inside the mount
}

// at is the API path of the entry; kind is "data", "subkeys" and so on, which
// the first version doesn't have.
func (m mount) at(kind string) string {
	if m.kv == 1 {
		return m.path + m.rest
	}
	return m.path + kind + "/" + m.rest
}

// resolve asks for the mount of an entry the way the CLI does before every kv
// command.
func (c *Client) resolve(ctx context.Context, entry string) (mount, error) {
	if err := checkEntry(entry); err != nil {
		return mount{}, err
	}
	a, err := c.call(ctx, http.MethodGet, "sys/internal/ui/mounts/"+entry, nil)
	switch KindOf(err) {
	case "":
	case NotFound:
		// Servers from before the preflight have only the first version.
		first, rest, _ := strings.Cut(entry, "/")
		return mount{path: first + "/", kv: 1, rest: rest}, nil
	case Denied:
		return mount{}, c.explainDenied(ctx, entry)
	default:
		return mount{}, err
	}
	m := mountFrom(textAt(a.data, "path"), a.data)
	if m.kv == 0 {
		return mount{}, &Error{Op: "find", Object: entry, Kind: NotKV, Detail: fmt.Sprintf("%s is a mount of type %s", m.path, oneLine(textAt(a.data, "type")))}
	}
	rest, ok := strings.CutPrefix(entry, m.path)
	if !ok || rest == "" {
		return mount{}, &Error{Op: "find", Object: entry, Kind: Invalid, Detail: fmt.Sprintf("it names the mount %s and no entry in it", m.path)}
	}
	m.rest = rest
	return m, nil
}

// checkEntry refuses what would end up at another path than it says.
func checkEntry(entry string) error {
	if entry == "" || strings.HasSuffix(entry, "/") || path.Clean("/"+entry) != "/"+entry || !strings.Contains(entry, "/") {
		return &Error{Op: "find", Object: oneLine(entry), Kind: Invalid, Detail: "an entry is written mount/path"}
	}
	return nil
}

// explainDenied tells "no such mount" from "no permission", which the preflight
// answers alike: whoever is allowed something on the path and still gets no
// mount has named one that isn't there.
func (c *Client) explainDenied(ctx context.Context, entry string) error {
	first, rest, _ := strings.Cut(entry, "/")
	paths := []string{entry, first + "/data/" + rest}
	caps, err := c.Capabilities(ctx, paths...)
	if err != nil {
		return &Error{Op: "find", Object: entry, Kind: Denied, Status: http.StatusForbidden, Detail: "permission denied, or there is no such mount, or the token is no longer valid"}
	}
	for _, p := range paths {
		if l := caps[p].List; len(l) > 0 && !slices.Contains(l, "deny") {
			return &Error{Op: "find", Object: entry, Kind: NoMount, Detail: fmt.Sprintf("no mount holds it, %s/ neither", first)}
		}
	}
	return &Error{Op: "find", Object: entry, Kind: Denied, Status: http.StatusForbidden, Detail: fmt.Sprintf("no policy of the token grants anything below %s/, or there is no such mount", first)}
}
