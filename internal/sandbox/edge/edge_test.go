package edge_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"runbook/internal/sandbox/edge"
	"runbook/internal/sandbox/operators"
)

const domain = "cluster.example.org"

// plane is a gateway with a fixed routing table: host+path, or the host alone, to a hop.
type plane struct {
	hops             map[string]operators.Hop
	certificate, key []byte
}

func (p *plane) Hop(host, _, path string, port int64) operators.Hop {
	if h, ok := p.hops[fmt.Sprintf("%s:%d%s", host, port, path)]; ok {
		return h
	}
	return p.hops[fmt.Sprintf("%s:%d", host, port)]
}

func (p *plane) Certificate(string, int64) ([]byte, []byte, bool) {
	return p.certificate, p.key, p.certificate != nil
}

// start serves p behind a proxy and returns a client that goes through it and trusts the certificate given to p.
func start(t *testing.T, p *plane, upstream *url.URL) (*edge.Edge, *http.Client) {
	t.Helper()
	e, err := edge.Start(t.Context(), edge.Config{Domain: domain, Plane: p, Upstream: upstream})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	u, err := url.Parse(e.URL())
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(p.certificate)
	tr := &http.Transport{Proxy: http.ProxyURL(u), TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "example.com"}}
	t.Cleanup(tr.CloseIdleConnections)
	return e, &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// certified is a plane with the certificate of httptest, which is for example.com.
func certified(t *testing.T) *plane {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	s.StartTLS()
	defer s.Close()
	c := s.TLS.Certificates[0]
	raw, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	return &plane{
		hops:        map[string]operators.Hop{},
		certificate: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Certificate[0]}),
		key:         pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}),
	}
}

func get(t *testing.T, c *http.Client, u string) (int, string, http.Header) {
	t.Helper()
	r, err := c.Get(u)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body), r.Header
}

var pod = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Method+" "+r.Host+r.URL.Path) })

func TestTheGatewayAnswersForItsDomain(t *testing.T) {
	p := certified(t)
	p.hops["app."+domain+":443"] = operators.Hop{Listening: true, Route: "ns/app", Pod: pod}
	p.hops["empty."+domain+":443"] = operators.Hop{Listening: true, Route: "ns/empty"}
	p.hops["none."+domain+":443"] = operators.Hop{Listening: true}
	p.hops["broken."+domain+":443"] = operators.Hop{Listening: true, Route: "ns/broken", Broken: true}
	p.hops["app."+domain+":80"] = operators.Hop{Listening: true, Route: "ns/redirect", Scheme: "https", Status: 301}
	_, c := start(t, p, nil)
	for _, x := range []struct {
		url, body string
		code      int
	}{
		{"https://app." + domain + "/a", "GET app." + domain + "/a", 200},
		{"https://empty." + domain + "/", "no healthy upstream", 503},
		{"https://none." + domain + "/", "", 404},
		{"https://broken." + domain + "/", "", 500},
	} {
		code, body, _ := get(t, c, x.url)
		if code != x.code || body != x.body {
			t.Errorf("%s: want %d %q, got %d %q", x.url, x.code, x.body, code, body)
		}
	}
	code, _, header := get(t, c, "http://app."+domain+"/a?b=c")
	if want := "https://app." + domain + "/a?b=c"; code != 301 || header.Get("Location") != want {
		t.Errorf("redirect: want 301 to %s, got %d to %s", want, code, header.Get("Location"))
	}
}

func TestAHostWithoutListenerIsRefused(t *testing.T) {
	_, c := start(t, certified(t), nil)
	if r, err := c.Get("https://app." + domain + "/"); err == nil {
		t.Errorf("https: want an error, got %d", r.StatusCode)
		_ = r.Body.Close()
	}
	if code, _, _ := get(t, c, "http://app."+domain+"/"); code != http.StatusBadGateway {
		t.Errorf("http: want 502, got %d", code)
	}
}

func TestOtherHostsArePassedThrough(t *testing.T) {
	plain := httptest.NewServer(pod)
	defer plain.Close()
	secure := httptest.NewTLSServer(pod)
	defer secure.Close()
	p := certified(t)
	_, c := start(t, p, nil)
	for _, s := range []*httptest.Server{plain, secure} {
		u, err := url.Parse(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		code, body, _ := get(t, c, s.URL+"/x")
		if want := "GET " + u.Host + "/x"; code != 200 || body != want {
			t.Errorf("%s: want 200 %q, got %d %q", s.URL, want, code, body)
		}
	}
}

func TestAnUpstreamProxyIsUsedForOtherHosts(t *testing.T) {
	secure := httptest.NewTLSServer(pod)
	defer secure.Close()
	// The upstream is an edge too: one for a domain that nobody asks for.
	up, err := edge.Start(t.Context(), edge.Config{Domain: "nobody.example.org", Plane: &plane{}})
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(up.URL())
	if err != nil {
		t.Fatal(err)
	}
	_, c := start(t, certified(t), u)
	if code, _, _ := get(t, c, secure.URL+"/x"); code != 200 {
		t.Errorf("through the upstream: want 200, got %d", code)
	}
	c.CloseIdleConnections()
	up.Close()
	if r, err := c.Get(secure.URL + "/x"); err == nil {
		t.Errorf("with the upstream gone: want an error, got %d", r.StatusCode)
		_ = r.Body.Close()
	}
}

func TestAnUnreachableHostIsABadGateway(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	_, c := start(t, certified(t), nil)
	if code, _, _ := get(t, c, gone.URL); code != http.StatusBadGateway {
		t.Errorf("want 502, got %d", code)
	}
}

func TestCloseEndsTunnelsThatAreOpen(t *testing.T) {
	p := certified(t)
	release := make(chan struct{})
	began := make(chan struct{})
	p.hops["app."+domain+":443"] = operators.Hop{Listening: true, Route: "ns/app", Pod: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(began)
		<-r.Context().Done()
		close(release)
	})}
	e, c := start(t, p, nil)
	failed := make(chan error, 1)
	go func() {
		r, err := c.Get("https://app." + domain + "/")
		if err == nil {
			_ = r.Body.Close()
		}
		failed <- err
	}()
	<-began
	e.Close()
	<-release
	if err := <-failed; err == nil {
		t.Error("want the request to fail, it did not")
	}
}

func TestARequestThatIsNoProxyRequestIsRefused(t *testing.T) {
	e, _ := start(t, certified(t), nil)
	r, err := http.Get(e.URL() + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusBadRequest {
		t.Errorf("want 400, got %d", r.StatusCode)
	}
}
