package engine

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"

	"runbook/internal/expect"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// act carries out an action in-process; what it says becomes the step's output.
func (e *Engine) act(ctx context.Context, c *carrying, block int, record io.Writer) error {
	b := c.step.Blocks[block]
	said := &lines{tell: func(text []string) { e.show(c.step.ID, nil, Output{Lines: text, Running: true}) }}
	said.text = e.Output(c.step.ID).Lines
	out := io.MultiWriter(said, record)
	if b.Action.Verb == steps.Wait {
		return e.actWait(ctx, b.Action, out)
	}
	err := e.cfg.Actions.Do(ctx, b.Action, out, func(i Intent) error {
		i.Block = block
		return e.cfg.Journal.Intent(c.step.ID, i)
	})
	e.Refresh()
	return err
}

func (e *Engine) actWait(ctx context.Context, a *steps.Action, out io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, orDefault(a.Within))
	defer cancel()
	last := ""
	err := e.until(ctx, func() bool {
		v := expect.Judge(*a.Wait, e.World(), e.Where().Namespace, "")
		if text := e.cfg.Hide.Sentence(a.Wait.Text + ": " + reason(v)); text != last {
			last = text
			_, _ = io.WriteString(out, text+"\n") // to memory and the record, which reports its own errors on close
		}
		return v.Answer == world.Holds
	})
	if err != nil {
		return &WaitError{Last: last}
	}
	return nil
}

// WaitError says that what an action waited for didn't come true in time.
type WaitError struct{ Last string }

func (e *WaitError) Error() string { return "wait: " + e.Last }

// lines gathers what an action says.
type lines struct {
	mu   sync.Mutex
	text []string
	rest []byte
	tell func([]string)
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, p...)
	for {
		i := bytes.IndexByte(l.rest, '\n')
		if i < 0 {
			break
		}
		l.text = append(l.text, strings.TrimRight(string(l.rest[:i]), "\r"))
		l.rest = l.rest[i+1:]
	}
	l.tell(append([]string(nil), l.text...))
	return len(p), nil
}

// mark remembers protected values before a step that could change one.
func (e *Engine) mark(ctx context.Context, c *carrying) bool {
	if e.cfg.Keeper == nil || len(e.Plan().Protects) == 0 || e.class(c) == risk.Read {
		return false
	}
	if err := e.cfg.Keeper.Mark(ctx, e.Plan().Protects); err != nil {
		e.events.put(Noticed{Step: c.step.ID, Text: "protected values can't be compared: " + err.Error()})
		return false
	}
	return true
}

// compare says and records what became of protected values.
func (e *Engine) compare(c *carrying, marked bool) {
	if !marked {
		return
	}
	changes := e.cfg.Keeper.Compare(e.ctx, e.Plan().Protects)
	if err := e.cfg.Journal.Changes(c.step.ID, changes); err != nil {
		e.unwritten(c.step.ID, err)
	}
	for _, ch := range changes {
		if text, bad := tell(ch); text != "" {
			e.events.put(Noticed{Step: c.step.ID, Text: text, Bad: bad})
		}
	}
}
