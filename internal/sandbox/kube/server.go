package kube

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"runbook/internal/sandbox/kube/kinds"
	"runbook/internal/sandbox/kube/store"
)

// DefaultVersion is what a server says it is unless told otherwise.
const DefaultVersion = "v1.37.2"

// Options configure a Server; the zero value is a working one.
type Options struct {
	// Now is the clock of everything that is written into objects; time.Now when nil.
	Now func() time.Time
	// Logs answers for the log subresource of pods; without one no container has started.
	Logs LogSource
	// Version is what /version says ("v1.37.2"); DefaultVersion when empty.
	Version string
	// Tokens says who may come in. With none, whoever comes without a token is "kubernetes-admin" in
	// the group system:masters; with some, they are system:anonymous.
	Tokens map[string]User
	// Initializing is for how long after a CustomResourceDefinition is created or changed its resource
	// answers 429 "storage is (re)initializing"; a real server does so for about a second.
	Initializing time.Duration
	// History is how many changes are remembered for watches and consistent lists; 5000 when zero.
	History int
}

// User is who a request comes from. After Expires, unless zero, the token is refused.
type User struct {
	Name    string
	Groups  []string
	Expires time.Time
}

// LogOptions are what a client wants of a container's log, as in PodLogOptions.
type LogOptions struct {
	Follow       bool
	Previous     bool
	Timestamps   bool
	SinceSeconds *int64
	SinceTime    *time.Time
	TailLines    *int64
	LimitBytes   *int64
}

// LogSource gives the log of a container. An error that is an API status is handed on as it is; the
// reader is closed when the client leaves.
type LogSource interface {
	Logs(ctx context.Context, namespace, pod, container string, o LogOptions) (io.ReadCloser, error)
}

// Server is the API server. Make one with New, serve it, Close it.
type Server struct {
	options  Options
	store    *store.Store
	registry *registry
	ips      addresses
	tokens   tokenTable

	// writing is held for a whole read-check-write, so that no write fails on another one's account.
	writing sync.Mutex

	closing chan struct{}
	close   sync.Once
	work    sync.WaitGroup
	// active guards work against growing while Close waits.
	active sync.RWMutex
}

// New makes a server with the namespaces, roles and accounts that a fresh cluster has, and starts its
// controllers.
func New(o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Version == "" {
		o.Version = DefaultVersion
	}
	if o.History == 0 {
		o.History = 5000
	}
	s := &Server{options: o, store: store.New(o.History), registry: newRegistry(kinds.All()), closing: make(chan struct{})}
	s.tokens.fill(o.Tokens)
	s.bootstrap()
	s.startControllers()
	return s
}

// Close ends every watch and followed log, stops the controllers and waits for all of them. Requests
// that come later are answered 503.
func (s *Server) Close() {
	s.close.Do(func() {
		s.active.Lock()
		close(s.closing)
		s.active.Unlock()
	})
	s.work.Wait()
}

// Compact forgets the history of changes, so that clients holding an older resourceVersion see 410.
func (s *Server) Compact() { s.store.Compact() }

func (s *Server) now() time.Time { return s.options.Now() }

// enter counts a request in, unless the server is closing.
func (s *Server) enter() bool {
	s.active.RLock()
	defer s.active.RUnlock()
	select {
	case <-s.closing:
		return false
	default:
		s.work.Add(1)
		return true
	}
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		http.Error(w, "apiserver is shutting down", http.StatusServiceUnavailable)
		return
	}
	defer s.work.Done()
	s.serve(w, r)
}
