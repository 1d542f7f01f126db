package lint

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"runbook/internal/steps"
)

func checkPrinted(p *pass) {
	var said syntax.Node
	p.calls(func(c *call) {
		top := c.topLevel()
		what := p.prints(c)
		if what == "" || top == said || !c.printed() || c.onlyInside() {
			return
		}
		said = top // one word per pipeline is enough
		hint := "show the names of the keys only, or hand the value to the program that needs it"
		if what == traced {
			hint = "leave it out, or turn it off (`set +x`) around what has secrets in it"
		}
		p.report(c.script.at(c.node.Pos()), sprintf("%s %s", p.quote(c.source()), what), hint)
	})
}

// onlyInside tells whether it is a command in a substitution that prints: that
// one is looked at by itself.
func (c *call) onlyInside() bool {
	return c.name == "" || slices.ContainsFunc(c.script.calls, func(in *call) bool {
		return in != c && within(in.node, c.node) && in.risk().Prints != ""
	})
}

const traced = "prints every command with the values in it"

// prints says what secret a command writes to its output, or "".
func (p *pass) prints(c *call) string {
	switch c.name {
	case "set":
		if c.short("x") || slices.Contains(c.rest, "xtrace") && slices.Contains(c.rest, "-o") {
			return traced
		}
		return ""
	case "base64":
		if c.has("-d", "-D", "--decode") {
			return "prints what was encoded, usually a secret"
		}
		return ""
	case "echo", "printf":
		for _, w := range c.words {
			if name := p.secretIn(w); name != "" {
				return sprintf("prints the secret $%s", name)
			}
		}
		return ""
	case "bash", "sh", "zsh":
		if c.short("x") && len(c.plain()) > 0 {
			return traced
		}
	}
	if c.risk().Prints == "" {
		return ""
	}
	if why := reasonOf(c.risk()); strings.HasPrefix(why, "prints ") {
		return why
	}
	return "prints secret values"
}

// secretIn is the name of a secret variable that a word expands, or "".
func (p *pass) secretIn(w *syntax.Word) string {
	found := ""
	expansions(w, func(x *syntax.ParamExp) {
		name := x.Param.Value
		q := p.book.Param(name)
		if !x.Length && !x.Excl && (q != nil && q.Secret || q == nil && secretName(name)) {
			found = name
		}
	})
	return found
}

// inShell are commands that aren't programs: their arguments stay in the shell.
var inShell = []string{"echo", "printf", "export", "declare", "local", "typeset", "readonly", "[", "[[", "test", ":", "read", "unset", "set", "eval", "return", "exit", "true"}

func checkArguments(p *pass) {
	p.calls(func(c *call) {
		if c.name == "" || slices.Contains(inShell, c.name) {
			return
		}
		for i, w := range c.words {
			if name := p.secretIn(w); name != "" {
				p.report(c.script.at(w.Pos()), sprintf("the secret $%s is an argument of %s, which every user of the machine can read", name, c.name),
					handOver(c.name, c.rest[i]))
				return
			}
		}
	})
}

func handOver(program, word string) string {
	switch {
	case strings.HasPrefix(word, "--from-literal"):
		return "use `--from-file=KEY=/dev/stdin`, or a `secret: create` action"
	case program == "vault":
		return "vault takes a value from standard input: `KEY=-`, `vault login -`"
	case program == "curl":
		return "curl reads its arguments from a file or standard input: `-K -`"
	case (program == "docker" || program == "podman") && strings.Contains(word, "="):
		return "`-e NAME` without a value hands on the one of the environment"
	case program == "docker" || program == "helm" || program == "podman":
		return "use `--password-stdin`"
	}
	return "hand it over in the environment, on standard input or in a file"
}

