package lint

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"runbook/internal/steps"
)

func portabilityRules() []Rule {
	return []Rule{
		{ID: "gnu-only", Group: Portability, Severity: steps.Warning,
			What: "A flag or program is known to GNU systems only.",
			Why:  "On a Mac or an Alpine container the command fails, or does something else: `sed -i` there takes the script for the suffix of a backup.",
			Fix:  "The hint names what works everywhere.",
			Bad:  "sed -i 's/a/b/' values.yaml\n",
			Good: "sed -i.bak 's/a/b/' values.yaml\n", check: checkGNU},
		{ID: "needs-missing", Group: Portability, Severity: steps.Warning,
			What: "A program is used that `needs` doesn't name.",
			Why:  "`needs` is checked before the first step. A program that isn't in it is missed in the middle of the night, half-way.",
			Fix:  "Add it to `needs`.",
			Bad:  front("needs: [kubectl]\n", "## Step\n\n'''sh\nkubectl get nodes -o json | jq .items\n'''\n"),
			Good: front("needs: [kubectl, jq]\n", "## Step\n\n'''sh\nkubectl get nodes -o json | jq .items\n'''\n"), check: checkNeeds},
		{ID: "bashism", Group: Portability, Severity: steps.Warning,
			What: "A fence labelled `sh` uses what only bash has.",
			Why:  "It is run by `sh`, which is dash on Debian and ash on Alpine.",
			Fix:  "Label the fence `bash`, or write it as POSIX has it.",
			Bad:  "if [[ -n \"$HOME\" ]]; then ls; fi\n",
			Good: "if [ -n \"$HOME\" ]; then ls; fi\n", check: checkBashisms},
	}
}

// A gnuism is a use of a program that other systems don't know.
type gnuism struct {
	program string
	used    func(c *call) bool
	what    string
	instead string
}

func given(names ...string) func(*call) bool {
	return func(c *call) bool {
		for _, n := range names {
			if len(n) == 2 && c.short(n[1:]) || c.has(n) {
				return true
			}
		}
		return false
	}
}

func always(*call) bool { return true }

// gnuisms is where a newcomer adds one: program, how it is recognised, what it
// is, what works everywhere.
var gnuisms = []gnuism{
	{"sed", sedInPlace, "`sed -i` without a suffix", "`sed -i.bak`, or `sed … file > new && mv new file`"},
	{"sed", given("-z", "--null-data", "--in-place"), "this flag of sed", "awk, or `perl -0`"},
	{"date", given("-d", "--date"), "`date -d`", "a fixed date, or `date -u +%s` and arithmetic"},
	{"date", func(c *call) bool { return strings.Contains(strings.Join(c.rest, " "), "%N") }, "`%N` of date", "whole seconds"},
	{"readlink", given("-f", "-e", "-m"), "`readlink -f`", "`cd \"$(dirname \"$f\")\" && pwd -P`"},
	{"base64", func(c *call) bool { return c.has("--wrap") || c.short("w") }, "`base64 -w`", "`base64 | tr -d '\\n'`"},
	{"grep", given("-P", "--perl-regexp"), "`grep -P`", "`grep -E`, or `perl -ne`"},
	{"xargs", given("-r", "--no-run-if-empty", "-d", "--delimiter"), "this flag of xargs", "`xargs -0`, behind a test for empty input"},
	{"mktemp", given("--suffix", "--tmpdir"), "this flag of mktemp", "`mktemp` or `mktemp -d`, without a suffix"},
	{"stat", given("-c", "--format", "--printf"), "`stat -c`", "`wc -c < file`, `ls -ln`, or `find -newer`"},
	{"head", lessThanNothing, "a negative count of head", "`sed '$d'`, or `awk`"},
	{"find", given("-printf", "-fprintf", "-regextype"), "this test of find", "`-exec printf`, or `-print0`"},
	{"cp", given("-t", "--target-directory", "--parents"), "this flag of cp", "the target as the last argument"},
	{"mv", given("-t", "--target-directory"), "this flag of mv", "the target as the last argument"},
	{"ls", given("--color", "--time-style", "--group-directories-first"), "this flag of ls", "leave it out"},
	{"du", given("-b", "--max-depth", "--apparent-size"), "this flag of du", "`du -k`, `du -d 1`"},
	{"cut", given("--output-delimiter", "--complement"), "this flag of cut", "awk"},
	{"ps", given("--sort", "--no-headers", "--forest"), "this flag of ps", "`ps … | sort`"},
	{"touch", given("-d", "--date"), "`touch -d`", "`touch -t`"},
	{"tac", always, "tac", "`tail -r`, or awk"},
	{"nproc", always, "nproc", "`getconf _NPROCESSORS_ONLN`"},
}

func sedInPlace(c *call) bool {
	i := slices.Index(c.rest, "-i")
	return i >= 0 && (i+1 == len(c.rest) || c.rest[i+1] != "")
}

func lessThanNothing(c *call) bool {
	for i, a := range c.rest {
		if (a == "-n" || a == "-c") && i+1 < len(c.rest) && strings.HasPrefix(c.rest[i+1], "-") || strings.HasPrefix(a, "-n-") || strings.HasPrefix(a, "--lines=-") {
			return true
		}
	}
	return false
}

