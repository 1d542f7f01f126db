package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Record is what was written of one run.
type Record struct {
	Dir    string
	Header Header
	Lines  []Line
	// Cut is set when the last line was cut off, as after a power loss.
	Cut bool

	size int64  // bytes up to the last whole line
	last string // hash of the last whole line
}

// A BrokenError says that a record was changed after it was written.
type BrokenError struct {
	Dir  string
	Line int
	Why  string
}

func (e *BrokenError) Error() string {
	return fmt.Sprintf("record %s: line %d %s", e.Dir, e.Line, e.Why)
}

// Read reads a record and checks its chain. A cut-off last line is left out
// and said; any other fault is a [*BrokenError].
func Read(dir string) (*Record, error) {
	b, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return nil, fmt.Errorf("read record: %w", err)
	}
	r := &Record{Dir: dir}
	for len(b) > 0 {
		line, rest, whole := bytes.Cut(b, []byte("\n"))
		if !whole {
			r.Cut = true
			break
		}
		if err := r.take(append(line[:len(line):len(line)], '\n')); err != nil {
			return nil, err
		}
		b = rest
	}
	if len(r.Lines) == 0 {
		return nil, &BrokenError{Dir: dir, Line: 1, Why: "is no whole header: the run ended before it began"}
	}
	return r, nil
}

func (r *Record) take(line []byte) error {
	n := len(r.Lines) + 1
	var l Line
	if err := json.Unmarshal(line, &l); err != nil {
		return &BrokenError{Dir: r.Dir, Line: n, Why: "is no line of a record: " + err.Error()}
	}
	if l.N != n {
		return &BrokenError{Dir: r.Dir, Line: n, Why: fmt.Sprintf("says that it is line %d: lines were taken out, put in or moved", l.N)}
	}
	if l.Prev != r.last {
		return r.changed(n)
	}
	if n == 1 {
		if l.Kind != Opened || json.Unmarshal(l.Data, &r.Header) != nil {
			return &BrokenError{Dir: r.Dir, Line: n, Why: "is no header"}
		}
	}
	r.Lines = append(r.Lines, l)
	r.size += int64(len(line))
	r.last = hashLine(line)
	return nil
}

// changed names the line before n: n has another hash of it.
func (r *Record) changed(n int) error {
	const why = "was changed after it was written: line %d has another hash of it"
	if n == 1 {
		return &BrokenError{Dir: r.Dir, Line: 1, Why: "there were lines before it: the record was changed"}
	}
	before := r.Lines[n-2]
	what := string(before.Kind)
	if before.Step != "" {
		what += " of step " + before.Step
	}
	return &BrokenError{Dir: r.Dir, Line: n - 1, Why: "(" + what + ") " + fmt.Sprintf(why, n)}
}

// Head is the hash of the last whole line: whoever keeps it can tell later
// whether lines were taken off the end, or the last one was changed.
func (r *Record) Head() string { return r.last }

// Last is when the last line was written.
func (r *Record) Last() time.Time {
	return r.Lines[len(r.Lines)-1].At
}

// List returns the names of the runs under root, newest first.
func List(root string) ([]string, error) {
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list records: %w", err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") { // a draft never became a record
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	slices.Reverse(names)
	return names, nil
}
