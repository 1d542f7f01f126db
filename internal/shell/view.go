package shell

import "time"

// paint draws the screen at most once a frame and rings the bell of whoever
// looks. It closes the bell when the command has ended.
func (p *Process) paint() {
	defer close(p.dirty)
	wake := p.out.changed
	for {
		select {
		case <-wake:
		case <-p.done:
			p.draw()
			return
		}
		p.draw()
		select {
		case <-time.After(frame):
		case <-p.done:
		}
	}
}

func (p *Process) draw() {
	if p.pane != nil {
		p.pane.draw()
	}
	select {
	case p.dirty <- struct{}{}:
	default: // a redraw is already due
	}
}

// Dirty delivers a token when there is something new to show, at most one for
// each frame of about 30 ms. It is closed at the end of the command.
func (p *Process) Dirty() <-chan struct{} { return p.dirty }

// Lines returns the last lines of the output, redacted, with colours, and how
// many earlier ones are only in the record. The slice must not be changed.
func (p *Process) Lines() (lines []string, dropped int) { return p.out.ring.snapshot() }

// Printed is Lines, and tells whether the last one is unfinished.
func (p *Process) Printed() (lines []string, dropped int, open bool) { return p.out.ring.look() }

// Tail returns the last n lines.
func (p *Process) Tail(n int) []string {
	lines, _ := p.Lines()
	return lines[max(0, len(lines)-n):]
}

// Screen returns what the terminal shows, cut to a size in cells around the
// cursor; 0 means all. A piped command has an empty one.
func (p *Process) Screen(cols, rows int) Screen {
	if p.pane == nil {
		return Screen{}
	}
	s := p.pane.screen(cols, rows)
	for i, l := range s.Lines {
		// Once more: a program may have put a value together by moving the
		// cursor, and links are no colour.
		s.Lines[i] = p.session.opt.Redactor.Text(l)
	}
	return s
}
