package shell

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"runbook/internal/redact"
)

// Options are what a session starts from.
type Options struct {
	Dir      string           // working folder of the first command; the current one if empty
	Env      []string         // NAME=value; the environment of this process if nil
	Pinned   []string         // NAME=value that every command starts with, whatever an earlier one has set
	Shell    string           // bash, sh or zsh, for commands that do not say; bash if empty
	StateDir string           // where the session makes a private folder of its own; Close removes that
	Redactor *redact.Redactor // what may be shown; a new one if nil
	Now      func() time.Time // time.Now if nil
}

// A Session carries variables, functions, options, umask and the working
// folder from one command to the next, as one shell would. It never reads the
// user's startup files and never writes a history.
type Session struct {
	opt Options
	mu  sync.Mutex

	folder   string // mode 0700: the state may hold secrets
	count    int
	env      map[string]string // exported, as the last command left it
	dir      string
	umask    string
	native   map[family]string // file with the state in the shell's own words
	last     family            // which shell saved last
	passed   map[string]string // Env of earlier commands, by name
	bodies   map[string]string // functions that POSIX shells cannot print
	silent   map[string]bool   // names of variables that a command reads without echo
	front    *Process          // the command that may change the state
	outside  bool              // an interactive one does
	running  map[*Process]bool
	closed   bool
	detached []Left
}

// New makes a session. It writes nothing outside of Options.StateDir.
func New(opt Options) (*Session, error) {
	if opt.Shell == "" {
		opt.Shell = "bash"
	}
	if opt.Redactor == nil {
		opt.Redactor = redact.New()
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Env == nil {
		opt.Env = os.Environ()
	}
	dir, err := filepath.Abs(opt.Dir)
	if err != nil {
		return nil, fmt.Errorf("open session: %w", err)
	}
	s := &Session{
		opt:     opt,
		dir:     dir,
		env:     cleanEnv(opt.Env),
		native:  map[family]string{},
		passed:  map[string]string{},
		bodies:  map[string]string{},
		silent:  map[string]bool{},
		running: map[*Process]bool{},
	}
	if err := s.prepare(); err != nil {
		return nil, fmt.Errorf("open session: %w", err)
	}
	return s, nil
}

// prepare makes the private folder and what every command needs in it.
func (s *Session) prepare() error {
	if s.opt.StateDir == "" {
		return errors.New("no folder for the state of the shell")
	}
	if err := os.MkdirAll(s.opt.StateDir, 0o700); err != nil {
		return err
	}
	folder, err := os.MkdirTemp(s.opt.StateDir, "shell-") // with mode 0700
	if err != nil {
		return err
	}
	if s.folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	return os.WriteFile(s.file("keeper"), []byte(keeperScript), 0o600)
}

func (s *Session) file(name string) string { return filepath.Join(s.folder, name) }

// cleanEnv drops what would make a shell read startup files or write a history,
// and the size of another terminal.
func cleanEnv(env []string) map[string]string {
	out := map[string]string{}
	for _, kv := range env {
		name, value, ok := strings.Cut(kv, "=")
		if !ok || name == "" {
			continue
		}
		switch name {
		case "BASH_ENV", "ENV", "ZDOTDIR", "HISTFILE", "COLUMNS", "LINES", "TERM", "SHLVL", "_", "PWD", stepMark:
		default:
			out[name] = value
		}
	}
	return out
}

// Env returns the exported variables as NAME=value, sorted, as the last command
// left them. They may hold secrets.
func (s *Session) Env() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, name := range slices.Sorted(maps.Keys(s.env)) {
		out = append(out, name+"="+s.env[name])
	}
	return out
}

// Dir returns the working folder of the next command.
func (s *Session) Dir() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dir
}

// Background returns what runs beside the steps, the longest running first.
func (s *Session) Background() []*Process {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*Process
	for p := range s.running {
		if p.command.Background && !p.ended() {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b *Process) int { return a.number - b.number })
	return out
}

