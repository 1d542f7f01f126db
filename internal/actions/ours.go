package actions

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"runbook/internal/cluster"
	"runbook/internal/steps"
	"runbook/internal/vault"
)

// An action that was cut off may have written or not: what it would write is
// there when it runs again, and the values can't be compared, since they were
// made up and forgotten. What tells is when the entry was written and what its
// keys are; it is never written again either way.
const (
	// clockSlack is how far apart two clocks may be read: both are told to the
	// second.
	clockSlack = 2 * time.Second
	// writeTime is within how long after its start an action has written. One
	// that took longer isn't known by its time: whoever saw the run end may have
	// made the entry by hand.
	writeTime = 5 * time.Second
)

// begun are the times at which the action was begun before, without an end.
func (r *Runner) begun(a *steps.Action) []time.Time { return r.Begun[a.Pos.Line] }

// entryThere says what became of an entry that was to be created and is there:
// no error means that this run has made it.
func (r *Runner) entryThere(a *steps.Action, there *vault.Exists, keys []string) (text string, err error) {
	begun := r.begun(a)
	if len(begun) == 0 {
		return "", there // the first time that it is tried
	}
	open := func(why string) (string, error) {
		return "", fmt.Errorf("%w; whether this run made it before it was cut off can't be told: %s; look at it, then tick the step off", there, why)
	}
	switch {
	case there.KV == 1:
		return open("KV version 1 keeps no time")
	case there.Created.IsZero():
		return open("when it was written may not be read")
	case !there.Clocked:
		return open("the clock of Vault isn't known")
	}
	written := there.Created.Add(-there.Ahead)
	if first := slices.MinFunc(begun, time.Time.Compare); written.Before(first.Add(-clockSlack)) {
		return "", fmt.Errorf("%w; it was written %s, before this run began with it: somebody else made it", there, stamp(there.Created))
	}
	switch {
	case there.Deleted:
		return open("it is deleted")
	case there.Version != 1:
		return open(fmt.Sprintf("it is at version %d, so it was written since", there.Version))
	case there.KeysWhy != "":
		return open(there.KeysWhy)
	case !slices.Equal(there.Keys, keys):
		return "", fmt.Errorf("%w; its keys aren't those of this step: somebody else made it", there)
	}
	for _, at := range begun {
		if !written.Before(at.Add(-clockSlack)) && !written.After(at.Add(writeTime)) {
			return fmt.Sprintf("vault %s: this run has made it already, %s, before it was cut off; left as it is", there.Entry, stamp(there.Created)), nil
		}
	}
	return open("it was written " + stamp(there.Created) + ", later than this run would have")
}

func stamp(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

// secretThere is entryThere for a Secret, which carries the mark of the action
// that has made it.
func (r *Runner) secretThere(a *steps.Action, there *cluster.ExistsError) (text string, err error) {
	switch {
	case r.Run != "" && there.Annotations[madeBy] == r.mark(a):
		return fmt.Sprintf("secret/%s in %s: this run has made it already; left as it is", a.Name, a.Namespace), nil
	case len(r.begun(a)) == 0:
		return "", there
	case there.Created.IsZero():
		return "", fmt.Errorf("%w; whether this run made it before it was cut off can't be told: it may not be read; look at it, then tick the step off", there)
	}
	return "", fmt.Errorf("%w; it doesn't carry the mark of this run: somebody else made it", there)
}

// made is the error of an action, or the end of it when what is there already
// was made by this run.
func (r *Runner) made(a *steps.Action, keys map[string]vault.Secret, err error) (text string, _ error) {
	var entry *vault.Exists
	var secret *cluster.ExistsError
	switch {
	case errors.As(err, &entry):
		return r.entryThere(a, entry, slices.Sorted(maps.Keys(keys)))
	case errors.As(err, &secret):
		return r.secretThere(a, secret)
	}
	return "", err
}
