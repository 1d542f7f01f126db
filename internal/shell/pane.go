package shell

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

const (
	frame    = 30 * time.Millisecond // how often a pane is drawn at most
	backlog  = 32 << 10              // bytes that are drawn in one frame; in a flood only the last
	sticky   = 4 << 10               // bytes of modes and colours kept from what is not drawn
	minCells = 1
)

// A pane is the screen of a pseudo-terminal. What it is given has been redacted
// already.
type pane struct {
	answer func([]byte) // takes what the terminal says to the program

	queue   sync.Mutex // guards pending, so that output need not wait for drawing
	pending []byte

	mu      sync.Mutex // guards the rest; taken before queue
	emu     *vt.Emulator
	main    *vt.Emulator // what is behind the alternate screen, or nil
	spare   []byte
	answers sync.WaitGroup
	cols    int
	rows    int
	closed  bool
	version int // of the screen
	drawn   Screen
	drawnAt int

	wake chan struct{} // one token: there is something pending
}

// A Screen is what a terminal shows at one moment.
type Screen struct {
	Lines            []string // one for each row, with colours
	CursorX, CursorY int      // in cells from the top left of Lines
	CursorHidden     bool
	Full             bool // the program uses the alternate screen, as editors and pagers do
}

func newPane(cols, rows int, answer func([]byte)) *pane {
	p := &pane{answer: answer, cols: max(cols, minCells), rows: max(rows, minCells), wake: make(chan struct{}, 1), drawnAt: -1}
	p.open()
	return p
}

// open makes a fresh emulator and reads its answers: a question that nobody
// takes the answer of blocks it for ever.
func (p *pane) open() {
	emu := vt.NewEmulator(p.cols, p.rows)
	emu.SetScrollbackSize(1) // the ring keeps what scrolled away
	p.emu = emu
	p.answers.Go(func() {
		buf := make([]byte, 4096)
		for {
			n, err := emu.Read(buf)
			if n > 0 {
				p.answer(bytes.Clone(buf[:n]))
			}
			if err != nil {
				return
			}
		}
	})
}

// alternate recognises the switch to the alternate screen and back.
var alternate = regexp.MustCompile(`\x1b\[\?(?:1049|1047|47)[hl]`)

// feed draws on the screen. The alternate one is an emulator of its own,
// because vt keeps thousands of lines that scrolled off its alternate screen
// (charmbracelet/x#947).
func (p *pane) feed(b []byte) {
	from := 0
	for _, m := range alternate.FindAllIndex(b, -1) {
		p.put(b[from:m[0]])
		p.swap(b[m[1]-1] == 'h')
		from = m[1]
	}
	p.put(b[from:])
}

func (p *pane) swap(enter bool) {
	switch {
	case enter && p.main == nil:
		p.main = p.emu
		p.open()
	case !enter && p.main != nil:
		shut(p.emu)
		p.emu, p.main = p.main, nil
		if p.emu.Width() != p.cols || p.emu.Height() != p.rows {
			p.emu.Resize(p.cols, p.rows)
		}
	}
}

// shut ends the emulator's answers. Its own Close races with its Read.
func shut(emu *vt.Emulator) { _ = emu.InputPipe().(io.Closer).Close() }

// Write queues output for the screen. It never waits for the drawing.
func (p *pane) Write(b []byte) (int, error) {
	p.queue.Lock()
	p.pending = append(p.pending, b...)
	if len(p.pending) > 8*backlog {
		p.pending = append(p.pending[:0], shorten(p.pending, 0)...)
	}
	p.queue.Unlock()
	select {
	case p.wake <- struct{}{}:
	default: // it will be drawn anyway
	}
	return len(b), nil
}

