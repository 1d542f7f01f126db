package vault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"runbook/internal/world"
)

// Written says what a write has done.
type Written struct {
	Entry   string
	KV      int
	Version int      // that is current now; 0 for KV v1
	Keys    []string // that were written, sorted; none when there was nothing to do
}

// Exists is the error of Create when there is an entry already.
type Exists struct {
	Entry   string
	KV      int
	Version int
	Keys    []string
	KeysWhy string // why the keys are not known
	Deleted bool   // the current version is deleted or destroyed; older ones may still be there
	// Created is when the current version was written, by Vault's clock; zero
	// when it isn't known.
	Created time.Time
	// Ahead is how far Vault's clock was ahead of this machine's, to the second;
	// Clocked tells that it is known.
	Ahead   time.Duration
	Clocked bool
}

// Error says what is there, by the names of its keys.
func (e *Exists) Error() string {
	what := "it is there already"
	switch {
	case e.Deleted:
		what = fmt.Sprintf("it was there, and version %d is deleted but not forgotten", e.Version)
	case e.KV == 2 && e.Version > 0:
		what += fmt.Sprintf(", version %d", e.Version)
	}
	if len(e.Keys) > 0 {
		what += ", with keys " + strings.Join(e.Keys, ", ")
	}
	return "create " + e.Entry + ": " + what
}

// Create writes a new entry and refuses, with *Exists, when there is one; that
// is Vault's own check for KV v2. KV v1 knows no check, so the entry is looked
// for right before.
func (c *Client) Create(ctx context.Context, entry string, data map[string]Secret) (Written, error) {
	m, err := c.resolve(ctx, entry)
	if err != nil {
		return Written{}, err
	}
	if m.kv == 1 {
		return c.createV1(ctx, entry, m, data)
	}
	w, err := c.put(ctx, http.MethodPut, entry, m, 0, revealed(data))
	if KindOf(err) != Conflict {
		return w, err
	}
	there, readErr := c.look(ctx, entry, m)
	if readErr != nil {
		return Written{}, &Exists{Entry: entry, KV: 2, KeysWhy: readErr.Error()}
	}
	return Written{}, exists(there)
}

func (c *Client) createV1(ctx context.Context, entry string, m mount, data map[string]Secret) (Written, error) {
	there, err := c.look(ctx, entry, m)
	if err != nil {
		return Written{}, err
	}
	if there.Presence == world.Present {
		return Written{}, exists(there)
	}
	return c.putV1(ctx, entry, m, revealed(data), slices.Sorted(maps.Keys(data)))
}

// State says what is there of an entry; nil when there is none.
func (c *Client) State(ctx context.Context, entry string) (*Exists, error) {
	m, err := c.resolve(ctx, entry)
	if err != nil {
		return nil, err
	}
	there, err := c.look(ctx, entry, m)
	if err != nil || there.Presence != world.Present {
		return nil, err
	}
	return exists(there), nil
}

func exists(l look) *Exists {
	e := &Exists{Entry: l.Path, KV: l.KV, Version: l.Version, Keys: l.Keys, KeysWhy: l.KeysWhy, Deleted: l.Deleted || l.Destroys, Created: l.Created}
	if !l.server.IsZero() {
		e.Ahead, e.Clocked = l.server.Sub(l.Seen), true
	}
	return e
}

// Add writes the keys that the entry doesn't have and touches no other. When
// the entry changes in between it writes nothing and returns a Conflict.
func (c *Client) Add(ctx context.Context, entry string, data map[string]Secret) (Written, error) {
	return c.change(ctx, entry, func(has map[string]bool, _ int) (map[string]Secret, error) {
		missing := map[string]Secret{}
		for k, v := range data {
			if !has[k] {
				missing[k] = v
			}
		}
		return missing, nil
	})
}

// Rotate gives one property of the entry a new value. It refuses a property
// that isn't there: that would be a typing error, not a rotation. Right before
// anything is written, before is told the version that it is written on top of (0
// for KV v1), and can prevent it; it may be nil.
func (c *Client) Rotate(ctx context.Context, entry, property string, value Secret, before func(version int) error) (Written, error) {
	return c.change(ctx, entry, func(has map[string]bool, version int) (map[string]Secret, error) {
		if has[property] && before != nil {
			if err := before(version); err != nil {
				return nil, err
			}
		}
		if !has[property] {
			return nil, &Error{Op: "rotate", Object: entry, Kind: NotFound, Detail: "it has no property " + strconv.Quote(oneLine(property))}
		}
		return map[string]Secret{property: value}, nil
	})
}

// A decision says what to write in view of the keys that are there, in the
// version that is current.
type decision func(has map[string]bool, version int) (map[string]Secret, error)

