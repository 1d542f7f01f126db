package redact

import (
	"strings"
	"testing"
)

// Each case is what a command prints; every word that starts with "zq" is part
// of a secret and must be gone, everything in keep must be left.
func TestWhatCommandsPrintIsRedactedByItsForm(t *testing.T) {
	for _, c := range []struct {
		name, in string
		keep     []string
	}{
		{"env", "HOME=/root\nDB_PASSWORD=zqone zqtwo\nPATH=/bin\n", []string{"HOME=/root", "DB_PASSWORD=[redacted]\n", "PATH=/bin"}},
		{"export -p", "declare -x VAULT_TOKEN=\"zqone zqtwo\"\n", []string{"VAULT_TOKEN=\"[redacted]\""}},
		{"set -x", "+ export PGPASSWORD=zqone\n+ psql --password=zqtwo -h db\n", []string{"-h db", "+ export PGPASSWORD="}},
		{"set -x quoted", "+ TOKEN='zqone'\\''zqtwo' curl\n", []string{"curl"}},
		{"flag", "helm --set a=b --password zqone --wait\n", []string{"--set a=b", "--wait"}},
		{"header", "> Authorization: Bearer zqone\r\n> Accept: */*\r\n", []string{"Authorization: [redacted]\r\n", "Accept: */*"}},
		{"curl argument", `curl -H "X-Vault-Token: zqone" https://vault/v1`, []string{`curl -H "X-Vault-Token: [redacted]" https://vault/v1`}},
		{"url", "postgres://app:zqone@zq-not@db:5432/app\n", []string{"postgres://app:[redacted]@db:5432/app"}},
		{"image", "oci://registry:5000/app@sha256:0123\n", []string{"oci://registry:5000/app@sha256:0123"}},
		{"secret yaml", "apiVersion: v1\ndata:\n  zone: zqone\n  b: zqtwo\nkind: Secret\nmetadata:\n  name: db\n", []string{"zone: [redacted]", "name: db", "kind: Secret"}},
		{"config map yaml", "apiVersion: v1\ndata:\n  zone: eu\nkind: ConfigMap\nmetadata:\n  name: db\n", []string{"zone: eu", "name: db"}},
		{"author order", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\nstringData:\n  conf: |\n    user: zqone\n    zqtwo\n---\nkind: Pod\n", []string{"name: db", "conf: |", "kind: Pod"}},
		{"list", "apiVersion: v1\nitems:\n- apiVersion: v1\n  data:\n    a: zqone\n  kind: Secret\n- apiVersion: v1\n  data:\n    a: shown\n  kind: ConfigMap\n", []string{"a: shown"}},
		{"secret json", "{\n    \"apiVersion\": \"v1\",\n    \"data\": {\n        \"a\": \"zqone\",\n        \"b\": \"zqtwo\"\n    },\n    \"kind\": \"Secret\",\n    \"metadata\": {\n        \"name\": \"db\"\n    }\n}\n", []string{"\"a\": \"[redacted]\",", "\"name\": \"db\""}},
		{"secret in one line", `{"apiVersion":"v1","data":{"a":"zqone","b":"{zqtwo}"},"kind":"Secret","metadata":{"name":"db"}}`, []string{`"name":"db"`}},
		{"last applied yaml", "metadata:\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: |\n      {\"stringData\":{\"a\":\"zqone\"}}\n  name: db\n", []string{"name: db"}},
		{"last applied json", `"kubectl.kubernetes.io/last-applied-configuration": "{\"kind\":\"Secret\",\"stringData\":{\"a\":\"zqone\"}}\n", "x": "shown"`, []string{`"x": "shown"`}},
		{"vault table", "====== Metadata ======\nKey        Value\n---        -----\nversion    3\n\n====== Data ======\nKey       Value\n---       -----\nuser      zqone\nnote      zqtwo zqthree\n\ndone\n", []string{"version    3", "user      [redacted]", "done"}},
		{"vault json", "{\n  \"request_id\": \"1\",\n  \"data\": {\n    \"data\": {\n      \"x\": \"zqone\"\n    },\n    \"metadata\": {\n      \"version\": 3\n    }\n  },\n  \"warnings\": null\n}\n", []string{"\"version\": 3", "\"request_id\": \"1\""}},
		{"vault yaml", "auth: null\ndata:\n  data:\n    x: zqone\n  metadata:\n    version: 3\nlease_id: \"\"\n", []string{"version: 3"}},
		{"vault init", "Unseal Key 1: zqone\nInitial Root Token: hvs.zqtwo0123456789\n", []string{"Unseal Key 1:"}},
		{"vault token in prose", "the token hvs.CAESIzqone0123456789 is here\n", []string{"the token [redacted] is here"}},
		{"old vault token", "got s.zqone01234567890123456789 from it\n", []string{"from it"}},
		{"jwt", "id eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0zqone.sigzqtwo end\n", []string{"id [redacted] end"}},
		{"pem", "before\n-----BEGIN RSA PRIVATE KEY-----\nzqoneAAAAAAAAAAAA\nzqtwoAAAAAAAAAAA=\n-----END RSA PRIVATE KEY-----\nafter\n", []string{"before", "after"}},
		{"pem cut off", "-----BEGIN PRIVATE KEY-----\nzqoneAAAAAAAAAAAA\nand then more output\n", []string{"and then more output"}},
		{"pem in json", `{"k": "-----BEGIN PRIVATE KEY-----\nzqone\n-----END PRIVATE KEY-----\n", "n": 1}`, []string{`"n": 1`}},
		{"certificate", "-----BEGIN CERTIFICATE-----\nMIIBAAAA\n-----END CERTIFICATE-----\n", []string{"MIIBAAAA"}},
		{"coloured json", "\x1b[34;1m\"password\"\x1b[0m\x1b[1;39m:\x1b[0m \x1b[0;32m\"zqone\"\x1b[0m\n", []string{"password"}},
		{"describe secret", "Data\n====\npassword:  24 bytes\nuser:      8 bytes\n", []string{"user:      [redacted]"}},
		{"describe pod", "      DB_PASSWORD:  <set to the key 'password' in secret 'db'>  Optional: false\n", []string{"<set to the key 'password' in secret 'db'>"}},
		{"references", "password: ${DB_PASSWORD}\ntoken: <TOKEN>\nsecretName: db-tls\n- secretKey: SESSION_KEY\nkey: a/b\n", []string{"${DB_PASSWORD}", "<TOKEN>", "db-tls", "SESSION_KEY", "key: a/b"}},
		{"data that never ends", "apiVersion: v1\ndata:\n  a: zqone\n", []string{"a: [redacted]"}},
		{"full screen", "Token: zqone\x1b[2;1Hnext row\x1b[3;1Hrow three", []string{"next row", "row three"}},
		{"progress", "token=zqone\r50%\r100%\n", []string{"50%", "100%"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for size := range 40 { // any chunking gives the same
				got := pieces(New(), c.in, size)
				if strings.Contains(got, "zq") {
					t.Fatalf("chunks of %d leak:\n%s", size, got)
				}
				for _, k := range c.keep {
					if !strings.Contains(got, k) {
						t.Fatalf("chunks of %d lost %q:\n%s", size, k, got)
					}
				}
			}
		})
	}
}

// pieces runs in through a Writer in chunks of that size, 0 for all at once.
func pieces(r *Redactor, in string, size int) string {
	var b strings.Builder
	w := r.Writer(&b)
	if size == 0 {
		size = len(in) + 1
	}
	for len(in) > 0 {
		n := min(size, len(in))
		_, _ = w.Write([]byte(in[:n]))
		in = in[n:]
	}
	_ = w.Flush()
	return b.String()
}

func TestOrdinaryOutputPassesUnchanged(t *testing.T) {
	for _, in := range []string{
		"NAME READY STATUS\npod-1 1/1 Running\n",
		"secret/db created\nError from server (NotFound): secrets \"db\" not found\n",
		"[sudo] password for ada: ",
		"--password-stdin is better\nif [[ \"$TOKEN\" == \"\" ]]\n",
		"https://example.org:8443/path?x=1\n",
		"a\tb\r\nc\n\x1b[31mred\x1b[0m\n",
		"{\"a\": {\"b\": [1, 2]}}\n",
		"etcd --ca-key client_ca.key --listen x\n",
		"Überraschung → ✓\n",
	} {
		if got := New().Text(in); got != in {
			t.Errorf("got  %q\nwant %q", got, in)
		}
	}
}

func TestAPromptIsShownBeforeItsLineEnds(t *testing.T) {
	for _, in := range []string{
		"Password: ", "password:", "Continue? [y/N] ", "ada@host's password: ", "Enter a token> ", "mysql> ", "Downloading...",
		"apiVersion: v1\nkind: Secret\ndata:\n  a: YQ==\nReally? ",
		"-----BEGIN PRIVATE KEY-----\nAAAAAAAA\n-----END PRIVATE KEY-----\nGo on? ",
	} {
		var b strings.Builder
		w := New().Writer(&b)
		_, _ = w.Write([]byte(in))
		last := in[strings.LastIndex(in, "\n")+1:]
		if !strings.HasSuffix(b.String(), last) {
			t.Errorf("%q is held back: %q", last, b.String())
		}
	}
}
