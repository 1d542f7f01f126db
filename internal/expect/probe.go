package expect

import (
	"strconv"
	"strings"
	"time"

	"runbook/internal/steps"
	"runbook/internal/world"
)

func probe(w world.World, url string) world.Probe {
	p, ok := w.Probes[url]
	if !ok {
		p.URL = url
	}
	return p
}

func judgeProbe(e steps.Expectation, p world.Probe, now time.Time) world.Verdict {
	if v, unknown := world.Unknown(world.Object{Fact: p.Fact}); unknown {
		return v
	}
	if p.Presence != world.Present {
		return p.Judge()
	}
	switch e.Check {
	case steps.Answers, steps.Ready:
		return answers(p, arg(e, 0))
	case steps.Redirects:
		return redirects(p, arg(e, 0))
	case steps.Trusted:
		return trusted(p, arg(e, 0), now)
	}
	return unsure("%q can't be asked of an address", e.Check)
}

func answers(p world.Probe, code string) world.Verdict {
	if code == "" {
		return p.Judge()
	}
	if strconv.Itoa(p.Status) == code {
		return holds()
	}
	return fails("answers %d", p.Status)
}

func redirects(p world.Probe, scheme string) world.Verdict {
	switch {
	case p.Status < 300 || p.Status > 399:
		return fails("answers %d, no redirect", p.Status)
	case strings.HasPrefix(strings.ToLower(p.Location), scheme+"://"):
		return holds()
	case p.Location == "":
		return fails("answers %d without saying where to", p.Status)
	}
	return fails("redirects to %s", p.Location)
}

func trusted(p world.Probe, long string, now time.Time) world.Verdict {
	want, err := duration(long)
	switch {
	case err != nil:
		return unsure("%q is not a duration", long)
	case p.NotAfter.IsZero():
		return fails("serves no certificate")
	case !p.Trusted:
		if p.TrustWhy == "" {
			return fails("its certificate is not trusted")
		}
		return fails("its certificate is not trusted: %s", p.TrustWhy)
	case !p.NotAfter.After(now):
		return fails("its certificate has expired on %s", p.NotAfter.UTC().Format(time.DateOnly))
	case p.NotAfter.Before(now.Add(want)):
		return fails("its certificate expires in %s", world.Span(p.NotAfter.Sub(now)))
	}
	return holds()
}

// duration reads Go's durations, and days before them: 21d, 1d12h.
func duration(s string) (time.Duration, error) {
	var days time.Duration
	if before, rest, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.Atoi(before)
		if err != nil {
			return 0, err
		}
		if days, s = time.Duration(n)*24*time.Hour, rest; s == "" {
			return days, nil
		}
	}
	d, err := time.ParseDuration(s)
	return days + d, err
}
