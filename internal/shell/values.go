package shell

import (
	"maps"
	"slices"
)

// Strayed names the variables of [Command.Env] that a command has given another
// value since, or has unset: theirs stays until Env has another one.
func (s *Session) Strayed() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for _, name := range slices.Sorted(maps.Keys(s.passed)) {
		if now, ok := s.env[name]; !ok || now != s.passed[name] {
			names = append(names, name)
		}
	}
	return names
}

// Renew has the next command's Env win for a variable, whatever commands have
// made of it.
func (s *Session) Renew(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.passed, name)
}

// PID is the number of the process that leads the session of the command; all
// that it starts belongs to it.
func (p *Process) PID() int { return p.keeper.Process.Pid }
