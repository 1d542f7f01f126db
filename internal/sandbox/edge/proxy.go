package edge

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"runbook/internal/sandbox/operators"
)

// Plane is the gateway's data plane: which way a request goes, and with which certificate.
type Plane interface {
	Hop(host, method, path string, port int64) operators.Hop
	Certificate(host string, port int64) (certificate, key []byte, ok bool)
}

// Config says what is behind the proxy.
type Config struct {
	Domain string // the cluster's domain; it and every name under it lead to the gateway
	Plane  Plane
	Addr   string // where to listen; a free port of 127.0.0.1 when empty
	// Upstream is the proxy that other hosts are reached through, nil for none.
	Upstream *url.URL
}

// Edge is a running proxy.
type Edge struct {
	domain   string
	plane    Plane
	upstream *url.URL
	listener net.Listener
	proxy    *http.Server
	secure   *http.Server
	tunnels  *tunnels
	pass     *httputil.ReverseProxy
	ctx      context.Context
	cancel   context.CancelFunc

	mu     sync.Mutex // guards wait against growing while Close waits
	closed bool
	wait   sync.WaitGroup
}

// Start listens and serves until ctx ends or Close is called.
func Start(ctx context.Context, c Config) (*Edge, error) {
	if c.Addr == "" {
		c.Addr = "127.0.0.1:0"
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return nil, fmt.Errorf("start edge: %w", err)
	}
	e := &Edge{domain: strings.ToLower(c.Domain), plane: c.Plane, upstream: c.Upstream, listener: l}
	e.ctx, e.cancel = context.WithCancel(ctx)
	transport := &http.Transport{ForceAttemptHTTP2: false}
	if c.Upstream != nil {
		transport.Proxy = http.ProxyURL(c.Upstream)
	}
	// The request of a forward proxy already names where it goes.
	e.pass = &httputil.ReverseProxy{Rewrite: func(*httputil.ProxyRequest) {}, Transport: transport, ErrorHandler: unreachable}
	e.tunnels = newTunnels(l.Addr())
	e.proxy = &http.Server{Handler: e.counted(http.HandlerFunc(e.serve)), ReadHeaderTimeout: 10 * time.Second}
	e.secure = &http.Server{Handler: e.counted(e.gateway(443)), ReadHeaderTimeout: 10 * time.Second, TLSConfig: e.tls(), ErrorLog: silent()}
	e.wait.Go(func() { _ = e.proxy.Serve(l) })
	e.wait.Go(func() { _ = e.secure.ServeTLS(e.tunnels, "", "") })
	e.wait.Go(func() {
		<-e.ctx.Done()
		_ = e.proxy.Close()
		_ = e.secure.Close()
		transport.CloseIdleConnections()
	})
	return e, nil
}

// URL is what HTTP_PROXY and HTTPS_PROXY have to be.
func (e *Edge) URL() string { return "http://" + e.listener.Addr().String() }

// Close ends every connection and waits until nobody answers any more.
func (e *Edge) Close() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.cancel()
	e.wait.Wait()
}

// counted lets h take part in what Close waits for.
func (e *Edge) counted(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		if e.closed {
			e.mu.Unlock()
			http.Error(w, "proxy is closing", http.StatusServiceUnavailable)
			return
		}
		e.wait.Add(1)
		e.mu.Unlock()
		defer e.wait.Done()
		h.ServeHTTP(w, r)
	})
}

func unreachable(w http.ResponseWriter, _ *http.Request, err error) {
	http.Error(w, "proxy: "+err.Error(), http.StatusBadGateway)
}

// ours reports whether a host belongs to the cluster.
func (e *Edge) ours(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == e.domain || strings.HasSuffix(host, "."+e.domain)
}

func (e *Edge) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect:
		e.connect(w, r)
	case !r.URL.IsAbs():
		http.Error(w, "this is a forward proxy: ask it for a full URL", http.StatusBadRequest)
	case e.ours(r.URL.Hostname()):
		port, err := strconv.ParseInt(r.URL.Port(), 10, 64)
		if err != nil {
			port = 80
		}
		e.gateway(port).ServeHTTP(w, r)
	default:
		e.pass.ServeHTTP(w, r)
	}
}

// connect opens a tunnel: to the gateway's TLS side, or to the host that was asked for.
func (e *Edge) connect(w http.ResponseWriter, r *http.Request) {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if e.ours(host) {
		if port != "443" || !e.plane.Hop(host, http.MethodGet, "/", 443).Listening {
			http.Error(w, "no listener of the gateway for "+r.Host, http.StatusBadGateway)
			return
		}
		if conn, ok := hijack(w); ok && !e.tunnels.hand(conn) {
			_ = conn.Close()
		}
		return
	}
	far, err := e.dial(r.Context(), r.Host)
	if err != nil {
		http.Error(w, "proxy: "+err.Error(), http.StatusBadGateway)
		return
	}
	near, ok := hijack(w)
	if !ok {
		_ = far.Close()
		return
	}
	e.pipe(near, far)
}

// hijack answers CONNECT with success and takes the connection over.
func hijack(w http.ResponseWriter) (net.Conn, bool) {
	h, ok := w.(http.Hijacker)
	if !ok {
		http.Error(w, "connection can't be taken over", http.StatusInternalServerError)
		return nil, false
	}
	conn, buffered, err := h.Hijack()
	if err != nil {
		return nil, false
	}
	if _, err := io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		_ = conn.Close()
		return nil, false
	}
	return &early{conn, buffered.Reader}, true
}

// early is a connection of which some bytes have been read already.
type early struct {
	net.Conn
	r *bufio.Reader
}

func (e *early) Read(b []byte) (int, error) { return e.r.Read(b) }

// dial reaches a host of the outside, through the upstream proxy when there is one.
func (e *Edge) dial(ctx context.Context, target string) (net.Conn, error) {
	d := net.Dialer{Timeout: 30 * time.Second}
	if e.upstream == nil {
		return d.DialContext(ctx, "tcp", target)
	}
	conn, err := d.DialContext(ctx, "tcp", e.upstream.Host)
	if err != nil {
		return nil, err
	}
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: target}, Host: target, Header: http.Header{}}
	if u := e.upstream.User; u != nil {
		password, _ := u.Password()
		req.SetBasicAuth(u.Username(), password)
		req.Header["Proxy-Authorization"] = req.Header["Authorization"]
		req.Header.Del("Authorization")
	}
	if err := req.Write(conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, req)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		_ = conn.Close()
		return nil, errors.New("upstream proxy answered " + resp.Status)
	}
	return &early{conn, r}, nil
}

// pipe copies both ways until one side ends or the edge closes.
func (e *Edge) pipe(near, far net.Conn) {
	stop := context.AfterFunc(e.ctx, func() {
		_ = near.Close()
		_ = far.Close()
	})
	defer stop()
	var both sync.WaitGroup
	way := func(to, from net.Conn) {
		_, _ = io.Copy(to, from)
		// Half a close would do; whole ones end the other direction too, which TLS tolerates.
		_ = to.Close()
	}
	both.Go(func() { way(far, near) })
	both.Go(func() { way(near, far) })
	both.Wait()
}
