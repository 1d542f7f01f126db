package vault

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/vault/api"

	"runbook/internal/world"
)

// Health asks how Vault itself is. It needs no token and sends none, and no
// namespace, where the path doesn't exist. What it says is read from the body:
// the code depends on the query and on what stands in front of Vault.
func (c *Client) Health(ctx context.Context) (world.Health, error) {
	out := world.Health{Address: c.Address()}
	h, err := c.bare.Sys().HealthWithContext(ctx)
	if err != nil {
		return out, healthError(err)
	}
	if h.Version == "" && !h.Initialized && h.ServerTimeUTC == 0 {
		return out, &Error{Op: "read", Object: "sys/health", Kind: NotVault, Detail: "the answer isn't Vault's"}
	}
	out.Fact = world.Fact{Presence: world.Present, Seen: c.now()}
	out.Initialized, out.Sealed = h.Initialized, h.Sealed
	out.Standby = h.Standby || h.PerformanceStandby || h.ReplicationDRMode == "secondary"
	out.Version, out.Cluster = oneLine(h.Version), oneLine(h.ClusterName)
	out.ServerTime = time.Unix(h.ServerTimeUTC, 0).UTC()
	out.Mode = mode(h)
	return out, nil
}

func healthError(err error) error {
	e := classify("read", "sys/health", err)
	var resp *api.ResponseError
	switch {
	case errors.As(err, &resp) && !resp.RawError && e.Kind != TLS:
		// Codes beyond the documented ones exist (a standby that lost its
		// leader); they mean neither sealed nor down.
		e.Kind, e.Detail = Unexpected, fmt.Sprintf("its state is unknown, code %d", resp.StatusCode)
	case e.Kind == Unexpected:
		e.Kind, e.Detail = NotVault, "the answer isn't Vault's"
	}
	return e
}

func mode(h *api.HealthResponse) string {
	switch {
	case !h.Initialized:
		return "not initialised"
	case h.Sealed:
		return "sealed"
	case h.ReplicationDRMode == "secondary":
		return "DR secondary"
	case h.PerformanceStandby:
		return "performance standby"
	case h.Standby:
		return "standby"
	}
	return "active"
}

// Token asks Vault about the token in use. The call itself costs one of the
// uses of a token that has only so many; NumUses is what is left after it.
func (c *Client) Token(ctx context.Context) (world.Token, error) {
	c.rereadToken()
	if !c.hasToken() {
		return world.Token{}, &Error{Op: "look up", Object: "token", Kind: Denied, Detail: "there is no token: VAULT_TOKEN isn't set and nobody has logged in"}
	}
	a, err := c.call(ctx, http.MethodGet, "auth/token/lookup-self", nil)
	if err != nil {
		var e *Error
		if errors.As(err, &e) && e.Kind == Denied {
			e.Detail = "permission denied: the token is expired, revoked or mistyped, or it was made without the default policy"
		}
		return world.Token{}, err
	}
	out := world.Token{Fact: world.Fact{Presence: world.Present, Seen: c.now()}}
	out.TTL = time.Duration(intAt(a.data, "ttl")) * time.Second
	out.Never = a.data["expire_time"] == nil && out.TTL == 0
	out.Policies = append(textsAt(a.data, "policies"), textsAt(a.data, "identity_policies")...)
	out.NumUses = intAt(a.data, "num_uses")
	c.limited.Store(out.NumUses != 0)
	return out, nil
}

func (c *Client) hasToken() bool { return c.AuthToken().Reveal() != "" }

// Capabilities asks what the token may do at each path, as the API names them:
// an entry "app" of a KV v2 mount is "mount/data/app".
func (c *Client) Capabilities(ctx context.Context, paths ...string) (map[string]world.Capabilities, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	a, err := c.call(ctx, http.MethodPut, "sys/capabilities-self", map[string]any{"paths": paths})
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			e.Op = "read"
			if e.Kind == Denied {
				e.Detail = "the token may not ask for its own rights: it is no longer valid, or was made without the default policy"
			}
		}
		return nil, err
	}
	out := map[string]world.Capabilities{}
	for _, p := range paths {
		out[p] = world.Capabilities{
			Fact: world.Fact{Presence: world.Present, Seen: c.now()}, Path: p, List: textsAt(a.data, p),
		}
	}
	return out, nil
}
