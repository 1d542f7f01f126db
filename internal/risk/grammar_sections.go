package risk

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// A tableSet knows where in the grammar each program stands, and keeps parsers
// to be used again: a parser is a third of what judging a command allocates.
type tableSet struct {
	sections map[string]*section
	parse    func(*section) (*tool, error)
	parsers  sync.Pool
}

func newTableSet() *tableSet {
	s := &tableSet{sections: make(map[string]*section, 1000)}
	s.parse = s.parseSection
	return s
}

// A section is what a file of the grammar says of one program.
type section struct {
	file   string
	name   string
	nth    int  // its place among all
	reader bool // it only reads, whatever its arguments
	first  int  // the line, from 1, that text begins with
	text   string

	once sync.Once
	tool *tool
	err  error
}

// tool is what the grammar says of a program; nil when it says nothing.
func (s *tableSet) tool(name string) *tool {
	t, err := s.read(name)
	if err != nil {
		panic("risk: " + err.Error()) // the tests read every section
	}
	return t
}

// read reads the section of a program when somebody asks for the first time.
func (s *tableSet) read(name string) (*tool, error) {
	sec := s.sections[name]
	if sec == nil {
		return nil, nil
	}
	sec.once.Do(func() { sec.tool, sec.err = s.parse(sec) })
	return sec.tool, sec.err
}

// scan finds the sections of a file.
func (s *tableSet) scan(file, text string) error {
	sc := scanner{set: s, file: file, text: text}
	var errs []error
	n, at := 0, 0
	for raw := range strings.Lines(text) {
		n++
		if err := sc.line(strings.TrimSpace(raw), n, at, at+len(raw)); err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", file, n, err))
		}
		at += len(raw)
	}
	sc.end(len(text))
	return errors.Join(errs...)
}

// A scanner goes through one file.
type scanner struct {
	set        *tableSet
	file, text string
	open       *section
	begins     int
}

// line looks at line n, which stands between two offsets of the text.
func (s *scanner) line(line string, n, from, to int) error {
	if line == "" || line[0] == '#' {
		return nil
	}
	if strings.Contains(line, "=>") {
		if s.open == nil {
			return errors.New("rule before any tool")
		}
		return nil
	}
	key, rest, _ := strings.Cut(line, " ")
	switch {
	case key == "readers": // programs that only read, whatever their arguments
		s.end(from)
		for _, name := range strings.Fields(rest) {
			if err := s.set.add(&section{file: s.file, name: name, reader: true}, name); err != nil {
				return err
			}
		}
	case key == "tool":
		s.end(from)
		names := strings.Fields(rest)
		if len(names) == 0 {
			return errors.New("tool without a name")
		}
		s.open, s.begins = &section{file: s.file, name: names[0], first: n + 1}, to
		return s.set.add(s.open, names...)
	case s.open == nil:
		return fmt.Errorf("%s before any tool", key)
	}
	return nil
}

// end ends the section that is open, if there is one.
func (s *scanner) end(at int) {
	if s.open != nil {
		s.open.text = s.text[s.begins:at]
	}
	s.open = nil
}

func (s *tableSet) add(sec *section, names ...string) error {
	sec.nth = len(s.sections)
	for _, n := range names {
		if s.sections[n] != nil {
			return fmt.Errorf("%s is declared twice", n)
		}
		s.sections[n] = sec
	}
	return nil
}
