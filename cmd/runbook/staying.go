package main

import (
	"cmp"
	"fmt"
)

// staying puts the kubeconfig of the steps back when a command has made it lead
// elsewhere, so that the next one hits what is on the screen, and says so. A
// namespace that was chosen in it stays, as its author means it, and is said.
func (b *builder) staying(path string) func() string {
	said := ""
	return func() string {
		namespace := b.where().Namespace
		what, elsewhere := b.target.cluster.Strayed(path, namespace)
		if !elsewhere {
			if what == said {
				return ""
			}
			if said = what; what == "" {
				return ""
			}
			return fmt.Sprintf("a kubectl without -n means namespace %s from here on, and the screen says %s", cmp.Or(what, "default"), cmp.Or(namespace, "default"))
		}
		said = ""
		if err := b.target.cluster.WriteKubeconfig(path, namespace); err != nil {
			return fmt.Sprintf("a command has changed the kubeconfig of the steps (%s), and it can't be put back: %v", what, err)
		}
		return fmt.Sprintf("a command has changed the kubeconfig of the steps (%s): it is put back, the run stays on %s; another context is another run", what, b.target.where.Context)
	}
}
