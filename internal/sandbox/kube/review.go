package kube

import (
	"net/http"

	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"runbook/internal/sandbox/kube/rbac"
)

// review answers the kinds that are questions. It tells false for every other resource.
func (s *Server) review(w http.ResponseWriter, q *request) bool {
	known := false
	for _, e := range reviewEntries() {
		known = known || e.Group == q.gvr.Group && e.Version == q.gvr.Version && e.Name == q.gvr.Resource
	}
	if !known {
		return false
	}
	if q.verb != "create" {
		writeError(w, errNotAllowed)
		return true
	}
	data, err := s.body(q)
	var out any
	if err == nil {
		out, err = s.reviewed(q, data)
	}
	if err != nil {
		writeError(w, err)
		return true
	}
	writeJSON(w, http.StatusCreated, out)
	return true
}

func (s *Server) reviewed(q *request, data []byte) (any, error) {
	kind := func(name string) metav1.TypeMeta {
		return metav1.TypeMeta{APIVersion: q.gvr.GroupVersion().String(), Kind: name}
	}
	switch q.gvr.Resource {
	case "selfsubjectaccessreviews":
		var r authorization.SelfSubjectAccessReview
		err := decodeInto(data, &r)
		r.TypeMeta = kind("SelfSubjectAccessReview")
		r.Status = s.decide(q.user, r.Spec.ResourceAttributes, r.Spec.NonResourceAttributes)
		return r, err
	case "subjectaccessreviews":
		var r authorization.SubjectAccessReview
		err := decodeInto(data, &r)
		r.TypeMeta = kind("SubjectAccessReview")
		r.Status = s.decide(User{Name: r.Spec.User, Groups: r.Spec.Groups}, r.Spec.ResourceAttributes, r.Spec.NonResourceAttributes)
		return r, err
	case "localsubjectaccessreviews":
		var r authorization.LocalSubjectAccessReview
		err := decodeInto(data, &r)
		r.TypeMeta = kind("LocalSubjectAccessReview")
		r.Status = s.decide(User{Name: r.Spec.User, Groups: r.Spec.Groups}, r.Spec.ResourceAttributes, r.Spec.NonResourceAttributes)
		return r, err
	case "selfsubjectrulesreviews":
		var r authorization.SelfSubjectRulesReview
		err := decodeInto(data, &r)
		r.TypeMeta = kind("SelfSubjectRulesReview")
		r.Status = s.rulesStatus(q.user, r.Spec.Namespace)
		return r, err
	case "tokenreviews":
		var r authentication.TokenReview
		err := decodeInto(data, &r)
		r.TypeMeta = kind("TokenReview")
		r.Status = s.tokenStatus(r.Spec.Token)
		return r, err
	}
	var r authentication.SelfSubjectReview
	err := decodeInto(data, &r)
	r.TypeMeta = kind("SelfSubjectReview")
	r.CreationTimestamp = metav1.NewTime(s.now())
	r.Status.UserInfo = authentication.UserInfo{Username: q.user.Name, Groups: q.user.Groups}
	return r, err
}

func (s *Server) decide(u User, a *authorization.ResourceAttributes, n *authorization.NonResourceAttributes) authorization.SubjectAccessReviewStatus {
	var r rbac.Request
	switch {
	case a != nil:
		r = rbac.Request{Verb: a.Verb, Group: a.Group, Resource: a.Resource, Namespace: a.Namespace, Name: a.Name}
		if a.Subresource != "" {
			r.Resource += "/" + a.Subresource
		}
	case n != nil:
		r = rbac.Request{Verb: n.Verb, Path: n.Path}
	}
	return authorization.SubjectAccessReviewStatus{Allowed: s.allowed(u, r)}
}

func (s *Server) rulesStatus(u User, namespace string) authorization.SubjectRulesReviewStatus {
	st := authorization.SubjectRulesReviewStatus{ResourceRules: []authorization.ResourceRule{}, NonResourceRules: []authorization.NonResourceRule{}}
	rules := s.rules(u, namespace)
	for _, r := range rules {
		if len(r.Resources) > 0 {
			st.ResourceRules = append(st.ResourceRules, authorization.ResourceRule{Verbs: r.Verbs, APIGroups: r.APIGroups, Resources: r.Resources, ResourceNames: r.ResourceNames})
		}
		if len(r.NonResourceURLs) > 0 {
			st.NonResourceRules = append(st.NonResourceRules, authorization.NonResourceRule{Verbs: r.Verbs, NonResourceURLs: r.NonResourceURLs})
		}
	}
	return st
}

func (s *Server) tokenStatus(token string) authentication.TokenReviewStatus {
	u, ok := s.tokens.find(token)
	if !ok || !u.Expires.IsZero() && !s.now().Before(u.Expires) {
		return authentication.TokenReviewStatus{Error: "[invalid bearer token, token lookup failed]"}
	}
	return authentication.TokenReviewStatus{Authenticated: true, User: authentication.UserInfo{Username: u.Name, Groups: withGroup(u, "system:authenticated").Groups}}
}
