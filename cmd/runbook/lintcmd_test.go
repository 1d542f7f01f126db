package main

import (
	"bytes"
	"encoding/json"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

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

// A shape is the part of a JSON schema that SARIF documents of ours have to
// meet: the properties that an object must and may have.
type shape struct {
	must, may map[string]string // property to the name of its shape
}

// sarifShapes are taken from the SARIF 2.1.0 schema: what is required there, and
// of the optional properties those that are used. A list is written [shape].
var sarifShapes = map[string]shape{
	"log":           {must: map[string]string{"version": "2.1.0", "runs": "[run]"}, may: map[string]string{"$schema": "uri"}},
	"run":           {must: map[string]string{"tool": "tool"}, may: map[string]string{"results": "[result]", "columnKind": "columnKind"}},
	"tool":          {must: map[string]string{"driver": "driver"}},
	"driver":        {must: map[string]string{"name": "text"}, may: map[string]string{"version": "text", "rules": "[rule]"}},
	"rule":          {must: map[string]string{"id": "text"}, may: map[string]string{"shortDescription": "message", "fullDescription": "message", "help": "message", "helpUri": "uri", "defaultConfiguration": "configuration", "properties": "bag"}},
	"message":       {must: map[string]string{"text": "text"}},
	"result":        {must: map[string]string{"message": "message"}, may: map[string]string{"ruleId": "text", "ruleIndex": "index", "level": "level", "locations": "[location]"}},
	"location":      {may: map[string]string{"physicalLocation": "place"}},
	"place":         {must: map[string]string{"artifactLocation": "artifact"}, may: map[string]string{"region": "region"}},
	"artifact":      {may: map[string]string{"uri": "reference"}},
	"region":        {may: map[string]string{"startLine": "position", "startColumn": "position"}},
	"bag":           {may: map[string]string{"tags": "[text]"}},
	"configuration": {may: map[string]string{"level": "level"}},
}

// fits reports where a value doesn't have its shape.
func fits(t *testing.T, at string, v any, name string) {
	t.Helper()
	if inner, ok := strings.CutPrefix(name, "["); ok {
		list, ok := v.([]any)
		if !ok {
			t.Errorf("%s: %v is no list", at, v)
		}
		for _, item := range list {
			fits(t, at+"[]", item, strings.TrimSuffix(inner, "]"))
		}
		return
	}
	s, ok := sarifShapes[name]
	if !ok {
		fitsValue(t, at, v, name)
		return
	}
	object, ok := v.(map[string]any)
	if !ok {
		t.Errorf("%s: %v is no object", at, v)
		return
	}
	for key := range s.must {
		if _, ok := object[key]; !ok {
			t.Errorf("%s: %s is missing", at, key)
		}
	}
	for key, value := range object {
		inner, ok := s.must[key]
		if !ok {
			inner, ok = s.may[key]
		}
		if !ok {
			t.Errorf("%s: the schema has no %s", at, key)
			continue
		}
		fits(t, at+"."+key, value, inner)
	}
}

func fitsValue(t *testing.T, at string, v any, name string) {
	t.Helper()
	text, isText := v.(string)
	number, isNumber := v.(float64)
	ok := false
	switch name {
	case "2.1.0":
		ok = text == name
	case "text":
		ok = isText && text != ""
	case "columnKind":
		ok = slices.Contains([]string{"utf16CodeUnits", "unicodeCodePoints"}, text)
	case "level":
		ok = slices.Contains([]string{"none", "note", "warning", "error"}, text)
	case "index":
		ok = isNumber && number >= 0 && number == float64(int(number))
	case "position":
		ok = isNumber && number >= 1 && number == float64(int(number))
	case "uri":
		u, err := url.Parse(text)
		ok = isText && err == nil && u.IsAbs()
	case "reference":
		u, err := url.Parse(text)
		ok = isText && err == nil && !u.IsAbs() && !strings.HasPrefix(text, "/")
	}
	if !ok {
		t.Errorf("%s: %v is no %s", at, v, name)
	}
}

func resultsOf(log map[string]any) []map[string]any {
	var all []map[string]any
	for _, r := range log["runs"].([]any)[0].(map[string]any)["results"].([]any) {
		all = append(all, r.(map[string]any))
	}
	return all
}

func TestSarifOfEveryRuleHasTheShapeOfTheSchema(t *testing.T) {
	for _, r := range lint.Rules() {
		log := sarifOf(t, string(lint.Example(r.Bad)))
		fits(t, r.ID, log, "log")
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
	fits(t, "clean", log, "log")
	if results, ok := log["runs"].([]any)[0].(map[string]any)["results"].([]any); !ok || len(results) != 0 {
		t.Errorf("results: %v", results)
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
