package risk

import (
	"os"
	"strings"
	"testing"
)

func TestEveryToolIsJudgedByItsOwnGrammar(t *testing.T) {
	b, err := os.ReadFile("testdata/tools.txt")
	if err != nil {
		t.Fatal(err)
	}
	var rows []verdict
	for _, line := range strings.Split(strings.ReplaceAll(string(b), "\\\n", ""), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, text, _ := strings.Cut(line, " ")
		c, err := ParseClass(name)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		rows = append(rows, verdict{strings.TrimSpace(text), c})
	}
	if len(rows) < 300 {
		t.Fatalf("read %d rows, want the whole table", len(rows))
	}
	check(t, Context{}, rows)
}
