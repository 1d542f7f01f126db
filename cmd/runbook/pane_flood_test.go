package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"runbook/internal/redact"
)

// mostMemory is what the program may ever take, in bytes, whatever a step
// prints.
const mostMemory = 100 << 20

// floodPatience is when a step that prints is taken to hang.
const floodPatience = 30 * time.Second

// floods are steps that print more than anybody reads. n is their size in
// millions of what they count.
var floods = []struct {
	name        string
	code        string // with the size as %d
	small, full int
	whole       func(t *testing.T, record io.Reader, n int) // checks that the record has it all
}{
	{"short lines", "seq 1 %d000000", 2, 20, countsUpTo},
	{"random bytes", "stty -echo; cat random; : %d", 8, 1000, cleaned}, // what asks the terminal is answered
	{"one line without an end", "head -c %d000000 /dev/zero | tr '\\0' x", 5, 100, onlyX},
}

func TestAFloodTakesNoMemoryAndNoKeysAndLosesNothing(t *testing.T) {
	for _, f := range floods {
		t.Run(f.name, func(t *testing.T) {
			n := size(f.small, f.full)
			s := prepareSeat(t, "until [ -e go ]; do sleep 0.02; done\n"+fmt.Sprintf(f.code, n)+"\necho; echo over=$((6*7)).")
			program := s.inShell("runbook")
			s.enters()
			s.WaitFor("ctrl+c stop")
			writeRandom(t, filepath.Join(s.dir, "random"), n)
			s.writes("go", "")
			s.keysAreAlive()
			s.waitLong("over=42.")
			s.tookLittle(program())
			s.WaitGone("ctrl+c stop")
			s.Type("qq")
			s.WaitFor("runbook: ")
			out := s.output()
			defer func() { _ = out.Close() }() // only read
			f.whole(t, out, n)
		})
	}
}

// P11: what never ends by itself ends with one key, and all of it.
func TestAFloodWithoutEndStopsAtOnce(t *testing.T) {
	s := prepareSeat(t, "echo front=$$.; yes & yes 'and another line'")
	program := s.inShell("runbook")
	s.enters()
	s.WaitFor("and another line")
	s.keysAreAlive()
	enough := int64(size(2, 2000)) * 1_000_000
	s.during("the record is small", func() bool { return s.recorded() > enough })
	children := descendants(t, program())
	if len(children) < 4 {
		t.Fatalf("%d processes run, want the keeper, its guard, a shell and two of yes", len(children))
	}
	s.Type("\x03")
	s.WaitGone("ctrl+c stop")
	s.tookLittle(program())
	for _, pid := range children {
		dies(t, "a process of the step", pid)
	}
}

// keysAreAlive presses keys and waits for what they bring up.
func (s *seat) keysAreAlive() {
	s.t.Helper()
	for range 3 {
		s.Type("?")
		s.WaitFor("Looking around")
		s.Type("\x1b")
		s.WaitGone("Looking around")
	}
}

// tookLittle checks the peak of the memory that a process has had.
func (s *seat) tookLittle(pid int) {
	s.t.Helper()
	kb := s.peak(pid)
	s.t.Logf("peak of memory: %d MB", kb>>10)
	if kb<<10 > mostMemory && !slowed { // the race detector needs several times as much
		s.t.Errorf("peak of memory %d MB, want no more than %d MB", kb>>10, mostMemory>>20)
	}
}

// countsUpTo checks that every number is there, in its order.
func countsUpTo(t *testing.T, record io.Reader, millions int) {
	t.Helper()
	in := bufio.NewScanner(record)
	for i := 1; i <= millions*1_000_000; i++ {
		if !in.Scan() || in.Text() != strconv.Itoa(i) {
			t.Fatalf("line %d of the record is %q", i, in.Text())
		}
	}
}

// writeRandom writes bytes that look random and are the same each time.
func writeRandom(t *testing.T, path string, millions int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.CopyN(f, rand.NewChaCha8([32]byte{}), int64(millions)*1_000_000)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// cleaned checks that the record has what is left of random bytes behind a
// terminal that ends lines its way, and the filter for what may be shown.
func cleaned(t *testing.T, record io.Reader, millions int) {
	t.Helper()
	want, w := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		clean := redact.New().Writer(w)
		buf := make([]byte, 1<<20)
		in := io.LimitReader(rand.NewChaCha8([32]byte{}), int64(millions)*1_000_000)
		for n, err := in.Read(buf); err == nil; n, err = in.Read(buf) {
			_, _ = clean.Write(bytes.ReplaceAll(buf[:n], []byte("\n"), []byte("\r\n"))) // the reader says when it has enough
		}
		_, _ = io.WriteString(clean, "\r\nover=42.\r\n")
		_ = clean.Flush()
		_ = w.Close()
	}()
	defer func() { _ = want.Close(); <-done }()
	a, b := bufio.NewReaderSize(record, 1<<20), bufio.NewReaderSize(want, 1<<20)
	for at := 0; ; at++ {
		x, errX := a.ReadByte()
		y, errY := b.ReadByte()
		if x != y || errX != errY {
			rest, _ := a.Peek(60)
			other, _ := b.Peek(60)
			t.Fatalf("the record differs at byte %d: %q %v, want %q %v", at, rest, errX, other, errY)
		}
		if errX != nil {
			return
		}
	}
}

// onlyX checks that one long line is there whole.
func onlyX(t *testing.T, record io.Reader, millions int) {
	t.Helper()
	in := bufio.NewReaderSize(record, 1<<20)
	n := 0
	for {
		chunk, err := in.ReadSlice('\n')
		line := bytes.TrimRight(chunk, "\r\n")
		if len(bytes.Trim(line, "x")) > 0 {
			t.Fatalf("there is something else after %d bytes: %.40q", n, bytes.Trim(line, "x"))
		}
		n += len(line)
		if err != bufio.ErrBufferFull {
			break
		}
	}
	if want := millions * 1_000_000; n != want {
		t.Errorf("%d bytes of the line are recorded, want %d", n, want)
	}
}

// descendants are the processes below one, without those of its own session.
func descendants(t *testing.T, root int) (pids []int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		t.Skip("no /proc here: the tree isn't known")
	}
	parents, sessions := map[int]int{}, map[int]string{}
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended meanwhile
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		parents[pid], _ = strconv.Atoi(fields[1])
		sessions[pid] = fields[3]
	}
	below := map[int]bool{root: true}
	for before := 0; before != len(below); {
		before = len(below)
		for pid, parent := range parents {
			if below[parent] {
				below[pid] = true
			}
		}
	}
	for pid := range below {
		if sessions[pid] != sessions[root] {
			pids = append(pids, pid)
		}
	}
	return pids
}
