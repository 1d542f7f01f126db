package vault

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/vault/api"
)

// callTimeout bounds a call when nobody else does.
const callTimeout = 10 * time.Second

// Settings say which Vault to talk to and as whom. They are read once: a later
// change of the environment doesn't move a running session to another Vault.
type Settings struct {
	Address   string // may hold a password: show Client.Address instead
	Namespace string
	token     Secret
	tokenFile string            // "" when the token is not to be read from one
	headers   map[string]Secret // may hold credentials of a gateway
	proxy     *url.URL
	tls       api.TLSConfig
}

// ErrNoAddress says that no Vault is named. Unlike Vault's CLI this doesn't
// guess the one on this machine.
var ErrNoAddress = errors.New("read vault settings: VAULT_ADDR is not set")

// ReadSettings reads the variables that Vault's CLI reads, out of environ
// (each "NAME=value", a later one wins). Without VAULT_TOKEN the token is read
// from tokenFile, where "vault login" leaves it; that file may be missing.
func ReadSettings(environ []string, tokenFile string) (Settings, error) {
	env := map[string]string{}
	for _, kv := range environ {
		if k, v, ok := strings.Cut(kv, "="); ok && strings.HasPrefix(k, "VAULT_") {
			env[k] = v
		}
	}
	s := Settings{Namespace: strings.Trim(env["VAULT_NAMESPACE"], "/")}
	s.Address = strings.TrimRight(strings.TrimSpace(firstOf(env["VAULT_AGENT_ADDR"], env["VAULT_ADDR"])), "/")
	if s.Address == "" {
		return Settings{}, ErrNoAddress
	}
	if u, err := url.Parse(s.Address); err != nil || u.Scheme == "" {
		return Settings{}, errors.New("read vault settings: VAULT_ADDR isn't an address like https://vault.example.org:8200")
	}
	for _, read := range []func(map[string]string) error{s.readTLS, s.readHeaders, s.readProxy} {
		if err := read(env); err != nil {
			return Settings{}, fmt.Errorf("read vault settings: %w", err)
		}
	}
	if token := strings.TrimSpace(env["VAULT_TOKEN"]); token != "" {
		s.token = NewSecret(token)
		return s, nil
	}
	s.tokenFile = tokenFile
	return s, s.readToken()
}

func (s *Settings) readTLS(env map[string]string) error {
	s.tls = api.TLSConfig{
		CACert: env["VAULT_CACERT"], CACertBytes: []byte(env["VAULT_CACERT_BYTES"]), CAPath: env["VAULT_CAPATH"],
		ClientCert: env["VAULT_CLIENT_CERT"], ClientKey: env["VAULT_CLIENT_KEY"], TLSServerName: env["VAULT_TLS_SERVER_NAME"],
	}
	if v := env["VAULT_SKIP_VERIFY"]; v != "" {
		skip, err := strconv.ParseBool(v)
		if err != nil {
			return fmt.Errorf("VAULT_SKIP_VERIFY is neither true nor false: %q", v)
		}
		s.tls.Insecure = skip
	}
	return nil
}

func (s *Settings) readHeaders(env map[string]string) error {
	text := env["VAULT_HEADERS"]
	if text == "" {
		return nil
	}
	var headers map[string]string
	if err := json.Unmarshal([]byte(text), &headers); err != nil {
		return errors.New("VAULT_HEADERS isn't a JSON object of texts")
	}
	s.headers = map[string]Secret{}
	for k, v := range headers {
		s.headers[k] = NewSecret(v)
	}
	return nil
}

func (s *Settings) readProxy(env map[string]string) error {
	text := firstOf(env["VAULT_PROXY_ADDR"], env["VAULT_HTTP_PROXY"])
	if text == "" {
		return nil
	}
	proxy, err := url.Parse(text)
	if err != nil {
		return errors.New("VAULT_PROXY_ADDR isn't an address")
	}
	s.proxy = proxy
	return nil
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

func (s *Settings) readToken() error {
	if s.tokenFile == "" {
		return nil
	}
	raw, err := os.ReadFile(s.tokenFile)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read vault token: %w", err)
	}
	s.token = NewSecret(strings.TrimSpace(string(raw)))
	return nil
}

// A Client talks to one Vault as one token. It retries nothing: a pane must
// say that Vault is sealed now, not in four seconds.
type Client struct {
	settings Settings
	api      *api.Client
	bare     *api.Client // without token and namespace, for what needs neither
	now      func() time.Time

	mu    sync.Mutex
	token Secret

	limited atomic.Bool // the token was seen to have only so many uses
}

// NewClient prepares a client; it doesn't talk to Vault yet. now is the clock
// for the age of facts.
func NewClient(s Settings, now func() time.Time) (*Client, error) {
	c := &Client{settings: s, now: now, token: s.token}
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   5 * time.Second,
		MaxIdleConnsPerHost:   4,
		IdleConnTimeout:       90 * time.Second,
		ForceAttemptHTTP2:     true,
		ResponseHeaderTimeout: callTimeout,
		TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12},
	}
	if s.proxy != nil {
		transport.Proxy = http.ProxyURL(s.proxy)
	}
	for _, into := range []**api.Client{&c.api, &c.bare} {
		made, err := newAPI(s, transport)
		if err != nil {
			return nil, fmt.Errorf("set up vault client: %w", err)
		}
		*into = made
	}
	c.api.SetToken(s.token.Reveal())
	if s.Namespace != "" {
		c.api.SetNamespace(s.Namespace)
	}
	return c, nil
}

// newAPI makes a client of the library that owes nothing to the environment of
// this process, which the library reads behind everybody's back.
func newAPI(s Settings, transport *http.Transport) (*api.Client, error) {
	cfg := &api.Config{
		Address: s.Address, Timeout: callTimeout,
		HttpClient: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		CheckRetry: api.DefaultRetryPolicy,
	}
	if err := cfg.ConfigureTLS(&s.tls); err != nil {
		return nil, err
	}
	c, err := api.NewClient(cfg)
	if err != nil {
		return nil, err
	}
	headers := http.Header{"X-Vault-Request": {"true"}}
	for k, v := range s.headers {
		headers.Set(k, v.Reveal())
	}
	c.SetHeaders(headers)
	c.SetToken("")
	c.SetWrappingLookupFunc(func(string, string) string { return "" })
	return c, nil
}

// AuthToken is the token in use, empty when there is none, so that what commands
// print can be cleaned of it.
func (c *Client) AuthToken() Secret {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.token
}

// rereadToken takes up a new login: a step of a runbook may well be
// "vault login", which leaves its token in the file.
func (c *Client) rereadToken() {
	s := c.settings
	if s.tokenFile == "" || s.readToken() != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.token = s.token
	c.api.SetToken(s.token.Reveal())
}

// Address is the one that the client was made with, without a password in it.
func (c *Client) Address() string {
	u, err := url.Parse(c.settings.Address)
	if err != nil {
		return "" // ReadSettings has parsed it
	}
	return u.Redacted()
}