// shorten keeps the end of the output, no more than some lines unless that is
// 0, and before it the sequences that what follows depends on. Scrolling is the
// slowest thing an emulator does, and what scrolls away is in the ring.
func shorten(b []byte, lines int) []byte {
	at := max(0, len(b)-backlog)
	for end := len(b); lines > 0; lines-- {
		i := bytes.LastIndexByte(b[at:end], '\n')
		if i < 0 {
			break
		}
		if end = at + i; lines == 1 {
			at = end + 1
		}
	}
	var kept []byte
	for rest := b[:at]; ; {
		i := bytes.IndexByte(rest, 0x1b)
		if i < 0 {
			break
		}
		rest = rest[i:]
		n := sequence(rest)
		if n > 2 && bytes.IndexByte([]byte("mhlrnc"), rest[n-1]) >= 0 {
			kept = append(kept, rest[:n]...)
		}
		rest = rest[n:]
	}
	if over := len(kept) - sticky; over > 0 {
		kept = kept[over:]
		kept = kept[max(0, bytes.IndexByte(kept, 0x1b)):]
	}
	return append(kept, b[at:]...)
}

// sequence returns the length of the escape sequence at the start of b.
func sequence(b []byte) int {
	if len(b) < 2 || b[1] != '[' {
		return min(2, len(b))
	}
	for i := 2; i < len(b); i++ {
		if b[i] >= 0x40 && b[i] <= 0x7e {
			return i + 1
		}
	}
	return len(b)
}

// draw brings the screen up to date.
func (p *pane) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.queue.Lock()
	b := p.pending
	p.pending = p.spare[:0]
	p.queue.Unlock()
	p.spare = b
	if len(b) == 0 {
		return
	}
	if len(b) > backlog || bytes.Count(b, newline) > 4*p.rows {
		b = shorten(b, 2*p.rows)
	}
	p.feed(b)
	p.version++
}

// put writes to the emulator; one that stumbles over what it is given is
// replaced rather than taking the program down.
func (p *pane) put(b []byte) {
	defer func() {
		if recover() != nil {
			shut(p.emu)
			p.open()
		}
	}()
	_, _ = p.emu.Write(b)
}

// screen returns what is shown, cut to a size in cells; 0 means all of it. It
// keeps the rows around the cursor.
func (p *pane) screen(cols, rows int) Screen {
	p.draw()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawnAt != p.version {
		pos := p.emu.CursorPosition()
		p.drawn = Screen{
			Lines:        splitRows(p.emu.Render()),
			CursorX:      pos.X,
			CursorY:      pos.Y,
			CursorHidden: p.emu.CursorHidden(),
			Full:         p.main != nil,
		}
		p.drawnAt = p.version
	}
	return p.drawn.crop(cols, rows)
}

// splitRows splits what an emulator renders, without the blanks that fill a row.
func splitRows(rendered string) []string {
	out := strings.Split(rendered, "\n")
	for i, l := range out {
		out[i] = strings.TrimRight(l, " \r")
	}
	return out
}

// crop cuts a screen to a size: without the empty rows at the bottom, then from
// the top as long as the cursor stays in sight.
func (s Screen) crop(cols, rows int) Screen {
	lines := append([]string(nil), s.Lines...)
	for len(lines) > s.CursorY+1 && strings.TrimSpace(ansi.Strip(lines[len(lines)-1])) == "" {
		lines = lines[:len(lines)-1]
	}
	if over := len(lines) - rows; rows > 0 && over > 0 {
		from := min(over, s.CursorY)
		lines = lines[from:min(len(lines), from+rows)]
		s.CursorY -= from
	}
	if cols > 0 {
		for i, l := range lines {
			lines[i] = ansi.Truncate(l, cols, "")
		}
	}
	s.Lines = lines
	return s
}

func (p *pane) resize(cols, rows int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cols, p.rows = max(cols, minCells), max(rows, minCells)
	if p.closed {
		return // vt would have to answer
	}
	p.emu.Resize(p.cols, p.rows)
	p.version++
}

// close draws for the last time, ends the emulator and waits for its answers.
func (p *pane) close() {
	p.draw()
	p.mu.Lock()
	p.closed = true
	shut(p.emu)
	if p.main != nil {
		shut(p.main)
	}
	p.mu.Unlock()
	p.answers.Wait()
}
