package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"go.yaml.in/yaml/v3"
)

const (
	jsonType      = "application/json"
	mergePatch    = "application/merge-patch+json"
	jsonPatch     = "application/json-patch+json"
	strategic     = "application/strategic-merge-patch+json"
	applyPatch    = "application/apply-patch+yaml"
	asTable       = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
	asMetadata    = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json"
	asMetadatas   = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json"
	asAggregated  = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"
	yamlType      = "application/yaml"
	unsupported   = "text/plain"
	notAcceptable = "text/x-nobody-writes-this"
)

// once carries out an exchange a single time.
func (c *client) once(e exchange) string {
	resp, body, err := c.send(e)
	if err != nil {
		return err.Error()
	}
	if resp.StatusCode != e.status {
		return fmt.Sprintf("got status %d, want %d; body %s", resp.StatusCode, e.status, body)
	}
	if e.text != "" && strings.TrimRight(body, "\n") != strings.TrimRight(e.text, "\n") {
		return fmt.Sprintf("got the text %q, want %q", body, e.text)
	}
	if warned := strings.Join(resp.Header.Values("Warning"), "\n"); e.warn != "" && !strings.Contains(warned, e.warn) {
		return fmt.Sprintf("got the warnings %q, want %q", warned, e.warn)
	}
	got, want, err := c.parse(e, body)
	if err != nil {
		return err.Error()
	}
	if want != nil {
		if problem := match("", want, got); problem != "" {
			return problem + "; body " + body
		}
	}
	if name, path, ok := strings.Cut(e.keep, "="); ok {
		v, ok := at(got, path).(string)
		if !ok {
			return fmt.Sprintf("no text at %s; body %s", path, body)
		}
		c.kept[name] = v
	}
	return ""
}

// parse reads what came back and what is wanted. A stream is a list.
func (c *client) parse(e exchange, body string) (got, want any, err error) {
	text := e.want
	switch {
	case e.stream != "":
		var list []any
		for line := range strings.SplitSeq(strings.TrimSpace(body), "\n") {
			var event any
			if line == "" {
				continue
			}
			if err := json.Unmarshal([]byte(line), &event); err != nil {
				return nil, nil, fmt.Errorf("event isn't JSON: %w: %s", err, line)
			}
			if !passing(event) {
				list = append(list, event)
			}
		}
		got, text = list, e.stream
	case text != "" || e.keep != "":
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			return nil, nil, fmt.Errorf("body isn't JSON: %w: %s", err, body)
		}
	}
	if text == "" {
		return got, nil, nil
	}
	want, err = fromYAML(c.fill(text))
	return got, want, err
}

// passing tells the bookmarks that a server may send whenever it likes.
func passing(event any) bool {
	return at(event, "type") == "BOOKMARK" && at(event, "object.metadata.annotations") == nil
}

// fromYAML reads YAML as if it were JSON. YAML 1.2 is read, in which "y" is a text.
func fromYAML(text string) (v any, err error) {
	var read any
	if err := yaml.Unmarshal([]byte(text), &read); err != nil {
		return nil, fmt.Errorf("%s isn't YAML: %w", text, err)
	}
	raw, err := json.Marshal(read)
	if err != nil {
		return nil, fmt.Errorf("%s isn't JSON: %w", text, err)
	}
	return v, json.Unmarshal(raw, &v)
}

func (c *client) send(e exchange) (*http.Response, string, error) {
	body := []byte(c.fill(e.body))
	kind := e.kind
	switch {
	case len(body) == 0:
	case kind == yamlType || kind == applyPatch || kind == unsupported:
	default:
		if v, err := fromYAML(string(body)); err == nil { // what isn't YAML is meant to be refused
			if body, err = json.Marshal(v); err != nil {
				return nil, "", err
			}
		}
		if kind == "" {
			kind = jsonType
		}
	}
	r, err := http.NewRequestWithContext(c.ctx, e.method, c.host+c.fill(e.path), bytes.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	r.Header.Set("Accept", jsonType)
	if e.accept != "" {
		r.Header.Set("Accept", e.accept)
	}
	r.Header.Set("User-Agent", "conform/1")
	resp, err := c.as[e.as].Do(r)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = resp.Body.Close() }() // it is read to its end
	raw, err := io.ReadAll(resp.Body)
	return resp, string(raw), err
}
