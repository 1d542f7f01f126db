package survey

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"runbook/internal/cluster"
	"runbook/internal/dig"
	"runbook/internal/guard"
)

const externalSecrets = "external-secrets.io"

// readers says who in the cluster reads a Vault entry, or anything below a path.
// The mount of an ExternalSecret is its store's, so stores are looked at first.
func (s Surveyor) readers(ctx context.Context, path string) []guard.Loss {
	if s.Lister == nil {
		return []guard.Loss{unknown("who reads vault "+path, "no cluster is configured")}
	}
	mounts, err := s.storeMounts(ctx)
	if err != nil {
		return unlisted("who reads vault "+path, err)
	}
	var readers first
	policies := map[string]int{}
	err = s.Lister.Bodies(ctx, cluster.Scope{Kind: "externalsecret", Group: externalSecrets}, func(page []map[string]any) {
		for _, o := range page {
			mount := mounts[storeOf(o)]
			if slices.ContainsFunc(keysRead(o), func(key string) bool { return reads(mount, key, path) }) {
				readers.add(dig.Text(o, "metadata", "namespace") + "/" + dig.Text(o, "metadata", "name"))
				policies[orElse(dig.Text(o, "spec", "target", "deletionPolicy"), "Retain")]++
			}
		}
	})
	if err != nil {
		return unlisted("who reads vault "+path, err)
	}
	if readers.n == 0 {
		return []guard.Loss{{What: "vault " + path, Why: "no ExternalSecret of this cluster reads it; what else does is not known"}}
	}
	l := guard.Loss{What: fmt.Sprintf("what %s read from vault %s: %s", several(readers.n, "ExternalSecret"), path, readers), Why: "their Secrets keep what they have until they have to be made again"}
	if n := policies["Delete"] + policies["Merge"]; n > 0 {
		l.Why = fmt.Sprintf("%d of them take the Secret, or the keys in it, away with it (deletionPolicy Delete or Merge)", n)
	}
	return []guard.Loss{l}
}

// storeMounts are the mounts of the Vault stores, by Kind/namespace/name.
func (s Surveyor) storeMounts(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	for _, kind := range []string{"SecretStore", "ClusterSecretStore"} {
		err := s.Lister.Bodies(ctx, cluster.Scope{Kind: kind, Group: externalSecrets}, func(page []map[string]any) {
			for _, o := range page {
				if dig.At(o, "spec", "provider", "vault") != nil {
					out[kind+"/"+dig.Text(o, "metadata", "namespace")+"/"+dig.Text(o, "metadata", "name")] = strings.Trim(dig.Text(o, "spec", "provider", "vault", "path"), "/")
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func storeOf(es map[string]any) string {
	ref := dig.At(es, "spec", "secretStoreRef")
	kind, namespace := orElse(dig.Text(ref, "kind"), "SecretStore"), ""
	if kind == "SecretStore" {
		namespace = dig.Text(es, "metadata", "namespace")
	}
	return kind + "/" + namespace + "/" + dig.Text(ref, "name")
}

// keysRead are the entries that an ExternalSecret reads, as it names them.
func keysRead(es map[string]any) []string {
	var out []string
	for _, d := range dig.List(es, "spec", "data") {
		out = append(out, dig.Text(d, "remoteRef", "key"))
	}
	for _, d := range dig.List(es, "spec", "dataFrom") {
		if key := dig.Text(d, "extract", "key"); key != "" {
			out = append(out, key)
		}
		if dig.At(d, "find") != nil {
			out = append(out, dig.Text(d, "find", "path"))
		}
	}
	return out
}

// reads tells whether a key, read through a mount, is the path or below it. A
// store without a mount has it in the key.
func reads(mount, key, path string) bool {
	key = strings.Trim(key, "/")
	if mount != "" {
		rest := strings.TrimPrefix(strings.TrimPrefix(key, mount+"/"), "data/")
		key = mount + "/" + rest
	}
	return key == path || strings.HasPrefix(key, path+"/")
}
