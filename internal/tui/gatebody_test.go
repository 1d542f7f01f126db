package tui

import (
	"strings"
	"testing"
	"time"

	"runbook/internal/guard"
)

func TestAGateSaysWhereEvenWhenThatIsThisMachineOnly(t *testing.T) {
	for _, c := range []struct {
		where     guard.Where
		has, miss string
	}{
		{guard.Where{}, "this machine: no cluster and no Vault is asked", "verified"},
		{guard.Where{Namespace: "shop", Server: "https://10.0.0.1:6443"}, "verified  never", "this machine"},
		{guard.Where{Vault: "http://127.0.0.1:8200", Verified: noon.Add(-time.Minute)}, "verified  60s ago", "this machine"},
	} {
		got := strings.Join(whereLines(newTheme(true), c.where, 80, noon), "\n")
		if !strings.Contains(got, c.has) || strings.Contains(got, c.miss) {
			t.Errorf("%+v: got\n%s", c.where, got)
		}
	}
}
