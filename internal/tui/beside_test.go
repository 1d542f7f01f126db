package tui

import (
	"strings"
	"testing"
	"time"

	"runbook/internal/engine"
)

// withBeside is a run with one command that runs in the background and one
// that has ended.
func withBeside() *fakeEngine {
	f := bringUp()
	f.beside = []engine.Beside{
		{ID: 1, Step: "platform", Title: "Check the platform", Code: "kubectl port-forward svc/x 8080", PID: 4711, Since: noon.Add(-3 * time.Minute)},
		{ID: 2, Step: "namespace", Title: "Namespace", Code: "kubectl logs -f x", PID: 4712, Since: noon.Add(-2 * time.Minute), Ended: noon.Add(-time.Minute), Exit: 1},
	}
	f.output["beside 1"] = engine.Output{Lines: []string{"Forwarding from 127.0.0.1:8080"}, Dropped: 4}
	return f
}

func TestWhatRunsInTheBackgroundIsListedLookedAtAndStopped(t *testing.T) {
	for _, size := range [][2]int{{160, 50}, {80, 24}, {40, 10}} {
		f := withBeside()
		d := onRun(t, f, size[0], size[1])
		d.press("b")
		d.sees("In the background", "… running for 3m, pid 4711", "platform: kubectl port-")
		d.press("enter")
		d.sees("Forwarding from 127.0.0.1:8080", "4 lines before these")
		f.output["beside 1"] = engine.Output{Lines: []string{"Handling connection"}}
		d.say(engine.BesideChanged{})
		d.sees("Handling connection")
		d.press("esc", "x")
		d.sees("Stop it?", "4711) and all that it")
		d.press("s")
		if got := strings.Join(f.asked, " "); got != "stop beside 1" {
			t.Fatalf("%v: asked %q", size, got)
		}
		f.beside[0].Ended, f.beside[0].Stopped = noon, true
		d.say(engine.BesideChanged{})
		d.sees("- stopped", "✗ ended by itself 60s ago, exit 1")
		d.press("x")
		d.sees("ended already")
	}
}

func TestTheOutlineThePageAndTheKeysTellOfTheBackground(t *testing.T) {
	d := onRun(t, withBeside(), 160, 50)
	d.sees("✓&1 Check the platform", "✓ 2 Namespace", "b background")
	d.press("g")
	d.sees("… running for 3m, pid 4711 (b shows it)", "goes on in the background")
	d.press("j")
	d.sees("✗ ended by itself 60s ago, exit 1")
	d.press("k", "enter")
	d.sees("another one would be started beside")
}

func TestQuittingSaysThatItStopsWhatRunsInTheBackground(t *testing.T) {
	d := onRun(t, withBeside(), 100, 30)
	d.press("q")
	d.sees("Quit?", "1 command in the background is stopped")
	d.press("esc")
	if d.quit {
		t.Fatal("it quit")
	}
}
