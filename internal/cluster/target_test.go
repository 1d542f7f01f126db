package cluster

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/klog/v2"
)

const twoContexts = `
apiVersion: v1
kind: Config
current-context: prod
contexts:
- {name: prod, context: {cluster: prod, user: admin, namespace: shop}}
- {name: Staging EU, context: {cluster: staging, user: admin}}
clusters:
- {name: prod, cluster: {server: %[1]s}}
- {name: staging, cluster: {server: "https://staging.example.org:6443"}}
users:
- {name: admin, user: {token: admin}}
`

// secured serves the bench over TLS, without which no credentials are sent, and
// returns what stands in a kubeconfig's cluster.
func (b *bench) secured() string {
	front := httptest.NewUnstartedServer(b.kube)
	front.EnableHTTP2 = true
	front.StartTLS()
	b.Cleanup(func() {
		b.kube.Close()
		front.Close()
	})
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: front.Certificate().Raw})
	return front.URL + ", certificate-authority-data: " + base64.StdEncoding.EncodeToString(ca)
}

// kubeconfig writes a file and returns its path.
func kubeconfig(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	write(t, path, text)
	return path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestATargetIsWhatTheKubeconfigSays(t *testing.T) {
	path := kubeconfig(t, fmt.Sprintf(twoContexts, "https://prod.example.org:6443"))
	for _, c := range []struct{ context, wantContext, wantServer, wantNamespace string }{
		{"", "prod", "https://prod.example.org:6443", "shop"},
		{"Staging EU", "Staging EU", "https://staging.example.org:6443", "default"},
	} {
		got, err := Load(path, c.context)
		if err != nil {
			t.Fatal(err)
		}
		if got.Context != c.wantContext || got.Server != c.wantServer || got.Namespace != c.wantNamespace {
			t.Errorf("context %q: got %q %q %q", c.context, got.Context, got.Server, got.Namespace)
		}
	}
}

func TestABadKubeconfigSaysWhatToDo(t *testing.T) {
	good := kubeconfig(t, fmt.Sprintf(twoContexts, "https://prod.example.org:6443"))
	for _, c := range []struct{ name, path, context, text, hint string }{
		{"no file", filepath.Join(t.TempDir(), "nowhere"), "", "no kubeconfig: looked for", "--kubeconfig"},
		{"unknown context", good, "prd", `has no context "prd"`, `did you mean "prod"? contexts: Staging EU, prod`},
		{"unknown context like nothing", good, "zzzzzz", `has no context "zzzzzz"`, "contexts: Staging EU, prod"},
		{"other case", good, "staging eu", `has no context "staging eu"`, `did you mean "Staging EU"?`},
		{"no current context", kubeconfig(t, strings.Replace(fmt.Sprintf(twoContexts, "https://x"), "current-context: prod", "", 1)), "", "no current context", "contexts: Staging EU, prod"},
		{"no contexts", kubeconfig(t, "apiVersion: v1\nkind: Config"), "", "has no context", ""},
		{"not YAML", kubeconfig(t, "{{{"), "", "read kubeconfig", "mend the file"},
		{"no such user", kubeconfig(t, strings.Replace(fmt.Sprintf(twoContexts, "https://x"), "- {name: admin, user", "- {name: other, user", 1)), "", `names the user "admin"`, ""},
		{"no such cluster", kubeconfig(t, strings.Replace(fmt.Sprintf(twoContexts, "https://x"), "- {name: prod, cluster", "- {name: other, cluster", 1)), "", `names the cluster "prod"`, ""},
		{"missing certificate", kubeconfig(t, strings.Replace(fmt.Sprintf(twoContexts, "https://x"), "server: https://x", "server: https://x, certificate-authority: /nowhere/ca.crt", 1)), "", "/nowhere/ca.crt", ""},
	} {
		_, err := Load(c.path, c.context)
		var problem *TargetError
		if !errors.As(err, &problem) {
			t.Errorf("%s: got %v", c.name, err)
			continue
		}
		if !strings.Contains(problem.Text, c.text) || !strings.Contains(problem.Hint, c.hint) {
			t.Errorf("%s:\n got %q, hint %q\nwant %q, hint %q", c.name, problem.Text, problem.Hint, c.text, c.hint)
		}
	}
}

func TestAClusterIsKnownByItsOwnName(t *testing.T) {
	b := newBench(t)
	target, err := Load(kubeconfig(t, fmt.Sprintf(twoContexts, b.secured())), "")
	if err != nil {
		t.Fatal(err)
	}
	o, err := b.admin.dynamic.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).Get(t.Context(), "kube-system", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := target.Identify(t.Context()); err != nil || got == "" || got != string(o.GetUID()) {
		t.Errorf("got %q, %v, want %q", got, err, o.GetUID())
	}
}

func TestAClusterThatMayNotBeIdentifiedIsNoError(t *testing.T) {
	b := newBench(t)
	text := strings.Replace(fmt.Sprintf(twoContexts, b.secured()), "token: admin", "token: viewer", 1)
	target, err := Load(kubeconfig(t, text), "")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := target.Identify(t.Context()); err != nil || got != "" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestAnUnreachableClusterSaysWhatWhereAndNext(t *testing.T) {
	secure := httptest.NewUnstartedServer(nil)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	closed := httptest.NewServer(nil)
	closed.Close()
	safe := newBench(t).secured()
	for _, c := range []struct{ name, server, old, new, text, hint string }{
		{"nobody listens", closed.URL, "", "", "connection refused", "is the VPN up"},
		{"no such host", "https://nowhere.invalid:6443", "", "", "no such host nowhere.invalid", "is the VPN up"},
		{"strange certificate", secure.URL, "", "", "signed by an authority that the kubeconfig doesn't know", "another or an older cluster"},
		{"expired token", safe, "token: admin", "token: stale", loginAgain, "log in as you do for kubectl"},
		{"login plugin", safe, "token: admin", `exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: IfAvailable, command: sh, args: [-c, "echo starting >&2; echo please run cloud login >&2; exit 1"]}`, "please run cloud login", "log in as you do for kubectl"},
	} {
		text := strings.Replace(fmt.Sprintf(twoContexts, c.server), c.old, c.new, 1)
		target, err := Load(kubeconfig(t, text), "")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		_, err = target.Identify(t.Context())
		var problem *TargetError
		if !errors.As(err, &problem) {
			t.Errorf("%s: got %v", c.name, err)
			continue
		}
		if !strings.Contains(problem.Text, strings.Split(c.server, ",")[0]) || !strings.Contains(problem.Text, `context "prod"`) ||
			!strings.Contains(problem.Text, c.text) || !strings.Contains(problem.Hint, c.hint) {
			t.Errorf("%s:\n got %q, hint %q\nwant %q, hint %q", c.name, problem.Text, problem.Hint, c.text, c.hint)
		}
	}
}

func TestTheWrittenKubeconfigReachesThisClusterOnly(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "token"), "admin")
	text := strings.Replace(fmt.Sprintf(twoContexts, b.secured()), "token: admin", "tokenFile: token", 1)
	write(t, filepath.Join(dir, "config"), text)
	target, err := Load(filepath.Join(dir, "config"), "prod")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "private")
	if err := target.WriteKubeconfig(path, "shop"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(body), "staging") {
		t.Errorf("it knows another cluster:\n%s", body)
	}
	again, err := Load(path, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Identify(t.Context()); err != nil || again.Context != "prod" || again.Namespace != "shop" {
		t.Errorf("got %q %q, %v", again.Context, again.Namespace, err)
	}
	if err := target.WriteKubeconfig(path, "elsewhere"); err != nil {
		t.Fatal(err)
	}
	if again, err = Load(path, ""); err != nil || again.Namespace != "elsewhere" {
		t.Errorf("the run has moved to another namespace: got %q, %v", again.Namespace, err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("left beside it: %v, %v", left, err)
	}
}

func TestALoginPluginWorksFromTheWrittenKubeconfig(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	plugin := filepath.Join(dir, "login")
	write(t, plugin, "#!/bin/sh\necho '{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{\"token\":\"admin\"}}'\n")
	if err := os.Chmod(plugin, 0o700); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(fmt.Sprintf(twoContexts, b.secured()), "token: admin",
		"exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: IfAvailable, command: ./login}", 1)
	write(t, filepath.Join(dir, "config"), text)
	target, err := Load(filepath.Join(dir, "config"), "")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "private")
	if err := target.WriteKubeconfig(path, target.Namespace); err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"command: " + plugin, "interactiveMode: IfAvailable"} {
		if !strings.Contains(string(body), want) {
			t.Errorf("%q is not in it:\n%s", want, body)
		}
	}
	again, err := Load(path, "")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := again.Identify(t.Context()); err != nil || got == "" {
		t.Errorf("got %q, %v", got, err)
	}
	if text, drifted := target.Drift(); drifted {
		t.Errorf("drifted: %s", text)
	}
}

