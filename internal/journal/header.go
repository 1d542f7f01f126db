package journal

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"runbook/internal/redact"
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
	if l.Kind != Opened {
		return Header{}, fmt.Errorf("read record %s: the first line isn't a header", name)
	}
	if err := json.Unmarshal(l.Data, &h); err != nil {
		return Header{}, fmt.Errorf("read record %s: %w", name, err)
	}
	return h, nil
}

// clean returns the header without secrets. A parameter that holds one is kept
// as a secret, without its value: a value with a hole in it would be another.
func (h Header) clean(r *redact.Redactor) Header {
	for _, text := range []*string{&h.Title, &h.Path, &h.Dir, &h.Server, &h.Vault} {
		*text = r.Sentence(*text)
	}
	h.Titles, h.NotTaken = sentences(r, h.Titles), sentences(r, h.NotTaken)
	params := map[string]Param{}
	for name, p := range h.Params {
		if p.Secret || r.Text(p.Value) != p.Value {
			p.Secret, p.Value = true, ""
		}
		params[name] = p
	}
	h.Params = params
	return h
}

// sentences cleans what is said of steps.
func sentences(r *redact.Redactor, of map[string]string) map[string]string {
	out := maps.Clone(of)
	for id, text := range out {
		out[id] = r.Sentence(text)
	}
	return out
}
