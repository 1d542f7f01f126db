package operators

import (
	"encoding/base64"
	"fmt"
	"regexp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// environment puts the variables of a container together. The errors are the kubelet's own words, since they are what
// a person reads on the pod.
func (w *work) environment(c *corev1.Container) (map[string]string, error) {
	env := map[string]string{}
	for _, from := range c.EnvFrom {
		if err := w.envFrom(env, from); err != nil {
			return nil, err
		}
	}
	for _, v := range c.Env {
		if v.ValueFrom == nil {
			env[v.Name] = expand(v.Value, env)
			continue
		}
		value, ok, err := w.valueFrom(v.ValueFrom)
		if err != nil {
			return nil, err
		}
		if ok {
			env[v.Name] = value
		}
	}
	return env, nil
}

var reference = regexp.MustCompile(`\$\$|\$\(([A-Za-z_][A-Za-z0-9_.-]*)\)`)

// expand replaces $(NAME) by what is defined so far and leaves an unknown name as it stands.
func expand(text string, env map[string]string) string {
	return reference.ReplaceAllStringFunc(text, func(m string) string {
		if m == "$$" {
			return "$"
		}
		if v, ok := env[m[2:len(m)-1]]; ok {
			return v
		}
		return m
	})
}

func (w *work) envFrom(env map[string]string, from corev1.EnvFromSource) error {
	kind, name, optional := Secrets, "", false
	switch {
	case from.SecretRef != nil:
		name, optional = from.SecretRef.Name, isTrue(from.SecretRef.Optional)
	case from.ConfigMapRef != nil:
		kind, name, optional = ConfigMaps, from.ConfigMapRef.Name, isTrue(from.ConfigMapRef.Optional)
	default:
		return nil
	}
	o := w.find(kind, w.pod.Namespace, name)
	if o == nil && !optional {
		return missing(kind, name)
	}
	for k, v := range contents(kind, o) {
		env[from.Prefix+k] = v
	}
	return nil
}

func (w *work) valueFrom(from *corev1.EnvVarSource) (string, bool, error) {
	switch {
	case from.SecretKeyRef != nil:
		r := from.SecretKeyRef
		return w.keyOf(Secrets, r.Name, r.Key, isTrue(r.Optional))
	case from.ConfigMapKeyRef != nil:
		r := from.ConfigMapKeyRef
		return w.keyOf(ConfigMaps, r.Name, r.Key, isTrue(r.Optional))
	case from.FieldRef != nil:
		switch from.FieldRef.FieldPath {
		case "metadata.name":
			return w.pod.Name, true, nil
		case "metadata.namespace":
			return w.pod.Namespace, true, nil
		case "status.podIP":
			return w.run.ip, true, nil
		case "spec.nodeName":
			return NodeName, true, nil
		}
	}
	return "", false, nil
}

func (w *work) keyOf(kind GVR, name, key string, optional bool) (string, bool, error) {
	o := w.find(kind, w.pod.Namespace, name)
	if o == nil {
		if optional {
			return "", false, nil
		}
		return "", false, missing(kind, name)
	}
	v, ok := contents(kind, o)[key]
	if !ok && !optional {
		label := map[GVR]string{Secrets: "Secret", ConfigMaps: "ConfigMap"}[kind]
		return "", false, fmt.Errorf("couldn't find key %s in %s %s/%s", key, label, w.pod.Namespace, name)
	}
	return v, ok, nil
}

func missing(kind GVR, name string) error {
	if kind == ConfigMaps {
		return fmt.Errorf("configmap %q not found", name)
	}
	return fmt.Errorf("secret %q not found", name)
}

// contents returns the data of a Secret, decoded, or of a ConfigMap.
func contents(kind GVR, o *unstructured.Unstructured) map[string]string {
	if o == nil {
		return nil
	}
	data, _, _ := unstructured.NestedStringMap(o.Object, "data")
	if kind == ConfigMaps {
		return data
	}
	out := make(map[string]string, len(data))
	for k, v := range data {
		if raw, err := base64.StdEncoding.DecodeString(v); err == nil {
			out[k] = string(raw)
		}
	}
	return out
}

// unmounted names the first volume of c that can't be mounted yet, and why.
func (w *work) unmounted(c *corev1.Container) (volume, why string) {
	for _, m := range c.VolumeMounts {
		for _, v := range w.pod.Spec.Volumes {
			if v.Name != m.Name {
				continue
			}
			switch {
			case v.Secret != nil && !isTrue(v.Secret.Optional) && w.find(Secrets, w.pod.Namespace, v.Secret.SecretName) == nil:
				return v.Name, missing(Secrets, v.Secret.SecretName).Error()
			case v.ConfigMap != nil && !isTrue(v.ConfigMap.Optional) && w.find(ConfigMaps, w.pod.Namespace, v.ConfigMap.Name) == nil:
				return v.Name, missing(ConfigMaps, v.ConfigMap.Name).Error()
			}
		}
	}
	return "", ""
}

// claimed maps each volume of the pod that is a claim to the persistent volume behind it.
func (w *work) claimed() map[string]string {
	out := map[string]string{}
	for _, v := range w.pod.Spec.Volumes {
		if v.PersistentVolumeClaim == nil {
			continue
		}
		if claim := w.find(Claims, w.pod.Namespace, v.PersistentVolumeClaim.ClaimName); claim != nil {
			out[v.Name], _, _ = unstructured.NestedString(claim.Object, "spec", "volumeName")
		}
	}
	return out
}

func isTrue(b *bool) bool { return b != nil && *b }