func checkGNU(p *pass) {
	p.calls(func(c *call) {
		for _, g := range gnuisms {
			if g.program == c.name && g.used(c) || slices.Contains(c.via, g.program) && g.program == "xargs" && wrapped(c, g) {
				p.report(c.script.at(c.node.Pos()), sprintf("%s: %s is known to GNU systems only", p.quote(c.source()), g.what), "works everywhere: "+g.instead)
				return
			}
		}
	})
}

// wrapped looks at the flags of a program that runs another one.
func wrapped(c *call, g gnuism) bool {
	i := slices.IndexFunc(c.args, func(a string) bool { return path.Base(a) == g.program })
	n := len(c.args) - len(c.rest) - 1
	return i >= 0 && i < n && g.used(&call{rest: c.args[i+1 : n]})
}

// everywhere are the programs that a POSIX system has, and what shells bring.
var everywhere = strings.Fields(`: . [ [[ alias awk base64 basename bg break builtin case cat cd chgrp chmod chown clear cmp comm command continue cp cut
	date dd declare df diff dirname du echo ed egrep env eval exec exit expand export expr false fg fgrep file find fold getconf getopts grep
	gunzip gzip hash head hostname iconv id install jobs join kill less let ln local logger logname ls mapfile man mkdir mkfifo mktemp more mv
	nice nl nohup od paste patch popd pr printf ps pushd pwd read readarray readlink readonly return rm rmdir sed seq set shift shopt sleep
	sort source split stat strings stty sudo sum sync tail tar tee test time times touch tr trap true tsort tty type typeset ulimit umask
	unalias uname uniq unset wait wc which who xargs yes bash sh zsh su dirs disown enable help history tput reset watch timeout`)

func checkNeeds(p *pass) {
	if len(p.book.Needs) == 0 {
		return
	}
	known := map[string]bool{}
	for _, n := range slices.Concat(p.book.Needs, everywhere) {
		known[n] = true
	}
	for _, s := range p.scripts {
		syntax.Walk(s.file, func(n syntax.Node) bool {
			if f, ok := n.(*syntax.FuncDecl); ok {
				known[f.Name.Value] = true
			}
			return true
		})
	}
	var missing []string
	var first steps.Pos
	p.calls(func(c *call) {
		name := c.name
		if name == "" || known[name] || strings.ContainsAny(name, "$`<(*=") || strings.ContainsAny(c.args[0], "/") {
			return
		}
		known[name] = true
		if missing = append(missing, name); len(missing) == 1 {
			first = c.script.at(c.node.Pos())
		}
	})
	if missing == nil {
		return
	}
	for i, line := range p.lines {
		if strings.HasPrefix(line, "needs:") {
			first = steps.Pos{Line: i + 1, Col: 1} // where it is mended
			break
		}
	}
	p.report(first, sprintf("%s %s used but not in needs", list(missing), isOrAre(missing)), sprintf("needs: [%s]", strings.Join(slices.Concat(p.book.Needs, missing), ", ")))
}

// list puts words into a sentence: "curl, jq and vault".
func list(words []string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + " and " + words[n]
}

func isOrAre(words []string) string {
	if len(words) == 1 {
		return "is"
	}
	return "are"
}

func checkBashisms(p *pass) {
	for _, s := range p.scripts {
		if !s.isSh() {
			continue
		}
		if pos, what := bashism(s); what != "" {
			p.report(s.at(pos), what+" is something that sh doesn't have", "label the fence `bash`, or write it as POSIX has it")
		}
	}
}

// bashism is the first thing in a script that POSIX doesn't know.
func bashism(s *script) (pos syntax.Pos, what string) {
	syntax.Walk(s.file, func(n syntax.Node) bool {
		if n == nil {
			return true
		}
		if text := onlyBash(s, n); text != "" && (what == "" || n.Pos().Offset() < pos.Offset()) {
			pos, what = n.Pos(), text
		}
		return true
	})
	return pos, what
}

// onlyBash names what a node is when POSIX doesn't know it, else "".
func onlyBash(s *script, n syntax.Node) string {
	switch x := n.(type) {
	case *syntax.TestClause:
		return "`[[ … ]]`"
	case *syntax.ProcSubst:
		return "`" + x.Op.String() + "…)`"
	case *syntax.ArrayExpr:
		return "an array"
	case *syntax.ArithmCmd:
		return "`((…))`"
	case *syntax.LetClause:
		return "`let`"
	case *syntax.CStyleLoop:
		return "`for ((…))`"
	case *syntax.DeclClause:
		if v := x.Variant.Value; v != "export" && v != "readonly" && v != "local" {
			return "`" + v + "`"
		}
	case *syntax.FuncDecl:
		if x.RsrvWord {
			return "`function`"
		}
	case *syntax.SglQuoted:
		if x.Dollar {
			return "`$'…'`"
		}
	case *syntax.Redirect:
		if x.Op == syntax.WordHdoc || x.Op == syntax.RdrAll || x.Op == syntax.AppAll {
			return "`" + x.Op.String() + "`"
		}
	case *syntax.ParamExp:
		if x.Repl != nil || x.Slice != nil || x.Index != nil || x.Excl {
			return quote(s.source(x))
		}
	case *syntax.BinaryCmd:
		if x.Op == syntax.PipeAll {
			return "`|&`"
		}
	case *syntax.CallExpr:
		if c := s.byNode[x]; slices.Contains([]string{"source", "pushd", "popd", "shopt", "mapfile", "readarray"}, c.name) {
			return "`" + c.name + "`"
		}
	}
	return ""
}
