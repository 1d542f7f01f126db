package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"runbook/internal/guard"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// A Config has the parts that an engine works with. Shell, Plan, Journal and
// Now are needed; a nil Watcher, Surveyor, Keeper or Learner stands for a source
// that isn't configured.
type Config struct {
	Plan     *steps.Plan
	Run      steps.Run // where the run stands; of a resumed run, else steps.NewRun
	Shell    Shell
	Actions  Actions
	Watchers []Watcher
	Surveyor Surveyor
	Keeper   Keeper
	Learner  Learner
	Journal  Journal
	// Updates brings the facts that the watchers find; who makes it closes it.
	Updates <-chan world.Update
	// Read opens files that commands name, for judging them; nil means unknown.
	Read  func(path string) ([]byte, error)
	Where guard.Where
	// Mount tells the version of a Vault mount, 0 when it isn't known.
	Mount func(mount string) int
	// Past is what the record of a resumed run tells of the steps that are not
	// settled; empty for a new run.
	Past map[string]Past
	// Edits are the operator's texts for blocks of a resumed run, by step and
	// block; empty for a new one.
	Edits map[string]map[int]string
	// Split cuts code of a shell into its statements; nil leaves blocks whole.
	Split func(code, shell string) []string
	// Hide takes out of what the engine says what must not be shown; nil hides nothing.
	Hide Discretion
	// Namespace tells where objects without one are meant under other values;
	// nil means where they were.
	Namespace func(steps.Values) string
	// Admit is asked before other values count, and may refuse them; nil admits all.
	Admit func(context.Context, *steps.Plan) error
	// Drift says what the operator's configuration says by now, where that isn't
	// what Where was pinned to, and "" where it is; nil when nothing can drift.
	// It is asked before each gate, by Refresh, and at every tick of Ticks.
	Drift func() string
	// Strays are looked for when Drift is; nil for a run that is new.
	Strays Strays
	Ticks  <-chan time.Time
	// With has, of a resumed run, the values that steps were last tried or
	// settled with, where they aren't those of the plan.
	With map[string]steps.Values
	Now  func() time.Time
}

// An Engine walks one plan. Its methods may be called from any goroutine.
type Engine struct {
	cfg    Config
	events *queue
	ctx    context.Context // ends when the engine is closed; parent of all work
	cancel context.CancelFunc
	work   sync.WaitGroup
	done   chan struct{} // closed once all work has ended
	wants  chan struct{} // one token: what the watchers should watch may have changed

	drifting sync.Mutex // held while the configuration is looked at: looks don't overtake each other

	facts sync.Mutex // held while a fact is recorded and becomes part of the run

	mu     sync.Mutex
	run    steps.Run
	foot   footing
	with   map[string]steps.Values // what a step was last tried or settled with
	world  world.World
	news   chan struct{} // closed and replaced whenever run or world changes
	focus  string
	gated  string    // the step whose gate was asked for last
	busy   *carrying // the step that is being carried out, if any
	output map[string]Output
	beside []*besideProcess
	strays []Stray // that run, as far as was looked
	edits  map[string]map[int]string
	judged map[string]Assessment
	past   map[string]Past // see Config.Past; without the steps that were tried since
	review []string        // the steps that Recheck asks about
	size   struct{ cols, rows int }

	unrecorded *UnrecordedError // the first that happened and isn't in the record
}

// New starts an engine. Close it to stop all it has started.
func New(ctx context.Context, cfg Config) *Engine {
	ctx, cancel := context.WithCancel(ctx)
	if cfg.Hide == nil {
		cfg.Hide = open{}
	}
	cfg.Where = shownWhere(cfg.Hide, cfg.Where)
	e := &Engine{
		cfg: cfg, events: newQueue(cfg.Hide), ctx: ctx, cancel: cancel, done: make(chan struct{}),
		wants: make(chan struct{}, 1),
		run:   cfg.Run, world: world.World{Now: cfg.Now()}, news: make(chan struct{}),
		output: map[string]Output{}, edits: cloned(cfg.Edits), judged: map[string]Assessment{},
		past: maps.Clone(cfg.Past), foot: firstFooting(cfg), with: map[string]steps.Values{},
	}
	for id, state := range cfg.Run.Steps {
		if state.Tries > 0 || kept(state.Status) {
			e.with[id] = cfg.Plan.Values
		}
	}
	maps.Copy(e.with, cfg.With)
	e.size.cols, e.size.rows = 80, 24
	e.lookForStrays()
	e.work.Go(e.observe)
	e.work.Go(e.direct)
	e.work.Go(e.mind)
	pumped := make(chan struct{})
	go func() { defer close(pumped); e.events.pump() }()
	go func() {
		<-ctx.Done()
		e.work.Wait()
		e.events.close()
		<-pumped
		close(e.done)
	}()
	e.Focus(e.run.Next())
	return e
}

func cloned(edits map[string]map[int]string) map[string]map[int]string {
	out := map[string]map[int]string{}
	for step, blocks := range edits {
		out[step] = maps.Clone(blocks)
	}
	return out
}

// Close stops what runs, waits for it, and closes the channel of events.
func (e *Engine) Close() {
	e.cancel()
	close(e.events.gone)
	<-e.done
}

// Events returns the channel of everything that happens.
func (e *Engine) Events() <-chan Event { return e.events.out }

