package vault

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
)

// A Spec says how the value of one key comes about: exactly one of Literal,
// Generate and Template is set.
type Spec struct {
	Literal  *string
	Generate string // base64, hex, alphanumeric or uuid
	Bytes    int    // of randomness, for alphanumeric the number of characters; 0 is 32
	Template string // text/template over the other keys
}

// The bounds of Spec.Bytes.
const (
	defaultBytes = 32
	maxBytes     = 1024
)

// Fill makes the values of all keys. Randomness is read in the order of the
// keys' names, templates are carried out after what they name. An error names
// the key that it is about, and never a value.
func Fill(specs map[string]Spec, rand io.Reader) (map[string]Secret, error) {
	f := filler{specs: specs, values: map[string]Secret{}, state: map[string]visit{}}
	names := slices.Sorted(maps.Keys(specs))
	for _, name := range names {
		spec := specs[name]
		if err := spec.check(); err != nil {
			return nil, fmt.Errorf("fill %q: %w", name, err)
		}
		switch {
		case spec.Literal != nil:
			f.values[name] = NewSecret(*spec.Literal)
		case spec.Generate != "":
			v, err := generate(spec, rand)
			if err != nil {
				return nil, fmt.Errorf("fill %q: %w", name, err)
			}
			f.values[name] = v
		}
	}
	for _, name := range names {
		if err := f.visit(name, nil); err != nil {
			return nil, err
		}
	}
	return f.values, nil
}

func (s Spec) check() error {
	given := 0
	for _, set := range []bool{s.Literal != nil, s.Generate != "", s.Template != ""} {
		if set {
			given++
		}
	}
	switch {
	case given == 0:
		return fmt.Errorf("it needs a value, generate or template")
	case given > 1:
		return fmt.Errorf("it can have only one of a value, generate and template")
	case s.Bytes != 0 && (s.Generate == "" || s.Generate == "uuid"):
		return fmt.Errorf("bytes means something only with base64, hex and alphanumeric")
	case s.Bytes < 0 || s.Bytes > maxBytes:
		return fmt.Errorf("bytes must be between 1 and %d", maxBytes)
	}
	return nil
}

const alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

func generate(s Spec, rand io.Reader) (Secret, error) {
	n := s.Bytes
	if n == 0 {
		n = defaultBytes
	}
	switch s.Generate {
	case "base64":
		b, err := random(rand, n)
		return NewSecret(base64.StdEncoding.EncodeToString(b)), err
	case "hex":
		b, err := random(rand, n)
		return NewSecret(hex.EncodeToString(b)), err
	case "alphanumeric":
		return characters(rand, n)
	case "uuid":
		b, err := random(rand, 16)
		if err != nil {
			return Secret{}, err
		}
		b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
		h := hex.EncodeToString(b)
		return NewSecret(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]), nil
	}
	return Secret{}, fmt.Errorf("nothing generates %q: use base64, hex, alphanumeric or uuid", s.Generate)
}

func random(rand io.Reader, n int) ([]byte, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(rand, b); err != nil {
		return nil, fmt.Errorf("read randomness: %w", err)
	}
	return b, nil
}

// characters throws away the bytes that would make some characters likelier
// than others.
func characters(rand io.Reader, n int) (Secret, error) {
	const fair = 256 - 256%len(alphanumeric)
	out := make([]byte, 0, n)
	for len(out) < n {
		b, err := random(rand, 1)
		if err != nil {
			return Secret{}, err
		}
		if int(b[0]) < fair {
			out = append(out, alphanumeric[int(b[0])%len(alphanumeric)])
		}
	}
	return NewSecret(string(out)), nil
}
