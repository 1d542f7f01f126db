package risk

import (
	"slices"
	"testing"
)

func TestARequestToVaultTouchesItsEntry(t *testing.T) {
	for command, want := range map[string][]string{
		`curl -s -H "X-Vault-Token: $T" "$VAULT_ADDR/v1/kv/data/shop/app"`:                  {"read", "kv/shop/app"},
		`curl http://127.0.0.1:8200/v1/team/kv/data/shop?version=2`:                         {"read", "team/kv/shop"},
		`curl -X POST -d @x.json https://vault.example.org/v1/kv/data/shop`:                 {"update", "kv/shop"},
		`curl -X DELETE ${VAULT_ADDR}/v1/kv/metadata/shop`:                                  {"delete", "kv/shop"},
		`curl https://shop.example.org/v1/kv/data/shop`:                                     nil,
		`curl $VAULT_ADDR/v1/sys/health`:                                                    nil,
		`wget -qO- --header "X-Vault-Token: $T" https://vault:8200/v1/secret/data/a/data/b`: {"read", "secret/a/data/b"},
	} {
		var got []string
		for _, touch := range Classify(command, Context{}).Touches {
			if touch.Vault != "" {
				got = append(got, touch.Op, touch.Vault)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
	}
}
