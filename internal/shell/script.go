package shell

import (
	_ "embed" // the shell's half of a session
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

var (
	//go:embed scripts/keeper.sh
	keeperScript string
	//go:embed scripts/bash.sh
	bashScript string
	//go:embed scripts/bash-trap.sh
	bashTrap string
	//go:embed scripts/bash-shim.sh
	bashShim string
	//go:embed scripts/posix.sh
	posixScript string
	//go:embed scripts/posix-trap.sh
	posixTrap string
	//go:embed scripts/posix-run.sh
	posixRun string
	//go:embed scripts/zsh.sh
	zshScript string
	//go:embed scripts/zsh-trap.sh
	zshTrap string
)

// stepMark is the environment variable that all processes of a step share,
// however far they have moved away from it.
const stepMark = "RUNBOOK_STEP_ID"

// stepFile starts the names of the files of a command; its number follows.
const stepFile = "step-"

// reached ends the code of a statement that others follow. Code that ends its
// shell doesn't get there.
const reached = "{ __rb_end; } 2>/dev/null || exit\n"

// A family is a kind of shell whose state only its own kind can read.
type family string

func familyOf(shell string) (family, error) {
	switch f := family(filepath.Base(shell)); f {
	case "bash", "zsh":
		return f, nil
	case "sh", "dash", "ash", "ksh":
		return "sh", nil
	case "shell", "console", "terminal":
		return "bash", nil
	}
	return "", fmt.Errorf("shell %q is not one of bash, sh, zsh", shell)
}

// A run is the files of one command, and what its code says that matters here.
type run struct {
	mark   string // value of stepMark
	family family
	facts  facts
	argv   []string
	env    []string // additional
	state  string   // where the shell's own state goes
	common string   // prefix of the files any shell can use
	code   string
	files  []string // to be removed afterwards
}

// remove deletes the files of a run; the state itself may have been adopted.
func (r *run) remove() {
	for _, f := range r.files {
		_ = os.RemoveAll(f)
	}
}

// write lays out the files of a command.
func (s *Session) write(c Command) (*run, error) {
	name := c.Shell
	if name == "" {
		name = s.opt.Shell
	}
	fam, err := familyOf(name)
	if err != nil {
		return nil, err
	}
	if fam == "bash" && filepath.Base(name) != "bash" {
		name = "bash"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("shell %s: %w", name, err)
	}
	for _, kv := range c.Env {
		if n, v, ok := strings.Cut(kv, "="); !ok || !isName(n) || strings.Contains(v, "\x00") {
			return nil, errors.New("a variable has no usable name or value")
		}
	}
	s.count++
	r := &run{mark: randomName(), family: fam, facts: inspect(c.Code, fam)}
	for _, name := range r.facts.silent {
		s.silent[name] = true
	}
	r.code = s.file(stepFile + strconv.Itoa(s.count))
	r.state, r.common = r.code+".state", r.code
	r.files = []string{r.code, r.code + ".rc", r.code + ".bash", r.code + ".run", r.common + ".end", r.common + ".hidden", r.common + ".names", r.common + ".env", r.common + ".cwd", r.common + ".mask"}
	if err := s.fill(c, r, path); err != nil {
		r.remove()
		return nil, err
	}
	return r, nil
}

// fill writes the files. Those that the shell writes to are made first, so that
// their mode does not depend on its umask.
func (s *Session) fill(c Command, r *run, shell string) error {
	files := map[string]string{r.code: c.Code}
	if c.goesOn() { // an empty line first: the code may end in a backslash
		files[r.code] += "\n\n" + reached
	}
	for _, suffix := range []string{".end", ".hidden", ".names", ".env", ".cwd", ".mask", ".state"} {
		files[r.common+suffix] = ""
	}
	rc := r.code + ".rc"
	switch r.family {
	case "bash":
		files[rc] = s.script(bashScript, "bash", c, r)
		r.argv, r.env = []string{shell, r.code}, []string{"BASH_ENV=" + rc}
	case "zsh":
		dir := r.code + ".zsh"
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		r.files = append(r.files, dir)
		files[filepath.Join(dir, ".zshenv")] = s.script(zshScript, "zsh", c, r)
		r.argv, r.env = []string{shell, r.code}, []string{"ZDOTDIR=" + dir}
	default:
		files[rc] = s.script(posixScript, "sh", c, r)
		files[r.code+".bash"] = s.script(bashScript, "bash", c, r)
		files[r.code+".run"] = strings.NewReplacer("@STATUS@", before(c), "@BASHRC@", quote(r.code+".bash"), "@POSIXRC@", quote(rc), "@CODE@", quote(r.code)).Replace(posixRun)
		r.argv = []string{shell, r.code + ".run"}
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// script fills in a prolog for one run.
func (s *Session) script(text string, dialect family, c Command, r *run) string {
	trap := map[family]string{"bash": bashTrap, "sh": posixTrap, "zsh": zshTrap}[dialect]
	shim := "__rb_none"
	if dialect == "bash" && (r.facts.trapsExit || c.Of > 1) {
		trap, shim = bashShim, "trap"
	}
	if c.Isolated {
		trap = ""
	}
	var bodies strings.Builder
	names := slices.Sorted(maps.Keys(s.bodies))
	for _, n := range names {
		bodies.WriteString(s.bodies[n] + "\n")
	}
	names = append(names, slices.Sorted(maps.Keys(r.facts.functions))...)
	native := s.native[r.family]
	if native == "" {
		native = s.file("none")
	}
	pending := "builtin unset -v __rb_cmd"
	if c.Statement > 1 {
		pending = "" // the trap of a statement before this one
	}
	status := before(c)
	if r.family == "sh" {
		status = "" // posixRun says it last
	}
	return strings.NewReplacer(
		"@STATE@", quote(native),
		"@ASSIGN@", s.assignments(c, r.family),
		"@NAMES@", quote(r.common+".names"),
		"@NEXT@", quote(r.state),
		"@ENV@", quote(r.common+".env"),
		"@CWD@", quote(r.common+".cwd"),
		"@MASK@", quote(r.common+".mask"),
		"@SHIM@", shim,
		"@END@", quote(r.common+".end"),
		"@STATUS@\n", status,
		"@HIDDEN@", quote(r.common+".hidden"),
		"@SILENT@", s.values(dialect),
		"@TRAP@\n", strings.Replace(trap, "@PENDING@", pending, 1),
		"@FUNCTIONS@\n", bodies.String(),
		"@FUNCNAMES@", strings.Join(append(names, "__rb_none"), " "),
	).Replace(text)
}

// values prints what was read without echo, with a zero byte behind each; never
// by another program, whose arguments everybody can see.
func (s *Session) values(dialect family) string {
	code, own := ":", "builtin "
	if dialect == "sh" {
		own = "" // a POSIX shell knows no such word
	}
	for _, name := range slices.Sorted(maps.Keys(s.silent)) {
		code += fmt.Sprintf(`; %sprintf '%%s\000' "${%s-}"`, own, name)
	}
	return code
}

// before makes $? what the statement before ended with, also under set -e.
func before(c Command) string {
	if c.Statement <= 1 {
		return ""
	}
	return fmt.Sprintf("(exit %d) && :\n", c.Before)
}

// assignments sets what the restored state does not know or knows otherwise:
// the variables that the caller sets anew, and after another kind of shell all
// that it exported.
func (s *Session) assignments(c Command, f family) string {
	var b strings.Builder
	set := func(name, value string) {
		fmt.Fprintf(&b, "export %s=%s\n", name, quote(value))
	}
	if s.last != "" && s.last != f {
		for _, name := range slices.Sorted(maps.Keys(s.env)) {
			if isName(name) {
				set(name, s.env[name])
			}
		}
		if s.umask != "" {
			fmt.Fprintf(&b, "umask %s\n", s.umask)
		}
	}
	for _, kv := range c.Env {
		name, value, _ := strings.Cut(kv, "=")
		if old, ok := s.passed[name]; !ok || old != value {
			set(name, value)
		}
	}
	for _, kv := range s.opt.Pinned {
		name, value, _ := strings.Cut(kv, "=")
		set(name, value)
	}
	return b.String()
}

// environ returns the environment of a run's shell.
func (s *Session) environ(c Command, r *run, term string) []string {
	env := maps.Clone(s.env)
	for _, kv := range c.Env {
		name, value, _ := strings.Cut(kv, "=")
		if old, ok := s.passed[name]; !ok || old != value {
			env[name] = value
		}
	}
	for _, kv := range s.opt.Pinned {
		name, value, _ := strings.Cut(kv, "=")
		env[name] = value
	}
	env["PWD"] = s.dir
	env["TERM"] = term
	env[stepMark] = r.mark
	out := r.env[:len(r.env):len(r.env)]
	for name, value := range env {
		out = append(out, name+"="+value)
	}
	return out
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return s != ""
}
