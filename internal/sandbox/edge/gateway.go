package edge

import (
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
)

// gateway answers requests that came in on one port of the gateway.
func (e *Edge) gateway(port int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		hop := e.plane.Hop(host, r.Method, r.URL.Path, port)
		w.Header().Set("Server", "envoy")
		switch {
		case !hop.Listening:
			http.Error(w, "no listener of the gateway for this host and port", http.StatusBadGateway)
		case hop.Route == "":
			w.WriteHeader(http.StatusNotFound)
		case hop.Status != 0:
			redirect(w, r, host, hop.Scheme, hop.Status)
		case hop.Broken:
			w.WriteHeader(http.StatusInternalServerError)
		case hop.Pod == nil:
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = io.WriteString(w, "no healthy upstream")
		default:
			hop.Pod.ServeHTTP(w, r)
		}
	})
}

func redirect(w http.ResponseWriter, r *http.Request, host, scheme string, status int) {
	if scheme == "" {
		scheme = "http"
	}
	w.Header().Set("Location", scheme+"://"+host+r.URL.RequestURI())
	w.WriteHeader(status)
}

// tls presents the certificate that the gateway's listener refers to, as it is in the cluster at that moment.
func (e *Edge) tls() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			crt, key, ok := e.plane.Certificate(hello.ServerName, 443)
			if !ok {
				return nil, errors.New("no certificate for " + hello.ServerName)
			}
			c, err := tls.X509KeyPair(crt, key)
			return &c, err
		},
	}
}

// silent drops what a server would log about clients that hang up or distrust the certificate.
func silent() *log.Logger { return log.New(io.Discard, "", 0) }

// tunnels is a listener whose connections are handed in.
type tunnels struct {
	addr  net.Addr
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newTunnels(addr net.Addr) *tunnels {
	return &tunnels{addr: addr, conns: make(chan net.Conn), done: make(chan struct{})}
}

// hand gives a connection to the server and reports whether it took it.
func (t *tunnels) hand(c net.Conn) bool {
	select {
	case t.conns <- c:
		return true
	case <-t.done:
		return false
	}
}

func (t *tunnels) Accept() (net.Conn, error) {
	select {
	case c := <-t.conns:
		return c, nil
	case <-t.done:
		return nil, net.ErrClosed
	}
}

func (t *tunnels) Close() error {
	t.once.Do(func() { close(t.done) })
	return nil
}

func (t *tunnels) Addr() net.Addr { return t.addr }
