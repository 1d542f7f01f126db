package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"runbook/internal/journal"
	"runbook/internal/steps"
)

// setFlags are the parameters that a command line gives.
type setFlags struct{ pairs *[]string }

func (s *setFlags) add(c *cobra.Command) {
	s.pairs = c.Flags().StringArray("set", nil, "give a parameter its value, as NAME=VALUE; can be repeated")
}

func (s setFlags) values() (map[string]string, error) {
	out := map[string]string{}
	for _, pair := range *s.pairs { // which isn't repeated: it may be a secret without its name
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, &usageError{what: "--set: what follows it is not NAME=VALUE", hint: "for example --set NAMESPACE=shop"}
		}
		out[name] = value
	}
	return out, nil
}

// values gathers the parameters of a runbook: from the command line, else the
// environment, else the last run on the same context, else their defaults.
func (a *app) values(r *steps.Runbook, set setFlags, context string) (steps.Values, error) {
	given, err := set.values()
	if err != nil {
		return nil, err
	}
	saved, err := a.saved(r, context)
	if err != nil {
		return nil, err
	}
	values, err := r.Resolve(steps.Sources{Set: given, Env: a.env, Saved: saved})
	a.hideSecrets(r, values)
	return values, err
}

// hideSecrets keeps the values of secret parameters from being shown from now
// on, also by the ids of steps, which go wherever a step is named.
func (a *app) hideSecrets(r *steps.Runbook, values steps.Values) {
	for _, v := range values {
		if v.Secret {
			a.secrets().Add(v.Text)
		}
	}
	r.NamePlaces(a.secrets().Written)
}

// saved are the parameters of the newest run of the same runbook on the same
// context. A record that can't be read is passed over: it is the record of
// another run, and `runbook report` says what is wrong with it.
func (a *app) saved(r *steps.Runbook, context string) (map[string]string, error) {
	if context == "" {
		return nil, nil
	}
	root, err := a.recordRoot()
	if err != nil {
		return nil, err
	}
	names, err := journal.List(root)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		h, err := journal.ReadHeader(root, name)
		if err != nil || h.Context != context || h.Title != r.Title {
			continue
		}
		params := h.Params
		if rec, err := journal.Read(filepath.Join(root, name)); err == nil {
			params = rec.Params() // with what was changed on the way
		}
		values := map[string]string{}
		for param, p := range params {
			if !p.Secret && p.Source != steps.FromDefault {
				values[param] = p.Value
			}
		}
		return values, nil
	}
	return nil, nil
}

// missing is the error for parameters that nobody can be asked for. Nobody is
// told to put a secret on a command line, which others see and a history keeps.
func missing(params []steps.Param) error {
	var names, hints, secret []string
	for _, p := range params {
		names = append(names, p.Name)
		if p.Secret {
			secret = append(secret, "read -rs "+p.Name+" && export "+p.Name)
			continue
		}
		hint := "--set " + p.Name + "="
		switch {
		case len(p.Choices) > 0:
			hint += strings.Join(p.Choices, "|")
		case p.Example != "":
			hint += p.Example
		}
		hints = append(hints, hint)
	}
	hint := strings.Join(hints, " ")
	if len(secret) > 0 {
		hint = strings.TrimPrefix(hint+"; a secret is taken from the environment: "+strings.Join(secret, "; "), "; ")
	}
	return &usageError{what: "no value for " + strings.Join(names, ", "), hint: hint}
}
