package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"runbook/internal/ratio"
)

// BenchmarkStart is how long it takes until the first full frame of a runbook
// of 100 steps is on the terminal, with its record begun and no cluster, against
// kubectl saying its version. Both are programs that were built.
func BenchmarkStart(b *testing.B) {
	if _, err := exec.LookPath("kubectl"); err != nil {
		b.Skip("kubectl is not on the path: make kubectl builds it")
	}
	dir := b.TempDir()
	program := filepath.Join(dir, "runbook")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-trimpath", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	// Without kubectl in them, the steps need no cluster.
	book := bytes.ReplaceAll(ratio.Runbook(100), []byte("kubectl -n <namespace>"), []byte("helm"))
	book = bytes.ReplaceAll(book, []byte(`kubectl -n "$NAMESPACE" rollout status deployment/`), []byte("helm status "))
	book = bytes.ReplaceAll(book, []byte("expect: deployment/web"), []byte("expect: http://127.0.0.1:1/web"))
	book = bytes.ReplaceAll(book, []byte(" is ready\n-->"), []byte(" answers 200\n-->"))
	if err := os.WriteFile(filepath.Join(dir, "book.md"), book, 0o600); err != nil {
		b.Fatal(err)
	}
	b.Run("start to first full frame of 100 steps against kubectl version", func(b *testing.B) {
		var ours, theirs []time.Duration
		for b.Loop() {
			ours = append(ours, firstFrame(b, program, dir))
			start := time.Now()
			if err := exec.CommandContext(b.Context(), "kubectl", "version", "--client").Run(); err != nil {
				b.Fatal(err)
			}
			theirs = append(theirs, time.Since(start))
		}
		ratio.Report(b, 1, slices.Min(ours), slices.Min(theirs))
	})
}

// firstFrame starts the program and waits for the bottom line of its screen,
// which is drawn last.
func firstFrame(b *testing.B, program, dir string) time.Duration {
	cmd := exec.CommandContext(b.Context(), program, "book.md")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "KUBECONFIG="+os.DevNull, "VAULT_ADDR=", "TERM=xterm-256color", "XDG_STATE_HOME="+filepath.Join(dir, "state"))
	start := time.Now()
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 120, Rows: 40})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = terminal.Close()
	}()
	var seen []byte
	for buf := make([]byte, 64<<10); ; {
		n, err := terminal.Read(buf)
		seen = append(seen, buf[:n]...)
		if bytes.Contains(seen, []byte("quit")) {
			return time.Since(start)
		}
		if err != nil {
			b.Fatalf("%v after %q", err, seen)
		}
	}
}

// BenchmarkCommand is what somebody waits for at a prompt with a runbook of
// 2,000 steps, but for the start of the program.
func BenchmarkCommand(b *testing.B) {
	path := filepath.Join(b.TempDir(), "large.md")
	if err := os.WriteFile(path, ratio.Runbook(2000), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, args := range [][]string{{"steps", path, "-o", "json"}, {"lint", path}, {"print", path}} {
		b.Run("runbook "+args[0]+" of 2,000 steps", func(b *testing.B) {
			ratio.Within(b, time.Second, func() {
				a := &app{in: strings.NewReader(""), out: io.Discard, errOut: io.Discard, environ: os.Environ(), getwd: os.Getwd, now: time.Now}
				if code := a.run(append([]string{"runbook"}, args...)); code != 0 {
					b.Fatalf("runbook %s: exit %d", args[0], code)
				}
			})
		})
	}
}
