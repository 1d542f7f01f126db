package operators

import (
	"context"
	"encoding/base64"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// meta is the metadata of what a Cluster owns. The owner reference is why deleting the Cluster takes the volume along.
func (p *postgresOperator) meta(o *unstructured.Unstructured, name string, labels map[string]string) map[string]any {
	m := map[string]any{}
	for k, v := range labels {
		m[k] = v
	}
	return map[string]any{"name": name, "namespace": o.GetNamespace(), "labels": m, "ownerReferences": ownedBy(o)}
}

func (p *postgresOperator) claim(ctx context.Context, o *unstructured.Unstructured, s pgSpec, name string) (*unstructured.Unstructured, error) {
	meta := p.meta(o, name, map[string]string{cnpgCluster: o.GetName(), cnpgInstance: name, "cnpg.io/pvcRole": "PG_DATA"})
	meta["annotations"] = map[string]any{cnpgPVCStatus: "initializing"}
	size := s.Storage.Size
	if size == "" {
		size = "1Gi"
	}
	spec := map[string]any{
		"accessModes": []any{"ReadWriteOnce"}, "resources": map[string]any{"requests": map[string]any{"storage": size}}}
	if s.Storage.StorageClass != "" {
		spec["storageClassName"] = s.Storage.StorageClass
	}
	return p.create(ctx, Claims, "v1", "PersistentVolumeClaim", map[string]any{"metadata": meta, "spec": spec})
}

// pod is a running instance.
func (p *postgresOperator) pod(o *unstructured.Unstructured, s pgSpec, name string, primary bool) map[string]any {
	role := "replica"
	if primary {
		role = "primary"
	}
	spec := corev1.PodSpec{
		Volumes: []corev1.Volume{claimVolume(name)}, Hostname: name,
		Containers: []corev1.Container{{
			Name: "postgres", Image: s.ImageName, Command: []string{"/controller/manager", "instance", "run"},
			Ports:          []corev1.ContainerPort{{Name: "postgresql", ContainerPort: 5432}},
			ReadinessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/readyz", Port: intstr.FromInt32(8000), Scheme: "HTTPS"}}},
			VolumeMounts:   []corev1.VolumeMount{{Name: pgdata, MountPath: "/var/lib/postgresql/data"}},
		}},
	}
	m := untyped(&corev1.Pod{Spec: spec})
	m["metadata"] = p.meta(o, name, map[string]string{
		cnpgCluster: o.GetName(), cnpgInstance: name, cnpgRole: role, "role": role, "cnpg.io/podRole": "instance"})
	return m
}

// services are the names that a DSN dials: the primary, any instance, the replicas.
func (p *postgresOperator) services(ctx context.Context, o *unstructured.Unstructured) error {
	for suffix, selector := range map[string]map[string]any{
		"-rw": {cnpgCluster: o.GetName(), cnpgRole: "primary"},
		"-r":  {cnpgCluster: o.GetName(), "cnpg.io/podRole": "instance"},
		"-ro": {cnpgCluster: o.GetName(), cnpgRole: "replica"},
	} {
		name := o.GetName() + suffix
		if p.find(Services, o.GetNamespace(), name) != nil {
			continue
		}
		_, err := p.create(ctx, Services, "v1", "Service", map[string]any{
			"metadata": p.meta(o, name, map[string]string{cnpgCluster: o.GetName()}),
			"spec": map[string]any{"type": "ClusterIP", "selector": selector, "ports": []any{map[string]any{
				"name": "postgres", "port": int64(5432), "protocol": "TCP", "targetPort": int64(5432)}}},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// credentials makes the owner's Secret when the Cluster names none. One that exists is never written again.
func (p *postgresOperator) credentials(ctx context.Context, o *unstructured.Unstructured, s pgSpec) error {
	name := s.Bootstrap.Initdb.Secret.Name
	if name != o.GetName()+"-app" || p.find(Secrets, o.GetNamespace(), name) != nil {
		return nil
	}
	user, password := s.Bootstrap.Initdb.Owner, suffix(64)
	encode := func(v string) any { return base64.StdEncoding.EncodeToString([]byte(v)) }
	host := o.GetName() + "-rw"
	_, err := p.create(ctx, Secrets, "v1", "Secret", map[string]any{
		"metadata": p.meta(o, name, map[string]string{cnpgCluster: o.GetName(), cnpgReload: "true"}),
		"type":     "kubernetes.io/basic-auth",
		"data": map[string]any{
			"username": encode(user), "password": encode(password), "dbname": encode(s.Bootstrap.Initdb.Database),
			"host": encode(host), "port": encode("5432"),
			"uri": encode(fmt.Sprintf("postgresql://%s:%s@%s.%s:5432/%s", user, password, host, o.GetNamespace(), s.Bootstrap.Initdb.Database)),
		},
	})
	return err
}
