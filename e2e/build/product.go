package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Runbook builds the product as it is in the tree above root, into the cache folder: one file for each checkout, so that
// nothing piles up.
func Runbook(ctx context.Context, root string) (string, error) {
	tree, err := filepath.Abs(filepath.Join(root, ".."))
	if err != nil {
		return "", fmt.Errorf("build runbook: %w", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("build runbook: %w", err)
	}
	sum := sha256.Sum256([]byte(tree))
	path := filepath.Join(cache, "runbook-e2e", "runbook-"+hex.EncodeToString(sum[:])[:16], "runbook")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", path, "./cmd/runbook")
	cmd.Dir = tree
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build runbook: %w\n%s", err, out)
	}
	return path, nil
}
