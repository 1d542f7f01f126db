package build

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func module(t *testing.T, source string) Module {
	t.Helper()
	compiled, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(compiled))) // which would move with the next one
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module x\n\ngo 1.26\n", "go.sum": "", "main.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Module{Dir: dir, Name: "x", Takes: "a moment", Names: []string{"y"}}
}

func TestABinaryIsBuiltOnceForItsVersionAndGoesByAllItsNames(t *testing.T) {
	m := module(t, "package main\n\nfunc main() {}\n")
	var log bytes.Buffer
	dir, err := m.Build(t.Context(), &log)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "building x in "+m.Dir) || !strings.Contains(log.String(), "built x in") {
		t.Errorf("log: %q", log.String())
	}
	if !executable(filepath.Join(dir, "y")) {
		t.Error("it does not go by its second name")
	}
	log.Reset()
	if again, err := m.Build(t.Context(), &log); err != nil || again != dir || log.Len() > 0 {
		t.Errorf("the second time: %s, %v, log %q; want %s and silence", again, err, log.String(), dir)
	}
	if err := os.WriteFile(filepath.Join(m.Dir, "main.go"), []byte("package main\n\nfunc main() { println() }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if other, err := m.Build(t.Context(), &log); err != nil || other == dir {
		t.Errorf("another source: got %s, %v, want another folder", other, err)
	}
}

func TestABuildThatFailsSaysWhyAndLeavesNoBinary(t *testing.T) {
	m := module(t, "package main\n\nfunc main() { nothing() }\n")
	for range 2 {
		if _, err := m.Build(t.Context(), &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "undefined: nothing") {
			t.Errorf("got %v, want the compiler's word", err)
		}
	}
}

func TestAWantedVaultThatIsNotThereIsAnError(t *testing.T) {
	t.Setenv(VaultVariable, "no-such-vault")
	if _, _, err := FindVault(t.Context(), "", &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "no-such-vault") {
		t.Errorf("got %v", err)
	}
}
