package cluster

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// A loginError says that the server doesn't take the credentials, or that the
// plugin that fetches them failed.
type loginError struct{ why string }

func (e *loginError) Error() string { return e.why }

// A login stands before everything else that a request goes through, login
// plugins included. After a refusal it lets one read through every pause: each
// may start a plugin, and servers lock out who insists. Writes always pass; a
// person has asked for those.
type login struct {
	next  http.RoundTripper
	why   func(error) string
	pause time.Duration

	mu      sync.Mutex
	refused string    // why; "" while logged in
	retry   time.Time // not before
}

func (l *login) RoundTrip(req *http.Request) (*http.Response, error) {
	if why := l.closed(req.Method); why != "" {
		return nil, &loginError{why}
	}
	res, err := l.next.RoundTrip(req)
	switch {
	case err != nil && refused(err):
		why := l.why(err)
		l.refuse(why)
		return nil, &loginError{why}
	case err != nil:
		return nil, err
	case res.StatusCode == http.StatusUnauthorized:
		l.refuse(loginAgain)
	default:
		l.open()
	}
	return res, nil
}

// closed says why a request is not let through, or "".
func (l *login) closed(method string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refused == "" || method != http.MethodGet {
		return ""
	}
	if time.Now().Before(l.retry) {
		return l.refused
	}
	l.retry = time.Now().Add(l.pause)
	return ""
}

// refuse lets one more request through at once after the first refusal: a
// plugin only fetches new credentials once the old ones were refused.
func (l *login) refuse(why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refused != "" {
		l.retry = time.Now().Add(l.pause)
	}
	l.refused = why
}

func (l *login) open() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refused, l.retry = "", time.Time{}
}

// tryAgain lets the next request through.
func (l *login) tryAgain() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.retry = time.Time{}
}

// pausing sets how often a refused login is tried again.
func (l *login) pausing(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pause = d
}

// refused reports whether err is about credentials.
func refused(err error) bool {
	var login *loginError
	return errors.As(err, &login) || apierrors.IsUnauthorized(err) || strings.Contains(err.Error(), "getting credentials: ")
}
