package world

import (
	"errors"
	"testing"
)

func TestAnEscapeTakesNothingAwayThatStandsBehindIt(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Say("%s is %s, which is not ready", "pod/x\x1bX", "\x1b]0;waiting"), "pod/x is 0;waiting, which is not ready"},
		{Say("%s: %v; ask again", "\x1b]0;pod", errors.New("denied\x07")), "0;pod: denied; ask again"},
		{Say("%d of %d ready", 1, 2), "1 of 2 ready"},
		{Plain("a\x1b]0;title\x07b"), "ab"},
		{Plain("a\x1b]0;title\x1b\\b"), "ab"},
		{Plain("a\x1b[31mb\x1b["), "ab"},
		{Plain("a\x1bPb"), "ab"},
		{Plain("a\x1b"), "a"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
