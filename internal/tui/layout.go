package tui

import "image"

// The smallest terminal that the run is drawn on, and the width from which the
// panes stand side by side.
const (
	minWidth  = 40
	minHeight = 10
	wideFrom  = 100
)

// A pane is one of the four places of the run.
type pane int

const (
	stepsPane pane = iota
	stepPane
	livePane
	outputPane
	paneCount
)

func (p pane) name() string {
	return [...]string{"Steps", "Step", "Live", "Output"}[p]
}

// A layout says where everything is. A pane that isn't shown has an empty
// rectangle.
type layout struct {
	size   image.Point
	small  bool // too small for anything but saying so
	narrow bool // one pane at a time, with tabs
	header image.Rectangle
	tabs   image.Rectangle
	panes  [paneCount]image.Rectangle
	footer image.Rectangle
}

// newLayout is the only place where sizes are worked out. Alert tells that a line below the header is needed.
func newLayout(size image.Point, focus pane, zoom, alert bool) layout {
	l := layout{size: size, small: size.X < minWidth || size.Y < minHeight}
	if l.small {
		return l
	}
	w, h := size.X, size.Y
	top := 1
	if alert {
		top = 2
	}
	l.header = image.Rect(0, 0, w, top)
	l.footer = image.Rect(0, h-1, w, h)
	if l.narrow = w < wideFrom || zoom; l.narrow {
		l.tabs = image.Rect(0, top, w, top+1)
		l.panes[focus] = image.Rect(0, top+1, w, h-1)
		return l
	}
	out := min(max(h*3/10, 4), 16)
	if focus == outputPane {
		out = (h - 1 - top) * 6 / 10
	}
	bottom := h - 1 - out
	left := min(max(w/4, 26), 38)
	right := w - min(max(w/4, 32), 46)
	l.panes[stepsPane] = image.Rect(0, top, left, bottom)
	l.panes[stepPane] = image.Rect(left, top, right, bottom)
	l.panes[livePane] = image.Rect(right, top, w, bottom)
	l.panes[outputPane] = image.Rect(0, bottom, w, h-1)
	return l
}

// inner is the room for text in a pane: inside the border and one cell of air
// on either side.
func (l layout) inner(p pane) image.Point {
	return image.Pt(max(0, l.panes[p].Dx()-4), max(0, l.panes[p].Dy()-2))
}

// at says which pane is at a cell of the screen.
func (l layout) at(cell image.Point) (pane, bool) {
	for p, r := range l.panes {
		if cell.In(r) {
			return pane(p), true
		}
	}
	return 0, false
}
