package kube

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	authentication "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// serveSubresource does what isn't reading or writing an object as it is.
func (s *Server) serveSubresource(w http.ResponseWriter, q *request) {
	at := q.res.stored + "/" + q.sub + " " + q.verb
	var obj map[string]any
	var err error
	code := http.StatusOK
	switch {
	case q.sub == "scale" && q.res.scale != nil:
		obj, err = s.serveScale(q)
	case at == "pods/log get":
		s.serveLog(w, q)
		return
	case at == "pods/eviction create":
		code = http.StatusCreated
		obj, err = s.evict(q)
	case at == "pods/binding create":
		code = http.StatusCreated
		obj, err = s.bind(q)
	case at == "namespaces/finalize update":
		obj, err = s.update(q)
	case at == "serviceaccounts/token create":
		code = http.StatusCreated
		obj, err = s.requestToken(q)
	case strings.HasPrefix(at, "pods/exec"), strings.HasPrefix(at, "pods/attach"), strings.HasPrefix(at, "pods/portforward"):
		err = apierrors.NewBadRequest("Upgrade request required")
	default:
		notFoundPath(w)
		return
	}
	if err != nil {
		writeError(w, err)
		return
	}
	s.answer(w, q, code, obj)
}

// serveLog copies a container's log to the client, as it grows if it is to be followed.
func (s *Server) serveLog(w http.ResponseWriter, q *request) {
	pod, err := s.existing(q)
	if err != nil {
		writeError(w, err)
		return
	}
	if text(pod, "spec", "nodeName") == "" {
		w.WriteHeader(http.StatusNoContent) // nobody there could have a log of it
		return
	}
	container, err := logContainer(pod, q.query.Get("container"))
	if err == nil && s.options.Logs == nil {
		err = apierrors.NewBadRequest(fmt.Sprintf("container %q in pod %q is waiting to start: ContainerCreating", container, q.name))
	}
	var o LogOptions
	if err == nil {
		o, err = q.logOptions()
	}
	if err != nil {
		writeError(w, err)
		return
	}
	ctx, cancel := s.untilClosed(q.http.Context())
	defer cancel()
	log, err := s.options.Logs.Logs(ctx, q.namespace, q.name, container, o)
	if err != nil {
		writeError(w, err)
		return
	}
	defer func() { _ = log.Close() }()
	w.Header().Set("Content-Type", "text/plain")
	w.WriteHeader(http.StatusOK)
	var src io.Reader = log
	if o.LimitBytes != nil {
		src = io.LimitReader(log, *o.LimitBytes)
	}
	// The log ends where it ends: by then the status line has been sent.
	_, _ = io.Copy(flushing{w}, src)
}

// flushing hands every write on at once.
type flushing struct{ w http.ResponseWriter }

// Write is part of io.Writer.
func (f flushing) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	if fl, ok := f.w.(http.Flusher); ok {
		fl.Flush()
	}
	return n, err
}

// logContainer is the container that is meant: the one that is named, or the only one.
func logContainer(pod map[string]any, asked string) (string, error) {
	var all, main []string
	for _, list := range []string{"initContainers", "containers", "ephemeralContainers"} {
		cs, _ := dig(pod, "spec", list).([]any)
		for _, c := range cs {
			all = append(all, text(c, "name"))
			if list == "containers" {
				main = append(main, text(c, "name"))
			}
		}
	}
	switch {
	case asked == "" && len(main) == 1:
		return main[0], nil
	case asked == "":
		return "", apierrors.NewBadRequest(fmt.Sprintf("a container name must be specified for pod %s, choose one of: %s", nameOf(pod), all))
	case !slices.Contains(all, asked):
		return "", apierrors.NewBadRequest(fmt.Sprintf("container %s is not valid for pod %s", asked, nameOf(pod)))
	}
	return asked, nil
}

// invalid says what no log can be cut to.
func (o LogOptions) invalid(pod string, since bool) error {
	var errs field.ErrorList
	if o.TailLines != nil && *o.TailLines < 0 {
		errs = append(errs, field.Invalid(field.NewPath("tailLines"), *o.TailLines, "must be greater than or equal to 0"))
	}
	if o.LimitBytes != nil && *o.LimitBytes < 1 {
		errs = append(errs, field.Invalid(field.NewPath("limitBytes"), *o.LimitBytes, "must be greater than 0"))
	}
	if since && o.SinceSeconds != nil {
		errs = append(errs, field.Forbidden(field.NewPath(""), "at most one of `sinceTime` or `sinceSeconds` may be specified"))
	}
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(schema.GroupKind{Kind: "PodLogOptions"}, pod, errs)
}

func (q *request) logOptions() (LogOptions, error) {
	o := LogOptions{Follow: q.bool("follow"), Previous: q.bool("previous"), Timestamps: q.bool("timestamps")}
	for name, dst := range map[string]**int64{"sinceSeconds": &o.SinceSeconds, "tailLines": &o.TailLines, "limitBytes": &o.LimitBytes} {
		v := q.query.Get(name)
		if v == "" {
			continue
		}
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return o, apierrors.NewBadRequest(err.Error())
		}
		*dst = &n
	}
	if err := o.invalid(q.name, q.query.Get("sinceTime") != ""); err != nil {
		return o, err
	}
	if v := q.query.Get("sinceTime"); v != "" {
		t, err := time.Parse(time.RFC3339, v)
		if err != nil {
			return o, apierrors.NewBadRequest(err.Error())
		}
		o.SinceTime = &t
	}
	return o, nil
}

