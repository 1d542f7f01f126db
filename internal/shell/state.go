package shell

import (
	"bytes"
	"os"
	"strings"
	"syscall"
)

// whole is the last line of a state that was written to its end.
const whole = "\n# whole\n"

// adopt takes over the state that a command left, or says why there is none.
func (s *Session) adopt(c Command, r *run, res *Result) {
	defer r.remove()
	res.Signal = killedBy(res.Exit)
	if end, err := os.ReadFile(r.common + ".end"); c.goesOn() && err == nil {
		res.Cut = len(end) == 0
	}
	if hidden, err := os.ReadFile(r.common + ".hidden"); err == nil {
		s.opt.Redactor.Add(strings.Split(strings.TrimSuffix(string(hidden), "\x00"), "\x00")...)
	}
	if c.Isolated {
		_ = os.Remove(r.state)
		return
	}
	state, err := os.ReadFile(r.state)
	if err != nil || !bytes.HasSuffix(state, []byte(whole)) {
		_ = os.Remove(r.state)
		res.StateLost = lostBecause(r, res)
		return
	}
	res.Gone, res.Strangers = r.facts.lost, r.facts.jobs && s.hasLeft()
	if old := s.native[r.family]; old != "" {
		_ = os.Remove(old)
	}
	s.native[r.family], s.last = r.state, r.family
	for _, kv := range c.Env {
		name, value, _ := strings.Cut(kv, "=")
		s.passed[name] = value
	}
	s.adoptBodies(r)
	if env, err := os.ReadFile(r.common + ".env"); err == nil && len(env) > 0 {
		s.env = cleanEnv(strings.Split(strings.TrimSuffix(string(env), "\x00"), "\x00"))
		res.PutBack = s.strayed()
	} else {
		res.StateLost = "/usr/bin/env -0 could not be run: exported variables are unknown outside of " + string(r.family)
	}
	if dir, err := os.ReadFile(r.common + ".cwd"); err == nil && len(dir) > 0 {
		s.dir = string(dir)
	}
	if mask, err := os.ReadFile(r.common + ".mask"); err == nil {
		s.umask = strings.TrimSpace(string(mask))
	}
}

// hasLeft reports whether something runs that a command has left behind.
func (s *Session) hasLeft() bool {
	for p := range s.running {
		if !p.command.Background && p.ended() {
			return true
		}
	}
	return false
}

// adoptBodies keeps the functions that are still defined, for shells that can
// say so but cannot print them.
func (s *Session) adoptBodies(r *run) {
	if r.family != "sh" {
		return
	}
	names, err := os.ReadFile(r.common + ".names")
	if err != nil {
		return
	}
	kept := map[string]string{}
	for name := range strings.FieldsSeq(string(names)) {
		if body, ok := r.facts.functions[name]; ok {
			kept[name] = body
		} else if body, ok := s.bodies[name]; ok {
			kept[name] = body
		}
	}
	s.bodies = kept
}

// killedBy reads the signal off an exit status as shells report it.
func killedBy(exit int) syscall.Signal {
	if exit > 128 && exit < 128+65 {
		return syscall.Signal(exit - 128)
	}
	return 0
}

func lostBecause(r *run, res *Result) string {
	const kept = "; variables and folder are as before the step"
	switch {
	case r.facts.execs:
		return "the step replaced its shell with exec" + kept
	case res.Signal != 0:
		return "the step's shell was ended by " + signalName(res.Signal) + kept
	case r.facts.trapsExit:
		return "the step's own EXIT trap took the place of saving" + kept
	}
	return "the step's shell ended without saving" + kept
}

func exitCode(ps *os.ProcessState) int {
	if ws, ok := ps.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return ps.ExitCode()
}

// strayed are the pinned variables that have another value now.
func (s *Session) strayed() []string {
	var names []string
	for _, kv := range s.opt.Pinned {
		if name, value, _ := strings.Cut(kv, "="); s.env[name] != value {
			names = append(names, name)
		}
	}
	return names
}
