package shell

import (
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"
)

// A counter counts and forgets, as a record on a disk would.
type counter struct {
	mu   sync.Mutex
	n    int64
	sum  uint32
	tail []byte
}

func (c *counter) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += int64(len(p))
	c.sum = crc32.Update(c.sum, crc32.IEEETable, p)
	c.tail = append(c.tail[:0], p[max(0, len(p)-16):]...)
	return len(p), nil
}

// P28: however much comes, memory stays bounded and the record has it all.
func TestMemoryStaysBoundedInAFlood(t *testing.T) {
	if testing.Short() {
		t.Skip("prints much")
	}
	for name, code := range map[string]string{
		"yes":      "yes | head -c $((4000000 * SIZE))",
		"one line": "head -c $((8000000 * SIZE)) /dev/zero | tr '\\0' x",
		"random":   "head -c $((4000000 * SIZE)) /dev/urandom",
		"progress": `awk 'BEGIN { for (i = 0; i < 100000 * ENVIRON["SIZE"]; i++) printf "%d%% of the way, in colour \033[3%dm*\033[0m\r", i, i % 8 }'`,
		"screens":  `awk 'BEGIN { printf "\033[?1049h"; for (i = 0; i < 100000 * ENVIRON["SIZE"]; i++) printf "\033[%d;1Hrow %d token: x\n", i % 24, i; printf "\033[?1049l" }'`,
	} {
		for _, pipe := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/pipe=%v", name, pipe), func(t *testing.T) {
				env := []string{"SIZE=1"}
				if pipe { // much faster
					env = []string{"SIZE=4"}
				}
				s := open(t, Options{})
				var rec counter
				p := start(t, s, Command{Code: code, Env: env, Pipe: pipe, Record: &rec})
				peak := heap()
				for open := true; open; {
					_, open = <-p.Dirty()
					p.Lines()
					p.Screen(80, 24)
					peak = max(peak, heap())
				}
				res := wait(t, p)
				if peak > 64<<20 {
					t.Errorf("%d MB of heap", peak>>20)
				}
				if res.Exit != 0 || res.Bytes == 0 || rec.n < res.Bytes/4 {
					t.Errorf("%d bytes, %d recorded, exit %d", res.Bytes, rec.n, res.Exit)
				}
				if strings.HasPrefix(name, "yes") && pipe && rec.n != res.Bytes {
					t.Errorf("%d of %d bytes recorded", rec.n, res.Bytes)
				}
			})
		}
	}
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

func TestTheEndOfAFloodIsOnTheScreen(t *testing.T) {
	s := open(t, Options{})
	p := start(t, s, Command{Code: "seq 1 300000; echo the end"})
	wait(t, p)
	see(t, p, "the end")
	lines, dropped := p.Lines()
	if len(lines) != ringLines || dropped != 300001-ringLines || lines[len(lines)-1] != "the end" || lines[len(lines)-2] != "300000" {
		t.Errorf("%d lines, %d dropped, last %q", len(lines), dropped, lines[len(lines)-2:])
	}
	if sc := p.Screen(80, 24); sc.Lines[len(sc.Lines)-2] != "the end" {
		t.Errorf("screen ends with %q", sc.Lines[len(sc.Lines)-3:])
	}
}

func TestRingKeepsTheLastLines(t *testing.T) {
	var r ring
	for i := range ringLines + 5 {
		fmt.Fprintf(&r, "line %d\n", i)
		if i%1000 == 0 {
			r.snapshot()
		}
	}
	_, _ = r.Write([]byte("unfinished"))
	lines, gone := r.snapshot()
	if gone != 5 || lines[0] != "line 5" || lines[len(lines)-1] != "unfinished" {
		t.Errorf("%d gone, first %q, last %q", gone, lines[0], lines[len(lines)-1])
	}
	_, _ = r.Write([]byte(" now finished\nx\r\ny\rz\r\n\r\n"))
	lines, _ = r.snapshot()
	if got := strings.Join(lines[len(lines)-4:], "|"); got != "unfinished now finished|x|z|" {
		t.Errorf("got %q", got)
	}
	_, _ = r.Write([]byte("\x1b[31mred\n"))
	if lines, _ = r.snapshot(); lines[len(lines)-1] != "\x1b[31mred\x1b[m" {
		t.Errorf("got %q", lines[len(lines)-1])
	}
	_, _ = r.Write([]byte(strings.Repeat("long", ringBytes)))
	lines, _ = r.snapshot()
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "… long") || len(last) > lineBytes+20 {
		t.Errorf("a long line is kept with %d bytes", len(last))
	}
}

func TestAScreenIsCutAroundItsCursor(t *testing.T) {
	s := Screen{Lines: []string{"one", "two", "\x1b[31mthree\x1b[0m", "", ""}, CursorY: 2}
	got := s.crop(3, 2)
	if len(got.Lines) != 2 || got.Lines[0] != "two" || got.Lines[1] != "\x1b[31mthr\x1b[0m" || got.CursorY != 1 {
		t.Errorf("got %+v", got)
	}
	if len(s.Lines) != 5 {
		t.Error("the original was changed")
	}
}

func TestWhatIsNotDrawnLeavesItsModesBehind(t *testing.T) {
	flood := "\x1b[?1049h\x1b[31m" + strings.Repeat("text\r\n", 2*backlog) + "end"
	got := string(shorten([]byte(flood), 2))
	if got != "\x1b[?1049h\x1b[31mtext\r\nend" {
		t.Errorf("%d bytes: %.40q", len(got), got)
	}
}

// The goal is at least half of what a loop gets that only reads.
func BenchmarkThroughput(b *testing.B) {
	const size = 50_000_000
	for name, code := range map[string]string{
		"log": fmt.Sprintf("yes '2026-11-30T20:00:00Z INFO object synced namespace=prod name=web-7c9d' | head -c %d", size),
		"yes": fmt.Sprintf("yes | head -c %d", size),
	} {
		b.Run(name+"/bare", func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				f, err := pty.Start(exec.Command("bash", "-c", code))
				if err != nil {
					b.Fatal(err)
				}
				_, _ = io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{f}, make([]byte, 64<<10))
				_ = f.Close()
			}
		})
		b.Run(name+"/process", func(b *testing.B) {
			s := open(b, Options{Redactor: redactor("a-secret-value", "another-secret-value")})
			b.SetBytes(size)
			for b.Loop() {
				rec, err := os.Create(filepath.Join(b.TempDir(), "record"))
				if err != nil {
					b.Fatal(err)
				}
				p := start(b, s, Command{Code: code, Record: rec})
				for range p.Dirty() {
					p.Screen(80, 24)
				}
				p.Wait()
				_ = rec.Close()
				_ = os.Remove(rec.Name())
			}
		})
	}
}

// BenchmarkStep is what a command costs that does nothing.
func BenchmarkStep(b *testing.B) {
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			_ = exec.Command("bash", "-c", "true").Run()
		}
	})
	b.Run("process", func(b *testing.B) {
		s := open(b, Options{})
		for b.Loop() {
			start(b, s, Command{Code: "true"}).Wait()
		}
	})
}
