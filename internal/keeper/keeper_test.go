package keeper_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"runbook/internal/guard"
	"runbook/internal/keeper"
	"runbook/internal/steps"
	"runbook/internal/vault"
)

// shelf holds values in memory, as a Vault and as a cluster.
type shelf struct {
	vault, secret *string
	err           error
}

func (s *shelf) Fingerprint(_ context.Context, _, property string, salt []byte) (vault.Fingerprint, error) {
	switch {
	case s.err != nil:
		return vault.Fingerprint{}, s.err
	case s.vault == nil:
		return vault.Fingerprint{}, &vault.Error{Op: "read", Kind: vault.NotFound, Detail: property}
	}
	return vault.NewSecret(*s.vault).Fingerprint(salt), nil
}

func (s *shelf) SecretKey(_ context.Context, _, _, _ string, use func([]byte)) (bool, error) {
	if s.err != nil || s.secret == nil {
		return false, s.err
	}
	use([]byte(*s.secret))
	return true, nil
}

var key = []steps.Protect{{Name: "session key", Secret: "shop/app", Key: "KEY", Vault: "kv/app", Property: "key"}}

func text(s string) *string { return &s }

func told(changes []guard.Change) string {
	var out []string
	for _, c := range changes {
		out = append(out, c.Layer+" "+string(c.Now))
	}
	return strings.Join(out, ", ")
}

func TestWhatBecameOfAValueIsTold(t *testing.T) {
	for name, tc := range map[string]struct {
		before, after *string
		want          string
	}{
		"untouched":             {text("abc"), text("abc"), "same"},
		"another value":         {text("abc"), text("abd"), "changed"},
		"a line end more":       {text("abc"), text("abc\n"), "only white space differs"},
		"white space inside":    {text("a bc"), text("a  bc"), "changed"},
		"written for the first": {nil, text("abc"), "created"},
		"taken away":            {text("abc"), nil, "removed"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &shelf{vault: tc.before, secret: tc.before}
			k := &keeper.Keeper{Cluster: s, Vault: s, Salt: []byte("salt")}
			if err := k.Mark(t.Context(), key); err != nil {
				t.Fatal(err)
			}
			s.vault, s.secret = tc.after, tc.after
			if got, want := told(k.Compare(t.Context(), key)), "Vault "+tc.want+", Secret "+tc.want; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestWhatNeverWasThereIsNotToldOf(t *testing.T) {
	k := &keeper.Keeper{Cluster: &shelf{}, Vault: &shelf{}}
	if err := k.Mark(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if got := k.Compare(t.Context(), key); got != nil {
		t.Errorf("got %v", got)
	}
}

func TestWhatCannotBeReadIsNeverSaidToBeTheSame(t *testing.T) {
	denied := errors.New("denied")
	for name, tc := range map[string]struct{ before, after error }{
		"denied before": {denied, nil}, "denied after": {nil, denied}, "denied throughout": {denied, denied},
	} {
		t.Run(name, func(t *testing.T) {
			s := &shelf{vault: text("abc"), secret: text("abc"), err: tc.before}
			k := &keeper.Keeper{Cluster: s, Vault: s}
			if err := k.Mark(t.Context(), key); err != nil {
				t.Fatal(err)
			}
			s.err = tc.after
			changes := k.Compare(t.Context(), key)
			if got, want := told(changes), "Vault can't tell, Secret can't tell"; got != want {
				t.Fatalf("got %q, want %q", got, want)
			}
			if !strings.Contains(changes[0].Why, "denied") {
				t.Errorf("why: got %q", changes[0].Why)
			}
		})
	}
}

func TestWithoutAMarkThereIsNothingToCompareWith(t *testing.T) {
	s := &shelf{vault: text("abc"), secret: text("abc")}
	k := &keeper.Keeper{Cluster: s, Vault: s}
	if got, want := told(k.Compare(t.Context(), key)), "Vault can't tell, Secret can't tell"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestASourceThatIsNotConfiguredCannotBeTold(t *testing.T) {
	k := &keeper.Keeper{}
	if err := k.Mark(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if got, want := told(k.Compare(t.Context(), key)), "Vault can't tell, Secret can't tell"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEveryValueThatIsReadIsHiddenAndNoneIsTold(t *testing.T) {
	s := &shelf{vault: text("zq7-one"), secret: text("zq7-two")}
	var hidden []string
	k := &keeper.Keeper{Cluster: s, Vault: s, Hide: func(v ...string) { hidden = append(hidden, v...) }}
	if err := k.Mark(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(hidden, "zq7-two") {
		t.Error("the value of the Secret was read, and may be shown")
	}
	s.vault, s.secret = text("zq7-three"), text("zq7-four")
	if got := fmt.Sprintf("%+v %#v", k.Compare(t.Context(), key), k); strings.Contains(got, "zq7") {
		t.Errorf("a value shows: %s", got)
	}
}

func TestTheSaltIsMadeOnceAndPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "salt")
	salts := make([]string, 8)
	var wg sync.WaitGroup
	for i := range salts {
		wg.Go(func() {
			salt, err := keeper.Salt(path, rand.Reader)
			if err != nil {
				t.Error(err)
			}
			salts[i] = string(salt)
		})
	}
	wg.Wait()
	if slices.Sort(salts); salts[0] != salts[7] || len(salts[0]) != 32 {
		t.Error("processes that start together have different salts")
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode: got %v, %v", info.Mode(), err)
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1 {
		t.Errorf("beside it: %v, %v", files, err)
	}
}

func TestASaltThatOthersKnowOrThatIsNoneIsRefused(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"readable by others": func(p string) error { return os.Chmod(p, 0o644) },
		"too short":          func(p string) error { return os.WriteFile(p, []byte("x"), 0o600) },
		"a link":             func(p string) error { return errors.Join(os.Rename(p, p+"2"), os.Symlink(p+"2", p)) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "salt")
			if _, err := keeper.Salt(path, rand.Reader); err != nil {
				t.Fatal(err)
			}
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			if _, err := keeper.Salt(path, rand.Reader); err == nil {
				t.Error("it was taken")
			}
		})
	}
}
