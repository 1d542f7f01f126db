package vault

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Options say what kind of Vault to serve. The zero value is an initialised,
// unsealed, active server without namespaces.
type Options struct {
	Now  func() time.Time // default time.Now
	Rand io.Reader        // default crypto/rand.Reader

	RootToken     string   // default: made up; see Server.RootToken
	Shares        int      // unseal keys, default 1
	Threshold     int      // keys needed to unseal, default 1
	Uninitialized bool     // start as a server that nobody has initialised
	Version       string   // default "1.14.0"
	ClusterName   string   // default "vault-cluster-sandbox"
	Namespaces    []string // such as "team-a/dev"; without any, the header is ignored, as the free edition does

	// ReviewJWT tells whose token a Kubernetes login presents. Without it every
	// Kubernetes login is denied.
	ReviewJWT func(jwt string) (ServiceAccount, error)
}

// A ServiceAccount is the owner of a Kubernetes token.
type ServiceAccount struct{ Namespace, Name, UID string }

// A Server is one Vault node. It is an http.Handler and safe for concurrent use.
type Server struct {
	opt Options

	mu      sync.Mutex
	seal    sealState
	standby standbyMode
	spaces  map[string]*space // by path: "" is the root namespace, others end in a slash
	tokens  tokenStore
}

// New returns a server. It fails only when Options contradict each other or
// the source of randomness does.
func New(opt Options) (*Server, error) {
	fillOptions(&opt)
	if opt.Threshold > opt.Shares {
		return nil, fmt.Errorf("start vault: threshold %d is more than %d shares", opt.Threshold, opt.Shares)
	}
	s := &Server{opt: opt, spaces: map[string]*space{}, tokens: newTokenStore()}
	s.seal.clusterID = s.uuid()
	s.addSpace("")
	for _, name := range opt.Namespaces {
		s.addSpace(strings.Trim(name, "/") + "/")
	}
	if opt.Uninitialized {
		s.seal.sealed = true
		return s, nil
	}
	s.initialize(opt.Shares, opt.Threshold)
	s.seal.sealed = false
	return s, nil
}

func fillOptions(o *Options) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	if o.Shares == 0 {
		o.Shares = 1
	}
	if o.Threshold == 0 {
		o.Threshold = 1
	}
	if o.Version == "" {
		o.Version = "1.14.0"
	}
	if o.ClusterName == "" {
		o.ClusterName = "vault-cluster-sandbox"
	}
}

func (s *Server) now() time.Time { return s.opt.Now().UTC() }

// random returns n random bytes. A broken source of randomness can't be
// answered with anything sensible, so it panics as crypto/rand itself does.
func (s *Server) random(n int) []byte {
	b := make([]byte, n)
	if _, err := io.ReadFull(s.opt.Rand, b); err != nil {
		panic(fmt.Sprintf("sandbox vault: read randomness: %v", err))
	}
	return b
}

func (s *Server) uuid() string {
	b := s.random(16)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	h := hex.EncodeToString(b)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func (s *Server) tokenID(prefix string) string {
	return prefix + base64.RawURLEncoding.EncodeToString(s.random(69))
}

// ServeHTTP answers one request. The network is kept outside the lock: a
// client that is slow to send or to read holds up nobody.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		writeFault(w, fail(http.StatusRequestEntityTooLarge, "error parsing JSON"))
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	out := &buffer{header: w.Header()}
	s.serve(out, r)
	w.WriteHeader(out.code)
	// The client is gone when this fails, and nobody is left to tell.
	_, _ = w.Write(out.body.Bytes())
}

// A buffer holds an answer until the lock is released.
type buffer struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

func (b *buffer) Header() http.Header         { return b.header }
func (b *buffer) WriteHeader(code int)        { b.code = code }
func (b *buffer) Write(p []byte) (int, error) { return b.body.Write(p) }

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Cache-Control", "no-store")
	// The clock may be a staged one, and clients measure skew by this header.
	w.Header().Set("Date", s.now().Format(http.TimeFormat))
	path, ok := strings.CutPrefix(r.URL.Path, "/v1/")
	if !ok {
		http.NotFound(w, r)
		return
	}
	if direct := s.directRoute(path); direct != nil {
		direct(w, r)
		return
	}
	req, rep, err := s.serveLogical(r, path)
	write(w, req, rep, err)
}

// directRoute returns the handler of the few paths that work without a token
// and while sealed.
func (s *Server) directRoute(path string) http.HandlerFunc {
	switch path {
	case "sys/health":
		return s.health
	case "sys/seal-status":
		return s.sealStatus
	case "sys/init":
		return s.initEndpoint
	case "sys/unseal":
		return s.unsealEndpoint
	case "sys/leader":
		return s.leader
	}
	return nil
}

// serveLogical is the way of every other request: state, namespace, token,
// policy, backend, in the order in which Vault looks at them.
func (s *Server) serveLogical(r *http.Request, path string) (*request, *reply, error) {
	if s.seal.sealed {
		return nil, nil, errSealed
	}
	if s.standby == standby {
		return nil, nil, fail(http.StatusInternalServerError, "local node not active but active cluster node not found")
	}
	req, err := s.parse(r, path)
	if err != nil {
		return req, nil, err
	}
	if req.op.writes() && strings.HasSuffix(req.path, "/") {
		return req, nil, fail(http.StatusBadRequest, "cannot write to a path ending in '/'")
	}
	req.token = s.tokens.lookup(req.tokenID, s.now())
	if s.unauthenticated(req) {
		rep, err := s.route(req)
		return req, rep, err
	}
	done, err := s.authorize(req)
	defer done()
	if err != nil {
		return req, nil, err
	}
	rep, err := s.route(req)
	return req, rep, err
}

// route hands the request to the backend that owns its path.
func (s *Server) route(req *request) (*reply, error) {
	if rest, ok := strings.CutPrefix(req.path, "sys/"); ok {
		return s.sys(req, rest)
	}
	if rest, ok := strings.CutPrefix(req.path, "auth/token/"); ok {
		return s.tokenAPI(req, rest)
	}
	if m, rest := req.ns.authAt(req.path); m != nil {
		return m.auth.handle(s, req, rest)
	}
	if m, rest := req.ns.mountAt(req.path); m != nil {
		return m.kv.handle(s, req, rest)
	}
	return nil, fail(http.StatusNotFound, fmt.Sprintf("no handler for route %q. route entry not found.", req.path))
}

// write puts the outcome of a logical request on the wire.
func write(w http.ResponseWriter, req *request, rep *reply, err error) {
	var f *fault
	switch {
	case errors.As(err, &f):
		writeFault(w, f)
	case err != nil:
		writeFault(w, fail(http.StatusInternalServerError, err.Error()))
	case rep == nil && req.op.reads():
		writeFault(w, &fault{code: http.StatusNotFound})
	case rep == nil:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNoContent)
	default:
		writeReply(w, req, rep)
	}
}
