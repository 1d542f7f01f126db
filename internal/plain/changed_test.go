package plain_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/plain"
	"runbook/internal/steps"
)

func TestChangedValuesArePrintedWithWhatTheyMeanAndWithoutSecrets(t *testing.T) {
	step := func(n int, id, title string) steps.BoundStep {
		return steps.BoundStep{Step: steps.Step{N: n, ID: id, Title: title}}
	}
	ev := engine.ValuesChanged{
		Plan:  &steps.Plan{Steps: []steps.BoundStep{step(1, "a", "Ay"), step(2, "b", "Bee"), step(3, "c", "Sea")}},
		Where: guard.Where{Namespace: "other"},
		Meaning: engine.Meaning{
			Shifts: []steps.Shift{{Name: "VARIANT", Old: "x", New: "y", Had: true, Source: steps.FromChanged}, {Name: "TOKEN", Secret: true, Had: true}},
			Turn:   steps.Turn{Taken: []string{"c"}, NotTaken: map[string]string{"b": "VARIANT is y"}, Reopened: []string{"a"}},
		},
	}
	var text, lines bytes.Buffer
	plain.NewText(&text, false).Changed(ev)
	want := "    ! VARIANT was changed from `x` to `y`\n    ! TOKEN (a secret) was changed\n· 1 Ay (open again)\n- 2 Bee (not taken: VARIANT is y)\n· 3 Sea (taken now)\n"
	if got := strings.ReplaceAll(text.String(), "  1", " 1"); got != want {
		t.Errorf("text: got\n%swant\n%s", got, want)
	}
	plain.NewJSON(&lines).Changed(ev)
	var got struct {
		Event, Namespace string
		Set              []map[string]any
		Taken, Reopened  []string
		NotTaken         map[string]string
	}
	if err := json.Unmarshal(lines.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Event != "values-changed" || got.Namespace != "other" || got.Set[0]["new"] != "y" || got.Set[1]["new"] != nil ||
		got.Taken[0] != "c" || got.Reopened[0] != "a" || got.NotTaken["b"] != "VARIANT is y" {
		t.Errorf("JSON: got %s", lines.String())
	}
}
