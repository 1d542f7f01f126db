package store

import (
	"slices"
	"testing"
)

func TestASnapshotIsRestoredByChangesThatAWatchSees(t *testing.T) {
	s := New(10)
	s.Put(key("a"), thing("a"))
	s.Put(key("b"), thing("b"))
	kept := s.Snapshot()
	s.Remove(key("a"))
	s.Put(key("b"), thing("changed"))
	s.Put(key("c"), thing("c"))
	then := s.Revision()
	s.Restore(kept)
	now, _ := s.List("things", "ns")
	if want := []string{"a", "b"}; !slices.Equal(names(now), want) {
		t.Errorf("got %v, want %v", names(now), want)
	}
	events, _, _, err := s.Since("things", then)
	if err != nil || len(events) != 3 || s.Revision() != then+3 {
		t.Errorf("got %d events up to %d and %v, want that a and b come back and c goes", len(events), s.Revision(), err)
	}
}

func TestWhatIsTheSameAsInASnapshotIsLeftAlone(t *testing.T) {
	s := New(10)
	s.Put(key("a"), thing("a"))
	kept := s.Snapshot()
	s.Put(key("a"), thing("changed"))
	s.Restore(kept) // now it is the same, with another revision
	at := s.Revision()
	if got := s.Restore(kept); len(got) != 0 || s.Revision() != at {
		t.Errorf("got %v, want no change", got)
	}
	if got, _ := s.Read(key("a")); got["name"] != "a" || rev(got) == "2" {
		t.Errorf("got %v, want it back under a revision of its own", got)
	}
}
