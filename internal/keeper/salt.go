package keeper

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// saltBytes is the length of a salt: that of the digest it goes into.
const saltBytes = 32

// Salt reads the salt of this installation from a private file, and makes it
// the first time. Without it nobody can tell a guessed value by its
// fingerprint, so it never leaves the machine.
func Salt(path string, random io.Reader) ([]byte, error) {
	salt, err := readSalt(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return salt, err
	}
	fresh := make([]byte, saltBytes)
	if _, err := io.ReadFull(random, fresh); err != nil {
		return nil, fmt.Errorf("make salt: %w", err)
	}
	if err := writeSalt(path, fresh); err != nil {
		return nil, fmt.Errorf("make salt: %w", err)
	}
	return readSalt(path) // another process may have been first
}

func readSalt(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("read salt: %w", err)
	}
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("read salt %s: others can read it; remove it, and a new one is made", path)
	}
	salt, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read salt: %w", err)
	}
	if len(salt) != saltBytes {
		return nil, fmt.Errorf("read salt %s: it is not a salt; remove it, and a new one is made", path)
	}
	return salt, nil
}

// writeSalt puts a whole salt in its place at once, and leaves one that is
// there alone.
func writeSalt(path string, salt []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".salt-") // 0600, whatever the umask
	if err != nil {
		return err
	}
	_, err = f.Write(salt)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Link(f.Name(), path)
		if errors.Is(err, fs.ErrExist) {
			err = nil
		}
	}
	return errors.Join(err, os.Remove(f.Name()))
}
