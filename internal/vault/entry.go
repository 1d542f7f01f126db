package vault

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"runbook/internal/world"
)

// Entry tells what is known of an entry, "mount/path", and reads no value of a
// KV v2 entry for it. Of a KV v1 entry the names can't be had without the
// values: they are read, and forgotten at once.
//
// An entry that isn't there is a fact, not an error. An error means that it
// can't be told.
func (c *Client) Entry(ctx context.Context, entry string) (world.Entry, error) {
	m, err := c.resolve(ctx, entry)
	if err != nil {
		return world.Entry{Path: entry}, err
	}
	l, err := c.look(ctx, entry, m)
	return l.Entry, err
}

// A look is what is known of an entry, and the keys that a write can name:
// those of the world also name what lies inside of maps.
type look struct {
	world.Entry
	top    map[string]bool
	server time.Time // Vault's clock when it answered; zero when it didn't say
}

func (l *look) setKeys(m map[string]any) {
	l.Keys, l.top = names(m), map[string]bool{}
	for k := range m {
		l.top[k] = true
	}
}

func (c *Client) look(ctx context.Context, entry string, m mount) (look, error) {
	out := look{Entry: world.Entry{Path: entry, Mount: strings.TrimSuffix(m.path, "/"), KV: m.kv}}
	read := c.readV2
	if m.kv == 1 {
		read = c.readV1
	}
	err := read(ctx, m, &out)
	if KindOf(err) == NotFound {
		out.Presence, err = world.Gone, nil
	}
	if err == nil {
		out.Seen = c.now()
	}
	return out, err
}

func (c *Client) readV1(ctx context.Context, m mount, out *look) error {
	a, err := c.call(ctx, http.MethodGet, m.at(""), nil)
	if err != nil {
		return err
	}
	if a.data == nil {
		return invalidPath(m, a)
	}
	out.Presence = world.Present
	out.setKeys(a.data)
	return nil
}

// readV2 asks for the subkeys first: one call has the names and all that is
// known of the version. Only when it is refused the metadata has to do.
func (c *Client) readV2(ctx context.Context, m mount, out *look) error {
	a, err := c.call(ctx, http.MethodGet, m.at("subkeys"), nil)
	switch {
	case KindOf(err) == Denied:
		return c.readMetadata(ctx, m, out, "the token may not read "+m.at("subkeys"))
	case err != nil:
		return err
	case a.data == nil:
		return c.readMetadata(ctx, m, out, "this Vault has no subkeys: it is older than 1.10")
	}
	out.Presence = world.Present
	meta := mapAt(a.data, "metadata")
	out.Version = intAt(meta, "version")
	describe(out, meta, a.server, c.now)
	// Vault decided by its own clock; a 404 with metadata is a version that is gone.
	out.Deleted = a.status == http.StatusNotFound && !out.Destroys
	if a.status == http.StatusOK {
		out.setKeys(mapAt(a.data, "subkeys"))
	} else {
		out.KeysWhy = "the current version is deleted"
	}
	return nil
}

func (c *Client) readMetadata(ctx context.Context, m mount, out *look, why string) error {
	a, err := c.call(ctx, http.MethodGet, m.at("metadata"), nil)
	if KindOf(err) == Denied {
		return &Error{Op: "read", Object: m.at("subkeys"), Kind: Denied, Status: http.StatusForbidden,
			Detail: "permission denied, and " + m.at("metadata") + " too"}
	}
	if err != nil {
		return err
	}
	if a.data == nil {
		return invalidPath(m, a)
	}
	out.Presence, out.KeysWhy = world.Present, why
	out.Version = intAt(a.data, "current_version")
	current := mapAt(mapAt(a.data, "versions"), strconv.Itoa(out.Version))
	if current == nil {
		out.Presence = world.Gone // only metadata: nothing was ever written
		return nil
	}
	describe(out, current, a.server, c.now)
	return nil
}

// describe reads what Vault says of a version. Whether its deletion time has
// come is a matter of Vault's clock, not of this machine's.
func describe(out *look, version map[string]any, server time.Time, now func() time.Time) {
	out.Created, out.Deletes = timeAt(version, "created_time"), timeAt(version, "deletion_time")
	out.Destroys, out.server = boolAt(version, "destroyed"), server
	if server.IsZero() {
		server = now()
	}
	out.Deleted = !out.Destroys && !out.Deletes.IsZero() && !out.Deletes.After(server)
}

func invalidPath(m mount, a answer) error {
	detail := "an answer without data"
	if len(a.warnings) > 0 {
		detail = oneLine(strings.Join(a.warnings, "; "))
	}
	return &Error{Op: "read", Object: m.at("data"), Kind: Unexpected, Status: a.status, Detail: detail}
}

// names lists the keys of a map, and those of maps in it with a dot between,
// as the property of an ExternalSecret names them.
func names(m map[string]any) []string {
	var out []string
	for k, v := range m {
		k = oneLine(k)
		out = append(out, k)
		if below, ok := v.(map[string]any); ok {
			for _, n := range names(below) {
				out = append(out, k+"."+n)
			}
		}
	}
	slices.Sort(out)
	return out
}

// Values hands the values of an entry to use, those of maps in it with a dot
// between the names, and keeps nothing of them. An entry that isn't there is
// NotFound; a version that is gone is Gone.
func (c *Client) Values(ctx context.Context, entry string, use func(property string, value Secret)) error {
	m, err := c.resolve(ctx, entry)
	if err != nil {
		return err
	}
	held, err := c.readValues(ctx, m)
	if err != nil {
		return err
	}
	eachValue("", held.data, use)
	return nil
}

func eachValue(prefix string, data map[string]any, use func(string, Secret)) {
	for name, v := range data {
		if below, ok := v.(map[string]any); ok {
			eachValue(prefix+name+".", below, use)
			continue
		}
		use(prefix+name, asSecret(v))
	}
}

// Fingerprint reads one property of an entry and keeps nothing but its
// fingerprint. An entry or property that isn't there is NotFound; a version
// that is gone is Gone.
func (c *Client) Fingerprint(ctx context.Context, entry, property string, salt []byte) (Fingerprint, error) {
	m, err := c.resolve(ctx, entry)
	if err != nil {
		return Fingerprint{}, err
	}
	held, err := c.readValues(ctx, m)
	if err != nil {
		return Fingerprint{}, err
	}
	v, ok := held.data[property]
	if !ok {
		return Fingerprint{}, &Error{Op: "read", Object: m.at("data"), Kind: NotFound, Detail: "it has no property " + strconv.Quote(oneLine(property))}
	}
	return asSecret(v).Fingerprint(salt), nil
}
