package probe_test

import (
	"context"
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"runbook/internal/probe"
	"runbook/internal/world"
)

func direct(*url.URL) (*url.URL, error) { return nil, nil }

func at(status int, location string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if location != "" {
			w.Header().Set("Location", location)
		}
		w.WriteHeader(status)
	})
}

func TestAnAddressIsAskedOnceAndNoRedirectIsFollowed(t *testing.T) {
	s := httptest.NewServer(at(http.StatusMovedPermanently, "https://elsewhere.example/"))
	defer s.Close()
	p := probe.NewClient(nil, direct, time.Now).Ask(t.Context(), s.URL)
	if p.Presence != world.Present || p.Status != 301 || p.Location != "https://elsewhere.example/" {
		t.Errorf("got %+v", p)
	}
}

func TestAnUntrustedCertificateStillHasAnAnswer(t *testing.T) {
	s := httptest.NewTLSServer(at(http.StatusOK, ""))
	defer s.Close()
	p := probe.NewClient(nil, direct, time.Now).Ask(t.Context(), s.URL)
	if p.Status != 200 || p.Trusted || p.TrustWhy == "" || p.NotAfter.IsZero() {
		t.Errorf("with the system's roots: %+v", p)
	}
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	roots := func() *x509.CertPool { return pool }
	if p = probe.NewClient(roots, direct, time.Now).Ask(t.Context(), s.URL); !p.Trusted {
		t.Errorf("with its own root: %s", p.TrustWhy)
	}
	late := func() time.Time { return s.Certificate().NotAfter.Add(time.Hour) }
	if p = probe.NewClient(roots, direct, late).Ask(t.Context(), s.URL); p.Trusted || !strings.Contains(p.TrustWhy, "expired") {
		t.Errorf("after its end: %+v", p)
	}
}

func TestAnAddressThatDoesNotAnswerSaysWhy(t *testing.T) {
	s := httptest.NewServer(at(200, ""))
	s.Close()
	p := probe.NewClient(nil, direct, time.Now).Ask(t.Context(), s.URL)
	if p.Presence != world.Hidden || !strings.Contains(p.Why, "refused") {
		t.Errorf("got %+v", p)
	}
	if p = probe.NewClient(nil, direct, time.Now).Ask(t.Context(), "http://a b/"); p.Presence != world.Hidden || p.Why == "" {
		t.Errorf("a bad address: %+v", p)
	}
}

func TestTheProxyOfTheEnvironmentIsUsed(t *testing.T) {
	var host string
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { host = r.Host }))
	defer s.Close()
	through := func(*url.URL) (*url.URL, error) { return url.Parse(s.URL) }
	if p := probe.NewClient(nil, through, time.Now).Ask(t.Context(), "http://shop.example/"); p.Status != 200 || host != "shop.example" {
		t.Errorf("got %+v, the proxy saw %q", p, host)
	}
}

func TestWhatIsWantedIsAskedAtEveryTickAndOnDemand(t *testing.T) {
	asked, told := make(chan string), make(chan world.Update, 8)
	tick := make(chan time.Time)
	ask := func(_ context.Context, u string) world.Probe { asked <- u; return world.Probe{URL: u, Status: 200} }
	w := probe.NewWatcher(t.Context(), ask, func(u world.Update) { told <- u }, tick)
	w.Want([]string{"http://a/"})
	for _, why := range []string{"wanted", "tick", "on demand"} {
		switch why {
		case "tick":
			tick <- time.Time{}
		case "on demand":
			w.Refresh()
		}
		if got := <-asked; got != "http://a/" {
			t.Fatalf("%s: asked %s", why, got)
		}
		if u := <-told; u.Probe == nil || u.Probe.Status != 200 {
			t.Fatalf("%s: told %+v", why, u)
		}
	}
	w.Close()
	select {
	case u := <-told:
		t.Errorf("told %+v after it was closed", u)
	default:
	}
}
