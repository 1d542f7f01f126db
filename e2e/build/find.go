package build

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// Assets is the variable of controller-runtime's envtest that names a folder with etcd, kube-apiserver and kubectl.
const Assets = "KUBEBUILDER_ASSETS"

// VaultVariable says which Vault is wanted: the name of a program on the path (vault, bao), or a path. Empty is the one
// that is built.
const VaultVariable = "RUNBOOK_E2E_VAULT"

// ControlPlane are the paths of the programs that make a control plane.
type ControlPlane struct {
	Etcd, APIServer, Controllers, Kubectl string
}

// FindControlPlane takes the programs from the folder of Assets when it is set, and builds what isn't there.
func FindControlPlane(ctx context.Context, root string, log io.Writer) (ControlPlane, error) {
	var c ControlPlane
	built := ""
	for name, to := range map[string]*string{
		"etcd": &c.Etcd, "kube-apiserver": &c.APIServer, "kube-controller-manager": &c.Controllers, "kubectl": &c.Kubectl,
	} {
		if dir := os.Getenv(Assets); dir != "" {
			if *to = filepath.Join(dir, name); executable(*to) {
				continue
			}
			fmt.Fprintf(log, "%s: %s has no %s\n", Assets, dir, name)
		}
		if built == "" {
			var err error
			if built, err = Kube(root).Build(ctx, log); err != nil {
				return ControlPlane{}, err
			}
		}
		*to = filepath.Join(built, name)
	}
	return c, nil
}

func executable(path string) bool {
	_, err := exec.LookPath(path)
	return err == nil
}

// FindVault returns the path of a Vault, and whether it is the one of this module, which takes no arguments and prints
// its address.
func FindVault(ctx context.Context, root string, log io.Writer) (path string, own bool, err error) {
	if want := os.Getenv(VaultVariable); want != "" {
		path, err := exec.LookPath(want)
		if err != nil {
			return "", false, fmt.Errorf("find vault: %s=%s: %w", VaultVariable, want, err)
		}
		return path, false, nil
	}
	dir, err := Vault(root).Build(ctx, log)
	return filepath.Join(dir, "vault"), true, err
}