func TestAKubeconfigThatMovesOnIsNoticed(t *testing.T) {
	now := fmt.Sprintf(twoContexts, "https://prod.example.org:6443")
	for _, c := range []struct{ name, text, want string }{
		{"nothing", now, ""},
		{"another current context", strings.Replace(now, "current-context: prod", "current-context: Staging EU", 1), "the run stays on prod; your kubeconfig says Staging EU now"},
		{"another server", strings.Replace(now, "prod.example.org", "new.example.org", 1), "the run stays on prod, https://prod.example.org:6443 as it was; your kubeconfig says something else"},
		{"another context changed", strings.Replace(now, "staging.example.org", "new.example.org", 1), ""},
		{"context gone", strings.Replace(now, "name: prod, context", "name: gone, context", 1), "the run stays on prod, https://prod.example.org:6443; your kubeconfig has no such context any more"},
		{"not readable", "{{{", "can't be read any more"},
	} {
		path := kubeconfig(t, now)
		target, err := Load(path, "")
		if err != nil {
			t.Fatal(err)
		}
		write(t, path, c.text)
		text, drifted := target.Drift()
		if drifted != (c.want != "") || !strings.Contains(text, c.want) {
			t.Errorf("%s: got %v %q, want %q", c.name, drifted, text, c.want)
		}
		if target.Server != "https://prod.example.org:6443" {
			t.Errorf("%s: the target moved to %s", c.name, target.Server)
		}
	}
}

