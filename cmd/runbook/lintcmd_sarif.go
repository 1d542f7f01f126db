package main

import (
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"runbook/internal/lint"
	"runbook/internal/steps"
)

// The parts of SARIF 2.1.0 that say what lint has to say.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string       `json:"id"`
		ShortDescription     sarifText    `json:"shortDescription"`
		FullDescription      sarifText    `json:"fullDescription"`
		Help                 sarifText    `json:"help"`
		HelpURI              string       `json:"helpUri"`
		DefaultConfiguration sarifLevel   `json:"defaultConfiguration"`
		Properties           sarifRuleBag `json:"properties"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifRuleBag struct {
		Tags []string `json:"tags"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPlace `json:"physicalLocation"`
	}
	sarifPlace struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
)

// lintDocs is where rules are documented; each is a fragment of it. The text of
// the documentation goes with the report, so nothing has to be fetched.
const lintDocs = "urn:runbook:docs:lint.md"

func (a *app) sarif(rep *lintReport) sarifLog {
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{},
		Tool: sarifTool{Driver: sarifDriver{Name: "runbook", Version: version()}}}
	index := map[string]int{}
	for i, r := range lint.Rules() {
		index[r.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: r.ID, ShortDescription: sarifText{r.What}, FullDescription: sarifText{r.What + " " + r.Why},
			Help: sarifText{r.Fix}, HelpURI: lintDocs + "#" + r.ID,
			DefaultConfiguration: sarifLevel{levelOf(r.Severity)}, Properties: sarifRuleBag{[]string{string(r.Group)}},
		})
	}
	for _, f := range rep.Files {
		uri := a.relative(f.Path)
		for _, d := range f.Diagnostics {
			text := d.Message
			if d.Hint != "" {
				text += ". " + d.Hint
			}
			run.Results = append(run.Results, sarifResult{RuleID: d.Rule, RuleIndex: index[d.Rule], Level: levelOf(d.Severity), Message: sarifText{text},
				Locations: []sarifLocation{{sarifPlace{sarifArtifact{uri}, sarifRegion{d.Line, utf16Column(f.lines, d.Line, d.Col)}}}}})
		}
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

func levelOf(s steps.Severity) string {
	if s == steps.Info {
		return "note"
	}
	return string(s)
}

// relative is a path as a reference from the folder that we are in: where the
// file lies on this machine is nobody else's business.
func (a *app) relative(path string) string {
	switch {
	case path == "-":
		path = "stdin"
	case strings.HasPrefix(path, shipped):
		path = "runbooks/" + strings.TrimPrefix(path, shipped) + ".md"
	case filepath.IsAbs(path):
		rel := filepath.Base(path)
		if dir, err := a.getwd(); err == nil {
			if r, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(r) {
				rel = r
			}
		}
		path = rel
	}
	return (&url.URL{Path: filepath.ToSlash(filepath.Clean(path))}).String()
}

// utf16Column turns a column of bytes into one of UTF-16 code units, both from 1.
func utf16Column(lines []string, line, col int) int {
	if line < 1 || line > len(lines) {
		return col
	}
	before := lines[line-1][:min(col-1, len(lines[line-1]))]
	return len(utf16.Encode([]rune(before))) + 1
}
