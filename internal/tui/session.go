package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// A session is a run on the screen: what the engine said last, and where the
// operator is looking.
type session struct {
	eng    Engine
	events <-chan engine.Event
	ended  bool // the engine has closed its channel
	plan   *steps.Plan
	index  map[string]int // of steps by id
	state  steps.Run
	world  world.World
	where  guard.Where
	next   string // the first step that isn't settled
	beside []engine.Beside
	busy   string // the step that runs or waits, or ""
	ran    string // the step that was started last
	spent  span   // of the whole run

	at     int // the step that is shown
	focus  pane
	zoom   bool
	top    [paneCount]int // first visible line
	loose  bool           // the output pane was scrolled away from its end
	asked  request        // the gate that is asked for; id 0 when none is
	single bool           // it is asked for one statement, not for the whole step
	paused *engine.Pause  // where the step that runs waits for its next statement
	doing  doing
	hold   hold
	typing typing
	search search

	prose   *prose
	page    page
	stale   staleness
	looking bool // the engine is being asked about a step
}

// doing is a start that was asked for. It is over when it has been answered and
// its fact has come, in whatever order: until then another key starts nothing.
type doing struct {
	request
	answered, started bool
}

func (d doing) settled() doing {
	if d.answered && d.started {
		return doing{}
	}
	return d
}

// A hold is a grace period of the run itself: keys that were meant for what
// was there a moment ago don't start anything.
type hold struct {
	id  int
	all bool // every key is dropped, not only the one that runs a step
}

// A span is from the first start to the last end.
type span struct{ from, to time.Time }

// A page is what was last asked of the engine about the step that is shown,
// and the lines drawn from it.
type page struct {
	known      bool // the commands have been judged
	assessment engine.Assessment
	code       []string      // for the eye; [Engine.Code] has what runs
	since      []steps.Shift // values that have changed since it ran
	checks     []engine.Check
	live       []engine.LiveItem
	output     engine.Output
	step       []string // lines of the step pane
	liveLines  []string
}

// staleness says what has to be asked or drawn again.
type staleness uint8

const (
	staleCode   staleness = 1 << iota // the commands and their assessment
	staleChecks                       // expectations and live items
	staleOutput                       //
	staleLines                        // sizes, ages and statuses
	everything  = staleCode | staleChecks | staleOutput | staleLines
)

// enter goes on to the run.
func (m Model) enter(e Engine) (Model, tea.Cmd) {
	m.phase = running
	plan := e.Plan().Covered(m.cfg.Written)
	s := session{eng: e, events: e.Events(), plan: plan, focus: stepsPane, index: map[string]int{}}
	for i := range plan.Steps {
		s.index[plan.Steps[i].ID] = i
	}
	s.world, s.where, s.beside = e.World(), e.Where(), e.Beside()
	s = s.withRun(e.Run())
	m.run = s
	if s.alert() {
		m = m.notify(true, s.where.Drift)
	}
	if note := s.where.Note; note != "" {
		m = m.notify(true, note)
	}
	m.run.focus = m.firstFocus()
	m = m.sized().shown(s.index[s.next])
	return m, waitForEvent(s.events)
}

// firstFocus is the list of steps, unless it would be all there is to see.
func (m Model) firstFocus() pane {
	if newLayout(m.size, stepPane, false, false).narrow {
		return stepPane
	}
	return stepsPane
}

// withRun takes over a newer state of the run.
func (s session) withRun(r steps.Run) session {
	s.state, s.next, s.busy, s.paused, s.spent = r, r.Next(), "", nil, span{}
	for _, id := range r.Order {
		st := r.Steps[id]
		if st.Status == steps.Running || st.Status == steps.Waiting {
			s.busy = id
		}
		if !st.Started.IsZero() && (s.spent.from.IsZero() || st.Started.Before(s.spent.from)) {
			s.spent.from = st.Started
		}
		if st.Ended.After(s.spent.to) {
			s.spent.to = st.Ended
		}
	}
	return s
}

// step is the step that is shown, or nil in a runbook without steps.
func (s session) step() *steps.BoundStep {
	if s.at < 0 || s.at >= len(s.plan.Steps) {
		return nil
	}
	return &s.plan.Steps[s.at]
}

func (s session) stepID() string {
	if step := s.step(); step != nil {
		return step.ID
	}
	return ""
}

func (s session) status() steps.StepState { return s.state.Steps[s.stepID()] }

// selected goes to another step, if there is one that far.
func (m Model) selected(i int) Model {
	i = max(0, min(i, len(m.run.plan.Steps)-1))
	if i == m.run.at {
		return m
	}
	return m.shown(i)
}

// shown shows a step from its beginning. A gate that was asked for the one
// before is no longer wanted.
func (m Model) shown(i int) Model {
	s := m.run
	s.at = i
	s.top[stepPane], s.top[livePane], s.top[outputPane], s.loose = 0, 0, 0, false
	s.asked, s.stale, s.page = request{}, everything, page{output: s.page.output}
	m.run = s
	return m.keepInView()
}

// look asks the engine about the step that is shown, one step at a time: while
// an answer is under way, moving on only changes what is asked next.
func (m Model) look() (Model, tea.Cmd) {
	s := m.run
	if m.phase != running || s.looking || s.stale&staleCode == 0 || s.stepID() == "" {
		return m, nil
	}
	s.looking, s.stale = true, s.stale&^staleCode
	m.run = s
	eng, events, step := s.eng, s.events, s.stepID()
	return m, func() tea.Msg {
		eng.Focus(step)
		return lookedMsg{from: events, step: step, assessment: eng.Assess(step), code: eng.Code(step), since: eng.Since(step)}
	}
}