// Start runs a command. One command at a time may change the session; others
// have to be isolated. Cancelling ctx stops the command as [Process.Stop] does.
func (s *Session) Start(ctx context.Context, c Command) (*Process, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.Isolated = c.Isolated || c.Background
	if err := s.admit(c); err != nil {
		return nil, fmt.Errorf("start command: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("start command: %w", err)
	}
	r, err := s.write(c)
	if err != nil {
		return nil, fmt.Errorf("start command: %w", err)
	}
	p, err := s.launch(ctx, c, r)
	if err != nil {
		r.remove()
		return nil, fmt.Errorf("start command: %w", err)
	}
	s.running[p] = true
	if !c.Isolated {
		s.front = p
	}
	return p, nil
}

// admit says whether a command can start now.
func (s *Session) admit(c Command) error {
	switch {
	case s.closed:
		return errors.New("the session is closed")
	case !c.Isolated && s.outside:
		return errors.New("an interactive command of this session is still running")
	case !c.Isolated && s.front != nil && !s.front.ended():
		return errors.New("another command of this session is still running")
	}
	// Never elsewhere: the code may remove what it finds.
	const next = "an earlier step went there; make it again, then run the step again"
	if info, err := os.Stat(s.dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the working folder %s is gone: %s", s.dir, next)
	} else if err != nil {
		return fmt.Errorf("the working folder %s can't be entered: %w", s.dir, err)
	} else if !info.IsDir() {
		return fmt.Errorf("the working folder %s is no folder any more: %s", s.dir, next)
	}
	return nil
}

// Interactive returns a command for the real terminal, to be run by someone
// else such as tea.ExecProcess. Once it has run, finish must be called with
// the error of its Run; it saves the state and says how the command ended.
func (s *Session) Interactive(c Command) (cmd *exec.Cmd, finish func(error) Result, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.admit(c); err != nil {
		return nil, nil, fmt.Errorf("start command: %w", err)
	}
	r, err := s.write(c)
	if err != nil {
		return nil, nil, fmt.Errorf("start command: %w", err)
	}
	cmd = exec.Command(r.argv[0], r.argv[1:]...)
	cmd.Dir = s.dir
	cmd.Env = s.environ(c, r, cmp.Or(os.Getenv("TERM"), "xterm-256color"))
	started := s.opt.Now()
	s.outside = true
	return cmd, func(runErr error) Result {
		res := Result{Started: started, Ended: s.opt.Now(), Exit: -1}
		if cmd.ProcessState != nil {
			res.Exit = exitCode(cmd.ProcessState)
		} else {
			res.Err = runErr
		}
		left := s.describe(&tree{mark: r.mark})
		s.mu.Lock()
		defer s.mu.Unlock()
		s.outside = false
		s.adopt(c, r, &res)
		res.Left = left
		return res
	}, nil
}

// Close stops what is running, removes the state and returns the processes that
// still run because they have detached themselves on purpose. Nothing can be
// started afterwards.
func (s *Session) Close(ctx context.Context) ([]Left, error) {
	s.mu.Lock()
	s.closed = true
	procs := slices.Collect(maps.Keys(s.running))
	s.mu.Unlock()

	var stopping sync.WaitGroup
	for _, p := range procs {
		stopping.Go(func() { p.dismiss(ctx) })
	}
	stopping.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := os.RemoveAll(s.folder); err != nil {
		return s.detached, fmt.Errorf("close session: %w", err)
	}
	return s.detached, nil
}

// describe names what of a tree still runs.
func (s *Session) describe(t *tree) []Left {
	var out []Left
	for _, q := range t.alive() {
		out = append(out, Left{PID: q.pid, Command: shortened(s.opt.Redactor.Text(q.command())), Detached: !t.attached(q)})
	}
	return out
}

// forget is called by a process that has ended with all it started.
func (s *Session) forget(p *Process, left []Left) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, p)
	for _, l := range left {
		if !slices.ContainsFunc(s.detached, func(o Left) bool { return o.PID == l.PID }) {
			s.detached = append(s.detached, l)
		}
	}
}

func randomName() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
