package sandbox

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// endpoint serves a handler on one address, and can go away and come back there.
type endpoint struct {
	handler http.Handler
	tls     *tls.Config // nil for plain HTTP
	addr    string

	mu     sync.Mutex
	server *http.Server
	wait   sync.WaitGroup
}

func (e *endpoint) start(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.server != nil {
		return nil
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", e.addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", e.addr, err)
	}
	e.addr = l.Addr().String() // the free port, from now on
	s := &http.Server{
		Handler: e.handler, ReadHeaderTimeout: 10 * time.Second,
		// What a server would log here is about clients that hang up, and the terminal belongs to somebody else.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	if e.tls != nil {
		s.TLSConfig = e.tls.Clone()
	}
	e.server = s
	e.wait.Go(func() {
		if s.TLSConfig != nil {
			_ = s.ServeTLS(l, "", "")
			return
		}
		_ = s.Serve(l)
	})
	return nil
}

// stop closes the listener and every connection. What the handler knows stays.
func (e *endpoint) stop() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.server == nil {
		return
	}
	_ = e.server.Close()
	e.wait.Wait()
	e.server = nil
}
