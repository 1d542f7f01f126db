package lint

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"runbook/internal/cel"
	"runbook/internal/risk"
	"runbook/internal/steps"
)

func languageRules() []Rule {
	return append(writtenRules(),
		Rule{ID: "cel", Group: Language, Severity: steps.Error,
			What: "A CEL expression doesn't compile.",
			Why:  "It would answer \"can't tell\" for ever, and the step would wait until its time is over.",
			Fix:  "The message says what is wrong and the column says where. Objects are named by literal strings, parameters stand inside strings.",
			Bad:  note("expect: 'cel: object(\"apps/v1\", \"Deployment\", \"web\").status.readyReplicas >='\n"),
			Good: note("expect: 'cel: object(\"apps/v1\", \"Deployment\", \"web\").status.readyReplicas >= 2'\n"), check: checkCEL},
		Rule{ID: "expectation-never", Group: Language, Severity: steps.Error,
			What: "An expectation can never hold.",
			Why:  "The kind has no such state, so the step waits until its time is over and then fails, whatever the cluster does.",
			Fix:  "Ask for something that the kind has: `is ready` uses the kind's own rule.",
			Bad:  note("expect: deployment/web is accepted\n"),
			Good: note("expect: deployment/web is ready\n"), check: checkNever},
		Rule{ID: "expectation-contradiction", Group: Language, Severity: steps.Error,
			What: "Two expectations of a step exclude each other.",
			Why:  "They are to hold at the same time, and never will.",
			Fix:  "Put what has to be true first under `before`, and what has to be true afterwards under `expect`.",
			Bad:  note("expect:\n  - secret/db exists\n  - secret/db is absent\n"),
			Good: note("before: secret/db exists\nexpect: secret/db is absent\n"), check: checkContradictions},
		Rule{ID: "when-without-choices", Group: Language, Severity: steps.Warning,
			What: "`when` depends on a parameter that may be anything.",
			Why:  "A slip in the value leaves the step out, and nothing says so.",
			Fix:  "Give the parameter `choices`, or `type: bool`.",
			Bad:  front("params:\n  VARIANT: {help: where secrets come from}\n", "## Step\n\n<!-- step\nwhen: VARIANT == vault\n-->\n\n'''sh\nkubectl get nodes\n'''\n"),
			Good: front("params:\n  VARIANT: {choices: [vault, plain]}\n", "## Step\n\n<!-- step\nwhen: VARIANT == vault\n-->\n\n'''sh\nkubectl get nodes\n'''\n"), check: checkWhen},
		Rule{ID: "param-unused", Group: Language, Severity: steps.Warning,
			What: "A parameter is declared and never used.",
			Why:  "The operator is asked for something that changes nothing, and may think it did.",
			Fix:  "Remove it. Variables that programs read by themselves (KUBECONFIG, VAULT_ADDR, AWS_…) are not meant.",
			Bad:  front("params:\n  CLUSTER: {help: the cluster}\n", anyStep),
			Good: front("params:\n  CLUSTER: {help: the cluster}\n", "## Step\n\n'''sh\nkubectl --context \"$CLUSTER\" get nodes\n'''\n"), check: checkUnused},
		Rule{ID: "param-undeclared", Group: Language, Severity: steps.Warning,
			What: "A command uses a variable that nobody sets.",
			Why:  "A shell puts nothing in its place: `kubectl delete pods -n \"\"` hits another namespace than the one that was meant.",
			Fix:  "Declare it under `params`, or set it in a command before.",
			Bad:  "kubectl -n \"$NAMESPACE\" get pods\n",
			Good: front("params:\n  NAMESPACE: {default: shop}\n", "## Step\n\n'''sh\nkubectl -n \"$NAMESPACE\" get pods\n'''\n"), check: checkUndeclared},
		Rule{ID: "same-commands", Group: Language, Severity: steps.Warning,
			What: "Two steps change something by the same commands.",
			Why:  "One of them is usually a copy that somebody meant to edit.",
			Fix:  "Edit it, or remove it.",
			Bad:  "# Example\n\n## One\n\n'''sh\nkubectl create ns shop\n'''\n\n## Two\n\n'''sh\nkubectl create ns shop\n'''\n",
			Good: "# Example\n\n## One\n\n'''sh\nkubectl create ns shop\n'''\n\n## Two\n\n'''sh\nkubectl create ns edge\n'''\n", check: checkSame},
	)
}

