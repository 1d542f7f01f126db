package engine

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// A Past is what a record tells of the last try of a step.
type Past struct {
	Began  map[int]bool            // blocks whose code was started
	Ended  map[int]int             // those of them that ended, with their exit codes
	Before map[string]world.Answer // of its expectations when nothing had been started, by their text
	Edited bool                    // what was started isn't what the document says now
	Lost   bool                    // the end of the program cut it off, and not the operator
}

// pastOf returns what is known of a try that was cut off: by the end of the
// program, or by the operator. A step that ended, well or badly, has none.
func (e *Engine) pastOf(step string) (Past, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	p, ok := e.past[step]
	if !ok || len(p.Began) == 0 {
		return Past{}, false
	}
	for _, exit := range p.Ended {
		if exit != 0 {
			return Past{}, false
		}
	}
	if !p.Lost && len(p.Ended) == len(p.Began) {
		return Past{}, false // it came to its end, and what was expected didn't come true
	}
	status := e.run.Steps[step].Status
	return p, status != steps.Pending && !status.Settled()
}

// forget drops the past of a step that has been tried again.
func (e *Engine) forget(step string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.past, step)
}

// through tells whether a block has been carried out by an earlier process of
// this run, and has left nothing in a session that is gone.
func (e *Engine) through(s *steps.BoundStep, block int) bool {
	p, ok := e.pastOf(s.ID)
	if !ok || !p.Lost || p.Edited || s.Background {
		return false
	}
	_, ended := p.Ended[block]
	return ended && (s.Blocks[block].Kind == steps.ActionBlock || !LeavesState(e.Code(s.ID)[block]))
}

// nothingLeft tells whether all blocks of a step are through, so that only its
// expectations are waited for.
func (e *Engine) nothingLeft(step string) bool {
	s, ok := e.footing().present(step)
	if !ok {
		return false
	}
	some := false
	for i, b := range s.Blocks {
		if !b.Offered {
			continue
		}
		if !e.through(s.BoundStep, i) {
			return false
		}
		some = true
	}
	return some
}

// Unclear says what isn't known of a step that was cut off while it ran, when
// running it again could do something twice; "" when it can't, and for every
// other step.
func (e *Engine) Unclear(step string) string {
	s, ok := e.footing().present(step)
	p, cut := e.pastOf(step)
	if !ok || !cut {
		return ""
	}
	if p.Edited {
		return "it was cut off while it ran, and what would run now is something else: what that did isn't known"
	}
	a := e.Assess(step)
	for i, b := range s.Blocks {
		_, ended := p.Ended[i]
		if !b.Offered || !p.Began[i] || e.through(s.BoundStep, i) || repeatable(b, a.Blocks[i]) || ended && !p.Lost {
			continue
		}
		what := firstLine(e.Code(step)[i])
		if ended {
			return "it was cut off after " + what + ", and what that had set in its session is gone"
		}
		return "it was cut off while it ran " + what + ": what that did isn't known"
	}
	return ""
}

func firstLine(code string) string {
	line, rest, _ := strings.Cut(strings.TrimSpace(code), "\n")
	if rest != "" {
		line += " …"
	}
	return line
}

// repeatable tells whether a block does no harm when it runs twice: it changes
// nothing, says how things shall be, or refuses what is there already.
func repeatable(b steps.Block, r risk.Result) bool {
	if b.Kind == steps.ActionBlock || r.Class == risk.Read {
		return r.Class <= risk.Write
	}
	if r.Class != risk.Write {
		return false
	}
	for _, x := range r.Reasons {
		if x.Class > risk.Read && !strings.HasPrefix(x.Command, "kubectl create ") {
			return false
		}
	}
	return true
}

// LeavesState tells whether code leaves something in its session that a later
// command may build on: variables, functions, options, another folder. Code
// that can't be parsed counts as such.
func LeavesState(code string) bool {
	file, err := syntax.NewParser().Parse(strings.NewReader(code), "")
	if err != nil {
		return true
	}
	leaves := false
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
			return false // what it sets ends with it
		case *syntax.FuncDecl, *syntax.DeclClause, *syntax.LetClause, *syntax.ForClause:
			leaves = true
		case *syntax.CallExpr:
			leaves = leaves || len(n.Args) == 0 || setsState(n.Args[0].Lit())
		}
		return !leaves
	})
	return leaves
}

func setsState(command string) bool {
	switch command {
	case "cd", "pushd", "popd", "set", "shopt", "setopt", "unset", "umask", "alias", "unalias", "trap", "read", "mapfile",
		"readarray", "getopts", "source", ".", "eval", "exec", "ulimit":
		return true
	}
	return false
}
