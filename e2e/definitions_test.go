package e2e

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"

	"runbook/internal/sandbox/operators/trial"
)

// projects are the modules that carry the definitions of the kinds that runbooks deal with, and where.
var projects = []struct{ module, files string }{
	{"github.com/external-secrets/external-secrets@v0.16.2", "config/crds/bases/external-secrets.io_*.yaml"},
	{"sigs.k8s.io/gateway-api@v1.3.0", "config/crd/standard/*.yaml"},
	{"github.com/cloudnative-pg/cloudnative-pg@v1.26.0", "config/crd/bases/postgresql.cnpg.io_clusters.yaml"},
	{"github.com/cert-manager/cert-manager@v1.17.2", "deploy/crds/crd-*.yaml"},
	{"github.com/argoproj/argo-cd/v2@v2.14.11", "manifests/crds/*-crd.yaml"},
}

var crds = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// strangers are kinds that nobody knows anything about, one of them with a name that everybody knows.
const strangers = `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: deployments.example.org}, spec: {group: example.org, scope: Namespaced,
  names: {plural: deployments, kind: Deployment}, versions: [{name: v1, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}}
---
{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.example.org}, spec: {group: example.org, scope: Namespaced,
  names: {plural: widgets, kind: Widget}, versions: [{name: v1, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}}`

// templated are the lines of a Helm chart that only it understands: cert-manager's definitions are part of one.
var templated = regexp.MustCompile(`(?m)^.*\{\{.*$`)

// define installs the projects' own definitions and waits until their kinds are served.
func define(t *testing.T, client dynamic.Interface, w *trial.World) {
	t.Helper()
	all := documents(t, strings.NewReader(strangers))
	for _, p := range projects {
		files, err := filepath.Glob(filepath.Join(download(t, p.module), p.files))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no %s: %v", p.module, p.files, err)
		}
		for _, f := range files {
			raw, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, documents(t, strings.NewReader(templated.ReplaceAllString(string(raw), "")))...)
		}
	}
	for _, o := range all {
		if o.GetKind() != "CustomResourceDefinition" {
			continue
		}
		if _, err := client.Resource(crds).Create(t.Context(), o, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			t.Fatalf("%s: %v", o.GetName(), err)
		}
		w.Await(crds, "", o.GetName(), "established", func(o trial.Object) bool {
			return strings.HasPrefix(trial.Condition(o, "Established"), "True|")
		})
	}
}

// download fetches a module, or finds it in the module cache, and returns its folder.
func download(t *testing.T, module string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", module)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	cmd.Dir = os.TempDir() // outside of any module, whose go.sum it would ask for
	out, err := cmd.Output()
	var got struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &got); err != nil || jsonErr != nil || got.Dir == "" {
		t.Fatalf("download %s: %v %s %v", module, err, got.Error, jsonErr)
	}
	return got.Dir
}

func documents(t *testing.T, in io.Reader) (all []*unstructured.Unstructured) {
	t.Helper()
	docs := yaml.NewYAMLOrJSONDecoder(in, 4096)
	for {
		o := &unstructured.Unstructured{}
		err := docs.Decode(&o.Object)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Object) > 0 {
			all = append(all, o)
		}
	}
}
