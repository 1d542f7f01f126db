package survey_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sandbox "runbook/internal/sandbox/vault"
	"runbook/internal/survey"
	"runbook/internal/vault"
)

const hidden = "marked-value"

// shelved is a populated bench beside a Vault with entries, and what asks that
// Vault with a policy; "root" is the one that may do everything.
func shelved(t *testing.T) (*bench, func(policy string) survey.Vault) {
	b := populated(t)
	s, err := sandbox.New(sandbox.Options{Namespaces: []string{"team"}})
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.Mount("kv", 2))
	must(s.Mount("old", 1))
	for _, name := range []string{"shop", "team/a", "team/b/c"} {
		must(s.Put("kv", name, map[string]any{"k": hidden}))
		_, err := s.Do("POST", "", "old/"+name, map[string]any{"k": hidden})
		must(err)
	}
	_, err = s.Do("POST", "team", "sys/mounts/own", map[string]any{"type": "kv", "options": map[string]any{"version": "2"}})
	must(err)
	_, err = s.Do("POST", "team", "own/data/x", map[string]any{"data": map[string]any{"k": hidden}})
	must(err)
	front := httptest.NewServer(s)
	t.Cleanup(front.Close)
	return b, func(policy string) survey.Vault {
		token := s.RootToken()
		if policy != "root" {
			must(s.Policy("only", policy))
			token, err = s.Token(map[string]any{"policies": []string{"only", "default"}})
			must(err)
		}
		set, err := vault.ReadSettings([]string{"VAULT_ADDR=" + front.URL, "VAULT_TOKEN=" + token}, "")
		must(err)
		c, err := vault.NewClient(set, time.Now)
		must(err)
		return c
	}
}

func TestWhatGoesOfAVaultIsListedByName(t *testing.T) {
	b, as := shelved(t)
	for _, tt := range []struct {
		command, policy string
		wants           []want
		lacks           []string
	}{
		{"vault secrets disable kv", "root", []want{
			{"3 entries of the mount kv: kv/shop, kv/team/a, kv/team/b/c", "nothing but a snapshot", "gone"},
			{"1 ExternalSecret read from vault kv: shop/from-vault", "deletionPolicy Delete", ""},
		}, []string{"old/", "not counted"}},
		{"vault delete sys/mounts/old", "root", []want{{"3 entries of the mount old: old/shop, old/team/a", "snapshot", "gone"}, {"vault old", "no ExternalSecret", ""}}, nil},
		{"vault secrets disable nothing", "root", nil, []string{"nothing"}},
		{"vault secrets disable kv", `path "kv/metadata/" { capabilities = ["list"] }`, []want{
			{"1 entry of the mount kv: kv/shop", "", "gone"},
			{"what is in vault kv/metadata/team/", "could not list: the token lacks the capability list on kv/metadata/team/", "unknown"},
		}, nil},
		{"vault secrets disable kv", `path "kv/data/shop" { capabilities = ["read"] }`, []want{
			{"what is in vault kv/metadata/", "the token lacks the capability list on kv/metadata/", "unknown"},
		}, []string{"holds no entry"}},
		{"vault secrets disable kv", `path "x" { capabilities = ["read"] }`, []want{{"what vault kv holds", "could not list", "unknown"}}, nil},
		{"vault kv metadata delete kv/shop", "root", []want{{"1 ExternalSecret read from vault kv/shop", "deletionPolicy Delete", ""}}, []string{"folder"}},
		{"vault delete kv/metadata/shop", "root", []want{{"1 ExternalSecret read from vault kv/shop", "deletionPolicy Delete", ""}}, nil},
		{"vault kv metadata delete kv/team", "root", []want{{"vault kv/team", "a folder, and no entry: nothing goes, and the 2 entries in it stay", ""}}, nil},
		{"vault delete old/team", "root", []want{{"vault old/team", "a folder", ""}}, nil},
		{"vault delete old/shop", "root", []want{{"vault old/shop", "no ExternalSecret", ""}}, []string{"folder"}},
		{"vault namespace delete team", "root", []want{
			{"1 entry of the Vault namespace team: team/own/x", "snapshot", "gone"},
			{"who reads from the Vault namespace team", "policies", "unknown"},
		}, nil},
		{"vault namespace delete team", `path "x" { capabilities = ["read"] }`, []want{{"what is in vault team/sys/mounts", "the token lacks the capability read on team/sys/mounts", "unknown"}}, []string{"holds no entry"}},
		{"vault delete sys/policies/acl/x", "root", nil, []string{"ExternalSecret"}},
	} {
		t.Run(tt.command+" as "+tt.policy, func(t *testing.T) {
			c := *b
			c.T = t
			c.survey.Vault = as(tt.policy)
			losses := c.losses(tt.command)
			c.sees(losses, tt.wants...)
			for _, bad := range append(tt.lacks, hidden) {
				if strings.Contains(show(losses), bad) {
					t.Errorf("%q is among:\n%s", bad, show(losses))
				}
			}
		})
	}
}

func TestWithoutAClusterAVaultIsStillListed(t *testing.T) {
	b, as := shelved(t)
	b.survey.Vault, b.survey.Lister = as("root"), nil
	b.sees(b.losses("vault secrets disable kv; kubectl delete ns shop"), want{"3 entries of the mount kv", "", "gone"},
		want{"who reads vault kv", "no cluster is configured", "unknown"}, want{"what goes with namespace/shop", "no cluster", "unknown"})
}
