package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"runbook/internal/redact"
)

// secrets knows what must not be shown: the secrets in the environment that the
// program was started with, and whatever a run adds.
func (a *app) secrets() *redact.Redactor {
	if a.hide == nil {
		a.hide = redact.New()
		a.hide.AddEnv(withoutPaths(a.environ))
	}
	return a.hide
}

// withoutPaths leaves out variables that say where a secret is, not what it is.
func withoutPaths(environ []string) []string {
	var out []string
	for _, kv := range environ {
		_, value, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(value, "/") {
			if _, err := os.Lstat(value); err == nil {
				continue
			}
		}
		out = append(out, kv)
	}
	return out
}

// guarded puts a filter before out and errOut, the only way out of every
// command but the terminal interface: no registered secret and no escape but
// colour passes. The returned function lets out what was held back.
func (a *app) guarded() (flush func() error) {
	a.bare = a.out
	out, errOut := a.secrets().Known(oneWay{a.out}), a.secrets().Known(oneWay{a.errOut})
	a.out, a.errOut = out, errOut
	return func() error { return errors.Join(out.Flush(), errOut.Flush()) }
}

// oneWay drops carriage returns: a line that was said isn't written over.
type oneWay struct{ w io.Writer }

func (o oneWay) Write(p []byte) (int, error) {
	if _, err := o.w.Write(bytes.ReplaceAll(p, []byte("\r"), nil)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// forHelp is where help and completions go. Help draws on a terminal in its own
// colours; completions, which name files, are read by a shell.
func (a *app) forHelp() io.Writer {
	if f, ok := a.bare.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return a.out
}

// file is where standard output really goes; ok is false when that is no file.
func (a *app) file() (f *os.File, ok bool) {
	if f, ok = a.bare.(*os.File); !ok {
		f, ok = a.out.(*os.File)
	}
	return f, ok
}

// spoken cleans whole lines of what the program says, errors above all: they
// may repeat what a server answered.
type spoken struct {
	w    io.Writer
	hide *redact.Redactor
}

func (s spoken) Write(p []byte) (int, error) {
	var b strings.Builder
	for line := range strings.Lines(string(p)) {
		text, ended := strings.CutSuffix(line, "\n")
		b.WriteString(s.hide.Sentence(text))
		if ended {
			b.WriteByte('\n')
		}
	}
	if _, err := io.WriteString(s.w, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// discreetly returns an error that says no secret; its cause is still there
// for who asks what kind it is.
func (a *app) discreetly(err error) error {
	if err == nil {
		return nil
	}
	return &discreetError{text: a.secrets().Sentence(err.Error()), err: err}
}
