package journal

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// ReadHeader reads the first line of a record and nothing else.
func ReadHeader(root, name string) (Header, error) {
	f, err := os.Open(filepath.Join(root, name, file))
	if err != nil {
		return Header{}, fmt.Errorf("read record: %w", err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	line, err := bufio.NewReader(f).ReadBytes('\n')
	if err != nil {
		return Header{}, fmt.Errorf("read record %s: %w", name, err)
	}
	var l Line
	var h Header
	if err := json.Unmarshal(line, &l); err != nil {
		return Header{}, fmt.Errorf("read record %s: %w", name, err)
	}
	if err := json.Unmarshal(l.Data, &h); err != nil {
		return Header{}, fmt.Errorf("read record %s: %w", name, err)
	}
	return h, nil
}
