package cluster

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Manifests decodes a YAML or JSON stream of objects in their order; Lists are
// taken apart. The error names the document, counted from 1.
func Manifests(text []byte) ([]*unstructured.Unstructured, error) {
	var out []*unstructured.Unstructured
	docs := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for n := 1; ; n++ {
		doc, err := docs.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read manifests: %w", err)
		}
		var body map[string]any
		if err := yaml.Unmarshal(doc, &body); err != nil {
			return nil, fmt.Errorf("read manifest %d: %w", n, err)
		}
		if len(body) == 0 {
			continue
		}
		objects, err := flat(body)
		if err != nil {
			return nil, fmt.Errorf("read manifest %d: %w", n, err)
		}
		out = append(out, objects...)
	}
}

func flat(body map[string]any) ([]*unstructured.Unstructured, error) {
	o := &unstructured.Unstructured{Object: body}
	if o.IsList() {
		var out []*unstructured.Unstructured
		err := o.EachListItem(func(item runtime.Object) error {
			out = append(out, item.(*unstructured.Unstructured))
			return nil
		})
		return out, err
	}
	switch {
	case o.GetKind() == "" || o.GetAPIVersion() == "":
		return nil, errors.New("apiVersion and kind are missing")
	case o.GetName() == "":
		return nil, fmt.Errorf("%s has no metadata.name", o.GetKind())
	}
	return []*unstructured.Unstructured{o}, nil
}
