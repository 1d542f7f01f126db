package engine

import (
	"context"

	"runbook/internal/risk"
)

// conceal has hidden what a piece of code is about to read. It is done right before
// the code runs: what an earlier step has written counts.
func (e *Engine) conceal(ctx context.Context, c *carrying, p Code) {
	if e.cfg.Learner == nil {
		return
	}
	b, ok := e.footing().present(c.step.ID)
	if !ok {
		return
	}
	var read []risk.Touch
	for _, t := range risk.Classify(p.Text, e.riskContext(b)).Touches {
		if t.Op != "read" {
			continue
		}
		if t.Namespace == "" && !t.Everywhere {
			t.Namespace = b.namespace
		}
		read = append(read, t)
	}
	if len(read) == 0 {
		return
	}
	shown := map[string]bool{b.namespace: true, e.Where().Context: true}
	for _, v := range b.values {
		if !v.Secret {
			shown[v.Text] = true
		}
	}
	for _, why := range e.cfg.Learner.Learn(ctx, read, func(value string) bool { return shown[value] }) {
		e.events.put(Noticed{Step: c.step.ID, Text: e.cfg.Hide.Sentence(why)})
	}
}
