package kinds

import (
	"fmt"
	"strings"

	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	rbac "k8s.io/api/rbac/v1"
	storage "k8s.io/api/storage/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/diff"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func specPath() *field.Path { return field.NewPath("spec") }

func validConfigMap(c *core.ConfigMap) field.ErrorList {
	var errs field.ErrorList
	for k := range c.Data {
		errs = append(errs, validKey(k, "data")...)
	}
	for k := range c.BinaryData {
		errs = append(errs, validKey(k, "binaryData")...)
		if _, twice := c.Data[k]; twice {
			errs = append(errs, field.Invalid(field.NewPath("data").Key(k), k, "duplicate of key present in binaryData"))
		}
	}
	return errs
}

func validKey(k, in string) field.ErrorList {
	var errs field.ErrorList
	for _, msg := range validation.IsConfigMapKey(k) {
		errs = append(errs, field.Invalid(field.NewPath(in).Key(k), k, msg))
	}
	return errs
}

func fixedConfigMap(c, old *core.ConfigMap) field.ErrorList {
	var errs field.ErrorList
	if old.Immutable == nil || !*old.Immutable {
		return nil
	}
	const why = "field is immutable when `immutable` is set"
	if c.Immutable == nil || !*c.Immutable {
		errs = append(errs, field.Forbidden(field.NewPath("immutable"), why))
	}
	if !same(c.Data, old.Data) {
		errs = append(errs, field.Forbidden(field.NewPath("data"), why))
	}
	if !same(c.BinaryData, old.BinaryData) {
		errs = append(errs, field.Forbidden(field.NewPath("binaryData"), why))
	}
	return errs
}

func validSecret(s *core.Secret) field.ErrorList {
	var errs field.ErrorList
	size := 0
	for k, v := range s.Data {
		errs = append(errs, validKey(k, "data")...)
		size += len(v)
	}
	if size > core.MaxSecretSize {
		errs = append(errs, field.TooLong(field.NewPath("data"), "", core.MaxSecretSize))
	}
	need := func(key string) {
		if _, ok := s.Data[key]; !ok {
			errs = append(errs, field.Required(field.NewPath("data").Key(key), ""))
		}
	}
	switch s.Type {
	case core.SecretTypeBasicAuth:
		_, user := s.Data[core.BasicAuthUsernameKey]
		_, pass := s.Data[core.BasicAuthPasswordKey]
		if !user && !pass {
			need(core.BasicAuthUsernameKey)
			need(core.BasicAuthPasswordKey)
		}
	case core.SecretTypeSSHAuth:
		if len(s.Data[core.SSHAuthPrivateKey]) == 0 {
			errs = append(errs, field.Required(field.NewPath("data").Key(core.SSHAuthPrivateKey), ""))
		}
	case core.SecretTypeTLS:
		need(core.TLSCertKey)
		need(core.TLSPrivateKeyKey)
	case core.SecretTypeDockerConfigJson:
		need(core.DockerConfigJsonKey)
	case core.SecretTypeServiceAccountToken:
		if s.Annotations[core.ServiceAccountNameKey] == "" {
			errs = append(errs, field.Required(field.NewPath("metadata", "annotations").Key(core.ServiceAccountNameKey), ""))
		}
	}
	return errs
}

func fixedSecret(s, old *core.Secret) field.ErrorList {
	errs := apivalidation.ValidateImmutableField(s.Type, old.Type, field.NewPath("type"))
	if old.Immutable == nil || !*old.Immutable {
		return errs
	}
	const why = "field is immutable when `immutable` is set"
	if s.Immutable == nil || !*s.Immutable {
		errs = append(errs, field.Forbidden(field.NewPath("immutable"), why))
	}
	if !same(s.Data, old.Data) {
		errs = append(errs, field.Forbidden(field.NewPath("data"), why))
	}
	return errs
}

func validEvent(e *core.Event) field.ErrorList {
	ns := e.InvolvedObject.Namespace
	if ns != "" && e.Namespace != ns {
		return field.ErrorList{field.Invalid(field.NewPath("involvedObject", "namespace"), ns, "does not match event.namespace")}
	}
	if ns == "" && e.Namespace != core.NamespaceDefault && e.Namespace != "kube-system" {
		return field.ErrorList{field.Invalid(field.NewPath("involvedObject", "namespace"), ns, "does not match event.namespace")}
	}
	return nil
}

func validService(s *core.Service) field.ErrorList {
	var errs field.ErrorList
	spec := specPath()
	headless := s.Spec.ClusterIP == core.ClusterIPNone
	if len(s.Spec.Ports) == 0 && !headless && s.Spec.Type != core.ServiceTypeExternalName {
		errs = append(errs, field.Required(spec.Child("ports"), ""))
	}
	if s.Spec.Type == core.ServiceTypeExternalName && s.Spec.ExternalName == "" {
		errs = append(errs, field.Required(spec.Child("externalName"), ""))
	}
	for i, p := range s.Spec.Ports {
		at := spec.Child("ports").Index(i)
		if len(s.Spec.Ports) > 1 && p.Name == "" {
			errs = append(errs, field.Required(at.Child("name"), ""))
		}
		for _, msg := range validation.IsValidPortNum(int(p.Port)) {
			errs = append(errs, field.Invalid(at.Child("port"), p.Port, msg))
		}
	}
	types := []core.ServiceType{core.ServiceTypeClusterIP, core.ServiceTypeExternalName, core.ServiceTypeLoadBalancer, core.ServiceTypeNodePort}
	return append(errs, oneOf(spec.Child("type"), s.Spec.Type, types)...)
}

func oneOf[T ~string](at *field.Path, v T, allowed []T) field.ErrorList {
	for _, a := range allowed {
		if v == a {
			return nil
		}
	}
	return field.ErrorList{field.NotSupported(at, v, allowed)}
}

func fixedService(s, old *core.Service) field.ErrorList {
	if old.Spec.Type == core.ServiceTypeExternalName || s.Spec.Type == core.ServiceTypeExternalName || old.Spec.ClusterIP == "" {
		return nil
	}
	if s.Spec.ClusterIP == old.Spec.ClusterIP {
		return nil
	}
	return field.ErrorList{field.Invalid(specPath().Child("clusterIPs").Index(0), []string{s.Spec.ClusterIP}, "may not change once set")}
}

func validClaim(c *core.PersistentVolumeClaim) field.ErrorList {
	var errs field.ErrorList
	if len(c.Spec.AccessModes) == 0 {
		errs = append(errs, field.Required(specPath().Child("accessModes"), "at least 1 access mode is required"))
	}
	if _, ok := c.Spec.Resources.Requests[core.ResourceStorage]; !ok {
		errs = append(errs, field.Required(specPath().Child("resources").Key(string(core.ResourceStorage)), ""))
	}
	return errs
}

func fixedClaim(c, old *core.PersistentVolumeClaim) field.ErrorList {
	a, b := c.Spec.DeepCopy(), old.Spec.DeepCopy()
	if c.Status.Phase == core.ClaimBound {
		a.Resources.Requests, b.Resources.Requests = nil, nil
		a.VolumeAttributesClassName, b.VolumeAttributesClassName = nil, nil
	}
	if b.VolumeName == "" {
		b.VolumeName = a.VolumeName
	}
	if b.StorageClassName == nil {
		b.StorageClassName = a.StorageClassName
	}
	if !same(a, b) {
		return field.ErrorList{field.Forbidden(specPath(), "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n"+diff.Diff(b, a))}
	}
	request, before := c.Spec.Resources.Requests[core.ResourceStorage], old.Spec.Resources.Requests[core.ResourceStorage]
	if have := old.Status.Capacity[core.ResourceStorage]; request.Cmp(before) < 0 && request.Cmp(have) <= 0 {
		return field.ErrorList{field.Forbidden(specPath().Child("resources", "requests", "storage"), "field can not be less than status.capacity")}
	}
	return nil
}

func validVolume(v *core.PersistentVolume) field.ErrorList {
	var errs field.ErrorList
	if len(v.Spec.AccessModes) == 0 {
		errs = append(errs, field.Required(specPath().Child("accessModes"), ""))
	}
	if len(v.Spec.Capacity) == 0 {
		errs = append(errs, field.Required(specPath().Child("capacity"), ""))
	}
	if (v.Spec.PersistentVolumeSource == core.PersistentVolumeSource{}) {
		errs = append(errs, field.Required(specPath(), "must specify a volume type"))
	}
	return errs
}

func validIngress(i *networking.Ingress) field.ErrorList {
	var errs field.ErrorList
	if len(i.Spec.Rules) == 0 && i.Spec.DefaultBackend == nil {
		errs = append(errs, field.Invalid(specPath(), "", "either `defaultBackend` or `rules` must be specified"))
	}
	for r, rule := range i.Spec.Rules {
		if rule.HTTP == nil {
			continue
		}
		for p, path := range rule.HTTP.Paths {
			at := specPath().Child("rules").Index(r).Child("http", "paths").Index(p)
			if path.PathType == nil {
				errs = append(errs, field.Required(at.Child("pathType"), "pathType must be specified"))
			} else if *path.PathType != networking.PathTypeImplementationSpecific && !strings.HasPrefix(path.Path, "/") {
				errs = append(errs, field.Invalid(at.Child("path"), path.Path, "must be an absolute path"))
			}
		}
	}
	return errs
}

func validStorageClass(s *storage.StorageClass) field.ErrorList {
	if s.Provisioner == "" {
		return field.ErrorList{field.Required(field.NewPath("provisioner"), "")}
	}
	return nil
}

func validRole(r *rbac.Role) field.ErrorList               { return validRules(r.Rules, true) }
func validClusterRole(r *rbac.ClusterRole) field.ErrorList { return validRules(r.Rules, false) }

func validRules(rules []rbac.PolicyRule, namespaced bool) field.ErrorList {
	var errs field.ErrorList
	for i, r := range rules {
		at := field.NewPath("rules").Index(i)
		if len(r.Verbs) == 0 {
			errs = append(errs, field.Required(at.Child("verbs"), "verbs must contain at least one value"))
		}
		switch {
		case len(r.NonResourceURLs) > 0 && namespaced:
			errs = append(errs, field.Invalid(at.Child("nonResourceURLs"), r.NonResourceURLs, "namespaced rules cannot apply to non-resource URLs"))
		case len(r.NonResourceURLs) > 0:
		case len(r.APIGroups) == 0:
			errs = append(errs, field.Required(at.Child("apiGroups"), "resource rules must supply at least one api group"))
		case len(r.Resources) == 0:
			errs = append(errs, field.Required(at.Child("resources"), "resource rules must supply at least one resource"))
		}
	}
	return errs
}

func validRoleBinding(b *rbac.RoleBinding) field.ErrorList {
	return validRoleRef(b.RoleRef, "Role", "ClusterRole")
}

func validClusterRoleBinding(b *rbac.ClusterRoleBinding) field.ErrorList {
	return validRoleRef(b.RoleRef, "ClusterRole")
}

func validRoleRef(r rbac.RoleRef, allowed ...string) field.ErrorList {
	errs := oneOf(field.NewPath("roleRef", "kind"), r.Kind, allowed)
	if r.Name == "" {
		errs = append(errs, field.Required(field.NewPath("roleRef", "name"), ""))
	}
	return errs
}

func fixedRoleBinding(b, old *rbac.RoleBinding) field.ErrorList {
	return fixedRoleRef(b.RoleRef, old.RoleRef)
}

func fixedClusterRoleBinding(b, old *rbac.ClusterRoleBinding) field.ErrorList {
	return fixedRoleRef(b.RoleRef, old.RoleRef)
}

func fixedRoleRef(r, old rbac.RoleRef) field.ErrorList {
	return apivalidation.ValidateImmutableField(r, old, field.NewPath("roleRef"))
}

// NameRule tells what is wrong with an object's name.
func (k *Kind) NameRule() apivalidation.ValidateNameFunc {
	switch k.GVK.Group + "/" + k.GVK.Kind {
	case "/Namespace":
		return apivalidation.NameIsDNSLabel
	case "/Service":
		return apivalidation.NameIsDNS1035Label
	case "rbac.authorization.k8s.io/Role", "rbac.authorization.k8s.io/ClusterRole",
		"rbac.authorization.k8s.io/RoleBinding", "rbac.authorization.k8s.io/ClusterRoleBinding":
		return pathSegment
	}
	return apivalidation.NameIsDNSSubdomain
}

func pathSegment(name string, _ bool) []string {
	if name == "." || name == ".." {
		return []string{fmt.Sprintf("may not be '%s'", name)}
	}
	var msgs []string
	for _, c := range []string{"/", "%"} {
		if strings.Contains(name, c) {
			msgs = append(msgs, fmt.Sprintf("may not contain '%s'", c))
		}
	}
	return msgs
}
