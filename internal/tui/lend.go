package tui

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"

	tea "charm.land/bubbletea/v2"

	"runbook/internal/engine"
)

// A loan runs a program on the real terminal and then waits for enter: its
// last lines would be gone the moment the screen is drawn again.
type loan struct {
	cmd *exec.Cmd
	in  io.Reader
	out io.Writer
	err error // of the program

	lend func(lent bool)
}

func (l *loan) SetStdin(r io.Reader) {
	l.in = r
	if l.cmd.Stdin == nil {
		l.cmd.Stdin = r
	}
}

func (l *loan) SetStdout(w io.Writer) {
	l.out = w
	if l.cmd.Stdout == nil {
		l.cmd.Stdout = w
	}
}

func (l *loan) SetStderr(w io.Writer) {
	if l.cmd.Stderr == nil {
		l.cmd.Stderr = w
	}
}

// Run runs the program. Its own error is kept apart from that of the terminal.
func (l *loan) Run() error {
	l.lend(true)
	defer l.lend(false)
	l.err = l.cmd.Run()
	how := "it has ended"
	if l.err != nil {
		how = oneLine(l.err.Error())
	}
	if _, err := fmt.Fprintf(l.out, "\n[%s] press enter to return to the runbook ", how); err != nil {
		return fmt.Errorf("return from %s: %w", l.cmd.Path, err)
	}
	if _, err := bufio.NewReader(l.in).ReadString('\n'); err != nil && err != io.EOF {
		return fmt.Errorf("return from %s: %w", l.cmd.Path, err)
	}
	return nil
}

// lendTerminal gives the terminal to an interactive step.
func (m Model) lendTerminal(e engine.TerminalWanted) (Model, tea.Cmd) {
	l := &loan{cmd: e.Cmd, lend: m.cfg.Lend}
	return m, tea.Exec(l, func(err error) tea.Msg {
		if l.err != nil {
			e.Done(l.err)
		} else {
			e.Done(err)
		}
		return answeredMsg{to: request{what: askedScreen, step: e.Step}, err: err}
	})
}