var (
	userinfo    = regexp.MustCompile(`://[^/\s:@$<]+:([^/\s@$<{]{3,})@`)
	bearer      = regexp.MustCompile(`(?i)authorization:\s*(?:bearer|basic|token)\s+([^\s$<{"']{6,})`)
	knownTokens = regexp.MustCompile(`\b(gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|hv[sbr]\.[\w-]{16,}|AKIA[0-9A-Z]{16}|xox[abpr]-[\w-]{10,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,})`)
)

func checkLiteral(p *pass) {
	p.literals(func(at steps.Pos, name, _ string) {
		p.report(at, sprintf("the value of %s stands in the file", name),
			"ask for it (a parameter with `secret: true`) or let an action generate it; this one is known and has to be replaced")
	})
}

// literals yields the values of secrets that stand in the file.
func (p *pass) literals(f func(at steps.Pos, name, value string)) {
	for _, s := range p.scripts {
		for _, c := range s.calls {
			for i := range c.rest {
				if name, value := literalArgument(c, i); value != "" {
					f(s.at(c.words[i].Pos()), name, value)
				}
			}
		}
		s.assigned(func(name string, w *syntax.Word) {
			if w != nil && secretName(name) && literalSecret(s.text(w)) {
				f(s.at(w.Pos()), name, s.text(w))
			}
		})
	}
	for _, s := range p.book.Steps {
		for _, b := range s.Blocks {
			if b.Action != nil {
				p.literalsIn(b.Action, f)
			}
		}
	}
}

// literalArgument is the secret that the argument i of a command is or has in it.
func literalArgument(c *call, i int) (name, value string) {
	a := c.rest[i]
	key, v, assigns := strings.Cut(strings.TrimPrefix(a, "--from-literal="), "=")
	key = strings.TrimLeft(key[strings.LastIndexAny(key, ".,")+1:], "-")
	before := ""
	if i > 0 {
		before = c.rest[i-1]
	}
	switch {
	case assigns && c.name != "export" && secretName(key) && literalSecret(v):
		return key, v
	case strings.HasPrefix(before, "-") && secretName(strings.TrimLeft(before, "-")) && literalSecret(a):
		return strings.TrimLeft(before, "-"), a
	case c.name == "curl" && (before == "-u" || before == "--user") && literalSecret(afterColon(a)):
		return "a password", afterColon(a)
	case literalSecret(firstGroup(userinfo, a)):
		return "a password", firstGroup(userinfo, a)
	case firstGroup(bearer, a) != "":
		return "a token", firstGroup(bearer, a)
	}
	return "a token", knownTokens.FindString(a)
}

func afterColon(s string) string {
	_, after, _ := strings.Cut(s, ":")
	return after
}

func firstGroup(re *regexp.Regexp, s string) string {
	if m := re.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

// literalSecret tells a value from what stands for one: an expansion, a file,
// standard input, a placeholder, a sample.
func literalSecret(v string) bool {
	const shortest = 4
	switch {
	case len(v) < shortest, strings.ContainsAny(v, "$`<{( "), strings.HasPrefix(v, "/"), strings.HasPrefix(v, "./"), strings.HasPrefix(v, "~"),
		strings.HasPrefix(v, "@"), strings.Trim(v, "*x.X-_") == "", sample.MatchString(v):
		return false
	}
	return !secretName(v) && !slices.Contains([]string{"true", "false", "none", "null", "stdin", "json", "yaml", "default", "required"}, v)
}

// literalsIn looks at the data of an action and at its manifests.
func (p *pass) literalsIn(a *steps.Action, f func(at steps.Pos, name, value string)) {
	for _, d := range a.Data {
		if d.Literal != "" && secretName(d.Key) && literalSecret(d.Literal) {
			f(d.Pos, d.Key, d.Literal)
		}
	}
	for _, m := range a.Manifests {
		p.manifest(m, func(path []string, key, value string, at steps.Pos) {
			inSecret := len(path) == 2 && path[0] == "Secret" && (path[1] == "stringData" || path[1] == "data")
			if inSecret && literalSecret(value) && (secretName(key) || path[1] == "data") {
				f(at, key, value)
			}
		})
	}
}
