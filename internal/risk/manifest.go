package risk

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// manifest is what -f names: standard input, a file that the caller lets us read, or
// something that stays unknown.
func (c *call) manifest(w word) stream {
	if w.in != nil {
		return *w.in
	}
	if w.text == "-" || w.text == "/dev/stdin" {
		return c.in.orEmpty()
	}
	return c.f.file(w)
}

// object is the part of a manifest that is read. Values of data are only there to be
// compared with what is in the cluster; see Given.
type object struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name         string `yaml:"name"`
		GenerateName string `yaml:"generateName"`
		Namespace    string `yaml:"namespace"`
	} `yaml:"metadata"`
	Spec       any                  `yaml:"spec"`
	Data       map[string]yaml.Node `yaml:"data"`
	StringData map[string]yaml.Node `yaml:"stringData"`
	Items      []object             `yaml:"items"`
}

// manifestTouches are the objects in a stream of manifests.
func manifestTouches(s stream, ns string) []Touch {
	out := s.objects
	if strings.TrimSpace(s.text) == "" || !strings.Contains(s.text, "kind") {
		return out
	}
	d := yaml.NewDecoder(bytes.NewReader([]byte(unmark.Replace(s.text))))
	for range 500 {
		var o object
		err := d.Decode(&o)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			return append(out, looseTouches(s.text, ns)...)
		}
		out = o.touches(s, ns, out)
	}
	return out
}

func (o object) touches(s stream, ns string, out []Touch) []Touch {
	for _, i := range o.Items {
		out = i.touches(s, ns, out)
	}
	if o.Kind == "" || o.Kind == "List" {
		return out
	}
	kind, _ := kindOf(o.Kind)
	t := Touch{Op: "apply", Kind: kind, Name: o.Metadata.Name, Namespace: o.Metadata.Namespace}
	if g, _, ok := strings.Cut(o.APIVersion, "/"); ok {
		t.Group = g
	}
	if t.Name == "" {
		t.Name = o.Metadata.GenerateName
	}
	if t.Namespace == "" {
		t.Namespace = ns
	}
	if clusterKinds[kind] {
		t.Namespace = ""
	}
	t.Spec, _ = o.Spec.(map[string]any)
	t.Keys = o.keys()
	if kind == "secret" {
		t.Given = o.given(s)
	}
	return append(out, t)
}

// looseTouches finds kinds and names in text that isn't YAML yet: templates, mostly.
func looseTouches(text, ns string) []Touch {
	var out []Touch
	for line := range strings.SplitSeq(text, "\n") {
		if k, ok := strings.CutPrefix(line, "kind:"); ok {
			kind, _ := kindOf(strings.Trim(strings.TrimSpace(k), `"'`))
			t := Touch{Op: "apply", Kind: kind, Namespace: ns}
			if clusterKinds[kind] {
				t.Namespace = ""
			}
			out = append(out, t)
		}
		if n, ok := strings.CutPrefix(line, "  name:"); ok && len(out) > 0 && out[len(out)-1].Name == "" {
			out[len(out)-1].Name = strings.Trim(strings.TrimSpace(n), `"'`)
		}
	}
	return out
}

// kubeManifests judges apply and replace by what is in the manifests.
func kubeManifests(c *call, arg string) {
	c.op = "apply"
	secret := false
	unread := []string{}
	for _, w := range c.all("-f", "--filename", "-k", "--kustomize") {
		st := c.manifest(w)
		ts := manifestTouches(st, c.namespaceOf())
		if len(ts) == 0 && !st.known {
			unread = append(unread, shown(w.text))
		}
		secret = secret || st.credential
		for _, t := range ts {
			t.Op = "apply"
			c.f.touch(t)
			secret = secret || t.Kind == "secret"
		}
		if strings.Contains(st.text, "generatorRef") || strings.Contains(st.text, "secretGenerator") {
			c.generates()
		}
	}
	if len(c.rest) > 0 {
		c.touchAll(c.objects(c.rest))
	}
	switch {
	case c.class > Write:
	case secret:
		c.class, c.why = Rotate, "overwrites a secret with what it is given"
	case len(unread) > 0:
		c.why += "; what is in " + strings.Join(unread, ", ") + " wasn't read"
	}
}
