package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"runbook/internal/journal"
	"runbook/internal/redact"
	"runbook/internal/steps"
)

// aNight is the record of a night: a step that was satisfied, one that was
// skipped, one that failed, was edited and came true, one that was confirmed,
// a note, and another operator.
func aNight(t *testing.T, root string) string {
	t.Helper()
	now := time.Date(2026, 5, 4, 22, 0, 0, 0, time.Local)
	clock := func() time.Time { now = now.Add(1700 * time.Millisecond); return now }
	w, err := journal.Create(root, journal.Header{
		Run: "20260504T200000.000Z-bring-up-shop", Version: "v1.2.3", Operator: "kim", Host: "workstation", Path: "runbooks/shop.md", Dir: "/home/kim/platform",
		Title: "Bring up shop", Hash: strings.Repeat("ab", 32), Commit: strings.Repeat("1f", 20) + "+",
		Context: "cicd-test2", Server: "https://cicd-test2.example.org:6443", UID: "8c1f0b5e-2f6b-4b1f-9b0a-3a5f6d7e8c9d", Vault: "https://vault.example.org", Namespace: "shop",
		Params: map[string]journal.Param{
			"CLUSTER": {Value: "cicd-test2", Source: steps.FromSet}, "DOMAIN": {Value: "cicd-test2.example.org", Source: steps.FromEnv},
			"TOKEN": {Source: steps.FromForm, Secret: true}, "UNUSED": {Source: steps.FromNone}},
		Order:  []string{"namespace", "look", "secrets", "database", "other", "check"},
		Titles: map[string]string{"namespace": "Namespace", "look": "Look around", "secrets": "Secrets from Vault", "database": "Postgres cluster", "other": "Another way", "check": "Check"},
		Steps:  map[string]string{}, NotTaken: map[string]string{"other": "VARIANT is external-secrets"},
	}, redact.New(), clock)
	if err != nil {
		t.Fatal(err)
	}
	must := func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	fact := func(kind steps.EventKind, step, why string, exit int) error {
		return w.Event(steps.Event{Kind: kind, Step: step, At: clock(), Why: why, Exit: exit})
	}
	printed := func(step, text string) error {
		out, err := w.Output(step, 0)
		if err == nil {
			_, err = out.Write([]byte(text))
		}
		must(err)
		return out.Close()
	}
	check := func(role, text, answer, why string) []journal.CheckData {
		return []journal.CheckData{{Role: role, Text: text, Answer: answer, Why: why, Seen: now.Add(-3 * time.Second)}}
	}
	must(
		fact(steps.StepSatisfied, "namespace", "namespace/shop is active", 0),
		fact(steps.StepSkipped, "look", "looked at it an hour ago", 0),
		w.Gate("secrets", journal.GateData{Decision: "allow", Class: "read", Passed: true}),
		fact(steps.StepStarted, "secrets", "", 0),
		w.Checks("secrets", check("expect", "externalsecret/shop-db is ready", "does not", "no property \"usernme\"")),
		w.Code("secrets", journal.CodeData{Code: "kubectl -n shop get externalsecrets -o wide --show-labels --sort-by=.metadata.name\n"}),
		printed("secrets", "error: no such flag\n"),
		w.Ended("secrets", journal.EndData{Exit: 1}),
		w.Checks("secrets", check("expect", "externalsecret/shop-db is ready", "does not", "no property \"usernme\"")),
		fact(steps.StepExited, "secrets", "exit status 1", 1),
		w.Note("secrets", "the property is spelled wrongly in the manifest;\nasked Robin to have it repaired"),
		w.Edit("secrets", journal.EditData{Code: "kubectl -n shop get externalsecrets\n", Document: "kubectl -n shop get externalsecrets -o wide --show-labels --sort-by=.metadata.name\n"}),
		w.Gate("secrets", journal.GateData{Decision: "allow", Class: "read", Passed: true}),
		fact(steps.StepStarted, "secrets", "", 0),
		w.Checks("secrets", check("expect", "externalsecret/shop-db is ready", "holds", "")),
		w.Code("secrets", journal.CodeData{Code: "kubectl -n shop get externalsecrets\n", Edited: true, Document: "kubectl -n shop get externalsecrets -o wide --show-labels --sort-by=.metadata.name\n"}),
		printed("secrets", "NAME     READY\nshop-db  True\n"),
		w.Ended("secrets", journal.EndData{}),
		fact(steps.StepExited, "secrets", "", 0),
		w.Checks("secrets", check("expect", "externalsecret/shop-db is ready", "holds", "")),
		fact(steps.StepHeld, "secrets", "", 0),
		w.Gate("database", journal.GateData{Decision: "confirm", Class: "destroy", Words: "shop-db", Passed: true,
			Reasons: []string{"destroy: deletes cluster/shop-db and its volumes"}, Warnings: []string{"the claim's policy is Delete: what is on it goes with it"}, Losses: []string{"pvc/shop-db-1, 8Gi"}}),
		fact(steps.StepStarted, "database", "", 0),
		w.Code("database", journal.CodeData{Code: "kubectl -n shop delete cluster shop-db\nkubectl -n shop apply -f cluster.yaml\n"}),
	)
	must(w.Close())
	w, err = journal.Continue(filepath.Join(root, "20260504T200000.000Z-bring-up-shop"), journal.ResumeData{Operator: "robin", Host: "laptop", Version: "v1.2.3"}, redact.New(), clock)
	must(err)
	must(
		w.Changes("database", []journal.ChangeData{{Protects: "session key", Layer: "Vault", Now: "can't tell", Why: "the run was cut off before it could be compared"}}),
		fact(steps.StepTicked, "database", "it is back, seen in the other window", 0),
		w.Close(),
	)
	return w.Dir()
}

func TestAReportReadsWellAtEightyColumns(t *testing.T) {
	rec, err := journal.Read(aNight(t, filepath.Join(t.TempDir(), "runs")))
	if err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(account(rec).text(), filepath.Dir(filepath.Dir(rec.Dir)), "/state")
	for line := range strings.Lines(got) {
		code := strings.HasPrefix(line, "      ") && strings.ContainsAny(line[6:7], "$-+")
		if w := ansi.StringWidth(strings.TrimRight(line, "\n")); w > 80 && !code && strings.Contains(line[10:], " ") {
			t.Errorf("%d columns: %s", w, line)
		}
	}
	golden(t, "report.golden", got)
}

func TestAReportAsMarkdownShowsWhatItSaysAndNothingElse(t *testing.T) {
	rec, err := journal.Read(aNight(t, filepath.Join(t.TempDir(), "runs")))
	if err != nil {
		t.Fatal(err)
	}
	got := strings.ReplaceAll(account(rec).markdown(), filepath.Dir(filepath.Dir(rec.Dir)), "/state")
	golden(t, "report.md.golden", got)
	nasty := reportLine{text: "note: <script>x</script> | ![x](y)\n# no heading", code: []reportCode{{"$", "echo '```'\n"}}}
	p := &page{}
	nasty.markdown(p)
	for _, not := range []string{"<script>", "\n# ", "![x]"} {
		if strings.Contains(p.String(), not) {
			t.Errorf("%q got through: %s", not, p.String())
		}
	}
	if !strings.Contains(p.String(), "````sh") {
		t.Errorf("a fence in the code closes its fence: %s", p.String())
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || got != string(want) {
		t.Errorf("%v\n%s", err, got)
	}
}
