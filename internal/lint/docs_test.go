package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestTheDocumentationIsWrittenFromTheRules(t *testing.T) {
	golden(t, filepath.Join("..", "..", "docs", "lint.md"), Docs())
}

// Whatever wrote it, the page has a complete section for each rule, and for
// nothing else.
func TestEachRuleHasASectionAndEachSectionARule(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "lint.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, sections, _ := strings.Cut(strings.ReplaceAll(string(page), "\r\n", "\n"), "\n## ")
	documented := map[string]string{}
	for i, part := range splitSections("\n## " + sections) {
		id, text, _ := strings.Cut(part, "\n")
		if _, twice := documented[id]; twice {
			t.Errorf("section %d: %s occurs twice", i, id)
		}
		documented[id] = text
	}
	for _, r := range Rules() {
		text, ok := documented[r.ID]
		if !ok {
			t.Errorf("%s has no section", r.ID)
			continue
		}
		delete(documented, r.ID)
		for _, want := range []string{"**What.** ", "**Why.** ", "**How to fix.** ", "Found in:\n\n", "Not in:\n\n"} {
			if _, after, ok := strings.Cut(text, want); !ok || strings.TrimSpace(after) == "" || after[0] == '\n' {
				t.Errorf("%s: nothing behind %q", r.ID, want)
			}
		}
	}
	for id := range documented {
		t.Errorf("the section %s belongs to no rule", id)
	}
}

// splitSections cuts at headings of the second level outside of fences.
func splitSections(page string) []string {
	var sections []string
	fence := ""
	for line := range strings.Lines(page) {
		text := strings.TrimRight(line, "\n")
		marks := text[:len(text)-len(strings.TrimLeft(text, "`"))]
		switch {
		case fence == "" && len(marks) >= 3:
			fence = marks
		case fence != "" && text == fence:
			fence = ""
		}
		if fence == "" && strings.HasPrefix(line, "## ") {
			sections = append(sections, strings.TrimPrefix(line, "## "))
		} else if len(sections) > 0 {
			sections[len(sections)-1] += line
		}
	}
	return sections
}

func TestEveryRuleOfTheParserIsHere(t *testing.T) {
	var ours []string
	for _, r := range Rules() {
		if r.check == nil {
			ours = append(ours, r.ID)
		}
	}
	theirs := parserRules(t)
	if len(theirs) < 20 {
		t.Fatalf("only %v: the parser reports its rules in another way now", theirs)
	}
	for _, id := range theirs {
		if !slices.Contains(ours, id) {
			t.Errorf("the parser reports %s: document it in structure.go or written.go", id)
		}
	}
	for _, id := range ours {
		if !slices.Contains(theirs, id) {
			t.Errorf("%s has no check, and the parser doesn't report it", id)
		}
	}
}

// parserRules are the ids in the sources of the parser: fields called Rule, and
// arguments of the functions that report.
func parserRules(t *testing.T) []string {
	files, err := filepath.Glob(filepath.Join("..", "steps", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			id, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			ids[id] = true
		}
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if e := ruleIn(n); e != nil {
				add(e)
			}
			return true
		})
	}
	var sorted []string
	for id := range ids {
		sorted = append(sorted, id)
	}
	slices.Sort(sorted)
	return sorted
}

// ruleIn is the expression for the rule in a node, if it has one.
func ruleIn(n ast.Node) ast.Expr {
	switch x := n.(type) {
	case *ast.KeyValueExpr:
		if key, ok := x.Key.(*ast.Ident); ok && (key.Name == "Rule" || key.Name == "rule") {
			return x.Value
		}
	case *ast.CallExpr:
		name, ok := x.Fun.(*ast.SelectorExpr)
		switch {
		case !ok:
		case name.Sel.Name == "fail" && len(x.Args) == 4, name.Sel.Name == "node" && len(x.Args) == 2:
			return x.Args[1]
		case name.Sel.Name == "failWith":
			return x.Args[0]
		}
	}
	return nil
}
