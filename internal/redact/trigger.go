package redact

import (
	"bytes"
	"regexp"
)

// class folds bytes to five bits: letters without their case, digits as one,
// and the punctuation that rules look for.
var class = func() (t [256]byte) {
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-0x20] = c&31, c&31
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = 31
	}
	t['_'], t['-'], t['.'], t[':'], t['='], t['/'] = 27, 27, 28, 29, 29, 30
	return t
}()

// triggers are three letters each of everything the rules react to, chosen so
// that they are rare in other words. A hit only means: look closer.
var triggers = func() (t [1 << 15]bool) {
	set := func(a, b, c byte) { t[int(class[a])<<10|int(class[b])<<5|int(class[c])] = true }
	for _, w := range []string{
		"pas", "pwd", "ecr", "tok", "key", "ede", "jwt", "uth", "kie", "dsn", "bea", "pat", "e_u", "eur", "n_u", "nur", "nst", // names
		"://", "eyj", "hvs", "hvb", "hvr", "hp_", "ho_", "hs_", "hu_", "hr_", "b_p", "glp", "kia", "sia", // shapes
		"xox", "beg", "ls0", "igj", "rcf",
		"kin", "ata", "t-a", "piv", "t_i", "byt", "===", // documents
	} {
		set(w[0], w[1], w[2])
	}
	for _, c := range []byte("abcdefghijklmnopqrstuvwxyz0") { // old Vault tokens
		set('s', '.', c)
		set('b', '.', c)
	}
	return t
}()

// trigger returns the offset of the last letter of the first trigger at or
// behind from, or -1.
func trigger(text []byte, from int) int {
	roll := 0
	for i := from; i < len(text); i++ {
		roll = (roll<<5 | int(class[text[i]])) & 0x7fff
		if triggers[roll] && i >= from+2 {
			return i
		}
	}
	return -1
}

// tokenHeads are the beginnings of tokens that are known by their shape.
var tokenHeads = []string{
	"hvs.", "hvb.", "hvr.", "s.", "b.", "eyJ", "ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-",
	"AKIA", "ASIA", "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "AGE-SECRET-KEY-", "LS0tLS1CRUdJTi", "-----BEGIN",
}

// countOpen is a line that may become "key: 24 bytes", which tells a length.
var countOpen = regexp.MustCompile(`^\s*\S+:\s+([0-9]+(?: |$)[bytes]*)$`)

// harmless returns how much of an unfinished line can be shown at once: all but
// a last word that may become an address with a password or a token, and
// nothing behind the start of a JSON object, whose kind may come last.
func harmless(line []byte) int {
	if i := bytes.IndexByte(line, '{'); i >= 0 && i+1 < len(line) {
		if next := bytes.TrimLeft(line[i+1:], " \\"); len(next) > 0 && next[0] == '"' {
			return i
		}
	}
	if len(line) < 256 { // a key, a colon and a number
		if m := countOpen.FindSubmatchIndex(line); m != nil {
			return m[2]
		}
	}
	start := bytes.LastIndexAny(line, " \t\r\n\"'=,;()[]{}<>") + 1
	word := line[start:]
	if len(word) == 0 {
		return len(line)
	}
	if bytes.HasSuffix(word, []byte(":")) || bytes.Contains(word, []byte(":/")) {
		// The scheme alone gives nothing away, what follows it may.
		if bytes.Contains(word, []byte(":/")) || isScheme(word) {
			return start
		}
		return len(line)
	}
	for _, h := range tokenHeads {
		n := min(len(h), len(word))
		if string(word[:n]) == h[:n] {
			return start
		}
	}
	return len(line)
}

// schemes are those of connection strings; "Password:" at the end of a line is
// a prompt and must not wait.
var schemes = []string{
	"http", "https", "postgres", "postgresql", "mysql", "redis", "rediss", "mongodb", "mongodb+srv", "amqp", "amqps",
	"ftp", "sftp", "ssh", "git", "oci", "s3", "ldap", "ldaps", "nats", "smtp", "smtps", "jdbc", "kafka", "tcp",
}

func isScheme(word []byte) bool {
	for _, s := range schemes {
		if string(word[:len(word)-1]) == s {
			return true
		}
	}
	return false
}