// change writes what decide says in view of the keys that are there, on top of
// exactly the version that was looked at. It patches where the policies and the
// server know patching, which needs no value, and else reads the values, adds
// to them, and writes all of it back under check-and-set.
func (c *Client) change(ctx context.Context, entry string, decide decision) (Written, error) {
	m, err := c.resolve(ctx, entry)
	if err != nil {
		return Written{}, err
	}
	if m.kv == 2 {
		there, err := c.look(ctx, entry, m)
		if err != nil {
			return Written{}, err
		}
		if err := writable(there.Entry); err != nil {
			return Written{}, err
		}
		if there.KeysWhy == "" {
			w, done, err := c.patch(ctx, m, there, decide)
			if done {
				return w, err
			}
		}
	}
	return c.rewrite(ctx, entry, m, decide)
}

func writable(e world.Entry) error {
	switch {
	case e.Presence != world.Present:
		return &Error{Op: "write", Object: e.Path, Kind: NotFound, Detail: "there is no such entry"}
	case e.Deleted, e.Destroys:
		return &Error{Op: "write", Object: e.Path, Kind: Gone, Detail: fmt.Sprintf("its version %d is deleted", e.Version)}
	}
	return nil
}

// patch tells with done=false that patching isn't possible here.
func (c *Client) patch(ctx context.Context, m mount, there look, decide decision) (w Written, done bool, err error) {
	data, err := decide(there.top, there.Version)
	if err != nil || len(data) == 0 {
		return Written{Entry: there.Path, KV: 2, Version: there.Version}, true, err
	}
	w, err = c.put(ctx, http.MethodPatch, there.Path, m, there.Version, revealed(data))
	if status := statusOf(err); KindOf(err) == Denied || status == http.StatusMethodNotAllowed || status == http.StatusUnsupportedMediaType {
		return Written{}, false, nil
	}
	return w, true, err
}

// rewrite is the way without patch.
func (c *Client) rewrite(ctx context.Context, entry string, m mount, decide decision) (Written, error) {
	held, err := c.readValues(ctx, m)
	if err != nil {
		return Written{}, err
	}
	has := map[string]bool{}
	for k := range held.data {
		has[k] = true
	}
	data, err := decide(has, held.version)
	if err != nil || len(data) == 0 {
		return Written{Entry: entry, KV: m.kv, Version: held.version}, err
	}
	all := maps.Clone(held.data)
	maps.Copy(all, revealed(data))
	keys := slices.Sorted(maps.Keys(data))
	if m.kv == 1 {
		return c.putV1(ctx, entry, m, all, keys)
	}
	w, err := c.put(ctx, http.MethodPut, entry, m, held.version, all)
	if err == nil {
		w.Keys = keys
	}
	return w, err
}

// A holding is the values of an entry, for as long as a write takes.
type holding struct {
	version int
	data    map[string]any
}

func (c *Client) readValues(ctx context.Context, m mount) (holding, error) {
	a, err := c.call(ctx, http.MethodGet, m.at("data"), nil)
	if err != nil {
		return holding{}, err
	}
	if m.kv == 1 {
		return holding{data: a.data}, nil
	}
	h := holding{version: intAt(mapAt(a.data, "metadata"), "version"), data: mapAt(a.data, "data")}
	switch {
	case a.data == nil:
		return holding{}, invalidPath(m, a)
	case h.data == nil:
		return holding{}, &Error{Op: "read", Object: m.at("data"), Kind: Gone, Status: a.status, Detail: fmt.Sprintf("version %d is deleted", h.version)}
	}
	return h, nil
}

// put writes a KV v2 entry on top of the version that is expected.
func (c *Client) put(ctx context.Context, method, entry string, m mount, cas int, data map[string]any) (Written, error) {
	a, err := c.call(ctx, method, m.at("data"), map[string]any{"options": map[string]any{"cas": cas}, "data": data})
	if err != nil {
		if statusOf(err) == http.StatusNotFound && method == http.MethodPatch {
			return Written{}, &Error{Op: "write", Object: entry, Kind: Conflict, Status: http.StatusNotFound, Detail: "it was deleted in between"}
		}
		return Written{}, err
	}
	if a.status != http.StatusOK {
		return Written{}, &Error{Op: "write", Object: entry, Kind: Conflict, Status: a.status, Detail: "it was deleted in between"}
	}
	return Written{Entry: entry, KV: 2, Version: intAt(a.data, "version"), Keys: slices.Sorted(maps.Keys(data))}, nil
}

func (c *Client) putV1(ctx context.Context, entry string, m mount, data map[string]any, keys []string) (Written, error) {
	if _, err := c.call(ctx, http.MethodPut, m.at("data"), data); err != nil {
		return Written{}, err
	}
	return Written{Entry: entry, KV: 1, Keys: keys}, nil
}

func statusOf(err error) int {
	var e *Error
	if errors.As(err, &e) {
		return e.Status
	}
	return 0
}

func revealed(data map[string]Secret) map[string]any {
	out := map[string]any{}
	for k, v := range data {
		out[k] = v.Reveal()
	}
	return out
}

// asSecret wraps a value of an entry; one that isn't a text counts as its JSON.
func asSecret(v any) Secret {
	if s, ok := v.(string); ok {
		return NewSecret(s)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return Secret{} // it came out of JSON
	}
	return NewSecret(string(raw))
}
