package main

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// shortestRun is how many characters of a run's name are shown at least: its
// time to the minute.
const shortestRun = len("20060102T1504")

// widestTitle is where titles are cut, in cells.
const widestTitle = 18

// runsText is the list of runs for people: what fits into 80 columns, with the
// beginning of each name that is enough to name it, and behind a run that isn't
// done what is the matter with it.
func runsText(runs []runRow, names []string) string {
	table := [][]string{{"RUN", "STARTED", "TITLE", "CONTEXT", "DONE", "STATE"}}
	for _, r := range runs {
		table = append(table, []string{shortest(r.Run, names), local(r.Started), ansi.Truncate(orDash(r.Title), widestTitle, "…"), orDash(r.Context),
			fmt.Sprintf("%d/%d", r.Settled, r.Taken), string(r.State)})
	}
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	p := &page{}
	for n, row := range table {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", widths[i]-ansi.StringWidth(cell)+2)
		}
		p.say("%s", strings.TrimRight(line, " "))
		if n > 0 {
			runs[n-1].say(p)
		}
	}
	return p.String()
}

// say says where a run stands, and what is the matter.
func (r runRow) say(p *page) {
	switch {
	case r.State == runDone:
	case r.Step != "":
		p.hang("  ", because("at "+r.Step, r.Why))
	case r.Why != "":
		p.hang("  ", r.Why)
	}
	for _, b := range r.Ended {
		p.hang("  ", fmt.Sprintf("of %s, %s: %s", b.Step, clock(b.At), besideText(b.BesideData)))
	}
}

// shortest is the beginning of a name that no other has.
func shortest(name string, names []string) string {
	n := min(shortestRun, len(name))
	for _, other := range names {
		if other == name {
			continue
		}
		same := 0
		for same < min(len(name), len(other)) && name[same] == other[same] {
			same++
		}
		n = max(n, min(same+1, len(name)))
	}
	return name[:n]
}
