package journal

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A command that never stops printing ends its output's record before the disk
// is full, says so in it, and leaves the record itself whole.
func TestALongOutputLeavesRoomOnItsDisk(t *testing.T) {
	const reserve = 1000
	for _, c := range []struct {
		name string
		free uint64
		err  error // of the look at the disk
		ends bool
	}{
		{"enough is left", reserve, nil, false},
		{"little is left", reserve - 1, nil, true},
		{"how much is left isn't known", 0, errors.New("no such call"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := create(t)
			w.room = room{slice: 1 << 20, reserve: reserve, free: func(*os.File) (uint64, error) { return c.free, c.err }}
			must(t, w.Code("a", CodeData{Code: "yes"}))
			out, err := w.Output("a", 0)
			must(t, err)
			chunk := bytes.Repeat([]byte("y\n"), 1<<15)
			written, failed := 0, error(nil)
			for range 1<<20/len(chunk) + 3 {
				n, err := out.Write(chunk)
				if written += n; err != nil {
					failed = err
				}
			}
			must(t, out.Close(), w.Ended("a", EndData{}), w.Close())
			text, err := os.ReadFile(filepath.Join(w.Dir(), "a.1.1.out"))
			must(t, err)
			if got := bytes.HasSuffix(text, []byte(outputEnds)); got != c.ends || (failed != nil) != c.ends {
				t.Errorf("ends with the reason: %v, error %v, want %v", got, failed, c.ends)
			}
			want := written
			if c.ends {
				want = 1<<20 + len(outputEnds)
				if !strings.Contains(failed.Error(), "less than 1 GiB is left") {
					t.Errorf("error %q", failed)
				}
			}
			if len(text) != want {
				t.Errorf("%d bytes recorded, want %d", len(text), want)
			}
			r, err := Read(w.Dir())
			must(t, err, r.VerifyOutputs())
		})
	}
}

func TestAShortOutputIsRecordedHoweverFullTheDisk(t *testing.T) {
	w := create(t)
	w.room.free = func(*os.File) (uint64, error) { return 0, nil }
	must(t, w.Code("a", CodeData{Code: "echo"}))
	out, err := w.Output("a", 0)
	must(t, err)
	for range 100 {
		_, err := out.Write([]byte("a line\n"))
		must(t, err)
	}
	must(t, out.Close(), w.Close())
}
