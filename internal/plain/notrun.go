package plain

import "runbook/internal/steps"

// A leftOut is a fence of a step that isn't run.
type leftOut struct {
	line      int
	lang      string
	why, text string
}

// leftOuts are the fences of a step that nobody runs unless somebody does so by
// hand, in the order of the document. What only shows what a command prints is
// not among them.
func leftOuts(s *steps.BoundStep) []leftOut {
	var out []leftOut
	for _, p := range s.Parts {
		switch {
		case p.Fence != nil && p.Fence.Why != steps.WhyOutput:
			out = append(out, leftOut{p.Fence.Line, p.Fence.Lang, p.Fence.Why, p.Fence.Reason()})
		case p.Fence == nil && p.Block >= 0 && p.Block < len(s.Blocks):
			if b := s.Blocks[p.Block]; !b.Offered {
				out = append(out, leftOut{b.Line, b.Lang, b.Why, b.Reason()})
			}
		}
	}
	return out
}
