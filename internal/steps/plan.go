package steps

// A Plan is a runbook with its parameters filled in: what this run would do.
type Plan struct {
	Runbook  *Runbook
	Values   Values
	Protects []Protect // bound
	Steps    []BoundStep
	Faults   []Fault // bound
}

// A BoundStep is a step of a plan. The expectations, actions and subjects in it
// hold no ${PARAM} any more.
type BoundStep struct {
	Step
	Taken  bool
	WhyNot string // "VARIANT is ordinary-secrets"
	// Code has, for each block, what would run: Block.Code with its placeholders
	// filled in and quoted for the shell. A secret becomes a reference to its
	// environment variable. Of an action it is the text as a person may read it,
	// with every ${PARAM} but secret ones filled in.
	Code []string
}

// Step returns the step with the given id, or nil.
func (p *Plan) Step(id string) *BoundStep {
	for i := range p.Steps {
		if p.Steps[i].ID == id {
			return &p.Steps[i]
		}
	}
	return nil
}
