package tui

import (
	"testing"

	"runbook/internal/engine"
)

func TestAKubeconfigThatMovesOnIsALineBelowTheHeaderAndInGates(t *testing.T) {
	for _, size := range [][2]int{{160, 50}, {100, 30}, {80, 24}, {40, 10}} {
		f := bringUp()
		d := onRun(t, f, size[0], size[1])
		where := f.where
		where.Drift = "the run stays on cicd-test2; your kubeconfig says prod now"
		f.where = where
		d.say(engine.Drifted{Where: where})
		d.sees("\n ! the run stays on cicd-test2;")
		d.press("m")
		d.sees("prod now") // however narrow it is
		d.press("esc", "j")
		d.sees("\n ! the run stays on cicd-test2;")
		d.say(engine.WorldChanged{World: f.world})
		d.sees("\n ! the run stays on cicd-test2;")
		f.where.Drift, where.Drift = "", ""
		d.say(engine.Drifted{Where: where})
		d.lacks("\n ! the run stays")
		d.sees("the kubeconfig names")
	}
}

func TestAQuestionSaysThatTheKubeconfigHasMovedOn(t *testing.T) {
	f := bringUp()
	g := deletion()
	g.Where.Drift = "the run stays on cicd-test2; your kubeconfig says prod now"
	f.gates["teardown"] = g
	d := onRun(t, f, 160, 50)
	d.press("G", "enter")
	d.sees("DESTROY", "! the run stays on cicd-test2; your kubeconfig says prod now")
}
