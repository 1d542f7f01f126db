package operators

import (
	"strconv"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

func at(name, uid string, version int) *unstructured.Unstructured {
	o := &unstructured.Unstructured{Object: map[string]any{}}
	o.SetName(name)
	o.SetUID(types.UID(uid))
	o.SetResourceVersion(strconv.Itoa(version))
	return o
}

func TestAShelfKeepsTheNewerOfWatchAndAnswer(t *testing.T) {
	s := newShelf()
	if !s.put(at("a", "1", 5)) {
		t.Error("version 5 on an empty shelf: want it kept")
	}
	if s.put(at("a", "1", 4)) {
		t.Error("version 4 after 5: want it ignored")
	}
	if got := s.find("", "a").GetResourceVersion(); got != "5" {
		t.Errorf("version: want 5, got %s", got)
	}
}

func TestALateAnswerDoesNotBringADeletedObjectBack(t *testing.T) {
	s := newShelf()
	s.put(at("a", "1", 5))
	if !s.drop(at("a", "1", 8)) {
		t.Error("deletion at 8: want it to count")
	}
	if s.put(at("a", "1", 7)) || s.find("", "a") != nil {
		t.Error("version 7 after the deletion at 8: want it ignored")
	}
	if !s.put(at("a", "2", 9)) {
		t.Error("a namesake at 9: want it kept")
	}
}

func TestALateDeletionDoesNotTakeANamesake(t *testing.T) {
	s := newShelf()
	s.put(at("a", "2", 9))
	if s.drop(at("a", "1", 8)) || s.find("", "a") == nil {
		t.Error("the deletion of the one before took the new one")
	}
}

func TestAListReplacesAllButWhatIsNewer(t *testing.T) {
	s := newShelf()
	s.put(at("old", "1", 3))
	s.put(at("own", "2", 12))
	s.replace([]unstructured.Unstructured{*at("listed", "3", 6)}, 10)
	for name, want := range map[string]bool{"old": false, "own": true, "listed": true} {
		if got := s.find("", name) != nil; got != want {
			t.Errorf("%s on the shelf: want %v, got %v", name, want, got)
		}
	}
}

func TestAnObjectIsReadOnceForEachVersion(t *testing.T) {
	s := newShelf()
	reads := 0
	parse := func(o *unstructured.Unstructured) any { reads++; return o.GetResourceVersion() }
	s.put(at("a", "1", 1))
	for range 3 {
		s.read(s.find("", "a"), parse)
	}
	s.put(at("a", "1", 2))
	if got := s.read(s.find("", "a"), parse); got != "2" || reads != 2 {
		t.Errorf("want version 2 after 2 reads, got %v after %d", got, reads)
	}
}
