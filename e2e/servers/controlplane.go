package servers

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/rest"

	"runbook/e2e/build"
	"runbook/internal/sandbox/authority"
)

// A User may log in with a token.
type User struct {
	Token, Name string
	Groups      []string
}

// ControlPlane is a running etcd, kube-apiserver and kube-controller-manager.
type ControlPlane struct {
	Authority *authority.Authority
	dir       string
	url       string
	store     string // etcd's URL
	token     string
	running   []*process
}

// Controllers are the ones that act on what the API server alone leaves as it is. Nodes, scheduling, kubelets, volumes of
// a provisioner and operators are played.
func Controllers() []string {
	return append(Housekeeping(),
		"deployment-controller", "replicaset-controller", "statefulset-controller", "job-controller", "endpointslice-controller",
		"persistentvolume-binder-controller", "persistentvolumeclaim-protection-controller", "persistentvolume-protection-controller")
}

// Housekeeping are those of them that touch no workload.
func Housekeeping() []string {
	return []string{
		"namespace-controller", "garbage-collector-controller", "clusterrole-aggregation-controller", "serviceaccount-controller",
		"root-ca-certificate-publisher-controller",
	}
}

// Options say what kind of control plane is wanted.
type Options struct {
	Dir         string // for all its files; must exist
	Programs    build.ControlPlane
	Controllers []string // that kube-controller-manager runs; it is left out when there are none
	Users       []User   // who may log in besides an administrator
}

// StartControlPlane starts the servers and returns when the API server is ready.
func StartControlPlane(ctx context.Context, o Options) (*ControlPlane, error) {
	c := &ControlPlane{dir: o.Dir}
	if err := c.start(ctx, o); err != nil {
		return nil, errors.Join(fmt.Errorf("start control plane: %w", err), c.Stop())
	}
	return c, nil
}

func (c *ControlPlane) start(ctx context.Context, o Options) error {
	ports, err := freePorts(3)
	if err != nil {
		return err
	}
	if err := c.credentials(o.Users); err != nil {
		return err
	}
	if err := c.etcd(o.Programs.Etcd, ports[0], ports[1]); err != nil {
		return err
	}
	if err := c.apiServer(ctx, o.Programs.APIServer, ports[2]); err != nil {
		return err
	}
	if err := c.WriteKubeconfig(c.path("kubeconfig"), c.token); err != nil {
		return err
	}
	if len(o.Controllers) == 0 {
		return nil
	}
	return c.controllers(o.Programs.Controllers, o.Controllers)
}

func (c *ControlPlane) path(name string) string { return filepath.Join(c.dir, name) }

