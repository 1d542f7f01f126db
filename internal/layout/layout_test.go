package layout_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// arrows says for each package which of ours it may import. A package that
// isn't here is a package that docs/ARCHITECTURE.md doesn't know.
var arrows = map[string][]string{
	"runbook/cmd/runbook":       {"*"},
	"runbook/internal/steps":    {},
	"runbook/internal/risk":     {},
	"runbook/internal/dig":      {},
	"runbook/internal/world":    {"dig"},
	"runbook/internal/redact":   {},
	"runbook/internal/markdown": {},
	"runbook/internal/layout":   {},
	"runbook/internal/screen":   {},
	"runbook/internal/forecast": {"guard"},
	"runbook/internal/ratio":    {},
	"runbook/internal/rescue":   {},
	"runbook/runbooks":          {},
	"runbook/internal/cel":      {"world"},
	"runbook/internal/expect":   {"steps", "world", "cel"},
	"runbook/internal/lint":     {"steps", "risk", "world", "cel"},
	"runbook/internal/guard":    {"steps", "risk", "world", "dig"},
	"runbook/internal/cluster":  {"world", "dig"},
	"runbook/internal/vault":    {"world"},
	"runbook/internal/probe":    {"world"},
	"runbook/internal/actions":  {"steps", "cluster", "vault"},
	"runbook/internal/survey":   {"cluster", "vault", "guard", "risk", "dig"},
	"runbook/internal/shell":    {"redact"},
	"runbook/internal/journal":  {"steps", "redact"},
	"runbook/internal/keeper":   {"cluster", "vault", "guard", "steps"},
	"runbook/internal/conceal":  {"redact", "risk", "vault"},
	"runbook/internal/engine":   {"steps", "risk", "world", "guard", "expect"},
	"runbook/internal/tui":      {"engine", "steps", "risk", "world", "guard", "faults", "markdown"},
	"runbook/internal/plain":    {"engine", "steps", "risk", "world", "guard", "faults", "redact"},
	"runbook/internal/docs":     {"steps", "risk", "journal", "redact", "markdown"},
	"runbook/internal/sandbox":  {"sandbox/*"},
	"runbook/internal/sandbox/": {"sandbox/*"},
}

// pure packages do no I/O, so nothing that talks to a cluster, to Vault or to
// a terminal may be anywhere below them.
var pure = []string{"steps", "risk", "dig", "world", "cel", "expect", "lint", "guard"}

var impure = []string{"k8s.io/client-go/rest", "k8s.io/client-go/dynamic", "github.com/hashicorp/vault", "charm.land/bubbletea", "github.com/creack/pty"}

type pkg struct {
	ImportPath, Doc string
	Imports, Deps   []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Doc,Imports,Deps", "runbook/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestPackagesImportOnlyWhatTheFloorPlanAllows(t *testing.T) {
	for _, p := range packages(t) {
		allowed, ok := allowedFor(p.ImportPath)
		if !ok {
			t.Errorf("%s is not in the floor plan: add it here and to docs/ARCHITECTURE.md", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			if ours(imported) && !covers(allowed, p.ImportPath, imported) {
				t.Errorf("%s imports %s: the floor plan has no such arrow", p.ImportPath, imported)
			}
		}
	}
}

func allowedFor(path string) ([]string, bool) {
	if strings.HasPrefix(path, "runbook/internal/sandbox/") {
		path = "runbook/internal/sandbox/"
	}
	if strings.HasPrefix(path, "runbook/internal/risk/") {
		path = "runbook/internal/risk"
	}
	allowed, ok := arrows[path]
	return allowed, ok
}

func ours(path string) bool { return strings.HasPrefix(path, "runbook/") }

func covers(allowed []string, from, imported string) bool {
	short := strings.TrimPrefix(imported, "runbook/internal/")
	if strings.HasPrefix(imported, from+"/") {
		return true // a package may be split below itself
	}
	for _, a := range allowed {
		if a == "*" || a == short || strings.HasSuffix(a, "/*") && strings.HasPrefix(short, strings.TrimSuffix(a, "*")) {
			return true
		}
	}
	return false
}

func TestPurePackagesReachNoClusterVaultOrTerminal(t *testing.T) {
	for _, p := range packages(t) {
		if !slices.Contains(pure, strings.TrimPrefix(p.ImportPath, "runbook/internal/")) {
			continue
		}
		for _, dep := range p.Deps {
			for _, bad := range impure {
				if dep == bad || strings.HasPrefix(dep, bad+"/") {
					t.Errorf("%s reaches %s", p.ImportPath, dep)
				}
			}
		}
		for _, direct := range []string{"os", "os/exec", "net", "net/http"} {
			if slices.Contains(p.Imports, direct) {
				t.Errorf("%s imports %s: side effects come in through interfaces", p.ImportPath, direct)
			}
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range packages(t) {
		if p.Doc == "" {
			t.Errorf("%s has no package comment", p.ImportPath)
		}
	}
}
