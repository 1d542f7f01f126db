package sandbox

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync/atomic"
	"time"

	vaultapi "github.com/hashicorp/vault/api"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"runbook/internal/sandbox/authority"
	"runbook/internal/sandbox/edge"
	"runbook/internal/sandbox/kube"
	"runbook/internal/sandbox/operators"
	"runbook/internal/sandbox/scenarios"
	"runbook/internal/sandbox/vault"
)

// Options say what kind of sandbox is wanted. The zero value is the default scenario on free ports.
type Options struct {
	Dir      string           // for kubeconfig and certificates; a temporary one that Close removes, when empty
	Scenario string           // a name of scenarios.All; the first of them when empty
	Speed    float64          // how fast the operators are; 1 when zero
	Now      func() time.Time // the clock of servers and operators; time.Now when nil
	// Ports of 127.0.0.1, 0 for a free one.
	KubePort, VaultPort, ProxyPort int
	// MissingImages are image references that no registry knows.
	MissingImages []string
	// ReportMissingParents makes a route whose Gateway does not exist say so, as some Cilium versions do.
	ReportMissingParents bool
	// Log hears about operators' passes that failed and shouldn't have; silent when nil.
	Log func(controller string, err error)
}

// Sandbox is a running cluster with its Vault.
type Sandbox struct {
	place     scenarios.Place
	dir       string
	temporary bool
	kube      *kube.Server
	vault     *vault.Server
	kubeEnd   *endpoint
	vaultEnd  *endpoint
	operators *operators.Operators
	node      atomic.Pointer[operators.Operators] // the same, for the API server's requests
	edge      *edge.Edge
	authority *authority.Authority
	token     string
	bundle    string
}

// hurry is the speed at which a scenario is prepared: nobody watches yet.
const hurry = 1000

// Start brings a sandbox up and returns when its scenario can be seen. It ends with Close; ctx ending stops its
// operators and its proxy.
func Start(ctx context.Context, o Options) (*Sandbox, error) {
	s := &Sandbox{place: scenarios.Default()}
	if err := s.start(ctx, o); err != nil {
		return nil, errors.Join(fmt.Errorf("start sandbox: %w", err), s.Close())
	}
	return s, nil
}

func (s *Sandbox) start(ctx context.Context, o Options) error {
	scenario, err := scenarios.Find(o.Scenario)
	if err != nil {
		return err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := s.folder(o.Dir); err != nil {
		return err
	}
	if s.authority, err = authority.New("runbook sandbox", o.Now(), validity); err != nil {
		return err
	}
	if s.bundle, err = writeBundle(s.dir, s.authority.PEM); err != nil {
		return err
	}
	if err := s.serve(ctx, o); err != nil {
		return err
	}
	if err := s.writeKubeconfig(); err != nil {
		return err
	}
	s.operators, err = operators.Start(ctx, operators.Config{
		Rest: s.Rest(), Speed: hurry, Now: o.Now, MissingImages: o.MissingImages,
		ReportMissingParents: o.ReportMissingParents, Log: o.Log})
	if err != nil {
		return err
	}
	s.node.Store(s.operators)
	if err := s.prepare(ctx, scenario); err != nil {
		return err
	}
	s.operators.SetSpeed(o.Speed)
	upstream, err := upstreamProxy()
	if err != nil {
		return err
	}
	s.edge, err = edge.Start(ctx, edge.Config{
		Domain: s.place.Domain, Plane: s.operators, Addr: local(o.ProxyPort), Upstream: upstream})
	return err
}

func (s *Sandbox) folder(dir string) error {
	if dir != "" {
		s.dir = dir
		return os.MkdirAll(dir, 0o700)
	}
	dir, err := os.MkdirTemp("", "runbook-sandbox-")
	s.dir, s.temporary = dir, err == nil
	return err
}

func local(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }

// upstreamProxy is the proxy that this process itself would use, since the sandbox's takes its place in the environment.
func upstreamProxy() (*url.URL, error) {
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"} {
		if text := os.Getenv(name); text != "" {
			u, err := url.Parse(text)
			if err != nil || u.Host == "" {
				return nil, fmt.Errorf("read %s: is no URL of a proxy", name)
			}
			return u, nil
		}
	}
	return nil, nil
}

