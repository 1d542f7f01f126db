package journal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"runbook/internal/redact"
	"runbook/internal/steps"
)

const choosing = "---\nrunbook: v1\nparams:\n  NAME: {default: shop}\n  VARIANT: {default: x, choices: [x, y]}\n---\n\n# Try\n\n" +
	"## A\n\n```sh\ntrue\n```\n\n## B\n\n<!-- step\nwhen: VARIANT == x\n-->\n\n```sh\ntrue\n```\n\n## C\n\n<!-- step\nwhen: VARIANT == y\n-->\n\n```sh\ntrue\n```\n"

// choice is the plan of the document above with a variant.
func choice(t *testing.T, variant string) *steps.Plan {
	t.Helper()
	r := steps.Parse("try.md", []byte(choosing))
	must(t, r.Err())
	values, err := r.Resolve(steps.Sources{Set: map[string]string{"VARIANT": variant}})
	must(t, err)
	p, err := r.Bind(values)
	must(t, err)
	return p
}

func TestChangedValuesAreReadBackWithWhatTheyMeantForTheSteps(t *testing.T) {
	h := header()
	h.Order, h.Steps = []string{"a", "b", "c"}, map[string]string{"a": "1", "b": "2", "c": "3"}
	h.NotTaken = map[string]string{"c": "VARIANT is x"}
	w, err := Create(filepath.Join(t.TempDir(), "runs"), h, redact.New(), func() time.Time { return noon })
	must(t, err)
	done := func(step string) {
		must(t, w.Event(fact(steps.StepStarted, step)), w.Event(fact(steps.StepExited, step)), w.Event(fact(steps.StepHeld, step)))
	}
	done("a")
	done("b")
	must(t, w.Values(ValuesData{Operator: "kim", Set: []steps.Shift{{Name: "VARIANT", Old: "x", New: "y", Had: true, Source: steps.FromChanged}},
		Turn: steps.Turn{Taken: []string{"c"}}}))
	done("c")
	must(t, w.Values(ValuesData{Operator: "kim", Set: []steps.Shift{{Name: "NAME", Old: "shop", New: "other", Had: true, Source: steps.FromChanged}}}))
	must(t, w.Close())
	r, err := Read(w.Dir())
	must(t, err)
	run, strangers := r.Replay(choice(t, "y"))
	for _, id := range h.Order {
		if got, report := run.Steps[id].Status, r.Run().Steps[id].Status; got != steps.Done || report != steps.Done {
			t.Errorf("%s: got %s, without the runbook %s; all ran", id, got, report)
		}
	}
	if len(strangers) != 0 {
		t.Errorf("facts that belong nowhere: %v", strangers)
	}
	if p := r.Params()["VARIANT"]; p.Value != "y" || p.Source != steps.FromChanged {
		t.Errorf("VARIANT at the end: %+v", p)
	}
	for step, want := range map[string]string{"a": "VARIANT x→y NAME shop→other", "c": "NAME shop→other"} {
		var got []string
		for _, s := range r.Shifts(step) {
			got = append(got, s.Name+" "+s.Old+"→"+s.New)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("since %s: %v, want %s", step, got, want)
		}
	}
}

func TestAStepThatIsLeftOutByAChangeIsNotTakenAfterResume(t *testing.T) {
	w := create(t)
	must(t, w.Values(ValuesData{Set: []steps.Shift{{Name: "VARIANT", Old: "x", New: "y", Had: true}}, Turn: steps.Turn{NotTaken: map[string]string{"b": "VARIANT is y"}}}), w.Close())
	r, err := Read(w.Dir())
	must(t, err)
	run, _ := r.Replay(choice(t, "y"))
	if b, c := run.Steps["b"], run.Steps["c"]; b.Status != steps.NotTaken || b.Why != "VARIANT is y" || c.Status != steps.Pending {
		t.Errorf("b is %s (%s), c is %s", b.Status, b.Why, c.Status)
	}
}

func TestNoSecretIsWrittenWithChangedValues(t *testing.T) {
	w := create(t)
	must(t, w.Values(ValuesData{Set: []steps.Shift{
		{Name: "TOKEN", Old: "was", New: "now", Secret: true, Had: true},
		{Name: "URL", Old: "plain", New: "https://x?token=" + marked, Had: true},
	}}), w.Close())
	text, err := os.ReadFile(filepath.Join(w.Dir(), file))
	must(t, err)
	for _, secret := range []string{marked, `"was"`, `"now"`, "plain"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%s is in the record:\n%s", secret, text)
		}
	}
	r, err := Read(w.Dir())
	must(t, err)
	if p := r.Params()["URL"]; !p.Secret || p.Value != "" {
		t.Errorf("URL is kept as %+v", p)
	}
}
