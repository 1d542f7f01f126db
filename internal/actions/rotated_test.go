package actions_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"runbook/internal/actions"
	"runbook/internal/steps"
	"runbook/internal/vault"
)

// vaultNow is what a Vault has by now.
type vaultNow struct {
	there  *vault.Exists
	value  string
	err    error
	denied error // when the value is read
}

func (s vaultNow) State(context.Context, string) (*vault.Exists, error) { return s.there, s.err }

func (s vaultNow) Fingerprint(_ context.Context, _, _ string, salt []byte) (vault.Fingerprint, error) {
	return vault.NewSecret(s.value).Fingerprint(salt), s.denied
}

func TestWhatBecameOfARotationIsToldByItsVersionAndItsValue(t *testing.T) {
	salt := []byte("0123456789abcdef0123456789abcdef")
	intent := func(version int, value string) actions.Intent {
		return actions.Intent{Version: version, Print: vault.NewSecret(value).Fingerprint(salt).Encode()}
	}
	at := func(version int, value string) vaultNow {
		return vaultNow{there: &vault.Exists{Entry: "kv/shop", KV: 2, Version: version}, value: value}
	}
	once := []actions.Intent{intent(3, "made")}
	for name, tc := range map[string]struct {
		now      vaultNow
		foretold []actions.Intent
		want     actions.Outcome
		why      string
	}{
		"foretold nothing":                   {at(4, "x"), nil, actions.NotRotated, "before it wrote"},
		"still the version before":           {at(3, "old"), once, actions.NotRotated, "still at version 3"},
		"the version behind, with the value": {at(4, "made"), once, actions.Rotated, "version 4"},
		"later, with the value":              {at(7, "made"), once, actions.Rotated, "version 7"},
		"with white space more":              {at(4, "made\n"), once, actions.CantTell, "somebody else"},
		"another value":                      {at(4, "theirs"), once, actions.CantTell, "at version 4, was at 3"},
		"the value of a try before":          {at(5, "made"), []actions.Intent{intent(3, "made"), intent(4, "other")}, actions.Rotated, ""},
		"deleted":                            {vaultNow{there: &vault.Exists{KV: 2, Version: 4, Deleted: true}}, once, actions.CantTell, "is deleted"},
		"gone":                               {vaultNow{}, once, actions.CantTell, "is gone"},
		"not to be looked at":                {vaultNow{err: errors.New("denied")}, once, actions.CantTell, "denied"},
		"whose value may not be read":        {vaultNow{there: &vault.Exists{KV: 2, Version: 4}, denied: errors.New("denied")}, once, actions.CantTell, "denied"},
		"without versions, with the value":   {vaultNow{there: &vault.Exists{KV: 1}, value: "made"}, []actions.Intent{intent(0, "made")}, actions.Rotated, ""},
		"without versions, another value":    {vaultNow{there: &vault.Exists{KV: 1}, value: "x"}, []actions.Intent{intent(0, "made")}, actions.CantTell, "keeps no versions"},
		"with a fingerprint that is none":    {at(4, "made"), []actions.Intent{{Version: 3, Print: "zz"}}, actions.CantTell, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := &steps.Action{Verb: steps.VaultRotate, Entry: "kv/shop", Property: "key"}
			got, why := actions.WhatBecame(t.Context(), tc.now, salt, a, tc.foretold)
			if got != tc.want || !strings.Contains(why, tc.why) {
				t.Errorf("got %s: %s; want %s: %s", got, why, tc.want, tc.why)
			}
			if strings.Contains(why, "made\n") || strings.Contains(why, "theirs") {
				t.Errorf("it says a value: %s", why)
			}
		})
	}
}