// evict deletes a pod unless a budget would be broken.
func (s *Server) evict(q *request) (map[string]any, error) {
	data, err := s.body(q)
	if err != nil {
		return nil, err
	}
	var e struct {
		DeleteOptions *metav1.DeleteOptions `json:"deleteOptions"`
	}
	if err := decodeInto(data, &e); err != nil {
		return nil, err
	}
	if e.DeleteOptions == nil {
		e.DeleteOptions = &metav1.DeleteOptions{}
	}
	if q.dryRun() {
		e.DeleteOptions.DryRun = []string{metav1.DryRunAll}
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	pod, err := s.existing(q)
	if err != nil {
		return nil, err
	}
	if err := s.spend(pod, len(e.DeleteOptions.DryRun) > 0); err != nil {
		return nil, err
	}
	if _, _, err := s.remove(q.res.base, pod, e.DeleteOptions); err != nil {
		return nil, err
	}
	return map[string]any{"kind": "Status", "apiVersion": "v1", "metadata": map[string]any{}, "status": "Success", "code": int64(http.StatusCreated)}, nil
}

// spend takes one disruption from the pod's budget.
func (s *Server) spend(pod map[string]any, dry bool) error {
	if phase := text(pod, "status", "phase"); phase != "Running" {
		return nil
	}
	for _, pdb := range s.all("poddisruptionbudgets.policy", namespaceOf(pod)) {
		var sel metav1.LabelSelector
		raw, _ := dig(pdb, "spec", "selector").(map[string]any)
		if raw == nil || runtime.DefaultUnstructuredConverter.FromUnstructured(raw, &sel) != nil || !selects(&sel, pod) {
			continue
		}
		left, _ := number(pdb, "status", "disruptionsAllowed")
		if left <= 0 {
			err := apierrors.NewTooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0)
			healthy, _ := number(pdb, "status", "currentHealthy")
			desired, _ := number(pdb, "status", "desiredHealthy")
			err.ErrStatus.Details.Causes = []metav1.StatusCause{{
				Type: "DisruptionBudget", Message: fmt.Sprintf("The disruption budget %s needs %d healthy pods and has %d currently", nameOf(pdb), desired, healthy),
			}}
			return err
		}
		if !dry {
			next := runtime.DeepCopyJSON(pdb)
			next["status"].(map[string]any)["disruptionsAllowed"] = left - 1
			s.store.Put(keyOf(s.registry.byStorage("poddisruptionbudgets.policy"), next), next)
		}
	}
	return nil
}

func selects(sel *metav1.LabelSelector, obj map[string]any) bool {
	s, err := metav1.LabelSelectorAsSelector(sel)
	return err == nil && s.Matches(labelSet(obj))
}

// bind gives a pod its node.
func (s *Server) bind(q *request) (map[string]any, error) {
	data, err := s.body(q)
	if err != nil {
		return nil, err
	}
	var b struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
		Target   struct{ Kind, Name string }
	}
	if err := decodeInto(data, &b); err != nil {
		return nil, err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	pod, err := s.existing(q)
	if err != nil {
		return nil, err
	}
	if node := text(pod, "spec", "nodeName"); node != "" {
		return nil, apierrors.NewConflict(schema.GroupResource{Resource: "pods/binding"}, q.name, fmt.Errorf("pod %s is already assigned to node %q", q.name, node))
	}
	next := runtime.DeepCopyJSON(pod)
	next["spec"].(map[string]any)["nodeName"] = b.Target.Name
	scheduled := map[string]any{"type": "PodScheduled", "status": "True", "lastTransitionTime": s.now().UTC().Format(time.RFC3339)}
	st, _ := next["status"].(map[string]any)
	if st == nil {
		st = map[string]any{}
		next["status"] = st
	}
	cs := []any{scheduled}
	for _, c := range conditions(pod) {
		if c["type"] != "PodScheduled" {
			cs = append(cs, c)
		}
	}
	st["conditions"] = cs
	if !q.dryRun() {
		s.commit(q.res.base, next)
	}
	return map[string]any{"kind": "Status", "apiVersion": "v1", "metadata": map[string]any{}, "status": "Success", "code": int64(http.StatusCreated)}, nil
}

// requestToken makes a token for a service account.
func (s *Server) requestToken(q *request) (map[string]any, error) {
	data, err := s.body(q)
	if err != nil {
		return nil, err
	}
	var t authentication.TokenRequest
	if err := decodeInto(data, &t); err != nil {
		return nil, err
	}
	if _, err := s.existing(q); err != nil {
		return nil, err
	}
	if t.Spec.ExpirationSeconds == nil {
		hour := int64(3600)
		t.Spec.ExpirationSeconds = &hour
	}
	u := User{
		Name:    "system:serviceaccount:" + q.namespace + ":" + q.name,
		Groups:  []string{"system:serviceaccounts", "system:serviceaccounts:" + q.namespace, "system:authenticated"},
		Expires: s.now().Add(time.Duration(*t.Spec.ExpirationSeconds) * time.Second),
	}
	t.TypeMeta = metav1.TypeMeta{APIVersion: "authentication.k8s.io/v1", Kind: "TokenRequest"}
	t.Name, t.Namespace, t.CreationTimestamp = q.name, q.namespace, metav1.NewTime(s.now())
	t.Status = authentication.TokenRequestStatus{Token: suffix() + suffix() + suffix() + suffix() + suffix(), ExpirationTimestamp: metav1.NewTime(u.Expires)}
	if !q.dryRun() {
		s.SetToken(t.Status.Token, u)
	}
	return runtime.DefaultUnstructuredConverter.ToUnstructured(&t)
}
