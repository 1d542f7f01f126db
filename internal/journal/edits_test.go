package journal

import (
	"bytes"
	"path/filepath"
	"testing"
)

func TestTheLastTextOfABlockStands(t *testing.T) {
	w := create(t)
	must(t,
		w.Edit("a", EditData{Block: 0, Code: "echo first", Document: "date"}),
		w.Edit("a", EditData{Block: 0, Code: "echo second", Document: "date"}),
		w.Edit("a", EditData{Block: 1, Code: "echo x", Document: "uptime"}),
		w.Edit("a", EditData{Block: 1, Code: "uptime", Document: "uptime"}), // taken back
		w.Close())
	r, err := Read(w.Dir())
	must(t, err)
	got := r.Edits()["a"]
	if want := (EditData{Code: "echo second", Document: "date"}); len(got) != 1 || got[0] != want {
		t.Errorf("got %+v, want only %+v", got, want)
	}
}

func TestATextWithASecretIsWithheldAndSaidToBe(t *testing.T) {
	w := create(t)
	must(t, w.Edit("a", EditData{Code: "login " + marked, Document: "login"}), w.Close())
	r, err := Read(w.Dir())
	must(t, err)
	if got := r.Edits()["a"][0]; !got.Withheld {
		t.Errorf("got %+v, want it withheld: without the secret it is another command", got)
	}
	if bytes.Contains(read(t, filepath.Join(w.Dir(), file)), []byte(marked)) {
		t.Error("the secret is in the record")
	}
}
