// Package kubelet is as much of a node's HTTPS endpoint as the API server needs to hand out the logs of its pods.
package kubelet

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"runbook/internal/sandbox/operators"
)

// A Source has the logs of containers; operators.Operators is one.
type Source interface {
	Logs(ctx context.Context, namespace, pod, container string, q operators.LogQuery) (io.ReadCloser, error)
}

// Kubelet is a served endpoint.
type Kubelet struct {
	source Source
	server *http.Server
	addr   *net.TCPAddr
	ended  chan error
}

// Start serves the logs of source on a free port of 127.0.0.1, to clients that config lets in.
func Start(source Source, config *tls.Config) (*Kubelet, error) {
	l, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		return nil, fmt.Errorf("start kubelet: %w", err)
	}
	k := &Kubelet{source: source, addr: l.Addr().(*net.TCPAddr), ended: make(chan error, 1)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /containerLogs/{namespace}/{pod}/{container}", k.logs)
	k.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { k.ended <- k.server.Serve(l) }()
	return k, nil
}

// Close ends it, followed logs included.
func (k *Kubelet) Close() error {
	err := k.server.Close()
	if served := <-k.ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

func (k *Kubelet) logs(w http.ResponseWriter, r *http.Request) {
	q, err := query(r.URL.Query(), time.Now())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	lines, err := k.source.Logs(r.Context(), r.PathValue("namespace"), r.PathValue("pod"), r.PathValue("container"), q)
	if err != nil {
		w.WriteHeader(code(err))
		_, _ = io.WriteString(w, err.Error())
		return
	}
	defer func() { _ = lines.Close() }() // it was read to its end, or nobody wants the rest
	_, _ = io.Copy(flushing{w}, lines)   // an error means that the client has gone
}

func code(err error) int {
	var s apierrors.APIStatus
	if errors.As(err, &s) {
		return int(s.Status().Code)
	}
	return http.StatusInternalServerError
}

// flushing sends every piece at once, for those who follow.
type flushing struct{ w http.ResponseWriter }

func (f flushing) Write(b []byte) (int, error) {
	n, err := f.w.Write(b)
	if flusher, ok := f.w.(http.Flusher); ok {
		flusher.Flush()
	}
	return n, err
}

// query reads the parameters of PodLogOptions as the API server passes them on.
func query(v url.Values, now time.Time) (operators.LogQuery, error) {
	q := operators.LogQuery{Tail: -1}
	for name, to := range map[string]*bool{"follow": &q.Follow, "previous": &q.Previous, "timestamps": &q.Timestamps} {
		*to = v.Get(name) == "true"
	}
	if text := v.Get("tailLines"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			return q, fmt.Errorf("read tailLines: %w", err)
		}
		q.Tail = n
	}
	if text := v.Get("limitBytes"); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return q, fmt.Errorf("read limitBytes: %w", err)
		}
		q.Limit = n
	}
	if text := v.Get("sinceSeconds"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			return q, fmt.Errorf("read sinceSeconds: %w", err)
		}
		q.Since = now.Add(-time.Duration(n) * time.Second)
	}
	if text := v.Get("sinceTime"); text != "" {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return q, fmt.Errorf("read sinceTime: %w", err)
		}
		q.Since = at
	}
	return q, nil
}
