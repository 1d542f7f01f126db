package conform_test

import (
	"context"
	"encoding/pem"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"runbook/internal/sandbox/kube"
	"runbook/internal/sandbox/kube/conform"
)

// said is a node on which only containers called "app" have started.
type said struct{}

func (said) Logs(_ context.Context, _, pod, container string, o kube.LogOptions) (io.ReadCloser, error) {
	if container != "app" {
		return nil, apierrors.NewBadRequest(`container "` + container + `" in pod "` + pod + `" is waiting to start: ContainerCreating`)
	}
	text := conform.Log
	if o.TailLines != nil {
		lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
		text = strings.Join(lines[max(0, len(lines)-int(*o.TailLines)):], "") + "\n"
	}
	if o.LimitBytes != nil {
		text = text[:*o.LimitBytes]
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

func TestTheEmbeddedServerAnswersLikeARealOne(t *testing.T) {
	const admin, nobody = "admin-token", "nobody-token"
	s := kube.New(kube.Options{Logs: said{}, Tokens: map[string]kube.User{
		admin:  {Name: "admin", Groups: []string{"system:masters"}},
		nobody: {Name: "conform-nobody"},
	}})
	h := httptest.NewUnstartedServer(s)
	h.EnableHTTP2 = true
	h.StartTLS()
	t.Cleanup(func() {
		s.Close()
		h.Close()
	})
	as := func(token string) *rest.Config {
		ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.Certificate().Raw})
		return &rest.Config{Host: h.URL, BearerToken: token, TLSClientConfig: rest.TLSClientConfig{CAData: ca}, QPS: -1}
	}
	conform.Run(t, conform.Target{Rest: as(admin), Nobody: as(nobody), Node: "somewhere", Compact: func(context.Context) error {
		s.Compact()
		return nil
	}})
}
