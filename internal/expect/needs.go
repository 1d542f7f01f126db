package expect

import (
	"runbook/internal/steps"
	"runbook/internal/world"
)

// A Need is one fact that an expectation depends on; exactly one field is set.
type Need struct {
	Object *world.Ref // what belongs to it (pods, its Secret) comes with it
	Entry  string     // Vault entry as mount/path
	Caps   string     // Vault path whose capabilities matter
	URL    string
	Health bool // Vault's own state
	Token  bool
}

// Needs are the facts that must be known before e can be judged. Objects
// without a namespace are looked for in defaultNamespace.
func Needs(e steps.Expectation, defaultNamespace string) []Need {
	switch e.Subject.Source {
	case steps.Kube:
		return kubeNeeds(e, defaultNamespace)
	case steps.Vault:
		return vaultNeeds(e)
	case steps.HTTP:
		return []Need{{URL: e.Subject.URL}}
	case steps.CEL:
		return expressionNeeds(arg(e, 0), defaultNamespace)
	}
	return nil
}

func kubeNeeds(e steps.Expectation, defaultNamespace string) []Need {
	ref := Ref(e.Subject, defaultNamespace)
	needs := []Need{{Object: &ref}}
	if ns := arg(e, 1); e.Check == steps.TLSListener && ns != "" {
		namespace := world.NewRef("namespace", "", "", ns)
		needs = append(needs, Need{Object: &namespace})
	}
	return needs
}

// vaultNeeds asks for Vault's health and token beside an entry: they are the
// earlier cause when it can't be read.
func vaultNeeds(e steps.Expectation) []Need {
	switch {
	case e.Check == steps.MayRead:
		return []Need{{Health: true}, {Token: true}, {Caps: arg(e, 0)}}
	case e.Subject.Entry == "token":
		return []Need{{Health: true}, {Token: true}}
	case e.Subject.Entry == "":
		return []Need{{Health: true}}
	}
	return []Need{{Health: true}, {Token: true}, {Entry: e.Subject.Entry}}
}

// Ref is the object that a subject of the cluster names.
func Ref(s steps.Subject, defaultNamespace string) world.Ref {
	namespace := s.Namespace
	if namespace == "" {
		namespace = defaultNamespace
	}
	return world.NewRef(s.Kind, s.Group, namespace, s.Name)
}

func arg(e steps.Expectation, i int) string {
	if i < len(e.Args) {
		return e.Args[i]
	}
	return ""
}
