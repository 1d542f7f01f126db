package lint

import (
	"testing"
	"time"

	"runbook/internal/ratio"
	"runbook/internal/steps"
)

// BenchmarkCheck is every rule over a runbook that has been parsed.
func BenchmarkCheck(b *testing.B) {
	r := steps.Parse("large.md", ratio.Runbook(2000))
	b.Run("lint a runbook of 2,000 steps", func(b *testing.B) {
		ratio.Within(b, 500*time.Millisecond, func() { Check(r, nil) })
	})
}
