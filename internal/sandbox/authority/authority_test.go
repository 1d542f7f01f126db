package authority_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"runbook/internal/sandbox/authority"
)

func TestOnlyWhoTheAuthorityKnowsIsLetIn(t *testing.T) {
	mine, err := authority.New("mine", time.Now(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	other, err := authority.New("other", time.Now(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	config, err := mine.Mutual("localhost")
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "in") }))
	s.TLS = config
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	for name, tt := range map[string]struct {
		trusts, signed *authority.Authority
		in             bool
	}{
		"its own client":                     {mine, mine, true},
		"a client of another authority":      {mine, other, false},
		"a client without a certificate":     {mine, nil, false},
		"a client that trusts somebody else": {other, mine, false},
	} {
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(tt.trusts.PEM)
		c := &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
		if tt.signed != nil {
			crt, key, err := tt.signed.Issue("client")
			if err != nil {
				t.Fatal(err)
			}
			pair, err := tls.X509KeyPair(crt, key)
			if err != nil {
				t.Fatal(err)
			}
			c.Certificates = []tls.Certificate{pair}
		}
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: c, DisableKeepAlives: true}}
		resp, err := client.Get(s.URL)
		if err == nil {
			_ = resp.Body.Close()
		}
		if (err == nil) != tt.in {
			t.Errorf("%s: %v, want it let in: %v", name, err, tt.in)
		}
	}
}
