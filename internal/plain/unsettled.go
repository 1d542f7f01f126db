package plain

import (
	"runbook/internal/engine"
	"runbook/internal/world"
)

// unsettled are the expectations that don't hold, with the reason said last.
type unsettled map[string]string

// news are the expectations whose reason is another than before, and what is
// open after that.
func (u unsettled) news(checks []engine.Check) ([]engine.Check, unsettled) {
	open := unsettled{}
	var news []engine.Check
	for _, c := range checks {
		if c.Role != engine.ExpectRole || c.Verdict.Answer == world.Holds {
			continue
		}
		open[c.Expect.Text] = c.Verdict.Why
		if said, ok := u[c.Expect.Text]; !ok || said != c.Verdict.Why {
			news = append(news, c)
		}
	}
	return news, open
}
