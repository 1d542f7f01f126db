package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"runbook/internal/lint"
)

// sarifOf lints a runbook on standard input and returns the SARIF as JSON.
func sarifOf(t *testing.T, src string) map[string]any {
	t.Helper()
	var out bytes.Buffer
	a := &app{in: strings.NewReader(src), out: &out, errOut: &bytes.Buffer{}, getwd: func() (string, error) { return "/somewhere", nil }}
	if code := a.run([]string{"runbook", "lint", "-o", "sarif", "-"}); code != exitFailed && code != exitDone {
		t.Fatalf("exit code %d", code)
	}
	var log map[string]any
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatalf("not JSON: %v", err)
	}
	return log
}

// sarifSchema is the schema that SARIF was standardised with.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	src, err := os.Open("testdata/sarif/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	document, err := jsonschema.UnmarshalJSON(src)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func resultsOf(log map[string]any) []map[string]any {
	var all []map[string]any
	for _, r := range log["runs"].([]any)[0].(map[string]any)["results"].([]any) {
		all = append(all, r.(map[string]any))
	}
	return all
}

func TestSarifOfEveryRuleIsValid(t *testing.T) {
	schema := sarifSchema(t)
	for _, r := range lint.Rules() {
		log := sarifOf(t, string(lint.Example(r.Bad)))
		if err := schema.Validate(log); err != nil {
			t.Errorf("%s: %v", r.ID, err)
		}
		rules := log["runs"].([]any)[0].(map[string]any)["tool"].(map[string]any)["driver"].(map[string]any)["rules"].([]any)
		found := false
		for _, result := range resultsOf(log) {
			rule := rules[int(result["ruleIndex"].(float64))].(map[string]any)
			if rule["id"] != result["ruleId"] {
				t.Errorf("%s: ruleIndex points to %v, ruleId is %v", r.ID, rule["id"], result["ruleId"])
			}
			found = found || result["ruleId"] == r.ID
		}
		if !found {
			t.Errorf("%s: no result", r.ID)
		}
	}
}

func TestSarifOfACleanRunbookHasAnEmptyListOfResults(t *testing.T) {
	log := sarifOf(t, "# Look\n\n## Nodes\n\n```sh\nkubectl get nodes\n```\n")
	if err := sarifSchema(t).Validate(log); err != nil {
		t.Error(err)
	}
	if results, ok := log["runs"].([]any)[0].(map[string]any)["results"].([]any); !ok || len(results) != 0 {
		t.Errorf("results: %v", results)
	}
}

// A schema that finds nothing wrong is none.
func TestTheSarifSchemaRefusesWhatSarifIsNot(t *testing.T) {
	schema := sarifSchema(t)
	for what, spoil := range map[string]func(log, result map[string]any){
		"another version":       func(log, _ map[string]any) { log["version"] = "2.0.0" },
		"no runs":               func(log, _ map[string]any) { delete(log, "runs") },
		"an unknown property":   func(_, result map[string]any) { result["severity"] = "error" },
		"a level of our own":    func(_, result map[string]any) { result["level"] = "info" },
		"a result without text": func(_, result map[string]any) { delete(result, "message") },
		"a line of text":        func(_, result map[string]any) { result["ruleIndex"] = "1" },
	} {
		log := sarifOf(t, "# X\n\n## Y\n\n```sh\nrm -rf $D/x\n```\n")
		spoil(log, resultsOf(log)[0])
		if schema.Validate(log) == nil {
			t.Errorf("%s is taken for SARIF", what)
		}
	}
}

func TestSarifCountsColumnsInUTF16(t *testing.T) {
	log := sarifOf(t, "# Look\n\n## Nodes\n\n```sh\necho '𝄞é'; sed -i 's/a/b/' x\n```\n")
	region := resultsOf(log)[0]["locations"].([]any)[0].(map[string]any)["physicalLocation"].(map[string]any)["region"].(map[string]any)
	// echo '𝄞é';␠ is 12 code units: 𝄞 is two, é is one.
	if region["startLine"] != float64(6) || region["startColumn"] != float64(13) {
		t.Errorf("region %v, want line 6, column 13", region)
	}
}

func TestSarifNamesFilesFromWhereItRuns(t *testing.T) {
	dir := t.TempDir()
	a := &app{getwd: func() (string, error) { return dir, nil }}
	for path, want := range map[string]string{
		"-":                                      "stdin",
		"docs/a b.md":                            "docs/a%20b.md",
		"./docs/x.md":                            "docs/x.md",
		filepath.Join(dir, "sub", "x.md"):        "sub/x.md",
		filepath.Join(filepath.Dir(dir), "y.md"): "y.md",
		shipped + "schmetterpause/bring-up":      "runbooks/schmetterpause/bring-up.md",
	} {
		if got := a.relative(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestAFindingIsOneLineThatEditorsUnderstand(t *testing.T) {
	form := regexp.MustCompile(`^[^:]+:\d+:\d+: (error|warning|info): [^\n]+ \[[a-z-]+\]$`)
	var out, errs bytes.Buffer
	a := &app{in: strings.NewReader("# X\n\n## Y\n\n```sh\nkubectl delete ns shop || true\nrm -rf $D/x\n```\n"), out: &out, errOut: &errs, getwd: func() (string, error) { return "/", nil }}
	if code := a.run([]string{"runbook", "lint", "-"}); code != exitFailed {
		t.Errorf("exit code %d, want %d", code, exitFailed)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	for _, line := range lines[:len(lines)-1] {
		if !form.MatchString(line) && !strings.HasPrefix(line, "    ") {
			t.Errorf("%q is neither a finding nor a hint", line)
		}
	}
	if got := lines[len(lines)-1]; !regexp.MustCompile(`^1 file: \d+ errors?, \d+ warnings?`).MatchString(got) {
		t.Errorf("summary %q", got)
	}
	if errs.String() != "runbook: lint: 1 error\n" {
		t.Errorf("standard error: %q", errs.String())
	}
}
