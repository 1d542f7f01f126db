package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// VerifyOutputs checks the output files against the sums in the record. The
// error joins one for each file that is missing or was changed.
func (r *Record) VerifyOutputs() error {
	var errs []error
	names := map[string]string{} // of the last code line of a block
	for _, l := range r.Lines {
		var c CodeData
		var e EndData
		var b BesideData
		switch {
		case l.Kind == Code && json.Unmarshal(l.Data, &c) == nil:
			names[outputKey(l.Step, c.Block)] = c.Output
		case l.Kind == Ended && json.Unmarshal(l.Data, &e) == nil && e.Sum != "":
			errs = append(errs, verifyOutput(r.Dir, names[outputKey(l.Step, e.Block)], e.Sum))
		case l.Kind == Beside && json.Unmarshal(l.Data, &b) == nil && b.Sum != "":
			errs = append(errs, verifyOutput(r.Dir, b.Output, b.Sum))
		}
	}
	return errors.Join(errs...)
}

func verifyOutput(dir, name, want string) error {
	f, err := os.Open(filepath.Join(dir, filepath.Base(name)))
	if err != nil {
		return fmt.Errorf("verify output: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return fmt.Errorf("verify output: %w", err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != want {
		return fmt.Errorf("verify output %s: it was changed after it was written", name)
	}
	return nil
}
