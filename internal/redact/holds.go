package redact

import (
	"regexp"
	"strings"
)

// openNames are the last words of keys that say who and where, and of what is
// published anyway.
var openNames = words(`
	username user login email mail host hostname hosts port address endpoint server
	dbname database db name namespace region bucket type issuer audience realm scheme
	protocol version crt cert certificate ca pub publickey hosts role clientid url uri`)

// wordy is a text of words: hidden, it would be missed wherever it is meant
// otherwise.
var wordy = regexp.MustCompile(`^[a-z]+([-_. /][a-z]+)*$`)

// Holds tells whether the value beside a key of a Secret, or of an entry of
// Vault, is one to hide wherever it turns up. All that is kept there is meant to
// be secret, but much of it is names that are shown everywhere: who and where,
// certificates, words. In "user and password at an address" the password is.
func Holds(key, value string) bool {
	if strings.HasPrefix(strings.TrimSpace(value), "-----BEGIN CERTIFICATE") {
		return false
	}
	if sensitive(key) {
		return true
	}
	if _, rest, ok := strings.Cut(value, "://"); ok {
		at := strings.LastIndex(rest, "@")
		return at >= 0 && strings.Contains(rest[:at], ":")
	}
	parts := split(key)
	if len(parts) > 0 && openNames[parts[len(parts)-1]] {
		return false
	}
	return !wordy.MatchString(value)
}
