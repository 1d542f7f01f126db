package redact

import "strings"

// sensitiveLast are names whose value is secret when they are the last word of
// a key: dbPassword and DB_PASSWORD, but not passwordFile or secretName.
var sensitiveLast = words(`
	password passwd passphrase passcode pwd pass secret token apikey authtoken secretkey
	accesskey privatekey credential credentials jwt cookie dsn bearer authorization
	sessionkey masterkey pat connectionstring databaseurl passwordhash pgpassword mysqlpwd
	dockerconfigjson dockercfg auth`)

// sensitiveKey are the words that make a following "key" secret.
var sensitiveKey = words(`
	api access secret private session signing encryption master root unseal recovery shared
	ssh tls account storage auth cookie hmac aes rsa ecdsa ed25519 license jwt client crypt
	encrypt sign vault seal ca server backup join bootstrap service admin deploy`)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// sensitive reports whether the value of a key of that name is secret.
func sensitive(key string) bool {
	parts := split(key)
	n := len(parts)
	if n == 0 {
		return false
	}
	last, before := parts[n-1], ""
	if n > 1 {
		before = parts[n-2]
	}
	switch last {
	case "key", "keys":
		return sensitiveKey[before]
	case "id":
		return before == "secret" && n > 1
	case "secret", "secrets":
		// names of objects, and not what they hold
		return last == "secret" && before != "existing" && before != "pull" && before != "image"
	case "url", "uri", "dsn":
		return last == "dsn" || before == "database" || before == "connection"
	case "auth":
		return n == 1 || before == "registry"
	}
	return sensitiveLast[last] || sensitiveLast[before+last] && before != ""
}

// split breaks a key into lower case words at case changes and punctuation.
func split(key string) []string {
	var out []string
	start := 0
	cut := func(i int) {
		if i > start {
			out = append(out, strings.ToLower(key[start:i]))
		}
		start = i
	}
	for i := range len(key) {
		c := key[i]
		switch {
		case c == '_' || c == '-' || c == '.' || c == '/' || c == ' ':
			cut(i)
			start = i + 1
		case i > 0 && upper(c) && !upper(key[i-1]):
			cut(i)
		case i > 0 && i+1 < len(key) && upper(c) && upper(key[i-1]) && lower(key[i+1]):
			cut(i)
		}
	}
	cut(len(key))
	return out
}

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }
func lower(c byte) bool { return c >= 'a' && c <= 'z' }
func digit(c byte) bool { return c >= '0' && c <= '9' }

func nameByte(c byte) bool {
	return upper(c) || lower(c) || digit(c) || c == '_' || c == '-' || c == '.'
}
