package steps

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hardFolder holds small runbooks of our own, each with one pattern that the
// hardest files of real repositories taught. Beside NAME stands NAME.want: a
// paragraph on what a careful person makes of it, an empty line, and a row for
// whatever there is to say of a line of the file. What is offered stands there
// with every line that would run; all else with its first line.
const hardFolder = "testdata/hard"

func TestHardPatternsAreReadAsACarefulPersonWould(t *testing.T) {
	for _, path := range hardPatterns(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			r := Parse(filepath.Base(path), src)
			checkRunbook(t, r)
			checkAccounts(t, r, map[string]int{})
			golden, err := os.ReadFile(path + ".want")
			if err != nil {
				t.Fatalf("nobody has written down what a careful person would want: %v", err)
			}
			lesson, want, _ := strings.Cut(string(golden), "\n\n")
			if strings.TrimSpace(lesson) == "" {
				t.Error("it doesn't say what the file teaches")
			}
			got := readingOf(r)
			if *update {
				if err := os.WriteFile(path+".want", []byte(lesson+"\n\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", lesson, got, want)
			}
		})
	}
}

// hardPatterns returns the files of the folder, and fails for an expectation
// without a file.
func hardPatterns(t testing.TB) []string {
	t.Helper()
	all, err := filepath.Glob(hardFolder + "/*")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, path := range all {
		of, isWant := strings.CutSuffix(path, ".want")
		switch {
		case !isWant:
			files = append(files, path)
		case !slices.Contains(all, of):
			t.Errorf("%s: there is no %s", path, of)
		}
	}
	if len(files) == 0 {
		t.Fatal("no files")
	}
	return files
}

// The file with CR LF teaches nothing once an editor or git has taken its bytes.
func TestTheFileWithAByteOrderMarkStillHasItsBytes(t *testing.T) {
	src, err := os.ReadFile(hardFolder + "/byte-order-mark-before-front-matter.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(src)
	if !strings.HasPrefix(text, "\xef\xbb\xbf---\r\n") || strings.Count(text, "\n") != strings.Count(text, "\r\n") {
		t.Errorf("it begins with %q", text[:min(len(text), 12)])
	}
}

// A reading is one row of what is said of a file.
type reading struct {
	line int
	what string // title, step, heading, shown, offered, why a fence isn't, or the rule of a diagnostic
	text string
}

// readingOf writes what the parser makes of a file, in the order of its lines.
func readingOf(r *Runbook) string {
	rows := []reading{{1, "title", r.Title}}
	for _, s := range r.Steps {
		title := s.Title
		if s.Interactive {
			title += " [interactive]"
		}
		rows = append(rows, reading{s.Line, "step", title})
		for _, b := range s.Blocks {
			if b.Offered {
				rows = append(rows, reading{b.Line, "offered", b.Code})
				continue
			}
			rows = append(rows, reading{b.Line, b.Why, firstOf(b.Code)})
		}
	}
	for _, f := range r.NotOffered {
		rows = append(rows, reading{f.Line, f.Why, firstOf(f.Code)})
	}
	for _, s := range r.Sections {
		if s.Step < 0 && s.Level > 0 {
			rows = append(rows, reading{s.Line, "heading", s.Title})
		}
	}
	rows = append(rows, inlineCommands(r)...)
	for _, d := range r.Diagnostics {
		rows = append(rows, reading{d.Line, d.Rule, d.Message})
	}
	slices.SortStableFunc(rows, func(a, b reading) int { return cmp.Compare(a.line, b.line) })
	var b strings.Builder
	for _, row := range rows {
		for i, line := range strings.Split(strings.TrimRight(row.text, "\n"), "\n") {
			head := fmt.Sprintf("%3d %-24s", row.line, row.what)
			if i > 0 {
				head = strings.Repeat(" ", len(head))
			}
			b.WriteString(strings.TrimRight(head+" "+line, " ") + "\n")
		}
	}
	return b.String()
}

// inlineCommands returns the commands that stand as code within sentences:
// nothing runs them, and the reader must still see them.
func inlineCommands(r *Runbook) []reading {
	var rows []reading
	lines := strings.Split(string(r.Source), "\n")
	from := 0
	for _, s := range r.Sections {
		for _, p := range s.Parts {
			for line := range strings.Lines(p.Prose) {
				spans := strings.Split(line, "`")
				for i := 1; i < len(spans)-1; i += 2 {
					if !looksLikeCommand(spans[i]) || !strings.Contains(spans[i], " ") {
						continue
					}
					for from < len(lines) && !strings.Contains(lines[from], "`"+spans[i]+"`") {
						from++
					}
					rows = append(rows, reading{from + 1, "shown", spans[i]})
				}
			}
		}
	}
	return rows
}

// firstOf returns the first line of code that isn't empty.
func firstOf(code string) string {
	for line := range strings.Lines(code) {
		if t := strings.TrimSpace(line); t != "" {
			return t
		}
	}
	return ""
}
