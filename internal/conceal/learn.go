package conceal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"

	"runbook/internal/redact"
	"runbook/internal/risk"
	"runbook/internal/vault"
)

// A Cluster hands on what Secrets hold; see [cluster.Client.SecretValues].
type Cluster interface {
	SecretValues(ctx context.Context, namespace, name string, use func(key string, value []byte)) error
}

// A Vault hands on what an entry holds; see [vault.Client.Values].
type Vault interface {
	Values(ctx context.Context, entry string, use func(property string, value vault.Secret)) error
}

// A Learner has values hidden before commands read them. A nil Cluster or Vault
// is one that isn't configured: then nothing can be learnt of what it holds.
type Learner struct {
	Cluster Cluster
	Vault   Vault
	Hide    func(values ...string)
}

// Learn reads what commands are about to read, and has hidden what is secret of
// it; values that are shown all the time, such as the name of the namespace, are
// left. It returns why something could not be read, one text for each thing.
func (l *Learner) Learn(ctx context.Context, read []risk.Touch, shown func(value string) bool) []string {
	var why []string
	for _, t := range distinct(read) {
		if err := l.learn(ctx, t, shown); err != nil {
			why = append(why, fmt.Sprintf("of what %s prints only what looks like a secret can be hidden: %v", t, err))
		}
	}
	return why
}

func (l *Learner) learn(ctx context.Context, t risk.Touch, shown func(string) bool) error {
	hide := func(key, value string) {
		if redact.Holds(key, value) && !shown(value) {
			l.Hide(value)
		}
		for key, value := range fields(value) {
			if redact.Holds(key, value) && !shown(value) {
				l.Hide(value)
			}
		}
	}
	switch {
	case t.Vault != "":
		if l.Vault == nil {
			return nil
		}
		err := l.Vault.Values(ctx, t.Vault, func(property string, v vault.Secret) { hide(property, v.Reveal()) })
		var answer *vault.Error
		if errors.As(err, &answer) && (answer.Kind == vault.NotFound || answer.Kind == vault.Gone) {
			return nil // there is nothing that could be printed
		}
		return err
	case l.Cluster == nil:
		return nil
	}
	return l.Cluster.SecretValues(ctx, t.Namespace, t.Name, func(key string, v []byte) { hide(key, string(v)) })
}

// fields are the texts in a value that is JSON itself, as the logins to image
// registries are, by the names right beside them.
func fields(value string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		var doc any
		if !strings.HasPrefix(strings.TrimSpace(value), "{") || json.Unmarshal([]byte(value), &doc) != nil {
			return
		}
		walk("", doc, yield)
	}
}

func walk(name string, at any, yield func(string, string) bool) bool {
	switch at := at.(type) {
	case map[string]any:
		for key, below := range at {
			if !walk(key, below, yield) {
				return false
			}
		}
	case []any:
		for _, below := range at {
			if !walk(name, below, yield) {
				return false
			}
		}
	case string:
		return yield(name, at)
	}
	return true
}

// distinct are the Secrets and entries of what is read, each once. A name that
// is only known when the command runs, a selector, or none at all stands for all
// Secrets of the namespace.
func distinct(read []risk.Touch) []risk.Touch {
	var out []risk.Touch
	seen := map[string]bool{}
	for _, t := range read {
		switch {
		case t.Vault != "":
			t = risk.Touch{Vault: t.Vault}
		case t.Kind == "secret" && t.Group == "" || open(t.Kind):
			t = risk.Touch{Kind: "secret", Name: t.Name, Namespace: t.Namespace, Everywhere: t.Everywhere}
			if open(t.Name) {
				t.Name = ""
			}
		default:
			continue
		}
		if key := t.String(); !seen[key] {
			seen[key] = true
			out = append(out, t)
		}
	}
	return out
}

// open tells whether a word has a part that only the shell knows.
func open(word string) bool { return strings.ContainsAny(word, "$`*?…") }
