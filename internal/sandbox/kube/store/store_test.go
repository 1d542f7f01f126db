package store

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

func key(name string) Key { return Key{Resource: "things", Namespace: "ns", Name: name} }

func names(objs []Object) (out []string) {
	for _, o := range objs {
		out = append(out, o["name"].(string))
	}
	return out
}

func thing(name string) Object { return Object{"name": name} }

func TestEveryChangeHasItsOwnRevision(t *testing.T) {
	s := New(10)
	a := s.Put(key("a"), thing("a"))
	b := s.Put(key("b"), thing("b"))
	gone, ok := s.Remove(key("a"))
	got := fmt.Sprintln(rev(a), rev(b), rev(gone), ok, s.Revision())
	if want := "2 3 4 true 4\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, ok := s.Remove(key("a")); ok || s.Revision() != 4 {
		t.Error("removing nothing is a change")
	}
}

func rev(o Object) any { return o["metadata"].(map[string]any)["resourceVersion"] }

func TestAnEarlierListIsRebuiltFromTheHistory(t *testing.T) {
	s := New(10)
	s.Put(key("a"), thing("a"))
	s.Put(key("b"), thing("b"))
	then := s.Revision()
	s.Remove(key("a"))
	s.Put(key("c"), thing("c"))
	s.Put(key("b"), thing("changed"))
	s.Put(Key{Resource: "others", Name: "x"}, thing("x"))
	got, err := s.ListAt("things", "", then)
	if want := []string{"a", "b"}; err != nil || !slices.Equal(names(got), want) {
		t.Errorf("got %v %v, want %v", names(got), err, want)
	}
	now, _ := s.List("things", "ns")
	if want := []string{"changed", "c"}; !slices.Equal(names(now), want) {
		t.Errorf("now: got %v, want %v", names(now), want)
	}
}

func TestADroppedResourceIsStillInTheHistory(t *testing.T) {
	s := New(10)
	s.Put(key("a"), thing("a"))
	then := s.Revision()
	s.Remove(key("a"))
	s.Drop("things")
	events, _, _, err := s.Since("things", then)
	if err != nil || len(events) != 2 || events[0].Type != Deleted || events[1].Type != Dropped {
		t.Fatalf("got %v %v", events, err)
	}
	if got, err := s.ListAt("things", "", then); err != nil || len(got) != 1 {
		t.Errorf("got %v %v", got, err)
	}
}

func TestWhatIsForgottenIsAnError(t *testing.T) {
	s := New(2)
	first := s.Put(key("a"), thing("a"))
	if fmt.Sprint(rev(first)) != "2" {
		t.Fatal(rev(first))
	}
	for i := range 5 {
		s.Put(key("a"), Object{"name": fmt.Sprint(i)})
	}
	if _, _, _, err := s.Since("things", 2); !errors.Is(err, ErrCompacted) {
		t.Errorf("since: got %v", err)
	}
	if _, err := s.ListAt("things", "", 2); !errors.Is(err, ErrCompacted) {
		t.Errorf("list: got %v", err)
	}
	events, at, _, err := s.Since("things", s.Revision()-1)
	if err != nil || len(events) != 1 || at != s.Revision() {
		t.Errorf("the newest: got %v %d %v", events, at, err)
	}
	s.Compact()
	if _, _, _, err := s.Since("things", s.Revision()); err != nil {
		t.Errorf("from now on: got %v", err)
	}
}

func TestAChangeWakesWhoWaits(t *testing.T) {
	s := New(10)
	_, _, changed, _ := s.Since("", s.Revision())
	select {
	case <-changed:
		t.Fatal("nothing has changed")
	default:
	}
	s.Put(key("a"), thing("a"))
	<-changed
}

func TestTheCallersObjectIsLeftAlone(t *testing.T) {
	s := New(10)
	mine := Object{"metadata": map[string]any{"name": "a"}}
	s.Put(key("a"), mine)
	if got := mine["metadata"].(map[string]any)["resourceVersion"]; got != nil {
		t.Errorf("got %v", got)
	}
}
