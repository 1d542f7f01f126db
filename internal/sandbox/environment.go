package sandbox

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
)

// writeKubeconfig writes the only file that says how to get in; nobody else may read it.
func (s *Sandbox) writeKubeconfig() error {
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: sandbox
clusters:
- name: sandbox
  cluster:
    server: https://%s
    certificate-authority-data: %s
users:
- name: sandbox-admin
  user:
    token: %s
contexts:
- name: sandbox
  context: {cluster: sandbox, user: sandbox-admin, namespace: default}
`, s.kubeEnd.addr, base64.StdEncoding.EncodeToString(s.authority.PEM), s.token)
	if err := os.WriteFile(s.Kubeconfig(), []byte(text), 0o600); err != nil {
		return fmt.Errorf("write kubeconfig: %w", err)
	}
	return nil
}

// Kubeconfig is the path of the kubeconfig; its context is "sandbox".
func (s *Sandbox) Kubeconfig() string { return filepath.Join(s.dir, "kubeconfig") }

// Env returns what a program needs in its environment to be on this cluster, as NAME=value: how to reach API server,
// Vault and the cluster's domain, and the parameters of the shipped runbooks. It holds credentials of the sandbox.
func (s *Sandbox) Env() []string {
	const direct = "127.0.0.1,localhost"
	return []string{
		"KUBECONFIG=" + s.Kubeconfig(),
		"VAULT_ADDR=" + s.VaultAddr(), "VAULT_TOKEN=" + s.vault.RootToken(),
		"HTTP_PROXY=" + s.edge.URL(), "HTTPS_PROXY=" + s.edge.URL(), "NO_PROXY=" + direct,
		"http_proxy=" + s.edge.URL(), "https_proxy=" + s.edge.URL(), "no_proxy=" + direct,
		"SSL_CERT_FILE=" + s.bundle, "CURL_CA_BUNDLE=" + s.bundle,
		"RUNBOOK_SANDBOX_PID=" + strconv.Itoa(os.Getpid()), "RUNBOOK_SANDBOX_DIR=" + s.dir,
		"CLUSTER=" + s.place.Cluster, "DOMAIN=" + s.place.Domain,
		"GATEWAY=" + s.place.Gateway, "GATEWAY_NAMESPACE=" + s.place.GatewayNamespace,
		"STORE=" + s.place.Store, "NAMESPACE=" + s.place.Namespace, "IMAGE=" + s.place.Image,
	}
}

// Transport is for programs that are in the sandbox's process and so don't have its environment: it goes through the
// proxy and trusts the sandbox's authority beside the system's. The caller closes its idle connections.
func (s *Sandbox) Transport() (*http.Transport, error) {
	proxy, err := url.Parse(s.edge.URL())
	if err != nil {
		return nil, fmt.Errorf("make transport: %w", err)
	}
	raw, err := os.ReadFile(s.bundle)
	if err != nil {
		return nil, fmt.Errorf("make transport: %w", err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(raw)
	return &http.Transport{
		Proxy:           http.ProxyURL(proxy),
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
	}, nil
}
