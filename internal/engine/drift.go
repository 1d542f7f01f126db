package engine

// mind looks at what the target was pinned from, at every tick.
func (e *Engine) mind() {
	for {
		select {
		case <-e.ctx.Done():
			return
		case _, ok := <-e.cfg.Ticks:
			if !ok {
				return
			}
			e.lookAside()
		}
	}
}

// lookAside says when the operator's configuration has come to name another
// target than the run's, and when it is back. The run stays where it is. It also
// looks for what is left of earlier processes.
func (e *Engine) lookAside() {
	e.lookForStrays()
	if e.cfg.Drift == nil {
		return
	}
	e.drifting.Lock()
	defer e.drifting.Unlock()
	text := e.cfg.Hide.Sentence(e.cfg.Drift())
	e.mu.Lock()
	changed := text != e.foot.where.Drift
	e.foot.where.Drift = text
	where := e.foot.where
	e.mu.Unlock()
	if changed {
		e.events.put(Drifted{Where: where})
	}
}
