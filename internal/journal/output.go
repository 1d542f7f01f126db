package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

func outputKey(step string, block int) string { return fmt.Sprintf("%s.%d", step, block) }

// longestName keeps a file name below the 255 bytes that file systems take.
const longestName = 100

// outputName is the file for what a block prints on its n-th start, from 1.
func outputName(step string, block, n int) string {
	return fmt.Sprintf("%s.%d.%d.out", fileWord(step), block+1, n)
}

// fileWord makes the id of a step a part of a file name: an id comes from a
// document and may hold whatever a heading may hold. One that has to be changed
// gets a piece of its hash, so that two never share a file, not even where case
// makes no difference.
func fileWord(id string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '_'
	}, strings.ToLower(id))
	if safe == id && len(id) <= longestName && id != "" {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return safe[:min(len(safe), longestName)] + "~" + hex.EncodeToString(sum[:4])
}

// Output opens the file that gets everything a block prints; [Writer.Code] has
// been called for it.
func (w *Writer) Output(step string, block int) (io.WriteCloser, error) {
	key := outputKey(step, block)
	w.mu.Lock()
	name := outputName(step, block, w.outputs[key])
	delete(w.sums, key)
	w.mu.Unlock()
	f, err := os.OpenFile(filepath.Join(w.dir, name), os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("record output of step %s: %w", step, err)
	}
	return &output{f: f, name: name, room: w.room, sum: sha256.New(), done: func(sum string) {
		w.mu.Lock()
		w.sums[key] = sum
		w.mu.Unlock()
	}}, nil
}

// An output is an output file with the sum of what was written to it.
type output struct {
	f       *os.File
	name    string // of the file, in the record's folder
	total   string // the sum of all of it, once it is closed
	room    room
	sum     hash.Hash
	done    func(sum string)
	size    int64
	checked int64 // size when the disk was last looked at
	err     error // the end was written: nothing may follow it
}

// A room is how much of its disk an output may take: a command that never stops
// printing must not take it from the record, nor from anybody else.
type room struct {
	slice   int64  // bytes that are recorded without a look at the disk
	reserve uint64 // bytes that are left free
	free    func(*os.File) (uint64, error)
}

// usualRoom takes all of nearly every output without a look.
func usualRoom() room { return room{slice: 64 << 20, reserve: 1 << 30, free: freeSpace} }

// outputEnds is the last line of an output that was too much for its disk.
const outputEnds = "\n[runbook: the record of this output ends here, because the disk is nearly full; the command went on]\n"

var errDiskReserve = errors.New("less than 1 GiB is left on its disk, and the output is long: what follows is not recorded")

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	if o.size-o.checked >= o.room.slice {
		o.checked = o.size
		if free, err := o.room.free(o.f); err == nil && free < o.room.reserve {
			_, _ = o.write([]byte(outputEnds)) // it ends here, said or not
			o.err = fmt.Errorf("record output: %w", errDiskReserve)
			return 0, o.err
		}
	}
	return o.write(p)
}

func (o *output) write(p []byte) (int, error) {
	n, err := o.f.Write(p)
	o.sum.Write(p[:n])
	o.size += int64(n)
	return n, err
}

// freeSpace returns how many bytes this user can still write beside a file.
func freeSpace(f *os.File) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &s); err != nil {
		return 0, err
	}
	return s.Bavail * uint64(s.Bsize), nil
}

// Close returns once everything is on disk.
func (o *output) Close() error {
	if err := errors.Join(o.f.Sync(), o.f.Close()); err != nil {
		return fmt.Errorf("record output: %w", err)
	}
	o.total = hex.EncodeToString(o.sum.Sum(nil))
	o.done(o.total)
	return nil
}
