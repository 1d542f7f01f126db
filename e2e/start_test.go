package e2e

import (
	"context"
	"os"
	"sync"
	"testing"

	"runbook/e2e/build"
	"runbook/e2e/servers"
)

// programs are found, or built, once, by the first test that needs them.
var (
	controlPlane = sync.OnceValues(func() (build.ControlPlane, error) {
		return build.FindControlPlane(context.Background(), ".", os.Stderr)
	})
	vaultProgram = sync.OnceValues(func() (vault, error) {
		path, own, err := build.FindVault(context.Background(), ".", os.Stderr)
		return vault{path, own}, err
	})
)

type vault struct {
	path string
	own  bool
}

// folder is a temporary one that goes also when the test panics, unlike those of the testing package.
func folder(t *testing.T) string {
	t.Helper()
	dir, remove, err := servers.Folder()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := remove(); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func startPlane(t *testing.T, controllers []string, users ...servers.User) *servers.ControlPlane {
	t.Helper()
	programs, err := controlPlane()
	if err != nil {
		t.Fatal(err)
	}
	c, err := servers.StartControlPlane(t.Context(), servers.Options{Dir: folder(t), Programs: programs, Controllers: controllers, Users: users})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// startVault runs a Vault that is neither initialised nor unsealed.
func startVault(t *testing.T) *servers.Vault {
	t.Helper()
	program, err := vaultProgram()
	if err != nil {
		t.Fatal(err)
	}
	v, err := servers.StartVault(t.Context(), folder(t), program.path, program.own)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Stop(); err != nil {
			t.Error(err)
		}
	})
	return v
}
