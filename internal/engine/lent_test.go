package engine_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"runbook/internal/engine"
	"runbook/internal/steps"
)

func TestHowACommandEndedThatHadTheTerminalIsSaid(t *testing.T) {
	const book = "# Try\n\n## Look\n\n<!-- step\ninteractive: true\n-->\n\n```sh\nvi x\n```\n"
	synctest.Test(t, func(t *testing.T) {
		b := resume(t, book, byLines)
		defer b.Close()
		b.shell.exits["vi x"], b.shell.left = 3, "still running: a daemon"
		if err := b.Do(t.Context(), "look", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		var said []string
		for b.status("look").Status != steps.Failed {
			switch ev := (<-b.Events()).(type) {
			case engine.TerminalWanted:
				ev.Done(nil)
			case engine.Noticed:
				said = append(said, ev.Text)
			}
			synctest.Wait()
		}
		if got := b.Output("look"); got.Exit != 3 || got.Running || !strings.Contains(got.Note, "isn't kept") {
			t.Errorf("its output is %+v, want exit 3 and that nothing of it is kept", got)
		}
		if got := strings.Join(said, "\n") + b.notices(); !strings.Contains(got, "a daemon") {
			t.Errorf("it says %q, want what still runs in it", got)
		}
	})
}
