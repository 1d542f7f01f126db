package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// lookForStrays looks what still runs of earlier processes of the run.
func (e *Engine) lookForStrays() {
	if e.cfg.Strays == nil {
		return
	}
	e.drifting.Lock()
	defer e.drifting.Unlock()
	now := e.cfg.Strays.Running()
	e.mu.Lock()
	changed := !slices.Equal(now, e.strays)
	e.strays = now
	e.mu.Unlock()
	if changed {
		e.events.put(BesideChanged{})
	}
}

// strayBesides lists them as what runs in the background; e.mu is held. Their
// numbers are below those of the commands of this process.
func (e *Engine) strayBesides() []Beside {
	var out []Beside
	for _, s := range e.strays {
		out = append(out, Beside{ID: -s.PID, Code: s.Command, PID: s.PID, Before: true})
	}
	return out
}

// stopStray ends one of them.
func (e *Engine) stopStray(ctx context.Context, pid int) error {
	if e.cfg.Strays == nil {
		return nil
	}
	var rest []string
	for _, s := range e.cfg.Strays.Stop(ctx, pid) {
		rest = append(rest, fmt.Sprintf("%s (pid %d)", s.Command, s.PID))
	}
	e.lookForStrays()
	if len(rest) > 0 {
		return fmt.Errorf("stop process %d: still running: %s; look at it with ps, its owner may be another user", pid, strings.Join(rest, ", "))
	}
	return nil
}

// besideOf says what would run beside a step from before, and what of other
// steps was to run in the background and has ended, with nothing in its place.
func (e *Engine) besideOf(step string) (left, died []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range e.strays {
		left = append(left, fmt.Sprintf("%s (pid %d); kill %d stops it", s.Command, s.PID, s.PID))
	}
	for _, b := range e.beside {
		if b.Step != step && b.ByItself() && !b.Since.Before(e.run.Steps[b.Step].Started) {
			died = append(died, fmt.Sprintf("in the background `%s` of step %s has ended by itself at %s: %s; this step may need it", b.Code, b.Step, b.Ended.Local().Format("15:04:05"), b.How()))
		}
	}
	return left, died
}