// expectations yields every expectation of the runbook.
func (p *pass) expectations(f func(e steps.Expectation)) {
	for _, s := range p.book.Steps {
		for _, e := range slices.Concat(s.Before, s.Expect) {
			f(e)
		}
		if s.Done != nil {
			f(*s.Done)
		}
		for _, b := range s.Blocks {
			if b.Action != nil && b.Action.Wait != nil {
				f(*b.Action.Wait)
			}
		}
	}
	for _, fault := range p.book.Faults {
		if fault.When != nil {
			f(*fault.When)
		}
	}
}

func checkCEL(p *pass) {
	p.expectations(func(e steps.Expectation) {
		if e.Check != steps.Expression || len(e.Args) == 0 {
			return
		}
		_, err := cel.Compile(e.Args[0])
		if err == nil {
			return
		}
		at, message, hint := e.Pos, err.Error(), ""
		if wrong, ok := err.(*cel.Error); ok {
			message, hint = "the expression is wrong here: "+wrong.Text, wrong.Hint
			if start := p.find(e.Pos.Line, e.Args[0]); start.Col > 1 {
				at = steps.Pos{Line: start.Line, Col: start.Col + wrong.Col - 1}
			}
		}
		p.report(at, message, hint)
	})
}

func checkWhen(p *pass) {
	for _, s := range p.book.Steps {
		for w := s.When; w != nil; w = w.Outer {
			q := p.book.Param(w.Param)
			if q == nil || len(q.Choices) > 0 || q.Type == steps.BoolParam {
				continue
			}
			at := steps.Pos{Line: s.Line, Col: 1}
			for line := s.Line; line <= min(s.End, len(p.lines)); line++ {
				if strings.Contains(p.lines[line-1], w.Text) {
					at = p.find(line, w.Text)
					break
				}
			}
			p.report(at, sprintf("whether this step is taken depends on %s, which may be anything", w.Param),
				sprintf("give %s `choices: [%s, …]`, or `type: bool`", w.Param, w.Value))
		}
	}
}

// readByPrograms are variables that programs read without a command that names them.
var readByPrograms = regexp.MustCompile(`^(KUBECONFIG|VAULT_.*|BAO_.*|AWS_.*|AZURE_.*|ARM_.*|GOOGLE_.*|CLOUDSDK_.*|HTTPS?_PROXY|NO_PROXY|TF_.*|HELM_.*|SOPS_.*|DOCKER_.*|GITHUB_TOKEN|GH_TOKEN|PG[A-Z]+|LANG|LC_.*|EDITOR|NO_COLOR|ARGOCD_.*|ANSIBLE_.*|REDISCLI_AUTH|KUBE_EDITOR|TASK_.*)$`)

func checkUnused(p *pass) {
	for _, q := range p.book.Params {
		if readByPrograms.MatchString(q.Name) || p.used(q.Name) {
			continue
		}
		p.report(q.Pos, sprintf("nothing uses the parameter %s", q.Name), "remove it, or use it")
	}
}