// Plan returns what is being walked: of the settled steps as they were when
// they were settled, of the others as they would run now.
func (e *Engine) Plan() *steps.Plan { return e.footing().shown }

// Where returns the pinned target.
func (e *Engine) Where() guard.Where { return e.footing().where }

// Run returns where the run stands.
func (e *Engine) Run() steps.Run {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.run
}

// World returns what is known now.
func (e *Engine) World() world.World {
	e.mu.Lock()
	defer e.mu.Unlock()
	w := e.world
	w.Now = e.cfg.Now()
	return w
}

// observe takes facts in as they come.
func (e *Engine) observe() {
	for {
		select {
		case <-e.ctx.Done():
			return
		case u, ok := <-e.cfg.Updates:
			if !ok {
				return
			}
			e.learn(u)
		}
	}
}

func (e *Engine) learn(u world.Update) {
	e.mu.Lock()
	e.world = e.world.With(u, e.cfg.Now())
	w := e.world
	e.wake()
	e.mu.Unlock()
	e.events.put(WorldChanged{World: w})
	e.settleIfSatisfied()
}

// wake tells who waits in [Engine.until] to look again; e.mu is held.
func (e *Engine) wake() {
	close(e.news)
	e.news = make(chan struct{})
}

// until returns nil as soon as ok holds, looking again after every change of
// the run or the world, or the error of the context.
func (e *Engine) until(ctx context.Context, ok func() bool) error {
	for {
		e.mu.Lock()
		news := e.news
		e.mu.Unlock()
		if ok() {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-news:
		}
	}
}

// apply records a fact about a step and makes it part of the run. A fact that
// can't be recorded doesn't happen.
func (e *Engine) apply(ev steps.Event) error {
	e.facts.Lock()
	defer e.facts.Unlock()
	return e.take(ev)
}

// applyFrom is apply for what was decided while the step stood at a status and
// nothing ran. When that isn't so any more it does nothing and applied is false.
func (e *Engine) applyFrom(ev steps.Event, from steps.Status) (applied bool, err error) {
	e.facts.Lock()
	defer e.facts.Unlock()
	e.mu.Lock()
	stale := e.busy != nil || e.run.Steps[ev.Step].Status != from
	e.mu.Unlock()
	if stale {
		return false, nil
	}
	return true, e.take(ev)
}

// take is apply with e.facts held.
func (e *Engine) take(ev steps.Event) error {
	ev.At, ev.Why = e.cfg.Now(), e.cfg.Hide.Sentence(ev.Why)
	next, err := e.Run().Apply(ev)
	if err != nil {
		return fmt.Errorf("step %s: %w", ev.Step, err)
	}
	if err := e.cfg.Journal.Event(ev); err != nil { // e.mu is free meanwhile: who draws never waits for the disk
		return &UnwritableError{Step: ev.Step, Err: err}
	}
	e.become(next, ev)
	return nil
}

// become makes next the run, and says by which fact; e.facts is held.
func (e *Engine) become(next steps.Run, ev steps.Event) {
	e.mu.Lock()
	e.run = next
	e.stands(ev)
	e.wake()
	e.mu.Unlock()
	e.events.put(RunChanged{Run: next, Fact: ev})
}

// must is apply for facts that have happened whether or not they can be
// recorded: the failure is shown, and the run says what is true.
func (e *Engine) must(ev steps.Event) {
	err := e.apply(ev)
	if err == nil {
		return
	}
	if inner := errors.Unwrap(err); inner != nil {
		err = inner // the step is named beside it
	}
	e.unwritten(ev.Step, err)
	e.facts.Lock()
	defer e.facts.Unlock()
	ev.At, ev.Why = e.cfg.Now(), e.cfg.Hide.Sentence(ev.Why)
	if next, err := e.Run().Apply(ev); err == nil {
		e.become(next, ev)
	}
}

// Focus says which step a person looks at: its live state is wanted, and that
// of the step that runs.
func (e *Engine) Focus(step string) {
	e.mu.Lock()
	e.focus = step
	e.mu.Unlock()
	e.want()
}

// want has the watchers directed anew. It never blocks: a watcher may be
// waiting for the engine to take a fact from it.
func (e *Engine) want() {
	select {
	case e.wants <- struct{}{}:
	default: // it will be done already
	}
}

// direct tells the watchers what is wanted, whenever that may have changed.
func (e *Engine) direct() {
	for {
		select {
		case <-e.ctx.Done():
			return
		case <-e.wants:
		}
		w := e.wanted()
		for _, watcher := range e.cfg.Watchers {
			watcher.Want(w)
		}
	}
}

// wanted is what the step in focus, the next one, the running one and those
// under review depend on.
func (e *Engine) wanted() Wanted {
	e.mu.Lock()
	looked, asked := append([]string{e.focus, e.run.Next()}, e.review...), e.gated
	if e.busy != nil {
		looked = append(looked, e.busy.step.ID)
	}
	e.mu.Unlock()
	slices.Sort(looked)
	var w Wanted
	for _, id := range slices.Compact(looked) {
		if b, ok := e.step(id); ok {
			w = w.and(e.needs(b))
		}
		if b, ok := e.footing().present(id); ok && id == asked {
			w = w.and(e.needs(b)) // a gate judges what would run now
		}
	}
	return w
}

// Refresh asks everything that is wanted again.
func (e *Engine) Refresh() {
	e.lookAside()
	for _, w := range e.cfg.Watchers {
		w.Refresh()
	}
}
