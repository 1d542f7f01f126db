package steps

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// standIn finds an argument in capitals that its author wrote in place of a
// value: `argocd proj windows add PROJECT`, `psql -h HOST`. It returns "" when
// there is none. Words that a program knows in capitals are left alone.
func standIn(file *syntax.File) string {
	found := ""
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && found == "" {
			found = standInOf(call)
		}
		return found == ""
	})
	return found
}

func standInOf(call *syntax.CallExpr) string {
	if len(call.Args) < 2 || speaksCapitals(literal(call.Args[0])) {
		return ""
	}
	objects := namesObjects(literal(call.Args[0]))
	for i, w := range call.Args[1:] {
		if len(w.Parts) != 1 {
			continue
		}
		l, ok := w.Parts[0].(*syntax.Lit)
		if !ok {
			continue
		}
		if namesVariable(l.Value) {
			return "" // what follows is the name of a variable: set env, config get, secret set
		}
		if objects && isCamelStandIn(l.Value) && !takesField(literal(call.Args[i])) {
			return l.Value
		}
		word := l.Value
		if before, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(before, "--") && value == "N" {
			return value // --jobs=N
		}
		if before, value, ok := strings.Cut(word, "="); ok && before != strings.ToUpper(before) {
			word = value
		}
		if isStandIn(word) && !takesCapitals(literal(call.Args[i])) {
			return word
		}
	}
	return ""
}

// speaksCapitals knows the programs that take names of variables, columns and
// patterns, or whose own commands are written in capitals.
func speaksCapitals(program string) bool {
	switch program[strings.LastIndexByte(program, '/')+1:] {
	case "", "export", "unset", "read", "declare", "local", "typeset", "readonly", "printenv", "env", "echo", "printf", "test", "[", "grep", "egrep", "fgrep", "rg", "ag", "awk", "sed", "jq", "yq", "tr",
		"cut", "sort", "ps", "lsblk", "findmnt", "column", "envsubst", "redis-cli", "gitlab-redis-cli", "valkey-cli", "psql", "gh", "heroku", "vercel", "fly", "pass", "op", "doppler", "getconf", "trap", "kill",
		"git", "which", "make", "set", "eval", "sudo", "let", "mysql", "wrangler", "direnv", "dnssec-keygen":
		return true
	}
	return false
}

func namesVariable(word string) bool {
	switch word {
	case "env", "secret", "secrets", "variable", "variables", "config", "output":
		return true
	}
	return false
}

// takesCapitals knows the options whose value is in capitals anyway.
func takesCapitals(option string) bool {
	switch option {
	case "-X", "--request", "-o", "-O", "--output", "-e", "--env", "--sort", "--sort-by", "--field", "-f", "-I", "-A", "-t", "--type":
		return true
	}
	return false
}

// isStandIn tells whether a word in capitals names a kind of value.
func isStandIn(w string) bool {
	if len(w) < 2 || w[0] < 'A' || w[0] > 'Z' {
		return false
	}
	for i := range len(w) {
		if c := w[i]; !(c >= 'A' && c <= 'Z' || c == '_' || c == '-') {
			return false
		}
	}
	switch last := w[strings.LastIndexAny(w, "_-")+1:]; last {
	case "NAME", "NAMESPACE", "ID", "ADDRESS", "HOSTNAME", "USERNAME", "FILENAME", "APPNAME", "CLUSTERNAME":
		return true
	case "PROJECT", "CLUSTER", "NODE", "POD", "HOST", "SERVER", "USER", "PASSWORD", "TOKEN", "URL", "PATH", "FILE", "DIR", "DIRECTORY", "REPO", "REPOSITORY", "CONTEXT", "VERSION", "REGION", "ZONE", "DOMAIN",
		"EMAIL", "BUCKET", "ACCOUNT", "IMAGE", "CONTAINER", "APP", "SERVICE", "GROUP", "ROLE", "DEPLOYMENT", "RELEASE", "CHART", "VALUE", "VOLUME", "DATABASE":
		return last == w // DATABASE_URL is more likely the name of a variable
	}
	return false
}

// namesObjects tells whether a program takes the names of objects, which are
// always in small letters.
func namesObjects(program string) bool {
	switch program {
	case "kubectl", "oc", "k", "helm", "velero", "flux":
		return true
	}
	return false
}

// isCamelStandIn tells whether a word like podName or pod/podName stands for the
// name of an object, which has no capitals.
func isCamelStandIn(w string) bool {
	if !endsInCamel(w) {
		return false
	}
	w = w[strings.LastIndexAny(w, "/=")+1:]
	for i := range len(w) {
		if !isLetter(w[i]) {
			return false
		}
	}
	return w[0] >= 'a' && w[0] <= 'z'
}

func endsInCamel(w string) bool {
	return strings.HasSuffix(w, "Name") || strings.HasSuffix(w, "Namespace")
}

// takesField knows the options whose value names a field or a label.
func takesField(option string) bool {
	switch option {
	case "-o", "--output", "-l", "--selector", "-L", "--label-columns", "--sort-by", "--field-selector", "--set", "--template", "explain":
		return true
	}
	return false
}
