package kube

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "sigs.k8s.io/json"
	sigsyaml "sigs.k8s.io/yaml"
)

// maxBody is the largest request body, in bytes: as much as the real server takes.
const maxBody = 3 * 1024 * 1024

// body reads a request's object as JSON.
func (s *Server) body(q *request) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(q.http.Body, maxBody+1))
	if err != nil {
		return nil, apierrors.NewBadRequest("unable to read body: " + err.Error())
	}
	if len(data) > maxBody {
		return nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxBody))
	}
	media, _, err := mime.ParseMediaType(q.http.Header.Get("Content-Type"))
	if err != nil {
		media = "application/json"
	}
	switch media {
	case "application/json":
		return data, nil
	case "application/yaml":
		return yamlToJSON(data)
	case protobufMedia:
		return s.protobufToJSON(data)
	}
	if q.http.Method == http.MethodPatch {
		return data, nil
	}
	return nil, unsupportedMedia("the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf")
}

func yamlToJSON(data []byte) ([]byte, error) {
	out, err := sigsyaml.YAMLToJSON(data)
	if err != nil {
		return nil, apierrors.NewBadRequest("error decoding YAML: " + err.Error())
	}
	return out, nil
}

// decode reads an object of a resource from JSON into its stored form with defaults. Unknown and
// duplicate fields are an error, a warning or nothing, as the request wants.
func (q *request) decode(r *resource, data []byte) (map[string]any, error) {
	obj, strict, err := r.read(data)
	if err != nil {
		return nil, err
	}
	if err := q.complain(r, strict); err != nil {
		return nil, err
	}
	if r.isEventsAlias() {
		obj = eventToCore(obj)
	}
	return obj, nil
}

// complain treats what a strict reader objects to according to fieldValidation.
func (q *request) complain(r *resource, strict []string) error {
	if len(strict) == 0 {
		return nil
	}
	switch q.query.Get("fieldValidation") {
	case "Ignore":
	case "Strict":
		return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: strict decoding error: %s",
			r.kind, r.gvr.Version, r.kind, strings.Join(strict, ", ")))
	default:
		q.warn(strict...)
	}
	return nil
}

func (r *resource) read(data []byte) (map[string]any, []string, error) {
	var raw map[string]any
	strict, err := kjson.UnmarshalStrict(data, &raw, kjson.DisallowDuplicateFields)
	if err != nil || raw == nil {
		return nil, nil, r.unreadable(err)
	}
	if err := r.checkKind(raw); err != nil {
		return nil, nil, err
	}
	msgs := messages(strict)
	if r.custom != nil {
		obj := runtime.DeepCopyJSON(raw)
		for _, path := range r.custom.schema.Prune(obj) {
			msgs = append(msgs, fmt.Sprintf("unknown field %q", path))
		}
		r.custom.schema.Default(obj)
		obj["apiVersion"], obj["kind"] = r.apiVersion(), r.kind
		return obj, msgs, r.checkMeta(obj)
	}
	typed := r.builtin.New()
	strict, err = kjson.UnmarshalStrict(data, typed, kjson.DisallowUnknownFields, kjson.DisallowDuplicateFields)
	if err != nil {
		return nil, nil, r.unreadable(err)
	}
	r.builtin.Default(typed)
	obj, err := r.untyped(typed)
	return obj, messages(strict), err
}

func messages(errs []error) []string {
	out := make([]string, len(errs))
	for i, e := range errs {
		out[i] = e.Error()
	}
	return out
}

func (r *resource) unreadable(err error) error {
	if err == nil {
		err = errors.New("couldn't get version/kind; json parse error: unexpected end of JSON input")
	}
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: %v", r.kind, r.gvr.Version, r.kind, err))
}

// checkKind accepts an object without kind and apiVersion: the path says what it is.
func (r *resource) checkKind(obj map[string]any) error {
	kind, version := text(obj, "kind"), text(obj, "apiVersion")
	if r.custom != nil && kind == "" {
		return apierrors.NewBadRequest("Object 'Kind' is missing in the request body")
	}
	if (version == "" || version == r.apiVersion()) && (kind == "" || kind == r.kind) {
		return nil
	}
	if version != "" && version != r.apiVersion() && r.custom == nil {
		return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: no kind %q is registered for version %q in scheme \"pkg/runtime/scheme.go:111\"", kind, lastPart(version), r.kind, kind, version))
	}
	if version != "" && version != r.apiVersion() {
		return apierrors.NewBadRequest(fmt.Sprintf("the API version in the data (%s) does not match the expected API version (%s)", version, r.apiVersion()))
	}
	return apierrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s: no kind %q is registered for version %q", kind, r.gvr.Version, r.kind, kind, r.apiVersion()))
}

// lastPart is the version in a group's version.
func lastPart(apiVersion string) string {
	_, version, found := strings.Cut(apiVersion, "/")
	if !found {
		return apiVersion
	}
	return version
}

// checkMeta gives a custom resource's metadata the types that it has to have.
func (r *resource) checkMeta(obj map[string]any) error {
	if _, err := objectMeta(obj); err != nil {
		return r.unreadable(err)
	}
	return nil
}

// typed is the object as its Go struct; nil for a custom resource.
func (r *resource) typed(obj map[string]any) (runtime.Object, error) {
	if r.custom != nil {
		return nil, nil
	}
	out := r.builtin.New()
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(obj, out); err != nil {
		return nil, r.unreadable(err)
	}
	return out, nil
}

// untyped is the JSON form of a Go struct.
func (r *resource) untyped(obj runtime.Object) (map[string]any, error) {
	out, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	out["apiVersion"], out["kind"] = r.apiVersion(), r.kind
	dropNullTimes(out)
	return out, nil
}

// dropNullTimes removes creationTimestamp: null, which Go structs leave in object and template metadata.
func dropNullTimes(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			dropNullTimes(e)
		}
	case map[string]any:
		for k, e := range v {
			if k == "creationTimestamp" && e == nil {
				delete(v, k)
				continue
			}
			dropNullTimes(e)
		}
	}
}

func decodeInto(data []byte, into any) error {
	if len(data) == 0 {
		return nil
	}
	if err := json.Unmarshal(data, into); err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	return nil
}
