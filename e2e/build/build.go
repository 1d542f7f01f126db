package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
)

// A Module is a folder with a go.mod of its own whose main package is a server.
type Module struct {
	Dir   string   // of the module
	Name  string   // of the binary
	Takes string   // what a first build costs, for the person who waits
	Names []string // other names by which the binary goes
	Links string   // flags of the linker
}

// Kube is etcd, kube-apiserver, kube-controller-manager and kubectl in one; root is the folder of the e2e module.
func Kube(root string) Module {
	return Module{
		Dir: filepath.Join(root, "kube"), Name: "kube", Takes: "about 13 minutes on two cores",
		// What a release build says of itself; from its module alone it is of version 0.
		Links: "-X k8s.io/component-base/version.gitVersion=v1.37.2 -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=37",
		Names: []string{"etcd", "kube-apiserver", "kube-controller-manager", "kubectl"},
	}
}

// Vault is the real Vault; root is the folder of the e2e module.
func Vault(root string) Module {
	return Module{Dir: filepath.Join(root, "vault"), Name: "vault", Takes: "about 5 minutes on two cores"}
}

// Build returns the folder in which the module's binary stands under each of its names, and builds it first when the
// cache has none of this version. Several processes may ask at once: one builds and the others wait.
func (m Module) Build(ctx context.Context, log io.Writer) (string, error) {
	key, err := m.key()
	if err != nil {
		return "", fmt.Errorf("build %s: %w", m.Name, err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("build %s: %w", m.Name, err)
	}
	dir := filepath.Join(cache, "runbook-e2e", m.Name+"-"+key)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("build %s: %w", m.Name, err)
	}
	unlock, err := lock(filepath.Join(dir, "lock"))
	if err != nil {
		return "", fmt.Errorf("build %s: %w", m.Name, err)
	}
	defer unlock()
	binary := filepath.Join(dir, m.Name)
	if _, err := os.Stat(binary); err == nil {
		return dir, nil
	}
	if err := m.compile(ctx, dir, log); err != nil {
		return "", fmt.Errorf("build %s: %w", m.Name, err)
	}
	return dir, nil
}

// key names what the binary is made of: the sources of the module, the versions of all others, and the toolchain.
func (m Module) key() (string, error) {
	files, err := filepath.Glob(filepath.Join(m.Dir, "*.go"))
	if err != nil {
		return "", err
	}
	files = append(files, filepath.Join(m.Dir, "go.mod"), filepath.Join(m.Dir, "go.sum"))
	slices.Sort(files)
	sum := sha256.New()
	fmt.Fprintln(sum, runtime.Version(), runtime.GOOS, runtime.GOARCH, m.Links)
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(sum, filepath.Base(f), len(raw))
		sum.Write(raw)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16], nil
}

// lock waits for a file that only one process may hold.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return func() { _ = f.Close() }, nil // which also gives the lock back
}

// compile builds beside the place where the binary belongs, so that a build which is broken off leaves none.
func (m Module) compile(ctx context.Context, dir string, log io.Writer) error {
	fresh := filepath.Join(dir, m.Name+".new")
	cmd := exec.CommandContext(ctx, "go", "build", "-v", "-trimpath", "-buildvcs=false", "-ldflags=-s -w "+m.Links, "-o", fresh, ".")
	cmd.Dir = m.Dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if err := m.follow(ctx, cmd, log); err != nil {
		return err
	}
	for _, name := range m.Names {
		if err := os.Symlink(m.Name, filepath.Join(dir, name)); err != nil && !os.IsExist(err) {
			return err
		}
	}
	return os.Rename(fresh, filepath.Join(dir, m.Name))
}
