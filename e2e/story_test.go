package e2e

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	vaultapi "github.com/hashicorp/vault/api"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"runbook/e2e/build"
	"runbook/e2e/kubelet"
	"runbook/e2e/servers"
	"runbook/internal/sandbox"
	"runbook/internal/sandbox/edge"
	"runbook/internal/sandbox/operators"
	"runbook/internal/sandbox/operators/trial"
	"runbook/internal/sandbox/scenarios"
)

// a place is a platform that the shipped runbooks can be walked on.
type place struct {
	env   []string // that `runbook sandbox` would print
	rest  *rest.Config
	vault *vaultapi.Client
}

// places are where every story is told: with the same binary, in the same words.
var places = []struct {
	name  string
	start func(*testing.T) place
}{
	{"embedded", embedded},
	{"real", realPlace},
}

// speed is how much faster than real ones the operators are.
const speed = 10

func embedded(t *testing.T) place {
	t.Helper()
	s, err := sandbox.Start(t.Context(), sandbox.Options{Dir: folder(t), Speed: speed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return place{env: s.Env(), rest: s.Rest(), vault: vaultClient(t, s.VaultAddr(), s.Vault().RootToken())}
}

// hurry is the speed at which the platform is prepared: nobody watches yet.
const hurry = 1000

// realPlace prepares the real servers as the sandbox prepares its own.
func realPlace(t *testing.T) place {
	t.Helper()
	at := scenarios.Default()
	c := startPlane(t, servers.Controllers())
	v := startVault(t)
	for _, step := range []func(context.Context) error{v.Init, v.Unseal} {
		if err := step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	client, err := dynamic.NewForConfig(c.Rest())
	if err != nil {
		t.Fatal(err)
	}
	o := play(t, c, client)
	vc := vaultClient(t, v.Addr, v.Root)
	crt, key, err := c.Authority.Issue("*."+at.Domain, at.Domain)
	if err != nil {
		t.Fatal(err)
	}
	platform, err := scenarios.Find("platform")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if err := platform.Prepare(ctx, &scenarios.Stage{Place: at, Client: client, Vault: vc, VaultAddr: v.Addr, Certificate: crt, Key: key}); err != nil {
		t.Fatal(err)
	}
	o.SetSpeed(speed)
	e, err := edge.Start(t.Context(), edge.Config{Domain: at.Domain, Plane: o})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return place{env: environment(t, c, v, e, at), rest: c.Rest(), vault: vc}
}

// play runs the operators that kube-controller-manager has no part in, and the endpoint of their node.
func play(t *testing.T, c *servers.ControlPlane, client dynamic.Interface) *operators.Operators {
	t.Helper()
	o, err := operators.Start(t.Context(), operators.Config{
		Rest: c.Rest(), Speed: hurry,
		Which: []string{"scheduler", "kubelet", "volumes", "secret-stores", "external-secrets", "cloudnative-pg", "gateways"},
		Log:   func(controller string, err error) { t.Logf("%s: %v", controller, err) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	config, err := c.Authority.Mutual("kubelet")
	if err != nil {
		t.Fatal(err)
	}
	k, err := kubelet.Start(o, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	trial.New(t, c.Rest()).Await(operators.Nodes, "", operators.NodeName, "ready", trial.Ready)
	if err := k.Announce(t.Context(), client, operators.NodeName); err != nil {
		t.Fatal(err)
	}
	return o
}

func environment(t *testing.T, c *servers.ControlPlane, v *servers.Vault, e *edge.Edge, at scenarios.Place) []string {
	t.Helper()
	bundle := filepath.Join(folder(t), "ca.pem")
	if err := os.WriteFile(bundle, c.Authority.PEM, 0o600); err != nil {
		t.Fatal(err)
	}
	const direct = "127.0.0.1,localhost"
	return []string{
		"KUBECONFIG=" + c.Kubeconfig(), "VAULT_ADDR=" + v.Addr, "VAULT_TOKEN=" + v.Root,
		"HTTP_PROXY=" + e.URL(), "HTTPS_PROXY=" + e.URL(), "NO_PROXY=" + direct,
		"http_proxy=" + e.URL(), "https_proxy=" + e.URL(), "no_proxy=" + direct,
		"SSL_CERT_FILE=" + bundle, "CURL_CA_BUNDLE=" + bundle,
		"CLUSTER=" + at.Cluster, "DOMAIN=" + at.Domain, "GATEWAY=" + at.Gateway, "GATEWAY_NAMESPACE=" + at.GatewayNamespace,
		"STORE=" + at.Store, "NAMESPACE=" + at.Namespace, "IMAGE=" + at.Image,
	}
}

func vaultClient(t *testing.T, addr, token string) *vaultapi.Client {
	t.Helper()
	config := vaultapi.DefaultConfig()
	config.Address = addr
	v, err := vaultapi.NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	v.SetToken(token)
	v.ClearNamespace()
	return v
}

// binary is runbook as it is in the tree, built once.
var binary = sync.OnceValues(func() (string, error) { return build.Runbook(context.Background(), ".") })

// runbook is a command in a place, with a home of its own and a kubectl on its path.
func runbook(t *testing.T, p place, args ...string) *exec.Cmd {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	home := folder(t)
	cmd := exec.CommandContext(t.Context(), path, args...)
	search := os.Getenv("PATH")
	if _, err := exec.LookPath("kubectl"); err != nil {
		programs, err := controlPlane()
		if err != nil {
			t.Fatal(err)
		}
		search += string(os.PathListSeparator) + filepath.Dir(programs.Kubectl)
	}
	cmd.Env = append([]string{"PATH=" + search, "HOME=" + home, "XDG_STATE_HOME=" + home, "TERM=xterm-256color", "LANG=C.UTF-8", "SHELL=/bin/sh"}, p.env...)
	cmd.Dir = home
	return cmd
}

// walk runs a runbook to its end and returns what it said.
func walk(t *testing.T, p place, args ...string) string {
	t.Helper()
	cmd := runbook(t, p, append([]string{"run"}, args...)...)
	var out bytes.Buffer
	cmd.Stdout = io.MultiWriter(&out, t.Output()) // also at once, for whoever looks on with -v
	cmd.Stderr = cmd.Stdout
	if err := cmd.Run(); err != nil {
		t.Fatalf("runbook %s: %v\n%s", strings.Join(cmd.Args[1:], " "), err, out.String())
	}
	return out.String()
}
