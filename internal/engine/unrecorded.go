package engine

// An UnwritableError says that something was left undone because it could not be
// recorded.
type UnwritableError struct {
	Step string
	Err  error
}

func (e *UnwritableError) Error() string { return "step " + e.Step + ": " + e.Err.Error() }
func (e *UnwritableError) Unwrap() error { return e.Err }

// Hint says what to do next.
func (e *UnwritableError) Hint() string {
	return "nothing is run that can't be recorded: make room for the record, then runbook resume"
}

// An UnrecordedError says that what happened to a step isn't all in the record.
type UnrecordedError struct {
	Step string
	Err  error
}

func (e *UnrecordedError) Error() string {
	return "step " + e.Step + ": not all that happened is in the record: " + e.Err.Error()
}

func (e *UnrecordedError) Unwrap() error { return e.Err }

// Hint says what to do next.
func (e *UnrecordedError) Hint() string {
	return "make room for the record, then runbook resume: it looks at what the step has done before it goes on"
}

// Unrecorded is the first fact of this run that had happened and couldn't be
// recorded, as an [*UnrecordedError]; nil when all are recorded.
func (e *Engine) Unrecorded() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.unrecorded == nil {
		return nil
	}
	return e.unrecorded
}

// unwritten says, once for a reason, that something can't be recorded which has
// happened all the same.
func (e *Engine) unwritten(step string, err error) {
	e.mu.Lock()
	again := e.unrecorded != nil && e.unrecorded.Err.Error() == err.Error()
	if e.unrecorded == nil {
		e.unrecorded = &UnrecordedError{Step: step, Err: err}
	}
	e.mu.Unlock()
	if !again {
		e.events.put(Noticed{Step: step, Bad: true, Text: "the record could not be written: " + err.Error()})
	}
}
