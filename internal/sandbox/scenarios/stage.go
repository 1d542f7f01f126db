package scenarios

import (
	"bytes"
	"context"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"text/template"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/dynamic"

	vault "github.com/hashicorp/vault/api"
)

//go:embed manifests/*.yaml
var manifests embed.FS

// Place names what a story is about; Default is what the shipped runbooks are tried with.
type Place struct {
	Cluster          string // the cluster's name, which is also its KV v2 mount in Vault
	Domain           string // the cluster's domain
	Gateway          string
	GatewayNamespace string
	Store            string // the ClusterSecretStore
	Namespace        string // the application's
	Image            string // the application's
}

// Default is the place of the sandbox.
func Default() Place {
	return Place{
		Cluster: "cicd-test2", Domain: "cicd-test2.sandbox.example", Gateway: "cilium-gateway", GatewayNamespace: "default",
		Store: "vault-cicd-test2", Namespace: "schmetterpause", Image: "ghcr.io/stuttgart-things/schmetterpause:3382ad1",
	}
}

// Stage is what a scenario is prepared on. Everything goes through the two APIs, so that real servers can be used too.
type Stage struct {
	Place
	Client           dynamic.Interface
	Vault            *vault.Client // with a token that may do everything
	VaultAddr        string        // as the cluster reaches it
	Certificate, Key []byte        // of the Gateway's listener, PEM
}

// values is what manifests are written from.
type values struct {
	*Stage
	Postgres            bool   // the CloudNativePG operator is installed
	StoreToken          string // what the store logs in with
	SessionProperty     string // the property that the session key is read from
	RouteNamesNamespace bool   // the route's parentRef names the Gateway's namespace
	SessionKey          string
	Password            string
	DatabaseURL         string
}

var funcs = template.FuncMap{
	"base64": func(v any) string {
		switch b := v.(type) {
		case []byte:
			return base64.StdEncoding.EncodeToString(b)
		default:
			return base64.StdEncoding.EncodeToString([]byte(fmt.Sprint(v)))
		}
	},
	"quote": strconv.Quote,
	"operator": func(name, namespace, label, container, image string) map[string]string {
		return map[string]string{"Name": name, "Namespace": namespace, "Label": label, "Container": container, "Image": image}
	},
}

// apply creates every object of a manifest that is not there yet.
func (s *Stage) apply(ctx context.Context, file string, v values) error {
	v.Stage = s
	raw, err := manifests.ReadFile("manifests/" + file)
	if err != nil {
		return fmt.Errorf("apply %s: %w", file, err)
	}
	tpl, err := template.New(file).Funcs(funcs).Parse(string(raw))
	if err != nil {
		return fmt.Errorf("apply %s: %w", file, err)
	}
	var b bytes.Buffer
	if err := tpl.Execute(&b, v); err != nil {
		return fmt.Errorf("apply %s: %w", file, err)
	}
	docs := yaml.NewYAMLOrJSONDecoder(&b, 4096)
	for {
		o := &unstructured.Unstructured{}
		err := docs.Decode(&o.Object)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("apply %s: %w", file, err)
		}
		if len(o.Object) == 0 {
			continue
		}
		if err := s.create(ctx, o); err != nil {
			return fmt.Errorf("apply %s: %s %s: %w", file, o.GetKind(), o.GetName(), err)
		}
	}
}

// plurals are the resources of the kinds in the manifests.
var plurals = map[string]string{
	"Namespace": "namespaces", "Deployment": "deployments", "DaemonSet": "daemonsets", "StorageClass": "storageclasses",
	"Secret": "secrets", "ConfigMap": "configmaps", "ServiceAccount": "serviceaccounts", "Service": "services",
	"ClusterSecretStore": "clustersecretstores", "ExternalSecret": "externalsecrets", "GatewayClass": "gatewayclasses",
	"Gateway": "gateways", "HTTPRoute": "httproutes", "Cluster": "clusters", "CustomResourceDefinition": "customresourcedefinitions",
}

func (s *Stage) resource(o *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	plural, ok := plurals[o.GetKind()]
	if !ok {
		return nil, errors.New("no resource is known for this kind")
	}
	gv, err := schema.ParseGroupVersion(o.GetAPIVersion())
	if err != nil {
		return nil, err
	}
	r := s.Client.Resource(gv.WithResource(plural))
	if ns := o.GetNamespace(); ns != "" {
		return r.Namespace(ns), nil
	}
	return r, nil
}

// create makes o. A kind whose definition was created a moment ago may need another moment to be served.
func (s *Stage) create(ctx context.Context, o *unstructured.Unstructured) error {
	r, err := s.resource(o)
	if err != nil {
		return err
	}
	return until(ctx, func() (bool, error) {
		_, err := r.Create(ctx, o, metav1.CreateOptions{FieldManager: "runbook-sandbox"})
		switch {
		case err == nil, apierrors.IsAlreadyExists(err):
			return true, nil
		case apierrors.IsNotFound(err), apierrors.IsTooManyRequests(err):
			return false, err
		}
		return true, err
	})
}

// poll is how often a condition is looked at while a scenario is prepared.
const poll = 10 * time.Millisecond

// patience is how long a part of a scenario may take to become true.
const patience = 2 * time.Minute

// until calls check until it is done. Running out of patience gives the last error it had.
func until(ctx context.Context, check func() (done bool, err error)) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		done, err := check()
		if done {
			return err
		}
		select {
		case <-ctx.Done():
			if err == nil {
				err = ctx.Err()
			}
			return err
		case <-tick.C:
		}
	}
}

// await waits until an object is there and ok holds of it.
func (s *Stage) await(ctx context.Context, r schema.GroupVersionResource, namespace, name string, ok func(*unstructured.Unstructured) bool) error {
	err := until(ctx, func() (bool, error) {
		o, err := s.Client.Resource(r).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		if !ok(o) {
			return false, errors.New("is not as it should be yet")
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("wait for %s %s: %w", r.Resource, name, err)
	}
	return nil
}