// serve makes both servers and opens their ports.
func (s *Sandbox) serve(ctx context.Context, o Options) error {
	secret := make([]byte, 16)
	_, _ = rand.Read(secret) // never fails: crypto/rand ends the program instead
	s.token = "sandbox." + hex.EncodeToString(secret)
	s.kube = kube.New(kube.Options{
		Now: o.Now, Logs: logs{&s.node, o.Now},
		Tokens: map[string]kube.User{s.token: {Name: "sandbox-admin", Groups: []string{"system:masters"}}},
	})
	config, err := s.authority.Server("localhost")
	if err != nil {
		return err
	}
	s.kubeEnd = &endpoint{handler: s.kube, tls: config, addr: local(o.KubePort)}
	if err := s.kubeEnd.start(ctx); err != nil {
		return err
	}
	if s.vault, err = vault.New(vault.Options{Now: o.Now, ReviewJWT: s.review}); err != nil {
		return err
	}
	s.vaultEnd = &endpoint{handler: s.vault, addr: local(o.VaultPort)}
	return s.vaultEnd.start(ctx)
}

func (s *Sandbox) prepare(ctx context.Context, scenario scenarios.Scenario) error {
	client, err := dynamic.NewForConfig(s.Rest())
	if err != nil {
		return err
	}
	v, err := s.vaultClient()
	if err != nil {
		return err
	}
	crt, key, err := s.authority.Issue("*."+s.place.Domain, s.place.Domain)
	if err != nil {
		return err
	}
	return scenario.Prepare(ctx, &scenarios.Stage{
		Place: s.place, Client: client, Vault: v, VaultAddr: s.VaultAddr(), Certificate: crt, Key: key})
}

func (s *Sandbox) vaultClient() (*vaultapi.Client, error) {
	c := vaultapi.DefaultConfig()
	c.Address = s.VaultAddr()
	v, err := vaultapi.NewClient(c)
	if err != nil {
		return nil, err
	}
	v.SetToken(s.vault.RootToken())
	v.ClearNamespace()
	return v, nil
}

// Rest is how this process reaches the API server, as somebody who may do everything.
func (s *Sandbox) Rest() *rest.Config {
	return &rest.Config{
		Host: "https://" + s.kubeEnd.addr, BearerToken: s.token, TLSClientConfig: rest.TLSClientConfig{CAData: s.authority.PEM},
		QPS: -1, // a client of one's own cluster in one's own process needs no rationing
	}
}

// VaultAddr is the URL of the Vault.
func (s *Sandbox) VaultAddr() string { return "http://" + s.vaultEnd.addr }

// Place names what the sandbox's story is about.
func (s *Sandbox) Place() scenarios.Place { return s.place }

// Kube is the API server itself, for tests that stage what no request can.
func (s *Sandbox) Kube() *kube.Server { return s.kube }

// Vault is the Vault itself, for tests that stage what no request can.
func (s *Sandbox) Vault() *vault.Server { return s.vault }

// SetSpeed changes how fast the operators are.
func (s *Sandbox) SetSpeed(speed float64) { s.operators.SetSpeed(speed) }

// StopServers closes the ports of the API server and the Vault; both keep their state.
func (s *Sandbox) StopServers() {
	s.kubeEnd.stop()
	s.vaultEnd.stop()
}

// StartServers opens the ports again, the same ones.
func (s *Sandbox) StartServers(ctx context.Context) error {
	return errors.Join(s.kubeEnd.start(ctx), s.vaultEnd.start(ctx))
}

// Close stops everything, waits for it, and removes a folder that Start made.
func (s *Sandbox) Close() error {
	if s.edge != nil {
		s.edge.Close()
	}
	if s.operators != nil {
		s.operators.Close()
	}
	for _, e := range []*endpoint{s.kubeEnd, s.vaultEnd} {
		if e != nil {
			e.stop()
		}
	}
	if s.kube != nil {
		s.kube.Close()
	}
	if s.temporary {
		if err := os.RemoveAll(s.dir); err != nil {
			return fmt.Errorf("close sandbox: %w", err)
		}
	}
	return nil
}
