package probe

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"runbook/internal/world"
)

// A Client asks addresses. It follows no redirect, sends no credential, and
// tells an untrusted certificate from an address that doesn't answer.
type Client struct {
	http  *http.Client
	roots func() *x509.CertPool // read when the first certificate is judged
	now   func() time.Time
}

// answerTime is how long an address may take.
const answerTime = 5 * time.Second

// NewClient returns a client that trusts roots (nil, or a nil pool: the
// system's) and goes through the proxy that the environment names.
func NewClient(roots func() *x509.CertPool, proxy func(*url.URL) (*url.URL, error), now func() time.Time) *Client {
	if roots == nil {
		roots = func() *x509.CertPool { return nil }
	}
	transport := &http.Transport{
		Proxy: func(r *http.Request) (*url.URL, error) { return proxy(r.URL) },
		// The certificate is judged by us, so that what is wrong with it can be
		// said beside what the address answers. No credential is ever sent.
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}, // verified in certificate
		DisableKeepAlives: true,                                                                // every probe is a new visitor
	}
	return &Client{
		roots: sync.OnceValue(roots),
		now:   now,
		http: &http.Client{
			Transport:     transport,
			Timeout:       answerTime,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Ask asks an address once. What can't be asked is in the answer, as Hidden
// with the reason.
func (c *Client) Ask(ctx context.Context, address string) world.Probe {
	p := world.Probe{URL: address}
	p.Seen = c.now()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return hidden(p, err)
	}
	req.Header.Set("User-Agent", "runbook")
	resp, err := c.http.Do(req)
	if err != nil {
		return hidden(p, err)
	}
	defer func() { _ = resp.Body.Close() }() // nothing of the body was wanted
	p.Presence = world.Present
	p.Status = resp.StatusCode
	p.Location = resp.Header.Get("Location")
	if resp.TLS != nil {
		c.certificate(&p, resp.TLS, req.URL.Hostname())
	}
	return p
}

func hidden(p world.Probe, err error) world.Probe {
	p.Presence = world.Hidden
	p.Why = cause(err)
	return p
}

// certificate judges what the address showed the way a browser would.
func (c *Client) certificate(p *world.Probe, state *tls.ConnectionState, host string) {
	leaf := state.PeerCertificates[0]
	p.NotAfter = leaf.NotAfter
	p.Subject = leaf.Subject.CommonName
	p.IssuedFor = leaf.DNSNames
	between := x509.NewCertPool()
	for _, cert := range state.PeerCertificates[1:] {
		between.AddCert(cert)
	}
	_, err := leaf.Verify(x509.VerifyOptions{
		DNSName: host, Roots: c.roots(), Intermediates: between, CurrentTime: c.now(),
	})
	p.Trusted = err == nil
	if err != nil {
		p.TrustWhy = err.Error()
	}
}

// cause says in few words why an address could not be asked.
func cause(err error) string {
	var dns *net.DNSError
	var op *net.OpError
	var u *url.Error
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "no such host: " + dns.Name
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &u) && u.Timeout():
		return fmt.Sprintf("no answer within %s", answerTime)
	case errors.As(err, &op):
		return op.Err.Error()
	case errors.As(err, &u):
		return strings.TrimPrefix(u.Err.Error(), "proxyconnect tcp: ")
	}
	return err.Error()
}
