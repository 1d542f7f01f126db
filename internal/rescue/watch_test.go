package rescue

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// watch gives the watcher what a program says on its standard error, and returns
// what it says then, and the details that it writes.
func watch(t *testing.T, said string) (line, details string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "state")
	cmd := exec.Command("sh", "-c", watchScript, "runbook-watch", "ORDER", folder, "runbook v1")
	cmd.Stdin = strings.NewReader(said)
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*"))
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		details += string(text)
	}
	return strings.ReplaceAll(out.String(), folder, "DIR"), details
}

const trace = "goroutine 7 gp=0xc000 m=1 [running]:\n" +
	"panic({0x1, 0x2})\n\t/go/src/runtime/panic.go:9 +0x1\n" +
	"runbook/internal/engine.(*Engine).carry(0xc000123, {0x68756e746572, 0x2}, ...)\n\t/src/engine/carry.go:12 +0x1d\n" +
	"created by runbook/internal/engine.New in goroutine 1\n\t/src/engine/engine.go:80 +0x2\n"

func TestThePersonIsToldInOneLineAndTheDetailsHoldNoValues(t *testing.T) {
	const secret = "hunter2"
	kept := "goroutine 7 gp=0xc000 m=1 [running]:\npanic\n\t/go/src/runtime/panic.go:9 +0x1\nrunbook/internal/engine.(*Engine).carry\n\t/src/engine/carry.go:12 +0x1d\n" +
		"created by runbook/internal/engine.New in goroutine 1\n\t/src/engine/engine.go:80 +0x2\n"
	for _, c := range []struct {
		name, said, line, details string
	}{
		{"the end of it in order", "\nORDER taken\nsome log\n\nORDER left\n\nORDER bye\n", "", ""},
		{"killed", "\nORDER run runbook resume X\n", "runbook: it was killed; to go on: runbook resume X\n", ""},
		{"killed without a run", "", "runbook: it was killed\n", ""},
		{"a log that isn't in the way is passed on", "a warning\n\nORDER bye\n", "a warning\n", ""},
		{"a log that would tear the screen is not", "\nORDER taken\na warning\n\nORDER bye\n", "", ""},
		{"a panic with a value", "panic: " + secret + "\nsecond line " + secret + "\n\n" + trace, "runbook: it broke: a panic in runbook/internal/engine.(*Engine).carry; details, for you only: FILE\n", "runbook v1\na panic\n" + kept},
		{"a panic of the runtime", "panic: runtime error: index out of range [3] with length 1\n\n" + trace, "runbook: it broke: runtime error: index out of range [3] with length 1 in runbook/internal/engine.(*Engine).carry; details, for you only: FILE\n", "runbook v1\nruntime error: index out of range [3] with length 1\n" + kept},
		{"a fatal error", "fatal error: concurrent map writes\n\n" + trace, "runbook: it broke: concurrent map writes in runbook/internal/engine.(*Engine).carry; details, for you only: FILE\n", "runbook v1\nconcurrent map writes\n" + kept},
		{"a panic that was caught", "Caught panic:\r\n\r\n" + secret + "\r\n\r\nRestoring terminal...\r\n\r\n" + strings.ReplaceAll(trace, "\n", "\r\n") + "\nORDER broke\n", "runbook: it broke: a panic in runbook/internal/engine.(*Engine).carry; details, for you only: FILE\n", "runbook v1\na panic\n" + kept},
		{"a helper that holds on to standard error", "\nORDER bye\nlate words of a helper\n", "", ""},
		{"a program that forges an order", "OTHER bye\nORDER\n", "OTHER bye\nORDER\nrunbook: it was killed\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			line, details := watch(t, c.said)
			if i, j := strings.Index(line, "DIR/"), strings.Index(line, ".txt"); i >= 0 && j > i {
				line = line[:i] + "FILE" + line[j+len(".txt"):]
			}
			if line != c.line {
				t.Errorf("said %q, want %q", line, c.line)
			}
			if details != c.details {
				t.Errorf("details %q, want %q", details, c.details)
			}
		})
	}
}

