package conceal_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"runbook/internal/conceal"
	"runbook/internal/risk"
	"runbook/internal/vault"
)

// shelf is a cluster and a Vault with what they hold, by namespace/name and by
// entry.
type shelf struct {
	holds map[string]map[string]string
	fails map[string]error
	asked []string
}

func (s *shelf) read(at string, use func(key, value string)) error {
	s.asked = append(s.asked, at)
	for key, value := range s.holds[at] {
		use(key, value)
	}
	return s.fails[at]
}

func (s *shelf) SecretValues(_ context.Context, namespace, name string, use func(string, []byte)) error {
	return s.read(namespace+"/"+name, func(key, value string) { use(key, []byte(value)) })
}

func (s *shelf) Values(_ context.Context, entry string, use func(string, vault.Secret)) error {
	return s.read(entry, func(key, value string) { use(key, vault.NewSecret(value)) })
}

func read(t risk.Touch) risk.Touch { t.Op = "read"; return t }

func TestWhatIsReadIsHiddenUnlessItIsShownAllTheTime(t *testing.T) {
	s := &shelf{holds: map[string]map[string]string{
		"shop/app": {"password": "hunter2-x9", "username": "shop-user-1", "token": "the-namespace"},
		"shop/":    {"a": "hunter3-x9"},
		"/":        {"a": "hunter7-x9"},
		"kv/shop":  {"session-key": "hunter4-x9", "notes": "plain words"},
		"shop/pull": {".dockerconfigjson": `{"auths":{"registry.example.org":{"auth":"aHVudGVyNTp4OQ==","email":"a@example.org"}},
			"more":[{"identitytoken":"hunter6-x9"}]}`},
	}}
	var hidden []string
	l := conceal.Learner{Cluster: s, Vault: s, Hide: func(v ...string) { hidden = append(hidden, v...) }}
	why := l.Learn(t.Context(), []risk.Touch{
		read(risk.Touch{Kind: "secret", Name: "app", Namespace: "shop"}),
		read(risk.Touch{Kind: "secret", Name: "app", Namespace: "shop"}),
		read(risk.Touch{Kind: "secret", Selector: "app=x", Namespace: "shop"}),
		read(risk.Touch{Kind: "secret", Name: "$NAME", Namespace: "shop"}),
		read(risk.Touch{Kind: "$", Namespace: "shop"}),
		read(risk.Touch{Kind: "secret", Everywhere: true}),
		read(risk.Touch{Kind: "secret", Name: "pull", Namespace: "shop"}),
		read(risk.Touch{Kind: "configmap", Name: "app", Namespace: "shop"}),
		read(risk.Touch{Kind: "secret", Group: "example.org", Name: "app", Namespace: "shop"}),
		read(risk.Touch{Vault: "kv/shop"}),
	}, func(value string) bool { return value == "the-namespace" })
	if len(why) > 0 {
		t.Errorf("it says %q", why)
	}
	if want := []string{"shop/app", "shop/", "/", "shop/pull", "kv/shop"}; !slices.Equal(s.asked, want) {
		t.Errorf("asked for %q, want %q", s.asked, want)
	}
	slices.Sort(hidden)
	whole := slices.DeleteFunc(slices.Clone(hidden), func(v string) bool { return strings.HasPrefix(v, "{") })
	if want := []string{"aHVudGVyNTp4OQ==", "hunter2-x9", "hunter3-x9", "hunter4-x9", "hunter6-x9", "hunter7-x9"}; !slices.Equal(whole, want) || len(hidden) != 7 {
		t.Errorf("hides %q, want %q and the whole login", hidden, want)
	}
}

func TestWhatCannotBeReadIsSaidOnce(t *testing.T) {
	s := &shelf{fails: map[string]error{
		"shop/app": errors.New("forbidden"),
		"kv/none":  &vault.Error{Op: "read", Object: "kv/data/none", Kind: vault.NotFound},
		"kv/gone":  &vault.Error{Op: "read", Object: "kv/data/gone", Kind: vault.Gone},
	}}
	l := conceal.Learner{Cluster: s, Vault: s, Hide: func(...string) {}}
	app := read(risk.Touch{Kind: "secret", Name: "app", Namespace: "shop"})
	why := l.Learn(t.Context(), []risk.Touch{app, read(risk.Touch{Vault: "kv/none"}), app, read(risk.Touch{Vault: "kv/gone"})}, func(string) bool { return false })
	if want := []string{"of what secret/app in shop prints only what looks like a secret can be hidden: forbidden"}; !slices.Equal(why, want) {
		t.Errorf("got %q, want %q", why, want)
	}
}

func TestWithoutAClusterOrAVaultThereIsNothingToLearn(t *testing.T) {
	l := conceal.Learner{Hide: func(...string) { t.Error("it hides something") }}
	why := l.Learn(t.Context(), []risk.Touch{read(risk.Touch{Kind: "secret", Name: "a"}), read(risk.Touch{Vault: "kv/a"})}, nil)
	if len(why) > 0 {
		t.Errorf("it says %q", why)
	}
}
