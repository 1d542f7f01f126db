package actions

import (
	"context"
	"fmt"

	"runbook/internal/steps"
	"runbook/internal/vault"
)

// An Intent is what a rotation is about to do. The value is made up, of at least
// 64 random bits, and its fingerprint is salted with what never leaves the
// machine: it tells the value again, and nothing about it.
type Intent struct {
	Version int    // that is written on top of; 0 where the engine keeps none
	Print   string // of the new value, as [vault.Fingerprint.Encode] has it
}

// foretelling is what has to happen right before a rotation writes.
func (r *Runner) foretelling(value vault.Secret, foretell func(Intent) error) func(version int) error {
	if foretell == nil || len(r.Salt) == 0 {
		return nil
	}
	return func(version int) error {
		return foretell(Intent{Version: version, Print: value.Fingerprint(r.Salt).Encode()})
	}
}

// An Outcome is what became of a rotation that was cut off.
type Outcome string

// The outcomes.
const (
	Rotated    Outcome = "rotated"     // its value is there
	NotRotated Outcome = "not rotated" // nothing was written
	CantTell   Outcome = "can't tell"
)

// A Shelf tells what is in a Vault by now.
type Shelf interface {
	State(ctx context.Context, entry string) (*vault.Exists, error)
	Fingerprint(ctx context.Context, entry, property string, salt []byte) (vault.Fingerprint, error)
}

// WhatBecame tells what became of a rotation that was begun and has no end, from
// what its tries have foretold, in words. One that has foretold nothing has
// written nothing. A value that is there and was foretold is ours, whoever has
// written to other properties since; a version that is still the one that was to
// be overwritten means that nothing was written. Anything else is somebody
// else's, or ours and overwritten, and nobody can tell which.
func WhatBecame(ctx context.Context, s Shelf, salt []byte, a *steps.Action, foretold []Intent) (Outcome, string) {
	if len(foretold) == 0 {
		return NotRotated, "it was cut off before it wrote anything"
	}
	open := func(why string) (Outcome, string) {
		return CantTell, fmt.Sprintf("whether this run rotated %s of %s before it was cut off can't be told: %s", a.Property, a.Entry, why)
	}
	there, err := s.State(ctx, a.Entry)
	switch {
	case err != nil:
		return open(err.Error())
	case there == nil:
		return open("the entry is gone")
	case there.Deleted:
		return open(fmt.Sprintf("its version %d is deleted", there.Version))
	}
	last := foretold[len(foretold)-1]
	if there.KV == 2 && there.Version == last.Version {
		return NotRotated, fmt.Sprintf("%s is still at version %d: nothing was written", a.Entry, there.Version)
	}
	now, err := s.Fingerprint(ctx, a.Entry, a.Property, salt)
	if err != nil {
		return open(err.Error())
	}
	for _, i := range foretold {
		print, err := vault.DecodeFingerprint(i.Print)
		if err == nil && now.Compare(print) == vault.Same {
			return Rotated, fmt.Sprintf("%s of %s has the value that this run made before it was cut off%s", a.Property, a.Entry, atVersion(there))
		}
	}
	if there.KV == 1 {
		return open("its value isn't the one that was made, and KV version 1 keeps no versions: it may never have been written, or been overwritten since")
	}
	return open(fmt.Sprintf("it is at version %d, was at %d, and its value isn't the one that was made: somebody else has written it", there.Version, last.Version))
}

func atVersion(e *vault.Exists) string {
	if e.KV != 2 {
		return ""
	}
	return fmt.Sprintf(", version %d", e.Version)
}
