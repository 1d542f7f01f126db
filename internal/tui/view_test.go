package tui

import (
	"context"
	"flag"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"runbook/internal/engine"
	"runbook/internal/screen"
	"runbook/internal/steps"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s\nwant:\n%s", path, got, want)
	}
}

func TestTheRunIsDrawnAtEverySize(t *testing.T) {
	for _, size := range [][2]int{{160, 50}, {100, 30}, {80, 24}, {40, 10}} {
		name := fmt.Sprintf("run-%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			d := onRun(t, bringUp(), size[0], size[1])
			golden(t, name, d.text())
		})
	}
}

func TestEveryPaneIsDrawnWhenThereIsRoomForOne(t *testing.T) {
	d := onRun(t, bringUp(), 60, 16)
	for range paneCount {
		golden(t, "tab-"+strings.ToLower(d.m.run.focus.name()), d.text())
		d.press("tab")
	}
}

func TestTheConfirmationIsDrawnAtEverySize(t *testing.T) {
	for _, size := range [][2]int{{160, 50}, {80, 24}, {40, 10}} {
		name := fmt.Sprintf("confirm-%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			d := atTeardown(t, size[0], size[1])
			d.write("schmetter")
			golden(t, name, d.text())
		})
	}
}

// atTeardown is a desk with the confirmation of the last step open and listening.
func atTeardown(t testing.TB, width, height int) *desk {
	t.Helper()
	f := bringUp()
	d := onRun(t, f, width, height)
	d.press("space", "space", "space", "enter")
	d.quiet()
	if len(d.m.dialogs) != 1 {
		t.Fatalf("%d dialogs, want the confirmation:\n%s", len(d.m.dialogs), d.text())
	}
	return d
}

func (d *desk) engine() *fakeEngine { return d.m.run.eng.(*fakeEngine) }

func TestWithoutColourNothingIsLost(t *testing.T) {
	d := onRun(t, bringUp(), 160, 50)
	plain := ansi.Strip(d.m.View().Content)
	for _, sign := range []string{"✓ 1 Check", "▸ 3 Secrets", "· 4 Apply", "- 5 Secrets without", "✗ externalsecret", "? vault is active", "┏", "›"} {
		if !strings.Contains(plain, sign) {
			t.Errorf("%q isn't on the screen without colour:\n%s", sign, plain)
		}
	}
}

func TestColourIsLeftOutWhereItIsNotWanted(t *testing.T) {
	for profile, want := range map[colorprofile.Profile]bool{colorprofile.ASCII: false, colorprofile.ANSI: true} {
		f := bringUp()
		cfg := Config{Runbook: f.plan.Runbook, Values: f.plan.Values, Now: atNoon,
			Start: func(context.Context, *steps.Runbook, steps.Values) (Engine, error) { return f, nil }}
		s := screen.Start(t, New(t.Context(), cfg), screen.Options{Width: 120, Height: 40, Profile: profile})
		s.WaitFor("✗ externalsecret", "SecretSyncedError")
		coloured := regexp.MustCompile(`\x1b\[[0-9;]*(3|9)[0-7](;|m)`).MatchString(s.Styled())
		if coloured != want {
			t.Errorf("%v: coloured %v, want %v: %q", profile, coloured, want, s.Styled())
		}
	}
}

func TestWideCharactersKeepTheirPlaces(t *testing.T) {
	f := bringUp()
	f.plan.Runbook.Title = "集群的启动与拆除手册 👩‍🚀 für Übungen"
	for i := range f.plan.Steps {
		f.plan.Steps[i].Title = strings.Repeat("数据库", i+1) + " 👩‍🚀"
	}
	f.where.Context = "集群-测试"
	f.output["secrets"] = engine.Output{Lines: []string{strings.Repeat("输出", 80), "👩‍🚀 done"}}
	d := onRun(t, f, 40, 10) // every frame's rows are measured
	for width := 40; width < 140; width += 3 {
		d.tell(tea.WindowSizeMsg{Width: width, Height: 20})
		d.press("tab", "?", "esc", "space")
	}
}

func TestALightTerminalHasItsOwnColours(t *testing.T) {
	d := onRun(t, bringUp(), 120, 40)
	dark := d.m.View().Content
	d.tell(tea.BackgroundColorMsg{Color: color.White})
	light := d.m.View().Content
	if dark == light {
		t.Error("light and dark look the same")
	}
	if ansi.Strip(dark) != ansi.Strip(light) {
		t.Error("light and dark say different things")
	}
}

func TestASmallTerminalSaysWhatItNeeds(t *testing.T) {
	for _, size := range [][2]int{{39, 10}, {40, 9}, {12, 3}, {1, 1}, {5, 1}} {
		d := onRun(t, bringUp(), size[0], size[1])
		if want := "needs"; size[0] > 5 && !strings.Contains(d.text(), want) {
			t.Errorf("%v: no %q in %q", size, want, d.text())
		}
	}
	d := onRun(t, bringUp(), 0, 0)
	if got := d.m.View().Content; got != "" {
		t.Errorf("a view before the size: %q, want nothing", got)
	}
}

func TestACommandIsNeverBrokenUnmarked(t *testing.T) {
	d := onRun(t, bringUp(), 60, 40)
	text := d.text()
	for _, line := range strings.Split(text, "\n") {
		if strings.HasSuffix(strings.Trim(line, " ┃│"), " --") {
			t.Errorf("a flag is broken at its hyphens: %q", line)
		}
	}
	if !strings.Contains(text, "↳ ") {
		t.Errorf("no continuation mark in\n%s", text)
	}
}

func TestTheWindowTitleHasTheContext(t *testing.T) {
	f := bringUp()
	f.plan.Runbook.Title = "Bring\x07 up\x1b]0;evil\x07"
	d := onRun(t, f, 80, 24)
	if got, want := d.m.View().WindowTitle, "runbook: Bring up · cicd-test2"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
}
