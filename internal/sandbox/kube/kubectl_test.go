package kube_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"runbook/internal/sandbox/kube"
)

// echoLogs answers for every container with what was asked for.
type echoLogs struct{}

func (echoLogs) Logs(_ context.Context, namespace, pod, container string, o kube.LogOptions) (io.ReadCloser, error) {
	tail := int64(-1)
	if o.TailLines != nil {
		tail = *o.TailLines
	}
	return io.NopCloser(strings.NewReader(fmt.Sprintf("%s/%s/%s previous=%t tail=%d\n", namespace, pod, container, o.Previous, tail))), nil
}

// rollOut is as much of a deployment controller as rollout status looks at.
func rollOut(ctx context.Context, c *cluster) {
	api := c.client.Resource(deployments)
	w, err := api.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return
	}
	defer w.Stop()
	for e := range w.ResultChan() {
		u, ok := e.Object.(*unstructured.Unstructured)
		if !ok || e.Type == "DELETED" {
			continue
		}
		if seen, _, _ := unstructured.NestedInt64(u.Object, "status", "observedGeneration"); seen == u.GetGeneration() {
			continue
		}
		n := field(u, "spec", "replicas")
		body := fmt.Sprintf(`{"status":{"observedGeneration":%d,"replicas":%d,"updatedReplicas":%d,"readyReplicas":%d,"availableReplicas":%d,"conditions":[{"type":"Available","status":"True","reason":"MinimumReplicasAvailable"}]}}`,
			u.GetGeneration(), n, n, n, n)
		// A deployment that has gone meanwhile needs no status.
		_, _ = api.Namespace(u.GetNamespace()).Patch(ctx, u.GetName(), types.MergePatchType, []byte(body), metav1.PatchOptions{}, "status")
	}
}

// seen FILE REGEXP waits until a file that is being written has a match.
func seen(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: seen FILE REGEXP")
	}
	want := regexp.MustCompile(args[1])
	look, late := time.NewTicker(10*time.Millisecond), time.NewTimer(30*time.Second)
	defer look.Stop()
	defer late.Stop()
	for {
		data, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && want.Match(data) {
			return
		}
		select {
		case <-look.C:
		case <-late.C:
			ts.Fatalf("%s has no match for %s: %s", args[0], args[1], data)
		}
	}
}

func TestKubectl(t *testing.T) {
	if testing.Short() {
		t.Skip("runs kubectl a hundred times")
	}
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("kubectl is not on the path: what it makes of the server goes untested")
	}
	testscript.Run(t, testscript.Params{
		Dir:  filepath.Join("testdata", "kubectl"),
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"seen": seen},
		Setup: func(env *testscript.Env) error {
			c := start(t, kube.Options{Logs: echoLogs{}, Tokens: map[string]kube.User{"bob-token": {Name: "bob"}}})
			ctx, cancel := context.WithCancel(context.Background())
			var controller sync.WaitGroup
			controller.Go(func() { rollOut(ctx, c) })
			env.Defer(func() {
				cancel()
				controller.Wait()
			})
			env.Setenv("KUBECONFIG", filepath.Join(env.WorkDir, "kubeconfig"))
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("KUBECTL_KUBERC", "false")
			if err := os.WriteFile(filepath.Join(env.WorkDir, "kubeconfig"), []byte(c.kubeconfig(adminToken)), 0o600); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(env.WorkDir, "bob.kubeconfig"), []byte(c.kubeconfig("bob-token")), 0o600)
		},
	})
}
