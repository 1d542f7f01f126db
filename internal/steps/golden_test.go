package steps

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestFixturesAreReadAsBefore(t *testing.T) {
	files, err := filepath.Glob("testdata/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r := Parse(filepath.Base(path), src)
		checkRunbook(t, r)
		golden := strings.TrimSuffix(path, ".md") + ".golden"
		got := dump(r)
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", path, got, want)
		}
	}
}

// A stack that overflows can't be recovered from, and Markdown parsers are
// quadratic in places: such input must be turned away.
func TestHostileNestingIsTurnedAway(t *testing.T) {
	for _, unit := range []string{"$(", "(", "{ ", "if ", "! ", "a|", "\"$(", "${a:-"} {
		r := parseText("# A\n\n'''sh\n" + strings.Repeat(unit, 200_000/len(unit)) + "\n'''\n\n'''sh\necho ok\n'''\n")
		wantCodes(t, r, "echo ok\n")
	}
	for _, unit := range []string{"> ", "1. ", "- ", "> - "} {
		r := parseText(strings.Repeat(unit, 200_000/len(unit)) + "x\n")
		if ruleAt(r, "too-deep") != 1 {
			t.Errorf("%q is taken for a document", unit)
		}
	}
	r := parseText("# A\n\n'''sh\necho " + strings.Repeat("<a> ", 50_000) + "\n'''\n")
	wantWhy(t, r, map[string]string{"echo <a>": WhyPlaceholder})
	parseText(strings.Repeat("<Tab>\n", 50_000))
}
