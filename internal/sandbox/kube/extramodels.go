package kube

import (
	"encoding/json"
	"hash/fnv"
	"net/http"
	"reflect"
	"strconv"

	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"runbook/internal/sandbox/kube/models"
)

const (
	deleteOptionsModel = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"
	statusModel        = "io.k8s.apimachinery.pkg.apis.meta.v1.Status"
)

var scaleType = reflect.TypeFor[autoscaling.Scale]()

var scaleKind = schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}

// extraModels are the kinds that are written or answered without being kept.
func extraModels() []models.Kind {
	out := []models.Kind{
		{Type: reflect.TypeFor[metav1.DeleteOptions]()},
		{Type: reflect.TypeFor[metav1.Status]()},
		{Type: scaleType, GVKs: []schema.GroupVersionKind{scaleKind}},
	}
	for gvk, t := range reviewTypes() {
		out = append(out, models.Kind{Type: t, GVKs: []schema.GroupVersionKind{gvk}})
	}
	return out
}

func reviewTypes() map[schema.GroupVersionKind]reflect.Type {
	authz, authn := authorization.SchemeGroupVersion, authentication.SchemeGroupVersion
	return map[schema.GroupVersionKind]reflect.Type{
		authz.WithKind("SelfSubjectAccessReview"):  reflect.TypeFor[authorization.SelfSubjectAccessReview](),
		authz.WithKind("SelfSubjectRulesReview"):   reflect.TypeFor[authorization.SelfSubjectRulesReview](),
		authz.WithKind("SubjectAccessReview"):      reflect.TypeFor[authorization.SubjectAccessReview](),
		authz.WithKind("LocalSubjectAccessReview"): reflect.TypeFor[authorization.LocalSubjectAccessReview](),
		authn.WithKind("SelfSubjectReview"):        reflect.TypeFor[authentication.SelfSubjectReview](),
		authn.WithKind("TokenReview"):              reflect.TypeFor[authentication.TokenReview](),
		authn.WithKind("TokenRequest"):             reflect.TypeFor[authentication.TokenRequest](),
	}
}

func reviewModels(gv schema.GroupVersion) []string {
	var out []string
	for gvk, t := range reviewTypes() {
		if gvk.GroupVersion() == gv {
			out = append(out, models.Name(t))
		}
	}
	return out
}

// reviewEntries are the resources that can only be created, and are answered at once.
func reviewEntries() []metav1.APIResource {
	entry := func(group, plural, singular, kind string, namespaced bool) metav1.APIResource {
		return metav1.APIResource{Group: group, Version: "v1", Name: plural, SingularName: singular, Kind: kind, Namespaced: namespaced, Verbs: metav1.Verbs{"create"}}
	}
	const authn, authz = "authentication.k8s.io", "authorization.k8s.io"
	return []metav1.APIResource{
		entry(authn, "selfsubjectreviews", "selfsubjectreview", "SelfSubjectReview", false),
		entry(authn, "tokenreviews", "tokenreview", "TokenReview", false),
		entry(authz, "localsubjectaccessreviews", "localsubjectaccessreview", "LocalSubjectAccessReview", true),
		entry(authz, "selfsubjectaccessreviews", "selfsubjectaccessreview", "SelfSubjectAccessReview", false),
		entry(authz, "selfsubjectrulesreviews", "selfsubjectrulesreview", "SelfSubjectRulesReview", false),
		entry(authz, "subjectaccessreviews", "subjectaccessreview", "SubjectAccessReview", false),
	}
}

func (r *resource) storageHash() string {
	h := fnv.New64a()
	// Writing to a hash never fails.
	_, _ = h.Write([]byte(r.stored))
	return strconv.FormatUint(h.Sum64(), 36)
}

// writeTyped is writeJSON with a content type that is already set.
func writeTyped(w http.ResponseWriter, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		http.Error(w, "encode answer: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(data)
}
