package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/journal"
	"runbook/internal/steps"
)

// stateRoot is the program's folder for what it remembers, by the XDG rules.
func (a *app) stateRoot() (string, error) {
	if dir, ok := a.env("XDG_STATE_HOME"); ok && filepath.IsAbs(dir) {
		return filepath.Join(dir, "runbook"), nil
	}
	home, ok := a.env("HOME")
	if !ok || home == "" {
		return "", &usageError{what: "keep the record: HOME is not set", hint: "set HOME or XDG_STATE_HOME to a folder that can be written"}
	}
	return filepath.Join(home, ".local", "state", "runbook"), nil
}

func (a *app) recordRoot() (string, error) {
	root, err := a.stateRoot()
	return filepath.Join(root, "runs"), err
}

// header says all about a run that is known before its first step.
func (a *app) header(p *steps.Plan, t *target) journal.Header {
	now, w := a.now(), t.where
	h := journal.Header{
		Run: runName(now, p.Runbook), Version: version(), Operator: operator(), Host: hostname(),
		Path: p.Runbook.Path, Title: p.Runbook.Title, Hash: hashOf(p.Runbook.Source), Commit: t.commit(),
		Context: w.Context, Server: w.Server, UID: w.UID, Vault: w.Vault, Namespace: w.Namespace,
		Params: map[string]journal.Param{}, Steps: map[string]string{}, Titles: map[string]string{}, NotTaken: map[string]string{},
	}
	if dir, err := a.getwd(); err == nil {
		h.Dir = dir
	}
	for name, v := range p.Values {
		param := journal.Param{Source: v.Source, Secret: v.Secret}
		if !v.Secret {
			param.Value = v.Text
		}
		h.Params[name] = param
	}
	for _, s := range p.Steps {
		h.Order = append(h.Order, s.ID)
		h.Steps[s.ID] = hashOf(p.Runbook.Text(s.Step))
		h.Titles[s.ID] = s.Title
		if !s.Taken {
			h.NotTaken[s.ID] = s.WhyNot
		}
	}
	return h
}

func hashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

var notNamePart = regexp.MustCompile(`[^a-z0-9]+`)

// runName is unique on one machine: the time to the millisecond, and a word.
func runName(now time.Time, r *steps.Runbook) string {
	word := strings.Trim(notNamePart.ReplaceAllString(strings.ToLower(r.Title), "-"), "-")
	if len(word) > 40 {
		word = strings.TrimRight(word[:40], "-")
	}
	return now.UTC().Format("20060102T150405.000Z") + "-" + word
}

func operator() string {
	u, err := user.Current()
	if err != nil {
		return "unknown"
	}
	return u.Username
}

func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return "unknown"
	}
	return name
}

// commitOf is the commit that a runbook on disk belongs to, with a + when the
// file differs from it; empty where there is no repository or no git.
func commitOf(ctx context.Context, path string) string {
	if path == "-" || strings.HasPrefix(path, shipped) {
		return ""
	}
	dir, base := filepath.Split(path)
	cmd := exec.CommandContext(ctx, "git", "status", "--porcelain=v2", "--branch", "--no-ahead-behind", "--", base)
	cmd.Dir = dir // empty means here
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	commit := ""
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if oid, ok := strings.CutPrefix(line, "# branch.oid "); ok && oid != "(initial)" {
			commit = oid
		}
		if commit != "" && line[0] != '#' {
			return commit + "+"
		}
	}
	return commit
}

// recorder puts the engine's terms into the journal's.
type recorder struct{ *journal.Writer }

func (r recorder) Gate(step string, g guard.Gate, a engine.Answer, passed bool) error {
	d := journal.GateData{
		Decision: string(g.Decision), Class: g.Class.String(), Words: a.Words, Accepted: a.Accepted, Passed: passed,
	}
	if a.Words != g.Words {
		d.Words = "" // whatever was typed instead is nobody's business
	}
	for _, x := range g.Reasons {
		d.Reasons = append(d.Reasons, fmt.Sprintf("%s: %s", x.Class, x.Why))
	}
	for _, w := range g.Warnings {
		d.Warnings = append(d.Warnings, w.Text)
	}
	d.Warnings = append(d.Warnings, g.Beside...)
	for _, b := range g.Blockers {
		d.Warnings = append(d.Warnings, b.String())
	}
	for _, l := range g.Losses {
		d.Losses = append(d.Losses, l.What)
	}
	return r.Writer.Gate(step, d)
}

func (r recorder) Code(step string, c engine.Code) error {
	return r.Writer.Code(step, journal.CodeData{
		Block: c.Block, Code: c.Text, Edited: c.Document != "", Document: c.Document, Statement: c.Statement, Of: c.Of, Foretells: c.Foretells,
	})
}

func (r recorder) Edit(step string, c engine.Code) error {
	return r.Writer.Edit(step, journal.EditData{Block: c.Block, Code: c.Text, Document: c.Document})
}

func (r recorder) Intent(step string, i engine.Intent) error {
	return r.Writer.Intent(step, journal.IntentData{Block: i.Block, Version: i.Version, Print: i.Print})
}

func (r recorder) Ended(step string, e engine.Ended) error {
	return r.Writer.Ended(step, journal.EndData{Block: e.Block, Exit: e.Exit, Why: e.Why, Statement: e.Statement, Of: e.Of})
}

func (r recorder) Beside(step string, b engine.Beside, out io.Closer) error {
	d := journal.BesideData{Block: b.Block, Code: b.Code, PID: b.PID, Since: b.Since.UTC(), Exit: b.Exit, Signal: b.Signal}
	switch {
	case b.Stopped:
		d.Stopped = journal.StoppedByOperator
	case b.WithRun:
		d.Stopped = journal.StoppedWithRun
	}
	return r.Writer.Beside(step, d, out)
}

func (r recorder) Checks(step string, checks []engine.Check) error {
	var out []journal.CheckData
	for _, c := range checks {
		out = append(out, journal.CheckData{Role: string(c.Role), Text: c.Expect.Text, Answer: string(c.Verdict.Answer), Why: c.Verdict.Why, Seen: c.Seen.UTC()})
	}
	return r.Writer.Checks(step, out)
}

func (r recorder) Changes(step string, changes []guard.Change) error {
	var out []journal.ChangeData
	for _, c := range changes {
		out = append(out, journal.ChangeData{Protects: c.Protects, Layer: c.Layer, Now: string(c.Now), Why: c.Why})
	}
	return r.Writer.Changes(step, out)
}

func (r recorder) Values(a engine.Amendment) error {
	return r.Writer.Values(journal.ValuesData{Operator: operator(), Set: a.Shifts, Turn: a.Turn})
}

func (r recorder) Output(step string, block int) (io.WriteCloser, error) {
	return r.Writer.Output(step, block)
}
