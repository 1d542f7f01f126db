package cluster

import (
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// A loginError says that the server doesn't take the credentials, or that the
// plugin that fetches them failed.
type loginError struct{ why string }

func (e *loginError) Error() string { return e.why }

// A login is shared by all requests of the live view, so that one refusal
// keeps the others from trying.
type login struct {
	mu   sync.Mutex
	why  string // not empty while refused
	next time.Time
}

// pass lets everybody through while logged in, and afterwards one request
// every pause: each may start a login plugin, and servers lock out who insists.
func (l *login) pass(now time.Time, pause time.Duration) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why == "" {
		return nil
	}
	if now.Before(l.next) {
		return &loginError{l.why}
	}
	l.next = now.Add(pause)
	return nil
}

// learn takes the outcome of a request in and returns the error that its
// source should report.
func (l *login) learn(err error, why func(error) string, now time.Time, pause time.Duration) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil:
		l.why = ""
	case refused(err):
		l.why, l.next = why(err), now.Add(pause)
		return &loginError{l.why}
	}
	return err
}

// retry lets the next request through.
func (l *login) retry() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next = time.Time{}
}

func refused(err error) bool {
	return apierrors.IsUnauthorized(err) || strings.Contains(err.Error(), "getting credentials: ") ||
		strings.Contains(err.Error(), "has asked for the client to provide credentials")
}
