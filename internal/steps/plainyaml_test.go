package steps

import (
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// scraps are what annotations are made of, and what makes YAML hard to read.
var scraps = []string{
	"\nid: a-1", "\nexpect: deployment/web is ready", "\nwithin: 5m", "\nmanual: true", "\ndone:\n  - secret/a exists\n  - pvc/b exists", "\nwatch:\n- a/b\n- c/d in e",
	"\nexpect:", "\n- x", "\n  - x", "\n    - x", "\n  -  y z", "\n-", "\n  - a: b", "\n  - cel: x", "\n - - x", "\n", "\n\n", " ", "  ", "\t", ":", ": ", " #", "# x", "\n# x",
	"\nrisk: destroy", "\ncost: \"a: b # c\"", "\ncost: 'a: b'", "\ncost: \"a\\nb\"", "\ncost: 'it''s'", "\ncost: |\n  x", "\ncost: >", "\nid: null", "\nid: Null", "\nid: ~", "\nid: True",
	"\nid: TRUE", "\nid: no", "\nid: 12", "\nid: 0x1f", "\nid: 1e3", "\nid: 2001-01-01", "\nid: 9h", "\nid: 0d", "\nid: .5", "\nid: .inf", "\nid: <<", "\n<<: x", "\nid: &a x", "\nid: *a",
	"\nid: !x y", "\nid: [a]", "\nid: {a: b}", "\nid: ${X}", "\nid: $X", "\nid: /x", "\nid: @x", "\nid: `x`", "\nid: %x", "\nid: -x", "\nid: ?x", "\n? x", "\nid: a:b", "\nid: a: b", "\nid: a:",
	"\n more", "\n  more", "\nmore", "\nid: ü", "\nid: a\u2028b", "\nid: a\u0085b", "\n---", "\n...", "\n\"id\": x", "\ny: z", "\nnull: z", "\ntrue: z", "\nid: x \t", "\nid:\tx", "\nid:  two  blanks ",
	"\nid: 'x", "\nid: \"x", "\nid: 'x' y", "\nid: \"x\": y", "\nid: \"\"", "\nid: ''", "\nid: x\"y", "\nid: x'y", "\nid:x", "\nid: -", "\nid: x]", "\nid: x}", "\nid: x,y", "\n   id: x", "\nId2: x",
}

// sameYAML reads a text both ways, and tells whether the plain one was able to.
func sameYAML(t *testing.T, y *plainYAML, text string) bool {
	t.Helper()
	got := y.read(text)
	if got == nil {
		return false
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%q is plain, but the parser says: %v", text, err)
	}
	if len(doc.Content) != 1 || !reflect.DeepEqual(got, doc.Content[0]) {
		want, _ := yaml.Marshal(&doc)
		have, _ := yaml.Marshal(got)
		t.Fatalf("%q:\nplain\n%s\nparser\n%s\nplain  %+v\nparser %+v", text, have, want, got.Content, doc.Content[0].Content)
	}
	return true
}

func TestPlainAnnotationsAreReadAsTheParserReadsThem(t *testing.T) {
	const texts = 40_000
	rnd := rand.New(rand.NewSource(1))
	y, plain := &plainYAML{}, 0
	for range texts {
		var b strings.Builder
		for range 1 + rnd.Intn(5) {
			n := len(scraps)
			if rnd.Intn(3) > 0 {
				n = 12 // mostly harmless
			}
			b.WriteString(scraps[rnd.Intn(n)])
		}
		if sameYAML(t, y, b.String()) {
			plain++
		}
	}
	if plain < texts/10 {
		t.Errorf("%d of %d texts were plain: this compares too little", plain, texts)
	}
}

func TestTheAnnotationsOfRunbooksAreMostlyPlain(t *testing.T) {
	files, err := filepath.Glob("../../runbooks/*/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no runbooks: %v", err)
	}
	y, plain, all := &plainYAML{}, 0, 0
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for rest := string(src); ; {
			_, after, ok := strings.Cut(rest, "<!-- step")
			if !ok {
				break
			}
			body, behind, _ := strings.Cut(after, "-->")
			all++
			s := cut(body, 0, 0)
			if sameYAML(t, y, s.text) {
				plain++
			}
			rest = behind
		}
	}
	if all == 0 || plain*2 < all {
		t.Errorf("%d of %d annotations are plain, want at least half", plain, all)
	}
}

func FuzzPlainYAML(f *testing.F) {
	for _, s := range scraps {
		f.Add("\nid: a" + s)
	}
	y := &plainYAML{}
	f.Fuzz(func(t *testing.T, text string) { sameYAML(t, y, text) })
}

func TestPhrasesAreFoundWhereverTheyStand(t *testing.T) {
	p := newPhrases("ab", "abc", "führe", "to see ", "xx")
	for text, want := range map[string]bool{
		"": false, "a": false, "ab": true, "zab": true, "a b": false, "führe": true, "fuhre": false, "to see": false, "how to see it": true, "x": false, "axx": true,
	} {
		if got := p.in(text); got != want {
			t.Errorf("in %q: got %v, want %v", text, got, want)
		}
	}
	if got, want := p.after("1 to see abc 2"), "c 2"; got != want {
		t.Errorf("after: got %q, want %q", got, want)
	}
}
