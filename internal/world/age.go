package world

import (
	"fmt"
	"time"
)

// Age says how old a fact is, for a person: "now", "2s ago", "stale since
// 14:02:11", "asking", "never heard".
func Age(f Fact, now time.Time) string {
	switch {
	case f.Stale:
		return "stale since " + f.StaleSince.Format("15:04:05")
	case f.Seen.IsZero() && f.Presence == Asking:
		return "asking"
	case f.Seen.IsZero():
		return "never heard"
	}
	d := now.Sub(f.Seen)
	if d < time.Second {
		return "now"
	}
	return Span(d) + " ago"
}

// Span is a duration in its largest unit that still says enough: 45s, 12m, 3h,
// 21d.
func Span(d time.Duration) string {
	switch {
	case d < 0:
		return "0s"
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}

func staleText(f Fact) string {
	text := "not heard since " + f.StaleSince.Format("15:04:05")
	if f.Why != "" {
		text += ": " + f.Why
	}
	return text
}
