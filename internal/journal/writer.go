package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"runbook/internal/redact"
)

// file is the name of the record in its folder.
const file = "run.jsonl"

// A disk is the file behind a record.
type disk interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// A Writer appends to one record. It holds the record's lock: a second process
// on the same run is refused.
type Writer struct {
	dir    string
	now    func() time.Time
	redact *redact.Redactor
	room   room // for outputs

	mu      sync.Mutex
	f       disk
	n       int
	prev    string
	size    int64
	torn    bool              // a line that couldn't be written whole may still be there
	outputs map[string]int    // how often a block of a step has been opened
	sums    map[string]string // of the output of a block, once it is complete
}

// ErrInUse says that another process is walking the same run.
var ErrInUse = errors.New("another process is walking this run")

// ErrOther says that a record is somebody else's.
var ErrOther = errors.New("it belongs to another user, who alone can go on with it")

// Create starts a record under root and writes its header. The folder gets the
// name of the run only once the header is on disk, so that every record that
// is there can be read.
func Create(root string, h Header, r *redact.Redactor, now func() time.Time) (*Writer, error) {
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, fmt.Errorf("create record: %w", err)
	}
	dir := filepath.Join(root, h.Run)
	if _, err := os.Lstat(dir); err == nil {
		return nil, fmt.Errorf("create record: %s is there already", dir)
	}
	draft, err := os.MkdirTemp(root, ".new-") // 0700, whatever the umask
	if err != nil {
		return nil, fmt.Errorf("create record: %w", err)
	}
	w, err := begin(draft, dir, h, r, now)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(draft))
	}
	return w, nil
}

func begin(draft, dir string, h Header, r *redact.Redactor, now func() time.Time) (*Writer, error) {
	w, err := open(draft, r, now, os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, err
	}
	err = w.append(Opened, "", h.clean(r))
	if err == nil {
		err = errors.Join(os.Rename(draft, dir), syncDir(filepath.Dir(dir)))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("create record: %w", err), w.f.Close())
	}
	w.dir = dir
	return w, nil
}

// syncDir makes the names in a folder survive a power loss.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Continue opens a record for more. A last line that was cut off by a crash is
// removed first, and what is left is checked.
func Continue(dir string, who ResumeData, r *redact.Redactor, now func() time.Time) (*Writer, error) {
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
		var c CodeData
		if l.Kind == Code && json.Unmarshal(l.Data, &c) == nil {
			w.outputs[outputKey(l.Step, c.Block)]++
		}
	}
	if err := w.append(Resumed, "", who); err != nil {
		return nil, errors.Join(err, w.f.Close())
	}
	return w, nil
}

func open(dir string, r *redact.Redactor, now func() time.Time, flag int) (*Writer, error) {
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_RDWR|os.O_APPEND|flag, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open record: %w", err)
	}
	if err := mine(f); err != nil {
		return nil, errors.Join(fmt.Errorf("open record %s: %w", dir, err), f.Close())
	}
	if err := lock(f, unix.LOCK_EX); err != nil {
		return nil, errors.Join(fmt.Errorf("open record %s: %w", dir, err), f.Close())
	}
	return &Writer{dir: dir, now: now, redact: r, room: usualRoom(), f: f, outputs: map[string]int{}, sums: map[string]string{}}, nil
}

// mine refuses a record of another user: what is written into it would be ours,
// and its owner could neither read it nor go on.
func mine(f *os.File) error {
	var info unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &info); err != nil {
		return err
	}
	if int(info.Uid) != os.Geteuid() {
		return fmt.Errorf("%w (uid %d)", ErrOther, info.Uid)
	}
	return nil
}

func lock(f *os.File, how int) error {
	err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrInUse
	}
	return err
}

// InUse tells whether a process is walking the run right now.
func InUse(dir string) bool {
	f, err := os.Open(filepath.Join(dir, file))
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // nothing was written; it also gives the lock back
	return errors.Is(lock(f, unix.LOCK_SH), ErrInUse)
}

// Dir is the folder of the record.
func (w *Writer) Dir() string { return w.dir }

// Run is the name of the run.
func (w *Writer) Run() string { return filepath.Base(w.dir) }

// append writes one line and syncs it. A line that isn't safely on disk is
// taken back, so that the record stays readable and says nothing that its
// writer was told it doesn't.
func (w *Writer) append(k Kind, step string, data any) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	b, err := w.line(k, step, data)
	if err != nil {
		return fmt.Errorf("write record: %w", err)
	}
	if w.torn {
		if err := w.takeBack(); err != nil {
			return err
		}
	}
	_, err = w.f.Write(b)
	if err == nil {
		err = w.f.Sync()
	}
	if err != nil {
		w.torn = true
		return errors.Join(w.failed("write", err), w.takeBack())
	}
	w.n, w.prev, w.size = w.n+1, hashLine(b), w.size+int64(len(b))
	return nil
}

// failed names the file as it is called now: the first line was written under
// another name.
func (w *Writer) failed(what string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s %s: %w", what, filepath.Join(w.dir, file), err)
}

func (w *Writer) line(k Kind, step string, data any) ([]byte, error) {
	l := Line{N: w.n + 1, Prev: w.prev, At: w.now().UTC(), Kind: k, Step: step}
	if data != nil {
		raw, err := json.Marshal(data)
		if err != nil {
			return nil, err
		}
		l.Data = raw
	}
	b, err := json.Marshal(l)
	return append(b, '\n'), err
}

// takeBack removes what was written of a line that failed.
func (w *Writer) takeBack() error {
	if err := w.f.Truncate(w.size); err != nil {
		return w.failed("take a line back in", err)
	}
	w.torn = false
	return nil
}

func hashLine(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// Close ends the record in order.
func (w *Writer) Close() error {
	return errors.Join(w.append(Closed, "", nil), w.f.Close())
}
