package redact

import (
	"bytes"
	"regexp"
)

// A shape is a secret that is recognised by how it looks. The literal guards
// the expression, which is slow.
type shape struct {
	literal string
	re      *regexp.Regexp // its last group is what goes, or all of it
}

var allShapes = []shape{
	{"://", regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]*://[^\s:/@"'<>]*:([^\s"'<>]+)@`)},
	{"://", regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]*://([^\s:/@"'<>]{16,})@`)},
	{"hv", regexp.MustCompile(`\bhv[sbr]\.[A-Za-z0-9_-]{12,}`)},
	{"s.", regexp.MustCompile(`\bs\.[A-Za-z0-9]{20,}(?:\.[A-Za-z0-9]+)?`)},
	{"b.", regexp.MustCompile(`\bb\.[A-Za-z0-9_-]{60,}`)},
	{"eyJ", regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*`)},
	{"gh", regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{30,}`)},
	{"github_pat_", regexp.MustCompile(`\bgithub_pat_[A-Za-z0-9_]{30,}`)},
	{"glpat-", regexp.MustCompile(`\bglpat-[A-Za-z0-9_-]{16,}`)},
	{"AKIA", regexp.MustCompile(`\bAKIA[A-Z0-9]{16}\b`)},
	{"ASIA", regexp.MustCompile(`\bASIA[A-Z0-9]{16}\b`)},
	{"xox", regexp.MustCompile(`\bxox[abprs]-[A-Za-z0-9-]{10,}`)},
	{"AGE-SECRET-KEY-", regexp.MustCompile(`\bAGE-SECRET-KEY-1[A-Z0-9]+`)},
	{" bytes", regexp.MustCompile(`^\s*\S+:\s+(\d+ bytes)\s*$`)}, // the length that kubectl describe prints
}

// shapes finds tokens, keys and addresses with a password in them.
func shapes(line []byte) []region {
	var out []region
	for _, s := range allShapes {
		if !bytes.Contains(line, []byte(s.literal)) {
			continue
		}
		for _, m := range s.re.FindAllSubmatchIndex(line, -1) {
			r := region{m[len(m)-2], m[len(m)-1]}
			if s.literal == "://" && portAndPath(line[r.from:r.to]) {
				continue
			}
			out = append(out, r)
		}
	}
	return append(out, encodedPEM(line)...)
}

// portAndPath recognises host:5000/path@digest, which has no password in it.
func portAndPath(b []byte) bool {
	n := 0
	for n < len(b) && digit(b[n]) {
		n++
	}
	return n > 0 && n < len(b) && b[n] == '/'
}

var base64Run = regexp.MustCompile(`LS0tLS1CRUdJTi[A-Za-z0-9+/=_-]+`)

// encodedPEM finds base64 of PEM blocks that are neither certificates nor
// public keys; "LS0tLS1CRUdJTi" is base64 of "-----BEGIN".
func encodedPEM(line []byte) []region {
	if !bytes.Contains(line, []byte("LS0tLS1CRUdJTi")) {
		return nil
	}
	var out []region
	for _, m := range base64Run.FindAllIndex(line, -1) {
		run := line[m[0]:m[1]]
		if bytes.HasPrefix(run, []byte("LS0tLS1CRUdJTiBDRVJUSUZJQ0FUR")) || bytes.HasPrefix(run, []byte("LS0tLS1CRUdJTiBQVUJMSUMg")) {
			if !bytes.Contains(run, []byte("UFJJVkFUR")) && !bytes.Contains(run, []byte("BSSVZBVE")) && !bytes.Contains(run, []byte("QUklWQVRF")) {
				continue // no "PRIVATE" in any of the three alignments
			}
		}
		out = append(out, region{m[0], m[1]})
	}
	return out
}

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

var (
	secretKind = regexp.MustCompile(`\\*"kind\\*"\s*:\s*\\*"Secret\\*"`)
	dataObject = regexp.MustCompile(`(\\*)"(?:data|stringData)\\*"\s*:\s*\{`)
	applied    = regexp.MustCompile(`last-applied-configuration\\*"?\s*[:=]\s*(\S.*)$`)
	v1Data     = regexp.MustCompile(`"apiVersion\\*"\s*:\s*\\*"v1\\*".*"data\\*"\s*:\s*\\*\{`)
	anyKind    = regexp.MustCompile(`"kind\\*"\s*:`)
	vaultReply = regexp.MustCompile(`"request_id"\s*:.*"data"\s*:\s*(\{.*\})`)
)

// embedded finds Secrets that are written as JSON in one line.
func embedded(line []byte) []region {
	var out []region
	if bytes.Contains(line, []byte("data")) || bytes.Contains(line, []byte("Data")) {
		cutOff := v1Data.Match(line) && !anyKind.Match(line)
		if secretKind.Match(line) || cutOff {
			for _, m := range dataObject.FindAllSubmatchIndex(line, -1) {
				out = append(out, region{m[1], objectEnd(line, m[1], m[3]-m[2])})
			}
		} else if m := vaultReply.FindSubmatchIndex(line); m != nil {
			out = append(out, region{m[2] + 1, m[3] - 1})
		}
	}
	if bytes.Contains(line, []byte("last-applied-configuration")) {
		if m := applied.FindSubmatchIndex(line); m != nil {
			out = append(out, appliedValue(line, m[2], m[3]))
		}
	}
	return out
}

// objectEnd returns where the JSON object ends whose content starts at from, or
// the end of the line. Its strings are in quotes behind that many backslashes:
// JSON is often quoted in JSON.
func objectEnd(line []byte, from, backslashes int) int {
	depth, inside, run := 1, false, 0
	for i := from; i < len(line); i++ {
		c := line[i]
		if c == '\\' {
			run++
			continue
		}
		switch {
		case c == '"' && run == backslashes:
			inside = !inside
		case inside:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i
			}
		}
		run = 0
	}
	return len(line)
}

// appliedValue returns the string or the object at from, or the whole rest if
// it does not end.
func appliedValue(line []byte, from, to int) region {
	if quote, n := openQuote(line[from:to]); n > 0 {
		return region{from + n, from + n + closeQuote(line[from+n:to], quote)}
	}
	if v := string(line[from:to]); v == "|" || v == ">" || v == "|-" {
		return region{from, from}
	}
	return region{from, to}
}
