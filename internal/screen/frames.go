package screen

import (
	"bytes"
	"io"

	"github.com/charmbracelet/x/ansi"
)

// The marks that a program puts around what it draws at once, where the terminal
// says that it knows them (synchronized output, mode 2026).
const (
	frameBegins = ansi.SetModeSynchronizedOutput
	frameEnds   = ansi.ResetModeSynchronizedOutput
)

// frames holds a frame back until all of it is there, as a terminal with
// synchronized output does: nobody may take half of one for what a person sees.
type frames struct{ held []byte }

// whole takes what was printed, and returns what is to be drawn now.
func (f *frames) whole(printed []byte) []byte {
	all := append(f.held, printed...)
	from := max(bytes.LastIndex(all, []byte(frameEnds)), 0)
	at := len(all) - begun(all)
	if i := bytes.Index(all[from:], []byte(frameBegins)); i >= 0 {
		at = from + i
	}
	f.held = bytes.Clone(all[at:])
	return all[:at]
}

// rest returns what is held, which nobody will finish any more.
func (f *frames) rest() []byte {
	held := f.held
	f.held = nil
	return held
}

// begun returns how many bytes at the end may turn out to begin a frame.
func begun(b []byte) int {
	for n := min(len(frameBegins)-1, len(b)); n > 0; n-- {
		if bytes.HasPrefix([]byte(frameBegins), b[len(b)-n:]) {
			return n
		}
	}
	return 0
}

// knowsFrames makes the emulator say that it knows synchronized output.
func (s *Screen) knowsFrames() {
	s.term.RegisterCsiHandler(ansi.Command('?', '$', 'p'), func(params ansi.Params) bool {
		if n, _, ok := params.Param(0, 0); !ok || ansi.DECMode(n) != ansi.ModeSynchronizedOutput {
			return false
		}
		_, _ = io.WriteString(s.term.InputPipe(), ansi.ReportMode(ansi.ModeSynchronizedOutput, ansi.ModeReset))
		return true
	})
}
