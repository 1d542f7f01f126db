package main

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// questions are how every command is thoughtOf that shows something of a runbook or
// of a run. What isn't here shows nothing of either, and says why.
func (s *stakeout) questions() map[string][][]string {
	set := []string{"--set", "CLUSTER=" + s.box.Place().Cluster, "--set", "TOKEN=" + marked["the parameter"], "--set", "SHORT=" + marked["the short parameter"], "--set", "PARTS=" + marked["the multi-line one"]}
	with := func(args ...string) []string { return append(args, set...) }
	var reports [][]string
	for n := range 8 {
		reports = append(reports, []string{"report", s.newest(n)})
	}
	return map[string][][]string{
		"list":   {{"list"}},
		"steps":  {with("steps", s.file)},
		"lint":   {{"lint", s.file}},
		"risk":   {{"risk", "echo '" + marked["the operator's token"] + "' | kubectl delete -f -"}},
		"print":  {with("print", s.file)},
		"runs":   {{"runs"}},
		"report": append(reports, []string{"report", s.newest(0), "--verify"}),
		"resume": {with("resume")},
	}
}

// unasked are the commands that show nothing of a runbook or of a run, and the
// one that the walks themselves are.
var unasked = map[string]string{
	"run":     "is walked, in each of its formats",
	"demo":    "has a sandbox and a runbook of its own",
	"sandbox": "serves, and has nothing of anybody's",
	"version": "says its own name",
	"help":    "is made of the commands' own words", "completion": "writes a script for a shell",
}

// thoughtOf are the flags that a walk has been thought through for: a new one may
// show something that none of the questions does.
var thoughtOf = []string{"set", "output", "verify", "from", "only", "accept-risk", "context", "kubeconfig", "namespace", "help", "all", "version"}

var formatNames = regexp.MustCompile(`[a-z]+`)

// formatsOf are the formats that the flag -o of a command names, or none.
func formatsOf(c *cobra.Command) []string {
	f := c.Flags().Lookup("output")
	if f == nil {
		return nil
	}
	return slices.DeleteFunc(formatNames.FindAllString(f.Usage, -1), func(w string) bool { return w == "or" })
}

// looks asks for everything that can be known of the runbook and of its runs, as
// text, and if it is to in every other format there is.
func (s *stakeout) looks(everyFormat bool) {
	s.t.Helper()
	questions := s.questions()
	for _, c := range (&app{}).rootCommand("runbook").Commands() {
		if unasked[c.Name()] != "" {
			continue
		}
		if len(questions[c.Name()]) == 0 {
			s.t.Errorf("%s isn't asked: say how", c.Name())
		}
		var formats []string
		if everyFormat {
			formats = formatsOf(c)
		}
		for _, q := range questions[c.Name()] {
			s.run(-1, q...)
			for _, format := range formats {
				s.run(-1, append(q[:len(q):len(q)], "-o", format)...)
			}
		}
	}
	s.run(-1, "__complete", "report", "")
	s.run(-1, "__complete", "run", "")
	s.run(2, "run", s.file, "--set", "NAMESPACE=$(x)", "--accept-risk", marked["the operator's token"])
	s.run(2, "run", s.file+marked["the operator's token"])
	s.run(2, "steps", s.file, "--set", marked["the password"])
}

// idOf is the id of the step whose heading starts so. Where that heading holds a
// secret, it isn't made of it.
func (s *stakeout) idOf(heading string) string {
	s.t.Helper()
	cmd := exec.Command(s.program, "steps", s.file, "-o", "json")
	cmd.Env = s.env
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatal(err)
	}
	var rep stepsReport
	if err := json.Unmarshal(out, &rep); err != nil {
		s.t.Fatal(err)
	}
	for _, step := range rep.Steps {
		if strings.HasPrefix(step.Title, heading) {
			return step.ID
		}
	}
	s.t.Fatalf("no step %s", heading)
	return ""
}

func TestEveryWayToAskIsWalked(t *testing.T) {
	formats := 0
	for _, c := range append((&app{}).rootCommand("runbook").Commands(), (&app{}).rootCommand("runbook")) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if unasked[c.Name()] == "" && !slices.Contains(thoughtOf, f.Name) {
				t.Errorf("%s --%s: what does it show that the leak tests have to look at?", c.Name(), f.Name)
			}
		})
		formats += len(formatsOf(c))
	}
	if formats < 18 {
		t.Errorf("only %d formats were found", formats)
	}
}
