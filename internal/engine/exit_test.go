package engine

import "testing"

func TestAnExitStatusIsSaidInWordsWhereShellsAgreeOnIt(t *testing.T) {
	for exit, want := range map[int]string{
		1:   "exit status 1",
		126: "exit status 126: a command was found that can't be executed",
		127: "exit status 127: a command wasn't found; the shell of a run reads no startup files, so your aliases and functions aren't known to it",
		128: "exit status 128",
		137: "exit status 137: ended by a signal (killed)",
		255: "exit status 255",
	} {
		if got := exitText(exit); got != want {
			t.Errorf("%d: got %q, want %q", exit, got, want)
		}
	}
}
