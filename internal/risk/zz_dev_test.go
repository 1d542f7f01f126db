package risk

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"
)

func TestZZCorpus(t *testing.T) {
	want := os.Getenv("ZZ")
	if want == "" {
		t.Skip()
	}
	re := regexp.MustCompile("(?ms)^[ \\t]*```+[ ]*(sh|bash|shell|console|zsh|shell-session|terminal)[^\\n]*\\n(.*?)^[ \\t]*```")
	seen := map[string]string{}
	cnt := map[string]int{}
	files, _ := filepath.Glob("/work/shared/corpus/*/*")
	for _, f := range files {
		b, _ := os.ReadFile(f)
		for _, m := range re.FindAllStringSubmatch(string(b), -1) {
			body := m[2]
			r := Classify(body, Context{})
			for _, x := range r.Reasons {
				k := fmt.Sprintf("%-9s %s", x.Class, x.Why)
				if want == "known" {
					k = fmt.Sprintf("%-9s %s", x.Class, strings.ReplaceAll(x.Command, "\n", "⏎"))
					if len(k) > 160 {
						k = k[:160]
					}
				}
				cnt[k]++
				seen[k] = x.Command
			}
		}
	}
	var keys []string
	for k := range cnt {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		if want == "known" || strings.Contains(k, want) {
			s := strings.ReplaceAll(seen[k], "\n", "⏎")
			if len(s) > 130 {
				s = s[:130]
			}
			if want == "known" {
				s = ""
			}
			fmt.Printf("%3d %s   | %s\n", cnt[k], k, s)
		}
	}
}
