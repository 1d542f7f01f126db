package redact

import "testing"

func TestWhatIsSecretInASecret(t *testing.T) {
	for _, c := range []struct {
		key, value string
		want       bool
	}{
		{"password", "schmetterling", true}, // a word, but the key says so
		{"SP_SESSION_KEY", "E82W1iFf0gOSgdmhbQMW", true},
		{"tls.key", "-----BEGIN PRIVATE KEY-----\nMIIE", true},
		{"pgpass", "db:5432:app:app:hunter2", true},
		{"anything", "hunter2-x9", true},
		{"jdbc", "jdbc:postgresql://app:hunter2@db/app", true},
		{"url", "https://app:hunter2@shop.example.org", true},
		{".dockerconfigjson", `{"auths":{}}`, true},

		{"username", "schmetterpause", false},
		{"POSTGRES_USER", "app-7f3", false},
		{"host", "db-rw.shop.svc:5432", false},
		{"dbname", "shop2", false},
		{"tls.crt", "-----BEGIN CERTIFICATE-----\nMIIE", false},
		{"bundle", "\n-----BEGIN CERTIFICATE-----\nMIIE", false},
		{"mode", "verify full", false},
		{"url", "https://shop.example.org", false},
		{"endpoint", "https://s3.example.org/bucket?x=a@b", false},
		{"anything", "shop-database", false},
	} {
		if got := Holds(c.key, c.value); got != c.want {
			t.Errorf("%s: %s: got %v, want %v", c.key, c.value, got, c.want)
		}
	}
}
