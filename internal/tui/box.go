package tui

import (
	"image"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"charm.land/lipgloss/v2"
)

// A box is a bordered part of the screen.
type box struct {
	title string
	note  string   // at the right of the upper border
	foot  string   // at the right of the lower border
	lines []string // what is visible
	marks []string // a sign of one cell for lines that are search hits; may be shorter
	heavy bool     // the border that says "here", without needing colour
	style lipgloss.Style
}

// draw returns exactly size.Y lines of exactly size.X cells.
func (b box) draw(size image.Point) []string {
	if size.X < 4 || size.Y < 2 {
		return blank(size)
	}
	edge := [6]string{"╭", "╮", "╰", "╯", "─", "│"}
	if b.heavy {
		edge = [6]string{"┏", "┓", "┗", "┛", "━", "┃"}
	}
	side := b.style.Render(edge[5])
	out := []string{b.style.Render(edge[0]) + b.rule(b.title, b.note, edge[4], size.X-2) + b.style.Render(edge[1])}
	for i := range size.Y - 2 {
		line, mark := "", " "
		if i < len(b.lines) {
			line = b.lines[i]
		}
		if i < len(b.marks) && b.marks[i] != "" {
			mark = b.marks[i]
		}
		out = append(out, side+mark+fit(line, size.X-4)+" "+side)
	}
	return append(out, b.style.Render(edge[2])+b.rule("", b.foot, edge[4], size.X-2)+b.style.Render(edge[3]))
}

// leastTitle is how many cells of a title are left beside a note.
const leastTitle = 8

// rule is a horizontal border with a text at either end. Where there isn't room
// for both, the left one gives way first, down to a few cells.
func (b box) rule(left, right, dash string, width int) string {
	kept := 0
	if left != "" {
		kept = min(cells(left), leastTitle) + 2
	}
	if right = ansi.Truncate(right, max(0, width-3-kept), "…"); right != "" {
		right = " " + right + " "
	}
	if left = ansi.Truncate(left, max(0, width-3-cells(right)), "…"); left != "" {
		left = " " + left + " "
	}
	tail := min(1, max(0, width-cells(left)-cells(right)))
	room := max(0, width-cells(left)-cells(right)-tail)
	return left + b.style.Render(strings.Repeat(dash, room)) + right + b.style.Render(strings.Repeat(dash, tail))
}

func blank(size image.Point) []string {
	lines := make([]string, max(0, size.Y))
	for i := range lines {
		lines[i] = strings.Repeat(" ", max(0, size.X))
	}
	return lines
}

// beside joins columns of lines of the same height.
func beside(columns ...[]string) []string {
	out := make([]string, len(columns[0]))
	for i := range out {
		for _, c := range columns {
			out[i] += c[i]
		}
	}
	return out
}

// over lays lines on others, with their upper left corner at p.
func over(under, upper []string, p image.Point) []string {
	for i, line := range upper {
		y := p.Y + i
		if y < 0 || y >= len(under) {
			continue
		}
		total := cells(under[y])
		end := p.X + cells(line)
		right := ansi.TruncateLeft(under[y], end, "")
		if cells(right) > total-end { // it begins with the half of a wide character
			right = ansi.TruncateLeft(under[y], end+1, "")
		}
		gap := max(0, total-end-cells(right)) // half of a wide character
		left := fit(ansi.Truncate(under[y], p.X, ""), p.X)
		under[y] = left + resetSGR + line + strings.Repeat(" ", gap) + right
	}
	return under
}

// window is the part of lines that is seen from top on.
func window(lines []string, top, height int) []string {
	top = min(max(0, top), len(lines))
	return lines[top:min(len(lines), top+max(0, height))]
}

// from counts n numbers up from one.
func from(first, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = first + i
	}
	return out
}

// position says which part of a text is seen, when that isn't all of it.
func position(top, height, total int) string {
	if total <= height {
		return ""
	}
	return itoa(top+1) + "–" + itoa(min(total, top+height)) + " of " + itoa(total)
}