// credentials writes keys, certificates and tokens. The fields of the token file are token, user, uid and groups.
func (c *ControlPlane) credentials(users []User) (err error) {
	if c.Authority, err = authority.New("runbook e2e", time.Now(), validity); err != nil {
		return err
	}
	secret := make([]byte, 16)
	_, _ = rand.Read(secret) // never fails: crypto/rand ends the program instead
	c.token = hex.EncodeToString(secret)
	var lines strings.Builder
	for _, u := range append(users, User{c.token, "e2e-admin", []string{"system:masters"}}) {
		fmt.Fprintf(&lines, "%s,%s,%s,%q\n", u.Token, u.Name, u.Name, strings.Join(u.Groups, ","))
	}
	if err := os.WriteFile(c.path("tokens.csv"), []byte(lines.String()), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(c.path("ca.crt"), c.Authority.PEM, 0o600); err != nil {
		return err
	}
	return writeSigningKey(c.path("accounts.key"))
}

func (c *ControlPlane) launch(name, program string, args ...string) (*process, error) {
	p, err := run(name, c.dir, exec.Command(program, args...))
	if err == nil {
		c.running = append(c.running, p)
	}
	return p, err
}

func (c *ControlPlane) etcd(program string, client, peer int) error {
	c.store = fmt.Sprintf("http://127.0.0.1:%d", client)
	other := fmt.Sprintf("http://127.0.0.1:%d", peer)
	_, err := c.launch("etcd", program,
		"--data-dir="+c.path("etcd"), "--unsafe-no-fsync", "--log-level=error",
		"--listen-client-urls="+c.store, "--advertise-client-urls="+c.store,
		"--listen-peer-urls="+other, "--initial-advertise-peer-urls="+other, "--initial-cluster=default="+other)
	return err
}

func (c *ControlPlane) apiServer(ctx context.Context, program string, port int) error {
	crt, key, err := writeCertificate(c.Authority, c.dir, "kube-apiserver")
	if err != nil {
		return err
	}
	c.url = fmt.Sprintf("https://127.0.0.1:%d", port)
	p, err := c.launch("kube-apiserver", program,
		"--etcd-servers="+c.store, "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port),
		"--tls-cert-file="+crt, "--tls-private-key-file="+key, "--cert-dir="+c.path("apiserver"),
		"--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.96.0.0/16",
		"--disable-admission-plugins=ServiceAccount", // pods need no token of a kubelet that is played
		"--authorization-mode=RBAC", "--token-auth-file="+c.path("tokens.csv"), "--anonymous-auth=true",
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file="+c.path("accounts.key"),
		"--service-account-signing-key-file="+c.path("accounts.key"),
		"--kubelet-certificate-authority="+c.path("ca.crt"), "--kubelet-client-certificate="+crt, "--kubelet-client-key="+key,
		"--watch-cache-sizes=poddisruptionbudgets.policy#0", // so that a compaction can be seen: other kinds have a history in memory
		"--kubelet-preferred-address-types=InternalIP",
		"--profiling=false", "--v=0")
	if err != nil {
		return err
	}
	client, err := rest.HTTPClientFor(c.Rest())
	if err != nil {
		return err
	}
	return p.until(ctx, func(ctx context.Context) error { return answers(ctx, client, c.url+"/readyz") })
}

func (c *ControlPlane) controllers(program string, which []string) error {
	_, err := c.launch("kube-controller-manager", program,
		"--kubeconfig="+c.path("kubeconfig"), "--controllers="+strings.Join(which, ","),
		"--leader-elect=false", "--secure-port=0", "--root-ca-file="+c.path("ca.crt"),
		"--service-account-private-key-file="+c.path("accounts.key"),
		"--kube-api-qps=200", "--kube-api-burst=400", "--pvclaimbinder-sync-period=1s", "--profiling=false", "--v=0")
	return err
}

// Rest is how to reach the API server as somebody who may do everything.
func (c *ControlPlane) Rest() *rest.Config { return c.As(c.token) }

// As is how to reach it with a token.
func (c *ControlPlane) As(token string) *rest.Config {
	return &rest.Config{Host: c.url, BearerToken: token, TLSClientConfig: rest.TLSClientConfig{CAData: c.Authority.PEM}, QPS: -1}
}

// Kubeconfig is the path of the administrator's kubeconfig; its context is "e2e".
func (c *ControlPlane) Kubeconfig() string { return c.path("kubeconfig") }

// WriteKubeconfig writes one for a token. Nobody else may read it.
func (c *ControlPlane) WriteKubeconfig(path, token string) error {
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: e2e
clusters: [{name: e2e, cluster: {server: %q, certificate-authority-data: %s}}]
users: [{name: e2e, user: {token: %q}}]
contexts: [{name: e2e, context: {cluster: e2e, user: e2e, namespace: default}}]
`, c.url, base64.StdEncoding.EncodeToString(c.Authority.PEM), token)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write kubeconfig: %w", err)
	}
	return nil
}

// Compact makes etcd forget every revision but the last.
func (c *ControlPlane) Compact(ctx context.Context) error {
	var last struct {
		Header struct{ Revision string }
	}
	if _, err := call(ctx, client, http.MethodPost, c.store+"/v3/kv/range", map[string]any{"key": "AA=="}, &last); err != nil {
		return fmt.Errorf("compact etcd: %w", err)
	}
	_, err := call(ctx, client, http.MethodPost, c.store+"/v3/kv/compaction", map[string]any{"revision": last.Header.Revision, "physical": true}, nil)
	if err != nil {
		return fmt.Errorf("compact etcd: %w", err)
	}
	return nil
}

// Stop ends the servers, the last one first, and waits for them.
func (c *ControlPlane) Stop() error {
	var errs []error
	for len(c.running) > 0 {
		last := len(c.running) - 1
		errs = append(errs, c.running[last].stop())
		c.running = c.running[:last]
	}
	return errors.Join(errs...)
}
