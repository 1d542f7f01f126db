package screen

import (
	"os/exec"
	"strings"
	"testing"
)

func TestOnlyWholeFramesAreDrawnHoweverTheyArriveInPieces(t *testing.T) {
	const said = "before" + frameBegins + "one" + frameEnds + "\x1b[1mbetween" + frameBegins + "two" + frameEnds + frameBegins + "half"
	const whole = "before" + frameBegins + "one" + frameEnds + "\x1b[1mbetween" + frameBegins + "two" + frameEnds
	for i := range len(said) {
		for j := i; j < len(said); j++ {
			var f frames
			var drawn string
			for _, piece := range []string{said[:i], said[i:j], said[j:]} {
				drawn += string(f.whole([]byte(piece)))
				if n, m := strings.Count(drawn, frameBegins), strings.Count(drawn, frameEnds); n != m {
					t.Fatalf("cut at %d and %d: half a frame is drawn: %q", i, j, drawn)
				}
			}
			if drawn != whole {
				t.Fatalf("cut at %d and %d: drawn %q, want %q", i, j, drawn, whole)
			}
			if rest := string(f.rest()); drawn+rest != said {
				t.Fatalf("cut at %d and %d: %q is lost", i, j, strings.TrimPrefix(said, drawn+rest))
			}
		}
	}
}

func TestAProgramIsToldThatFramesAreKnownAndHalfOfOneIsNotSeen(t *testing.T) {
	s := StartCommand(t, exec.Command("bash", "-c", `stty -echo; printf '\e[?2026$p'; IFS= read -rd y answer; [ "$answer" = $'\e[?2026;2$' ] && printf 'known\r\n';
		printf '\e[?2026hfirst half, '; read -rn1 key; printf 'second half\r\n\e[?2026l'; printf '\e[?2026hcut off'`), 60, 5)
	s.WaitFor("known")
	s.WaitUntil(func(text string) string {
		if strings.Contains(text, "first half") {
			t.Errorf("half a frame is seen:\n%s", text)
		}
		if !strings.Contains(s.Said(), "first half") {
			return "missing: half of the frame"
		}
		return ""
	})
	s.Type("k")
	s.WaitFor("first half, second half")
	if err := s.WaitExit(); err != nil {
		t.Error(err)
	}
	s.WaitFor("cut off") // what nobody finishes is seen in the end
}