func TestOnlyAPrivateFolderThatNobodyUsesIsCleared(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("who uses a folder can't be seen here")
	}
	for name, c := range map[string]struct {
		folder, last string
		mode         os.FileMode
		gone         bool
	}{
		"after a kill":         {"runbook-1", "", 0o700, true},
		"with blanks":          {"runbook-a b  c", "", 0o700, true},
		"after a panic":        {"runbook-2", "\nORDER broke\n", 0o700, true},
		"after an end":         {"runbook-3", "\nORDER bye\n", 0o700, false},
		"that others may read": {"runbook-4", "", 0o755, false},
		"of another name":      {"other", "", 0o700, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), c.folder)
			if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "kubeconfig"), nil, 0o600), os.Chmod(dir, c.mode)); err != nil {
				t.Fatal(err)
			}
			watch(t, "\nORDER private r-none "+dir+"\n"+c.last)
			if _, err := os.Stat(dir); (err != nil) != c.gone {
				t.Errorf("gone: %v, want %v", err != nil, c.gone)
			}
		})
	}
	t.Run("a link", func(t *testing.T) {
		dir := t.TempDir()
		link := filepath.Join(dir, "runbook-link")
		kept := filepath.Join(dir, "kept")
		if err := errors.Join(os.Mkdir(kept, 0o700), os.Symlink(kept, link)); err != nil {
			t.Fatal(err)
		}
		watch(t, "\nORDER private r-none "+link+"\n")
		if _, err := os.Stat(kept); err != nil {
			t.Error(err)
		}
	})
}

func TestDetailsThatCannotBeWrittenAreNoReasonToSayNothing(t *testing.T) {
	cmd := exec.Command("sh", "-c", watchScript, "runbook-watch", "ORDER", "/dev/null/nowhere", "runbook v1")
	cmd.Stdin = strings.NewReader("panic: x\n\n" + trace)
	out, err := cmd.CombinedOutput()
	if want := "runbook: it broke: a panic in runbook/internal/engine.(*Engine).carry\n"; err != nil || string(out) != want {
		t.Errorf("said %q, %v, want %q", out, err, want)
	}
}

// asProgram makes the test binary a program that is watched over.
const asProgram = "RUNBOOK_RESCUE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(watchedProgram())
	}
	os.Exit(m.Run())
}

// watchedProgram leaves a helper behind that holds its standard error, and ends.
func watchedProgram() int {
	w, err := Start(Options{Folder: os.Getenv(asProgram), Program: "runbook v1"})
	if err != nil {
		return 1
	}
	helper := exec.Command("sleep", "1000")
	helper.Stderr = os.Stderr
	if err := helper.Start(); err != nil {
		return 1
	}
	_, _ = fmt.Fprintln(os.Stderr, "a library says")
	_, _ = fmt.Fprintf(w.Stderr(), "the program says, helper=%d\n", helper.Process.Pid)
	w.Close()
	w.Close()
	_, _ = fmt.Fprintln(os.Stderr, "afterwards")
	return 0
}

func TestNobodyWaitsForAHelperThatOutlivesTheProgram(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), asProgram+"="+t.TempDir())
	said, err := os.Create(filepath.Join(t.TempDir(), "said"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = said
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(said.Name())
	if err != nil {
		t.Fatal(err)
	}
	_, pid, found := strings.Cut(string(text), "helper=")
	pid, rest, _ := strings.Cut(pid, "\n")
	if n, err := strconv.Atoi(pid); err == nil {
		_ = syscall.Kill(n, syscall.SIGKILL)
	}
	if !found || !strings.Contains(string(text), "a library says\n") || !strings.HasSuffix(rest, "afterwards\n") {
		t.Errorf("said %q", text)
	}
}
