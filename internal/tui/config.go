package tui

import (
	"context"
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/steps"
)

// A Config is what the interface needs to begin.
type Config struct {
	// Runbook is what is to be run; with nil, one is picked from Choices.
	Runbook *steps.Runbook
	// Values are the parameters that are known already.
	Values  steps.Values
	Choices []Choice
	// Open reads the runbook of a choice, with the values known for it.
	Open func(path string) (*steps.Runbook, steps.Values, error)
	// Start builds the engine of a run. The context ends with the program, or
	// when the operator gives up on a start that takes too long. An error with
	// a method Hint() string is shown with its hint.
	Start func(ctx context.Context, rb *steps.Runbook, v steps.Values) (Engine, error)
	// Target names what Start will talk to: "context cicd-test2, vault https://…".
	Target string
	// Written is a text of the document, or one that the operator has written,
	// without the secrets in it that are known; nil means that none is.
	Written func(text string) string
	// Suspend stops the program until a shell brings it back, with the terminal
	// given back; nil means that it can't be.
	Suspend func() error
	// Suspendable says why it could not be brought back, before the terminal is
	// given back; it may be nil, and may take a moment.
	Suspendable func() error
	// Lend is told when a step gets the real terminal, and when it is back; it
	// may be nil.
	Lend func(lent bool)
	// Light says that the background is taken to be light until the terminal tells.
	Light bool
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// After sends a message when a time is over; nil means [tea.Tick].
	After func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd
}

// A Choice is a runbook that may be picked.
type Choice struct {
	Name    string
	Purpose string
	Title   string
	Steps   int
	Path    string
}

// New returns the interface, to be run as a [tea.Program]. Everything that runs
// in the background ends with the context.
func New(ctx context.Context, cfg Config) Model {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.After == nil {
		cfg.After = func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd { return tea.Tick(d, msg) }
	}
	if cfg.Written == nil {
		cfg.Written = func(text string) string { return text }
	}
	if cfg.Lend == nil {
		cfg.Lend = func(bool) {}
	}
	m := Model{ctx: ctx, cfg: cfg, size: image.Point{}, keys: newKeyMap()}
	m = m.relit(!cfg.Light)
	if cfg.Runbook == nil {
		m.phase, m.picker = picking, newPicker(cfg.Choices)
		return m
	}
	m, m.first = m.begin(cfg.Runbook, cfg.Values)
	return m
}
