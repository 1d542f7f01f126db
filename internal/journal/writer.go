package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"runbook/internal/redact"
)

// file is the name of the record in its folder.
const file = "run.jsonl"

// A Writer appends to one record. It holds the record's lock: a second process
// on the same run is refused.
type Writer struct {
	dir    string
	now    func() time.Time
	redact *redact.Redactor

	mu      sync.Mutex
	f       *os.File
	n       int
	prev    string
	size    int64
	outputs map[string]int // how often a block of a step has been opened
}

// ErrInUse says that another process is walking the same run.
var ErrInUse = errors.New("another process is walking this run")

// Create starts a record under root and writes its header. The name of the run
// is made from the time and the runbook's name, and is in the header.
func Create(root string, h Header, r *redact.Redactor, now func() time.Time) (*Writer, error) {
	dir := filepath.Join(root, h.Run)
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, fmt.Errorf("create record: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create record: %w", err)
	}
	w, err := open(dir, r, now, os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, err
	}
	if err := w.append(Opened, "", h); err != nil {
		return nil, errors.Join(err, w.f.Close())
	}
	return w, nil
}

// Continue opens a record for more. A last line that was cut off by a crash is
// removed first, and what is left is checked.
func Continue(dir string, r *redact.Redactor, now func() time.Time) (*Writer, error) {
	w, err := open(dir, r, now, 0)
	if err != nil {
		return nil, err
	}
	rec, err := Read(dir)
	if err != nil {
		return nil, errors.Join(err, w.f.Close())
	}
	if err := w.f.Truncate(rec.size); err != nil {
		return nil, errors.Join(fmt.Errorf("continue record %s: %w", dir, err), w.f.Close())
	}
	w.n, w.prev, w.size = len(rec.Lines), rec.last, rec.size
	for _, l := range rec.Lines {
		if l.Kind == Code {
			var c CodeData
			if json.Unmarshal(l.Data, &c) == nil {
				w.outputs[outputKey(l.Step, c.Block)]++
			}
		}
	}
	return w, w.append(Resumed, "", nil)
}

func open(dir string, r *redact.Redactor, now func() time.Time, flag int) (*Writer, error) {
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_RDWR|os.O_APPEND|flag, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open record: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = ErrInUse
		}
		return nil, errors.Join(fmt.Errorf("open record %s: %w", dir, err), f.Close())
	}
	return &Writer{dir: dir, now: now, redact: r, f: f, outputs: map[string]int{}}, nil
}

// Dir is the folder of the record.
func (w *Writer) Dir() string { return w.dir }

// append writes one line and syncs it. A line that can't be written whole is
// taken back, so that the record stays readable.
func (w *Writer) append(k Kind, step string, data any) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := Line{N: w.n + 1, Prev: w.prev, At: w.now().UTC(), Kind: k, Step: step}
	if data != nil {
		raw, err := json.Marshal(data)
		if err != nil {
			return fmt.Errorf("write record: %w", err)
		}
		l.Data = raw
	}
	b, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("write record: %w", err)
	}
	b = append(b, '\n')
	if _, err := w.f.Write(b); err != nil {
		return errors.Join(fmt.Errorf("write record: %w", err), w.f.Truncate(w.size))
	}
	if err := w.f.Sync(); err != nil {
		return fmt.Errorf("write record: %w", err)
	}
	w.n, w.prev, w.size = l.N, hash(b), w.size+int64(len(b))
	return nil
}

func hash(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// Close ends the record in order.
func (w *Writer) Close() error {
	return errors.Join(w.append(Closed, "", nil), w.f.Close())
}

func outputKey(step string, block int) string { return fmt.Sprintf("%s.%d", step, block) }

// outputName is the file for what a block prints on its n-th start, from 1.
func outputName(step string, block, n int) string {
	return fmt.Sprintf("%s.%d.%d.out", step, block+1, n)
}

// Output opens the file that gets everything a block prints; [Writer.Code] has
// been called for it.
func (w *Writer) Output(step string, block int) (io.WriteCloser, error) {
	w.mu.Lock()
	name := outputName(step, block, w.outputs[outputKey(step, block)])
	w.mu.Unlock()
	f, err := os.OpenFile(filepath.Join(w.dir, name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("record output of step %s: %w", step, err)
	}
	return f, nil
}
