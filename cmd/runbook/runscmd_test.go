package main

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

func TestRunsFitIntoEightyColumns(t *testing.T) {
	at := time.Date(2026, 5, 4, 22, 0, 0, 0, time.Local)
	rows := []runRow{
		{Run: "20260505T080102.345Z-teardown", Started: at.Add(10 * time.Hour), Title: "Tear down schmetterpause", Context: "cicd-test2", Settled: 1, Taken: 3, State: runWalked, Step: "database"},
		{Run: "20260504T200059.100Z-bring-up-schmetterpause", Started: at.Add(time.Minute), Title: "Bring up schmetterpause on a new cluster", Context: "cicd-test2", Settled: 9, Taken: 9, State: runDone},
		{Run: "20260504T200000.000Z-bring-up-schmetterpause", Started: at, Title: "Bring up schmetterpause", Context: "cicd-test2", Settled: 4, Taken: 9, State: runFailed, Step: "secrets",
			Why: "after 2m0s: externalsecret/schmetterpause-db is ready: no property \"usernme\" in the entry cicd-test2/schmetterpause"},
		{Run: "20260503T090000.000Z-look", State: runUnsound, Why: "record /home/kim/.local/state/runbook/runs/20260503T090000.000Z-look: line 2 (gate of step look) was changed after it was written: line 3 has another hash of it"},
	}
	var names []string
	for _, r := range rows {
		names = append(names, r.Run)
	}
	got := runsText(rows, names)
	for line := range strings.Lines(got) {
		if w := ansi.StringWidth(strings.TrimRight(line, "\n")); w > 80 {
			t.Errorf("%d columns: %s", w, line)
		}
	}
	golden(t, "runs.golden", got)
}

func TestTheBeginningOfANameThatIsShownNamesOneRun(t *testing.T) {
	names := []string{"20260504T200059.100Z-a", "20260504T200000.000Z-a", "20260504T200000.000Z-ab", "20260503T090000.000Z-b", "x"}
	for _, name := range names {
		got, matches := shortest(name, names), 0
		for _, other := range names {
			if other == got {
				matches = 1
				break
			}
			if strings.HasPrefix(other, got) {
				matches++
			}
		}
		if matches != 1 || !strings.HasPrefix(name, got) {
			t.Errorf("%s is shown as %s, which names %d runs", name, got, matches)
		}
	}
}
