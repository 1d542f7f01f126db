package engine

import (
	"context"
	"fmt"

	"runbook/internal/steps"
)

// A Pause is where a step stands that is walked by statements.
type Pause struct {
	Block     int
	Statement int // of the block, from 1
	Of        int
	Code      string // what would run next
	Exit      int    // of the statement before it, in the same block
}

// A turn asks for the next statement, or for all that are left.
type turn struct{ rest bool }

// DoNext runs the next statement of a step and no more; the first one starts
// the step, if the answer passes its gate. After the last one the step goes on
// as after [Engine.Do]. A statement that fails in the middle of its block
// doesn't end the block, as in a script: the pause behind it says so.
func (e *Engine) DoNext(ctx context.Context, step string, a Answer) error {
	if e.proceed(step, turn{}) {
		return nil
	}
	turns := make(chan turn, 1)
	turns <- turn{}
	return e.begin(ctx, step, a, turns)
}

// Pausing returns where a step waits for its next statement; ok is false when
// it doesn't.
func (e *Engine) Pausing(step string) (p Pause, ok bool) {
	c := e.carried(step)
	if c == nil {
		return Pause{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paused == nil {
		return Pause{}, false
	}
	return *c.paused, true
}

// proceed gives a turn to a step that waits for one.
func (e *Engine) proceed(step string, t turn) bool {
	c := e.carried(step)
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paused == nil {
		return false
	}
	c.paused = nil
	c.turns <- t // there is room: one turn is given for each pause
	return true
}

// pieces are the parts of a block that run one after the other: its statements
// when the step is walked by them, else the block itself.
func (e *Engine) pieces(c *carrying, i int) []Code {
	b := c.step.Blocks[i]
	whole := Code{Block: i, Text: c.code[i]}
	if b.Kind == steps.ShellBlock && c.code[i] != c.step.Code[i] {
		whole.Document = c.step.Code[i]
	}
	if c.turns == nil || e.cfg.Split == nil || b.Kind == steps.ActionBlock || c.step.Background || c.step.Interactive {
		return []Code{whole}
	}
	var out []Code
	texts := e.cfg.Split(c.code[i], c.shell(i))
	for n, text := range texts {
		p := Code{Block: i, Text: text, Statement: n + 1, Of: len(texts)}
		if n == 0 {
			p.Document = whole.Document
		}
		out = append(out, p)
	}
	return out
}

// pause waits until the next statement is asked for.
func (e *Engine) pause(ctx context.Context, c *carrying, p Code) error {
	if c.turns == nil {
		return nil
	}
	select {
	case t := <-c.turns: // the first one, or all that are left
		c.keep(t)
		return ctx.Err()
	default:
	}
	next := Pause{Block: p.Block, Statement: max(p.Statement, 1), Of: max(p.Of, 1), Code: p.Text}
	if p.Statement > 1 {
		next.Exit = e.Output(c.step.ID).Exit
	}
	c.mu.Lock()
	c.paused = &next
	c.mu.Unlock()
	e.events.put(Paused{Step: c.step.ID, Next: next})
	select {
	case <-ctx.Done():
		c.mu.Lock()
		c.paused = nil
		c.mu.Unlock()
		return fmt.Errorf("before statement %d: %w", next.Statement, ctx.Err())
	case t := <-c.turns:
		c.keep(t)
		return nil
	}
}

// keep puts a turn for the rest back, for the statements behind this one.
func (c *carrying) keep(t turn) {
	if t.rest {
		c.turns <- t // it was just taken from there: there is room
	}
}
