package keeper_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"runbook/internal/guard"
	"runbook/internal/keeper"
)

func TestWhatAStepWouldGiveAKeyIsComparedWithWhatIsThere(t *testing.T) {
	known := func(value string) guard.Given { return func() (string, bool) { return value, true } }
	unknown := func() (string, bool) { return "", false }
	for _, tt := range []struct {
		name  string
		live  *shelf
		given []guard.Given
		want  guard.ChangeState
		why   string
	}{
		{"the same", &shelf{secret: text("marked-value")}, []guard.Given{known("marked-value")}, guard.Same, ""},
		{"a line end more", &shelf{secret: text("marked-value")}, []guard.Given{known("marked-value\n")}, guard.Whitespace, ""},
		{"another", &shelf{secret: text("marked-value")}, []guard.Given{known("marked-other")}, guard.Changed, ""},
		{"the same, and then another", &shelf{secret: text("marked-value")}, []guard.Given{known("marked-value"), known("marked-other")}, guard.Changed, ""},
		{"the same, and one that isn't known", &shelf{secret: text("marked-value")}, []guard.Given{unknown, known("marked-value")}, guard.CantTell, "only known when the step runs"},
		{"nothing there", &shelf{}, []guard.Given{known("marked-value")}, guard.Created, ""},
		{"what may not be read", &shelf{err: errors.New("forbidden")}, []guard.Given{known("marked-value")}, guard.CantTell, "forbidden"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var hidden []string
			k := &keeper.Keeper{Cluster: tt.live, Salt: []byte("salt"), Hide: func(v ...string) { hidden = append(hidden, v...) }}
			got := k.Foresee(t.Context(), key, map[string][]guard.Given{"session key": tt.given})
			if len(got) != 1 || got[0].Now != tt.want || !strings.Contains(got[0].Why, tt.why) || got[0].Protects != "session key" {
				t.Errorf("got %+v, want %s %q", got, tt.want, tt.why)
			}
			if strings.Contains(fmt.Sprintf("%+v %#v", got, k), "marked-") {
				t.Error("a value shows")
			}
			if tt.live.err == nil && len(hidden) == 0 {
				t.Error("no value is kept out of the output")
			}
		})
	}
	if got := (&keeper.Keeper{}).Foresee(t.Context(), key, nil); len(got) != 0 {
		t.Errorf("nothing is given, and yet: %+v", got)
	}
	got := (&keeper.Keeper{}).Foresee(t.Context(), key, map[string][]guard.Given{"session key": {known("x")}})
	if len(got) != 1 || got[0].Now != guard.CantTell || !strings.Contains(got[0].Why, "no cluster") {
		t.Errorf("without a cluster: %+v", got)
	}
}
