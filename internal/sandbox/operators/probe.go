package operators

import (
	"context"
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
)

// answer keeps what a handler says to a probe: the status is all that counts.
type answer struct {
	header http.Header
	code   int
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) Write(b []byte) (int, error) {
	if a.code == 0 {
		a.code = http.StatusOK
	}
	return len(b), nil
}

func (a *answer) WriteHeader(code int) {
	if a.code == 0 {
		a.code = code
	}
}

// probe asks a container. No probe, and a probe that is not HTTP, succeeds while the container runs.
func probe(p *corev1.Probe, h http.Handler) (ok bool, text string) {
	if p == nil || p.HTTPGet == nil {
		return true, ""
	}
	if h == nil {
		return false, "connect: connection refused"
	}
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://pod"+p.HTTPGet.Path, nil)
	if err != nil {
		return false, err.Error()
	}
	a := &answer{header: http.Header{}}
	h.ServeHTTP(a, r)
	if a.code >= 200 && a.code < 400 {
		return true, ""
	}
	return false, fmt.Sprintf("HTTP probe failed with statuscode: %d", a.code)
}
