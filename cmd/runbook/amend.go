package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/journal"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/survey"
)

// where is the target as it is now: a changed NAMESPACE moves it.
func (b *builder) where() guard.Where { return b.walk.Where() }

// namespace is where objects without one are meant under some values.
func (b *builder) namespace(v steps.Values) string {
	return b.app.namespace(v, b.ofContext)
}

// surveyor lists what hangs off things where the run is by now.
type surveyor struct {
	survey.Surveyor
	where func() guard.Where
}

// Survey lists what would go with the things.
func (s surveyor) Survey(ctx context.Context, gone []risk.Touch) []guard.Loss {
	s.Surveyor.Namespace = s.where().Namespace
	return s.Surveyor.Survey(ctx, gone)
}

// admit lets changed values count, once their secrets can't be shown any more
// and what the steps need is there: the target was pinned before the first one.
func (b *builder) admit(ctx context.Context, p *steps.Plan) error {
	for _, v := range p.Values {
		if v.Secret {
			b.hide.Add(v.Text)
		}
	}
	step, needed := needsVault(p)
	if _, before := needsVault(b.plan); !needed || before {
		return nil
	}
	if b.target.vault == nil {
		return &unreachableError{cause: fmt.Errorf("step %s would need Vault, and the run has none", step),
			hint: "quit, set VAULT_ADDR, and go on with: runbook resume"}
	}
	return serves(ctx, b.target.vault)
}

// An amendOf says when and by whom values were changed.
type amendOf struct {
	At time.Time `json:"at"`
	journal.ValuesData
}

// amendments are all changes of values in a record.
func amendments(rec *journal.Record) []amendOf {
	var out []amendOf
	for _, l := range rec.Lines {
		a := amendOf{At: l.At}
		if l.Kind == journal.Amended && json.Unmarshal(l.Data, &a.ValuesData) == nil {
			out = append(out, a)
		}
	}
	return out
}

// amendedNotes say what was changed before the run goes on.
func amendedNotes(rec *journal.Record) []engine.Noticed {
	var notes []engine.Noticed
	for _, a := range amendments(rec) {
		for _, s := range a.Set {
			notes = append(notes, engine.Noticed{Text: fmt.Sprintf("%s, by %s at %s", s, a.Operator, clock(a.At))})
		}
	}
	return notes
}
