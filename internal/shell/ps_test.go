package shell

import "testing"

func TestALineOfPsIsAProcess(t *testing.T) {
	const when = "Mon Nov 30 23:06:15 2026"
	q, ok := parsePS("  412     1 Ss   " + when + "     sleep 300 HOME=/Users/me RUNBOOK_STEP_ID=abc TERM=dumb\n")
	if !ok || q.pid != 412 || q.parent != 1 || q.text != "sleep 300 HOME=/Users/me RUNBOOK_STEP_ID=abc TERM=dumb" {
		t.Errorf("got %+v %v", q, ok)
	}
	same, _ := parsePS("412 1 S Mon Nov 30 23:06:15 2026 sleep 300")
	if same.started != q.started {
		t.Error("one process was started at two moments")
	}
	later, _ := parsePS("412 1 S Mon Nov 30 23:06:16 2026 sleep 300")
	if later.started == q.started {
		t.Error("two processes with one pid are taken for the same")
	}
	for _, line := range []string{"", "\n", "ps: no such process\n", "412 1 Z+ " + when + " (sleep)", "412 1 S Mon Nov 30\n"} {
		if q, ok := parsePS(line); ok {
			t.Errorf("%q is taken for %+v", line, q)
		}
	}
}
