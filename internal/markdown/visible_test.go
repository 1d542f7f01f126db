package markdown_test

import (
	"testing"

	"runbook/internal/markdown"
)

func TestEveryWordStaysVisible(t *testing.T) {
	for _, c := range []struct{ what, in, want string }{
		{"a word to replace", "Run against <namespace>.", `Run against \<namespace>.`},
		{"several words", "for <your cluster> and <POD_NAME>", `for \<your cluster> and \<POD_NAME>`},
		{"a line of its own would be an HTML block", "<cluster-name>\nthen", "\\<cluster-name>\nthen"},
		{"an element that is likelier a word", "the <address> of <object>", `the \<address> of \<object>`},
		{"formatting is left to the renderer", "<b>bold</b>, <br>, <BR/>", "<b>bold</b>, <br>, <BR/>"},
		{"with attributes it is a tag", `<a href="x">y</a> <Tabs id="1">`, `<a href="x">y</a> <Tabs id="1">`},
		{"a component that is closed", "<Note>mind</Note>", "<Note>mind</Note>"},
		{"links", "<https://example.org> <ops@example.org>", "<https://example.org> <ops@example.org>"},
		{"code is as it stands", "`kubectl -n <ns>` in <ns> and ``a`<b>``", "`kubectl -n <ns>` in \\<ns> and ``a`<b>``"},
		{"code in a word", "<a-b `c> <d>`", "\\<a-b `c> <d>`"},
		{"a comment makes no longer run of back-ticks", "a ```<!-- x -->` <b-c>", "a ``` ` \\<b-c>"},
		{"what stands behind it in its line stays a paragraph of its own", "> a `b\n> <!-- x --> c` <d>", "> a `b\n> \n>  c` \\<d>"},
		{"what only looks like the marks of containers begins no line", "a `b\n--><!--` <c>", "a `b\n--><!--` \\<c>"},
		{"an item is one", "a `b\n- <!-- x --> c` <d>", "a `b\n-  c` \\<d>"},
		{"comparison", "a < b and c > d", "a < b and c > d"},
		{"comments go, back-ticks in them are no code", "a <!-- `x --> b ` <c>", "a  b ` \\<c>"},
		{"a comment over lines", "a\n<!--\nstep\n-->\nb", "a\n\nb"},
		{"a comment without an end is text", "a <!-- b `<c>`", "a \\<!-- b `<c>`"},
		{"unless it begins a line: then it hides the rest", "a\n <!-- b\n\n```\nc", "a\n "},
		{"an ended one before it", "<!-- x -->\na <b\n<!-- b\nc", "\na <b\n"},
		{"in a quote it hides the quote", "> a\n> <!-- b\n> c\n\nd <e>", "> a\n> \n\nd \\<e>"},
		{"a comment makes no tag of what stands around it", "<<!-- x -->namespace>", `\<namespace>`},
		{"nor another comment", "<!<!-- x -->-- shown -->", `\<!-- shown -->`},
		{"nor of escaped text", "\\<<!-- x -->", `\<`},
		{"a span of code ends with its paragraph", "a ``b\n\n<!-- step -->\n\nc`` <d>", "a ``b\n\n\n\nc`` \\<d>"},
		{"and before a comment that begins a line", "a `b\n<!-- step ` -->\n<d>", "a `b\n\n\\<d>"},
		{"a comment in a line ends with its paragraph", "a <!-- b\nc\n\nd -->", "a \\<!-- b\nc\n\nd -->"},
		{"one that begins a line doesn't", "a\n<!-- b\n\nd -->\ne", "a\n\ne"},
		{"an escaped back-tick begins no code", "\\`<ns>` <ns>", "\\`\\<ns>` \\<ns>"},
		{"already escaped", `\<ns>`, `\<ns>`},
		{"a backslash of its own before it", `\\<ns>`, `\\\<ns>`},
		{"nothing to do", "plain", "plain"},
	} {
		if got := markdown.Visible(c.in); got != c.want {
			t.Errorf("%s: Visible(%q) = %q, want %q", c.what, c.in, got, c.want)
		}
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("a <b> `c` <!-- d --> <e>")
	f.Add("`<!--` -->")
	f.Fuzz(func(t *testing.T, in string) {
		once := markdown.Visible(in)
		if twice := markdown.Visible(once); twice != once {
			t.Errorf("Visible(%q) = %q, and again %q", in, once, twice)
		}
	})
}