func (m Model) looked(msg lookedMsg) Model {
	if msg.from != m.run.events {
		return m
	}
	m.run.looking = false
	if msg.step != m.run.stepID() {
		m.run.stale |= staleCode
		return m
	}
	m.run.page.known, m.run.page.assessment = true, msg.assessment
	m.run.page.code = make([]string, len(msg.code))
	for i, code := range msg.code {
		m.run.page.code[i] = m.cfg.Written(code)
	}
	m.run.page.since = msg.since
	m.run.stale |= staleChecks | staleLines
	return m
}

// sized tells the engine how large the terminal of its commands is: what the
// output pane shows, so that lines break where they're seen to.
func (m Model) sized() Model {
	l := newLayout(m.size, outputPane, m.run.zoom, m.run.alert())
	if in := l.inner(outputPane); m.run.eng != nil && in.X > 0 && in.Y > 0 {
		m.run.eng.Resize(in.X, in.Y)
	}
	return m
}

// engineSaid takes in an event, and waits for the next.
func (m Model) engineSaid(msg engineSaidMsg) (Model, tea.Cmd) {
	if m.phase != running || msg.from != m.run.events {
		return m, nil
	}
	if !msg.ok {
		m.run.ended = true
		return m.notify(true, saidEnded), nil
	}
	m, cmd := m.took(msg.event)
	return m, tea.Batch(cmd, waitForEvent(m.run.events))
}

func (m Model) took(e engine.Event) (Model, tea.Cmd) {
	switch e := e.(type) {
	case engine.RunChanged:
		return m.runChanged(e)
	case engine.WorldChanged:
		m.run.world, m.run.where = e.World, m.run.eng.Where()
		m.run.stale |= staleChecks | staleLines
	case engine.Drifted:
		return m.drifted(e), nil
	case engine.BesideChanged:
		return m.besideChanged(), nil
	case engine.ValuesChanged:
		return m.valuesChanged(e), nil
	case engine.OutputChanged:
		if e.Step == m.run.outputOf() {
			m.run.stale |= staleOutput
		}
	case engine.TerminalWanted:
		return m.lendTerminal(e)
	case engine.Paused:
		return m.pausedAt(e), nil
	case engine.Noticed:
		return m.notify(e.Bad, e.Text), nil
	case engine.Offered:
		return m.offered(e)
	}
	return m, nil
}

// runChanged moves on to the next step when the one that is shown is settled:
// an operator who has gone elsewhere stays there.
func (m Model) runChanged(e engine.RunChanged) (Model, tea.Cmd) {
	was := m.run.state.Steps[e.Fact.Step]
	over := m.run.next == ""
	m.run.plan = m.run.eng.Plan().Covered(m.cfg.Written) // a step that runs again stands on the values of now
	m.run = m.run.withRun(e.Run)
	m.run.stale = everything
	if e.Fact.Kind == steps.StepStarted {
		m.run.ran = e.Fact.Step
	}
	if e.Fact.Step == m.run.doing.step {
		m.run.doing.started = true
		m.run.doing = m.run.doing.settled()
	}
	var cmds []tea.Cmd
	if m.run.typing.on && m.run.busy != m.run.typing.step {
		var cmd tea.Cmd
		m, cmd = m.stopTyping(true)
		cmds = append(cmds, cmd)
	}
	if e.Fact.Step == m.run.stepID() && e.Fact.Kind == steps.StepStarted && m.oneAtATime() && m.run.focus == stepPane {
		m = m.withFocus(outputPane)
	}
	now := e.Run.Steps[e.Fact.Step]
	moved := e.Fact.Step == m.run.stepID() && now.Status.Settled() && !was.Status.Settled()
	if moved && m.run.next != "" {
		var cmd tea.Cmd
		m, cmd = m.selected(m.run.after(m.run.at)).held(false)
		cmds = append(cmds, cmd)
		if m.oneAtATime() && m.run.focus == outputPane && len(m.run.eng.Output(e.Fact.Step).Lines) == 0 {
			m = m.withFocus(stepPane) // there is nothing to read first
		}
	}
	if m.run.next == "" && !over {
		var cmd tea.Cmd
		m, cmd = m.openQuietly(donePager(m.run))
		cmds = append(cmds, cmd)
	}
	return m, tea.Batch(cmds...)
}

// oneAtATime tells whether there is room for one pane only, so that it should
// be the one in which something happens. Who has zoomed has chosen for himself.
func (m Model) oneAtATime() bool { return m.layout().narrow && !m.run.zoom }

// outputOf is the step whose output is shown: the one on the screen once it has
// run, until then the one that ran last. What a step printed can be read after
// the run has moved on.
func (s session) outputOf() string {
	if s.ran == "" || !s.status().Started.IsZero() {
		return s.stepID()
	}
	return s.ran
}

// after is the step to go on with: the first one behind i that isn't settled,
// else the first of the run.
func (s session) after(i int) int {
	for j := i + 1; j < len(s.plan.Steps); j++ {
		if !s.state.Steps[s.plan.Steps[j].ID].Status.Settled() {
			return j
		}
	}
	if j, ok := s.index[s.next]; ok {
		return j
	}
	return i
}

// held starts a grace period in which a key that was on its way runs nothing.
func (m Model) held(all bool) (Model, tea.Cmd) {
	m, id := m.newSerial()
	m.run.hold = hold{id: id, all: all || m.run.hold.all}
	return m, m.quietAfter(id)
}