func TestClientLogsGoWhereTheyAreSent(t *testing.T) {
	var logs bytes.Buffer
	QuietLogs(&logs)
	defer klog.ClearLogger()
	klog.Background().Error(context.Canceled, "the watch ended")
	klog.ErrorS(nil, "another one")
	klog.Flush()
	for _, want := range []string{"the watch ended", "another one"} {
		if !strings.Contains(logs.String(), want) {
			t.Errorf("%q is not in %q", want, logs.String())
		}
	}
}

func TestAWrittenKubeconfigThatACommandHasTurnedElsewhereIsNoticed(t *testing.T) {
	b := newBench(t)
	config := filepath.Join(t.TempDir(), "config")
	write(t, config, fmt.Sprintf(twoContexts, b.secured()))
	target, err := Load(config, "prod")
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		change    func(c *api.Config)
		what      string
		elsewhere bool
	}{
		"nothing":           {func(*api.Config) {}, "", false},
		"another context":   {func(c *api.Config) { c.CurrentContext = "staging" }, "it chose staging", true},
		"no context":        {func(c *api.Config) { c.CurrentContext = "" }, "it chose no context", true},
		"one beside it":     {func(c *api.Config) { c.Contexts["kind"] = api.NewContext() }, "", false},
		"another namespace": {func(c *api.Config) { c.Contexts["prod"].Namespace = "web" }, "web", false},
		"the context gone":  {func(c *api.Config) { delete(c.Contexts, "prod") }, "context prod is broken in it", true},
		"another login":     {func(c *api.Config) { c.Contexts["prod"].AuthInfo = "none" }, "context prod is broken in it", true},
		"another server": {func(c *api.Config) {
			for _, cluster := range c.Clusters {
				cluster.Server = "https://127.0.0.1:9"
			}
		}, "it says something else of context prod", true},
		"a login renewed": {func(c *api.Config) {
			for _, login := range c.AuthInfos {
				login.AuthProvider = &api.AuthProviderConfig{Name: "oidc", Config: map[string]string{"id-token": "new"}}
			}
		}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "private")
			if err := target.WriteKubeconfig(path, "shop"); err != nil {
				t.Fatal(err)
			}
			c, err := clientcmd.LoadFromFile(path)
			if err != nil {
				t.Fatal(err)
			}
			tt.change(c)
			if err := clientcmd.WriteToFile(*c, path); err != nil {
				t.Fatal(err)
			}
			if what, elsewhere := target.Strayed(path, "shop"); what != tt.what || elsewhere != tt.elsewhere {
				t.Errorf("got %q, elsewhere %v, want %q, %v", what, elsewhere, tt.what, tt.elsewhere)
			}
		})
	}
	if what, elsewhere := target.Strayed(filepath.Join(t.TempDir(), "gone"), "shop"); what == "" || !elsewhere {
		t.Errorf("one that is gone: got %q, %v", what, elsewhere)
	}
}
