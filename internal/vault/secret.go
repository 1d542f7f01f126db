package vault

import (
	"log/slog"
	"strings"
)

const redacted = "[redacted]"

// A Secret is a value that has no way to be printed by accident.
//
// It stands behind a function because fmt ignores the methods of unexported
// fields: a plain string field would show in the %+v of whatever holds it.
type Secret struct{ reveal func() string }

// NewSecret wraps a value.
func NewSecret(value string) Secret { return Secret{reveal: func() string { return value }} }

// Reveal returns the value, "" for the zero Secret. Its callers are the few
// places where a value leaves for where it belongs.
func (s Secret) Reveal() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// AtLeast tells whether the value without the white space around it has n
// bytes: the only thing about its length that may be shown.
func (s Secret) AtLeast(n int) bool { return len(strings.TrimSpace(s.Reveal())) >= n }

// String hides the value from %v and %s.
func (Secret) String() string { return redacted }

// GoString hides the value from %#v.
func (Secret) GoString() string { return redacted }

// LogValue hides the value from slog.
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText hides the value from JSON, YAML and map keys.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }
