package steps

import (
	"github.com/yuin/goldmark/text"
	"strings"
	"testing"
	"time"
)

func TestX(t *testing.T) {
	for _, u := range []string{"(", "{ ", "if ", "! ", "`", "a|", "a&&", "$((", "\"$(", "<(", "${a:-", "[[ (", "case a in a) "} {
		s := time.Now()
		src := "# a\n\n```sh\n" + strings.Repeat(u, (1<<19)/len(u)-10) + "\n```\n"
		r := Parse("x", []byte(src))
		t.Logf("%q %v %s", u, time.Since(s), func() string {
			if len(r.Steps) > 0 {
				return r.Steps[0].Blocks[0].Why
			}
			return r.NotOffered[0].Why
		}())
	}
	for _, u := range []string{"> ", "- ", "1. ", "<div>", "[", "*", "```a\n", "<!--", "````a\n", "# a\n", "::: x\n", "<Tab>\n", "!!! note\n", "{{< tab >}}\n", "<a>", "~~~\n", "~~~a\n", "$a b\n"} {
		s := time.Now()
		src := strings.Repeat(u, (1<<19)/len(u))
		blocksOnly().Parse(text.NewReader([]byte(src)))
		t.Logf("%q goldmark %v", u, time.Since(s))
		s = time.Now()
		Parse("x", []byte(src))
		t.Logf("%q %v", u, time.Since(s))
	}
}
