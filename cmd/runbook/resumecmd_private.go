package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"runbook/internal/journal"
)

// privateNote is the file in a record that names the private folder of the
// process that walks the run. The folder has a kubeconfig and the variables of
// the session; when the program is killed it stays behind, and only this note
// tells where.
const privateNote = "private"

// privatePrefix begins the name of every private folder.
const privatePrefix = "runbook-"

// notePrivate leaves the note for a folder, and returns what removes both.
func notePrivate(record, dir string) (remove func() error, err error) {
	note := filepath.Join(record, privateNote)
	if err := os.WriteFile(note, []byte(dir), 0o600); err != nil {
		return nil, fmt.Errorf("note private folder: %w", err)
	}
	return func() error { return errors.Join(os.RemoveAll(dir), os.Remove(note)) }, nil
}

// sweepPrivate removes the private folders of runs that were killed. A run that
// is being walked keeps its own.
func sweepPrivate(root, mine string) error {
	names, err := journal.List(root)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range names {
		record := filepath.Join(root, name)
		note := filepath.Join(record, privateNote)
		dir, err := os.ReadFile(note)
		if err != nil || record != mine && journal.InUse(record) {
			continue
		}
		if isPrivate(string(dir)) {
			errs = append(errs, os.RemoveAll(string(dir)))
		}
		errs = append(errs, os.Remove(note))
	}
	return errors.Join(errs...)
}

// isPrivate tells whether a path is a private folder that this program has
// made: what a note names is removed, so the note alone isn't believed.
func isPrivate(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 || !strings.HasPrefix(filepath.Base(dir), privatePrefix) {
		return false
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) == os.Getuid() && filepath.IsAbs(dir)
}
