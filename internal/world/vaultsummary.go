package world

import (
	"fmt"
	"strings"
	"time"
)

// Summary is what the live pane shows of Vault itself.
func (h Health) Summary(now time.Time) []Line {
	var version string
	if h.Version != "" {
		version = strings.TrimSpace("version " + h.Version + " " + h.Cluster)
	}
	return lines(h.Fact, h.Judge(), now, "vault "+h.Address, version)
}

// Summary is what the live pane shows of the token.
func (t Token) Summary(now time.Time) []Line {
	title := "vault token"
	if t.Presence == Present {
		title += ": " + t.life(now)
	}
	var details []string
	if len(t.Policies) > 0 {
		details = append(details, "policies "+strings.Join(t.Policies, ", "))
	}
	if t.NumUses > 0 {
		details = append(details, fmt.Sprintf("%d uses left: every look costs one", t.NumUses))
	}
	return lines(t.Fact, t.Judge(now), now, title, details...)
}

func (t Token) life(now time.Time) string {
	if t.Never {
		return "never expires"
	}
	if left := t.TTL - now.Sub(t.Seen); left > 0 {
		return Span(left) + " left"
	}
	return "expired"
}

// Summary is what the live pane shows of an entry: never a value.
func (e Entry) Summary(now time.Time) []Line {
	title := "vault " + e.Path
	switch {
	case e.Presence != Present:
		title += ": " + presenceWord(e.Presence)
	case e.KV == 2:
		title += fmt.Sprintf(": version %d", e.Version)
	}
	var details []string
	if e.KeysWhy != "" {
		details = append(details, "keys not known: "+e.KeysWhy)
	} else if len(e.Keys) > 0 {
		details = append(details, strings.Join(e.Keys, ", "))
	}
	if !e.Created.IsZero() {
		details = append(details, "written "+Span(now.Sub(e.Created))+" ago")
	}
	return lines(e.Fact, e.Judge(now), now, title, details...)
}

// Summary is what the live pane shows of the token's rights at a path.
func (c Capabilities) Summary(now time.Time) []Line {
	return lines(c.Fact, c.May("read"), now, "may read "+c.Path, strings.Join(c.List, ", "))
}

// Summary is what the live pane shows of an address.
func (p Probe) Summary(now time.Time) []Line {
	title := p.URL
	if p.Presence == Present {
		title += fmt.Sprintf(": %d", p.Status)
	}
	var details []string
	if p.Location != "" {
		details = append(details, "to "+p.Location)
	}
	if p.TrustWhy != "" {
		details = append(details, "certificate: "+p.TrustWhy)
	}
	if !p.NotAfter.IsZero() {
		details = append(details, "certificate for "+strings.Join(p.IssuedFor, ", ")+" until "+p.NotAfter.UTC().Format(time.DateOnly))
	}
	return lines(p.Fact, p.Judge(), now, title, details...)
}
