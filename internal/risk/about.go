package risk

import "strings"

// Effects that say which objects a verb is about, beside those that are read as kubectl's
// TYPE NAME.

// kubeNamed touches the object that the first word names: TYPE/NAME, or the name of one of
// this kind. Without a word it is what a selector picks.
func kubeNamed(c *call, kind string) {
	switch {
	case len(c.rest) > 0 && strings.Contains(c.rest[0].text, "/"):
		c.touchAll(c.objects(c.rest[:1]))
	case len(c.rest) > 0:
		c.f.touch(c.object(kind, c.rest[0].text, c.namespaceOf()))
	case c.selector() != "":
		c.f.touch(c.object(kind, "", c.namespaceOf()))
	}
}

// kubeEvents touches the object whose events are shown (--for TYPE/NAME).
func kubeEvents(c *call, _ string) {
	if w, ok := c.val("--for"); ok {
		c.touchAll(c.objects([]word{w}))
	}
}

// kubeCopies touches the pods that files are copied from or to: [NAMESPACE/]POD:PATH.
func kubeCopies(c *call, _ string) {
	for _, w := range c.rest {
		pod, _, ok := strings.Cut(w.text, ":")
		if !ok || pod == "" || strings.HasPrefix(pod, ".") || strings.HasPrefix(pod, "/") {
			continue
		}
		ns := c.namespaceOf()
		if n, name, ok := strings.Cut(pod, "/"); ok {
			ns, pod = shown(n), name
		}
		c.f.touch(c.object("pod", pod, ns))
	}
}

// fluxKinds are the kinds of flux by the words that its program takes for them.
var fluxKinds = map[string]string{
	"kustomization": "kustomization.kustomize.toolkit.fluxcd.io", "kustomizations": "kustomization.kustomize.toolkit.fluxcd.io", "ks": "kustomization.kustomize.toolkit.fluxcd.io",
	"helmrelease": "helmrelease.helm.toolkit.fluxcd.io", "helmreleases": "helmrelease.helm.toolkit.fluxcd.io", "hr": "helmrelease.helm.toolkit.fluxcd.io",
	"git": "gitrepository.source.toolkit.fluxcd.io", "helm": "helmrepository.source.toolkit.fluxcd.io", "oci": "ocirepository.source.toolkit.fluxcd.io",
	"bucket": "bucket.source.toolkit.fluxcd.io", "chart": "helmchart.source.toolkit.fluxcd.io",
}

// fluxObjects touches what flux is told to reconcile, show, suspend or delete.
func fluxObjects(c *call, _ string) {
	words := c.rest
	if w, ok := c.val("--for"); ok {
		c.fluxObject(strings.Split(w.text, "/"))
		return
	}
	if kind, ok := c.val("--kind"); ok {
		name, _ := c.val("--name")
		c.fluxObject([]string{kind.text, name.text})
		return
	}
	if len(words) > 0 && (words[0].text == "source" || words[0].text == "sources") {
		words = words[1:]
	}
	c.fluxObject(texts(words))
}

// fluxObject touches the objects of a kind and their names.
func (c *call) fluxObject(words []string) {
	if len(words) < 2 {
		return
	}
	kind, ok := fluxKinds[strings.ToLower(words[0])]
	if !ok {
		return
	}
	for _, name := range words[1:] {
		if name != "" {
			c.f.touch(c.object(kind, name, c.namespaceOf()))
		}
	}
}