// used tells whether something refers to a parameter: as a variable, as a
// placeholder or in a condition. Programs and scripts that only read their
// environment can't be seen, so a runbook that calls some is given the benefit
// of the doubt.
func (p *pass) used(name string) bool {
	refers := regexp.MustCompile(`\$\{?[#!]?` + name + `\b`)
	for _, line := range p.lines {
		if refers.MatchString(line) {
			return true
		}
	}
	flat := flatName(name)
	for _, s := range p.book.Steps {
		for w := s.When; w != nil; w = w.Outer {
			if w.Param == name {
				return true
			}
		}
		for _, b := range s.Blocks {
			if slices.ContainsFunc(b.Placeholders, func(h string) bool { return flatName(h) == flat }) {
				return true
			}
		}
	}
	return slices.ContainsFunc(p.scripts, func(s *script) bool { return slices.ContainsFunc(s.calls, readsEnvironment) })
}

func readsEnvironment(c *call) bool {
	return slices.Contains([]string{"envsubst", "task", "make", "just", "helmfile", "env", "printenv"}, c.name) ||
		strings.HasSuffix(c.name, ".sh") || strings.Contains(c.source(), "os.environ") || strings.Contains(c.source(), "environ[")
}

func flatName(s string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(s))
}

// setByShell are variables that are there without anybody's doing.
var setByShell = regexp.MustCompile(`^(HOME|PATH|USER|LOGNAME|PWD|OLDPWD|SHELL|HOSTNAME|TERM|TMPDIR|EDITOR|VISUAL|UID|EUID|PPID|RANDOM|SECONDS|LINENO|IFS|OPTARG|OPTIND|REPLY|COLUMNS|LINES|LANG|LC_.*|XDG_.*|BASH.*|FUNCNAME|PIPESTATUS|HOSTTYPE|OSTYPE|MACHTYPE|DISPLAY|SSH_.*|GOPATH|GOROOT|CI|CI_.*|GITHUB_.*)$`)

var upperName = regexp.MustCompile(`^[A-Z][A-Z0-9_]+$`)

func checkUndeclared(p *pass) {
	known := map[string]bool{}
	for _, q := range p.book.Params {
		known[q.Name] = true
	}
	for _, s := range p.scripts {
		s.assigned(func(name string, _ *syntax.Word) { known[name] = true })
	}
	severity := p.rule.Severity
	if len(p.book.Params) == 0 {
		severity = steps.Info // a plain README: its variables may be set outside
	}
	for _, s := range p.scripts {
		expansions(s.file, func(x *syntax.ParamExp) {
			name := x.Param.Value
			if known[name] || !upperName.MatchString(name) || setByShell.MatchString(name) || readByPrograms.MatchString(name) || x.Exp != nil {
				return
			}
			known[name] = true // once is enough
			p.reportAs(severity, s.at(x.Pos()), sprintf("nobody sets $%s: a shell puts nothing in its place", name),
				sprintf("declare it under params, or say what to do without it: ${%s:?}", name))
		})
	}
}

func checkSame(p *pass) {
	seen := map[string]*steps.Step{}
	for i := range p.book.Steps {
		s := &p.book.Steps[i]
		key := p.commandsOf(s)
		if key == "" {
			continue
		}
		if before, ok := seen[key]; ok && !exclusive(before.When, s.When) {
			p.report(steps.Pos{Line: s.Line, Col: 1}, sprintf("this step has the same commands as %q in line %d", before.Title, before.Line), "remove one of them; a step that is taken twice can be run twice")
			continue
		}
		seen[key] = s
	}
}

// commandsOf is the code of a step that changes something, else "".
func (p *pass) commandsOf(s *steps.Step) string {
	var code []string
	class := risk.Read
	for _, x := range p.of[s] {
		code = append(code, strings.Join(strings.Fields(x.code), " "))
		class = risk.Max(class, x.result.Class)
	}
	if class == risk.Read {
		return ""
	}
	return strings.Join(code, "\n")
}

// exclusive tells whether two steps are never taken in the same run.
func exclusive(a, b *steps.When) bool {
	for x := a; x != nil; x = x.Outer {
		for y := b; y != nil; y = y.Outer {
			if x.Param == y.Param && (x.Value != y.Value && !x.Negate && !y.Negate || x.Value == y.Value && x.Negate != y.Negate) {
				return true
			}
		}
	}
	return false
}
