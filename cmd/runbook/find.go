package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"runbook/internal/lint"
	"runbook/internal/steps"
	"runbook/runbooks"
)

// A found is a runbook that can be opened by its name.
type found struct {
	Name string // schmetterpause/bring-up
	Path string // on disk, or shipped:… for those inside the program
	read func() ([]byte, error)
}

// shipped marks the path of a runbook that is inside the program.
const shipped = "shipped:"

// find lists the runbooks under ./runbooks, $RUNBOOK_PATH and the shipped ones.
// A name that was seen before hides later ones.
func (a *app) find() ([]found, error) {
	dir, err := a.getwd()
	if err != nil {
		return nil, err
	}
	roots := []string{filepath.Join(dir, "runbooks")}
	if path, ok := a.env("RUNBOOK_PATH"); ok {
		roots = append(roots, filepath.SplitList(path)...)
	}
	var all []found
	for _, root := range roots {
		more, err := under(os.DirFS(root), root)
		if err != nil {
			return nil, fmt.Errorf("list runbooks %s: %w", root, err)
		}
		all = append(all, more...)
	}
	inside, err := under(runbooks.FS, "")
	if err != nil {
		return nil, err
	}
	for i := range inside {
		inside[i].Path = shipped + inside[i].Name
	}
	return firstOfName(append(all, inside...)), nil
}

func under(fsys fs.FS, root string) ([]found, error) {
	var all []found
	err := fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == "." {
			return fs.SkipAll
		}
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		all = append(all, found{
			Name: strings.TrimSuffix(filepath.ToSlash(path), ".md"),
			Path: filepath.Join(root, path),
			read: func() ([]byte, error) { return fs.ReadFile(fsys, path) },
		})
		return nil
	})
	return all, err
}

func firstOfName(all []found) []found {
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(f found) bool {
		known := seen[f.Name]
		seen[f.Name] = true
		return known
	})
}

// open reads and parses a runbook: a path, a name that find knows, or "-".
func (a *app) open(arg string) (*steps.Runbook, error) {
	if arg == "-" {
		src, err := io.ReadAll(a.in)
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		return a.parse("-", src)
	}
	src, err := os.ReadFile(arg)
	if err == nil {
		return a.parse(arg, src)
	}
	if info, statErr := os.Stat(arg); statErr == nil && info.IsDir() {
		return nil, &usageError{what: fmt.Sprintf("read %s: is a directory", arg), hint: "name a Markdown file in it; runbook list shows what is known"}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %s: %w", arg, errors.Unwrap(err))
	}
	return a.openNamed(arg)
}

func (a *app) openNamed(name string) (*steps.Runbook, error) {
	all, err := a.find()
	if err != nil {
		return nil, err
	}
	var matches []found
	for _, f := range all {
		if f.Name == name || f.Path == name {
			matches = []found{f}
			break
		}
		if strings.HasSuffix(f.Name, "/"+name) {
			matches = append(matches, f)
		}
	}
	switch len(matches) {
	case 1:
		src, err := matches[0].read()
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", matches[0].Path, err)
		}
		return a.parse(matches[0].Path, src)
	case 0:
		return nil, &usageError{what: fmt.Sprintf("read %s: no such file, and no runbook of that name", name), hint: "runbook list shows what is known"}
	}
	var names []string
	for _, m := range matches {
		names = append(names, m.Name)
	}
	return nil, &usageError{what: fmt.Sprintf("read %s: more than one runbook is called that", name), hint: "say which: " + strings.Join(names, ", ")}
}

func (a *app) parse(path string, src []byte) (*steps.Runbook, error) {
	r := steps.Parse(path, src)
	r.Diagnostics = append(r.Diagnostics, lint.Expressions(r)...)
	return r, r.Err()
}
