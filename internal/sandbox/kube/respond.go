package kube

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"

	sigsyaml "sigs.k8s.io/yaml"
)

// form is how an answer is to be written.
type form struct {
	yaml bool
	as   string // "", "Table", "PartialObjectMetadata" or "PartialObjectMetadataList"
}

// negotiate takes the first clause of an Accept header that can be answered.
func negotiate(r *http.Request) (form, error) {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	if accept == "" {
		return form{}, nil
	}
	for clause := range strings.SplitSeq(accept, ",") {
		media, params, err := mime.ParseMediaType(strings.TrimSpace(clause))
		if err != nil {
			continue
		}
		f := form{as: params["as"], yaml: media == "application/yaml"}
		known := media == "application/json" || media == "application/*" || media == "*/*" || f.yaml
		metaKind := f.as == "" || params["g"] == "meta.k8s.io" && params["v"] == "v1" &&
			(f.as == "Table" || f.as == "PartialObjectMetadata" || f.as == "PartialObjectMetadataList")
		if known && metaKind {
			return f, nil
		}
	}
	return form{}, notAcceptable("only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf")
}

// answer writes one object in the form that was asked for.
func (s *Server) answer(w http.ResponseWriter, q *request, code int, obj map[string]any) {
	f, err := negotiate(q.http)
	if err != nil {
		writeError(w, err)
		return
	}
	writeWarnings(w, q.warnings)
	var body any = obj
	if obj["kind"] != "Status" && q.res != nil && q.sub == "" || q.sub == "status" {
		body = s.shape(q, f, obj)
	}
	s.write(w, f, code, body)
}

// shape gives an object of the request's resource the asked-for form.
func (s *Server) shape(q *request, f form, obj map[string]any) any {
	if obj["kind"] == "Status" {
		return obj
	}
	obj = q.res.shown(obj)
	switch f.as {
	case "Table":
		return s.table(q, []map[string]any{obj}, revisionOf(obj), true)
	case "PartialObjectMetadata":
		return partial(obj)
	}
	return obj
}

func (s *Server) write(w http.ResponseWriter, f form, code int, body any) {
	if !f.yaml {
		writeJSON(w, code, body)
		return
	}
	data, err := json.Marshal(body)
	if err == nil {
		data, err = sigsyaml.JSONToYAML(data)
	}
	if err != nil {
		http.Error(w, "encode answer: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/yaml")
	w.WriteHeader(code)
	_, _ = w.Write(data)
}

func writeWarnings(w http.ResponseWriter, warnings []string) {
	for _, msg := range warnings {
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(msg)
		w.Header().Add("Warning", fmt.Sprintf(`299 - "%s"`, quoted))
	}
}

func partial(obj map[string]any) map[string]any {
	return map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": obj["metadata"]}
}

// shown is a stored object as this version of its resource shows it.
func (r *resource) shown(obj map[string]any) map[string]any {
	if r.isEventsAlias() {
		return eventToNew(obj)
	}
	if obj["apiVersion"] == r.apiVersion() && obj["kind"] == r.kind {
		return obj
	}
	out := make(map[string]any, len(obj))
	for k, v := range obj {
		out[k] = v
	}
	out["apiVersion"], out["kind"] = r.apiVersion(), r.kind
	return out
}
