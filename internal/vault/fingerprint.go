package vault

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"strings"
)

// sumBytes is how much of a digest is kept: enough to compare, and no more.
const sumBytes = 16

// A Fingerprint tells whether a value is still the same without being the
// value. It is salted, because an unsalted one of a short value can be guessed,
// and it hides from printing like a Secret.
type Fingerprint struct {
	sums func() (raw, trimmed [sumBytes]byte)
}

// Fingerprint makes the fingerprint of the value with the caller's salt; only
// those with one salt can be compared.
func (s Secret) Fingerprint(salt []byte) Fingerprint {
	value := s.Reveal()
	return newFingerprint(digest(salt, value), digest(salt, strings.TrimSpace(value)))
}

func newFingerprint(raw, trimmed [sumBytes]byte) Fingerprint {
	return Fingerprint{sums: func() ([sumBytes]byte, [sumBytes]byte) { return raw, trimmed }}
}

func digest(salt []byte, value string) (sum [sumBytes]byte) {
	mac := hmac.New(sha256.New, salt)
	mac.Write([]byte(value))
	copy(sum[:], mac.Sum(nil))
	return sum
}

// A Difference is what two fingerprints say of their values.
type Difference string

// The differences.
const (
	Same           Difference = "same"
	OnlyWhitespace Difference = "only white space differs"
	Changed        Difference = "changed"
	Unknown        Difference = "unknown" // one of them is the zero Fingerprint
)

// Compare compares with an earlier fingerprint.
func (f Fingerprint) Compare(before Fingerprint) Difference {
	if f.sums == nil || before.sums == nil {
		return Unknown
	}
	raw, trimmed := f.sums()
	oldRaw, oldTrimmed := before.sums()
	switch {
	case subtle.ConstantTimeCompare(raw[:], oldRaw[:]) == 1:
		return Same
	case subtle.ConstantTimeCompare(trimmed[:], oldTrimmed[:]) == 1:
		return OnlyWhitespace
	}
	return Changed
}

// Encode returns the fingerprint for a private file; it is not for showing.
func (f Fingerprint) Encode() string {
	if f.sums == nil {
		return ""
	}
	raw, trimmed := f.sums()
	return hex.EncodeToString(append(raw[:], trimmed[:]...))
}

// DecodeFingerprint reads what Encode wrote; "" is the zero Fingerprint.
func DecodeFingerprint(text string) (Fingerprint, error) {
	if text == "" {
		return Fingerprint{}, nil
	}
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != 2*sumBytes {
		return Fingerprint{}, errors.New("decode fingerprint: not one")
	}
	return newFingerprint([sumBytes]byte(b[:sumBytes]), [sumBytes]byte(b[sumBytes:])), nil
}

// String hides the digests.
func (Fingerprint) String() string { return "[fingerprint]" }

// GoString hides the digests.
func (Fingerprint) GoString() string { return "[fingerprint]" }

// MarshalText hides the digests.
func (Fingerprint) MarshalText() ([]byte, error) { return []byte("[fingerprint]"), nil }
