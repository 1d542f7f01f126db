package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

const (
	// askTimeout bounds every request that isn't a watch. A live view that
	// waits longer had better say that it doesn't know.
	askTimeout = 10 * time.Second
	pageSize   = 500
	userAgent  = "runbook"
)

// A Client talks to one API server. It is safe for concurrent use.
type Client struct {
	server  string
	base    *url.URL
	http    *http.Client
	dynamic dynamic.Interface
	clock   *clock
	catalog *catalog
	login   *login
	plugin  *os.File // what the login plugin writes to stderr; nil without one
}

// Connect prepares a client for cfg without asking the server anything. The
// error is about the configuration (unreadable certificates, a bad URL).
func Connect(cfg *rest.Config) (*Client, error) {
	cfg = rest.CopyConfig(cfg)
	// A live view has many small requests at once; the server's own fairness
	// limits them, a client-side queue would only make facts late.
	cfg.QPS, cfg.Burst = 200, 400
	cfg.UserAgent = userAgent
	cfg.ContentType, cfg.AcceptContentTypes = "application/json", "application/json"
	cfg.WarningHandlerWithContext = rest.NoWarnings{}
	c := &Client{server: cfg.Host, clock: &clock{}}
	cfg.Wrap(func(next http.RoundTripper) http.RoundTripper { return listening{next: next, clock: c.clock} })
	var err error
	if err = c.transport(cfg); err != nil {
		return nil, fmt.Errorf("connect to %s: %w", cfg.Host, err)
	}
	if c.base, _, err = rest.DefaultServerUrlFor(cfg); err != nil {
		return nil, fmt.Errorf("connect to %s: %w", cfg.Host, err)
	}
	if c.dynamic, err = dynamic.NewForConfigAndClient(cfg, c.http); err != nil {
		return nil, fmt.Errorf("connect to %s: %w", cfg.Host, err)
	}
	c.catalog = newCatalog(c)
	return c, nil
}

// get asks for a path and returns the body and its content type.
func (c *Client) get(ctx context.Context, path string, query url.Values, accept string) ([]byte, string, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	at := c.base.JoinPath(path)
	at.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, "", err
	}
	req.Header.Set("Accept", accept)
	req.Header.Set("User-Agent", userAgent)
	res, err := c.http.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, "", err
	}
	if res.StatusCode != http.StatusOK {
		return nil, "", apierrors.NewGenericServerResponse(res.StatusCode, http.MethodGet, groupless, path, http.StatusText(res.StatusCode), 1, true)
	}
	return body, res.Header.Get("Content-Type"), nil
}

// errLost says that the connection broke before the answer came.
var errLost = errors.New("the connection was lost")

// A clock knows how far the server's clock is from this machine's.
type clock struct{ offset atomic.Int64 }

// at is the server's time when this machine's is t.
func (c *clock) at(t time.Time) time.Time { return t.Add(time.Duration(c.offset.Load())) }

// listening reads the server's clock off every answer.
type listening struct {
	next  http.RoundTripper
	clock *clock
}

func (l listening) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := l.next.RoundTrip(req)
	if err != nil {
		if utilnet.IsProbableEOF(err) || utilnet.IsConnectionReset(err) {
			err = errLost // client-go would try such a request ten times, a second apart, and say nothing
		}
		return res, err
	}
	if date, bad := http.ParseTime(res.Header.Get("Date")); bad == nil {
		off := time.Until(date)
		// The header has whole seconds; less than that is no difference.
		if off.Abs() < 2*time.Second {
			off = 0
		}
		l.clock.offset.Store(int64(off))
	}
	return res, nil
}
