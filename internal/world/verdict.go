package world

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
)

// An Answer is what can be said of a claim about the world.
type Answer string

// The answers. Only Holds is ever shown as good.
const (
	Holds    Answer = "holds"
	DoesNot  Answer = "does not"
	TooEarly Answer = "too early" // it may still come true by itself
	CantTell Answer = "can't tell"
)

// Sign is the answer as one cell of text.
func (a Answer) Sign() string {
	switch a {
	case Holds:
		return "✓"
	case DoesNot:
		return "✗"
	case TooEarly:
		return "…"
	}
	return "?"
}

// A Verdict is an answer and the reason that a person would want to read:
// never empty unless the answer is Holds. With Holds, a reason is a caveat.
type Verdict struct {
	Answer Answer
	Why    string
	// Final is set with DoesNot when waiting can't change it (a Job that failed
	// for good), and only then.
	Final bool
}

const (
	// grace is how long a controller may take to say anything about an object.
	grace = 30 * time.Second
	// longest is where a reason is cut: about two lines of a pane.
	longest = 300
)

func holds() Verdict { return Verdict{Answer: Holds} }

func holdsBut(format string, args ...any) Verdict { return verdict(Holds, format, args) }
func waits(format string, args ...any) Verdict    { return verdict(TooEarly, format, args) }
func fails(format string, args ...any) Verdict    { return verdict(DoesNot, format, args) }
func unsure(format string, args ...any) Verdict   { return verdict(CantTell, format, args) }

func failsForGood(format string, args ...any) Verdict {
	v := verdict(DoesNot, format, args)
	v.Final = true
	return v
}

func verdict(a Answer, format string, args []any) Verdict {
	return Verdict{Answer: a, Why: Say(format, args...)}
}

// waitsOrFails is too early while early, and a failure afterwards.
func waitsOrFails(early bool, format string, args ...any) Verdict {
	if early {
		return verdict(TooEarly, format, args)
	}
	return verdict(DoesNot, format, args)
}

var (
	userinfo = regexp.MustCompile(`(://[^:/@\s]*):[^@\s]+@`)
	escape   = regexp.MustCompile(`\x1b(\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(\x07|\x1b\\)|.?)`)
)

// Plain makes a text that came from outside fit for one line: no terminal
// escapes or control characters, and no password in a URL. Of an escape that
// isn't finished only the beginning goes: what follows may be the message.
func Plain(text string) string {
	text = strings.Join(strings.Fields(printable(text)), " ")
	return userinfo.ReplaceAllString(text, "$1:…@")
}

// printable leaves escapes and control characters out; what ends a line is a blank.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, escape.ReplaceAllString(text, ""))
}

// Say is a text of at most about two lines of a pane, with parts that came from
// outside. Each is cleaned by itself: an escape that one begins must not take
// away what stands behind it.
func Say(format string, args ...any) string {
	clean := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case string:
			clean[i] = printable(a)
		case error:
			clean[i] = printable(a.Error())
		default:
			clean[i] = a
		}
	}
	return Clean(fmt.Sprintf(format, clean...))
}

// Clean is [Plain] cut to about two lines of a pane.
func Clean(text string) string {
	text = Plain(text)
	if r := []rune(text); len(r) > longest {
		text = string(r[:longest-1]) + "…"
	}
	return text
}
