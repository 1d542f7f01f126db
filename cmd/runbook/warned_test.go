package main

import (
	"strings"
	"testing"
)

const forgetful = "---\npurpose: teardown\n---\n\n# Say hello\n\n## Hello\n\n```sh\necho hello\n```\n"

func TestWhatIsWrongWithADocumentIsSaidBeforeItIsWalked(t *testing.T) {
	s := sit(t, forgetful, 120, 30)
	s.WaitFor("try.md:2: this front matter is ignored: it doesn't say `runbook: v1`; add `runbook: v1`")
	s.leaves()
	said, _ := s.says("run", "try.md")
	warning, step := strings.Index(said, "try.md:2: this front matter is ignored"), strings.Index(said, "▸ 1 Hello")
	if warning < 0 || step < warning {
		t.Errorf("the warning doesn't come first:\n%s", said)
	}
}

func TestOfManyWarningsTheFirstIsSaidAndTheOthersAreCounted(t *testing.T) {
	r, err := (&app{}).parse("try.md", []byte(forgetful+"\n## Two\n\n```sh\necho 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	notes := warned(r)
	if len(notes) != 1 || !strings.HasPrefix(notes[0].Text, "try.md:2: ") || !strings.HasSuffix(notes[0].Text, "(1 more: runbook lint try.md)") {
		t.Errorf("got %+v", notes)
	}
	if r, err = (&app{}).parse("try.md", []byte("## A\n\n```sh\necho a\n```\n")); err != nil || len(warned(r)) > 0 {
		t.Errorf("got %+v, %v of a document without a warning", warned(r), err)
	}
}
