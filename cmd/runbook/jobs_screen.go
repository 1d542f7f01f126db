package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/term"

	"runbook/internal/tui"
)

// heed tells a program that draws on the terminal what signals say of it: that
// its size is another one, that it shall stop, and that it goes on. It has to
// begin before the program does, whose own look at the size comes earlier than
// its ear for changes: one in between it would never hear of. The function that
// is returned ends it, and has to be called once the program has ended.
func (j *jobs) heed(send func(tea.Msg)) (stop func()) {
	resized, heard := make(chan os.Signal, 1), make(chan os.Signal, 4)
	signal.Notify(resized, syscall.SIGWINCH)
	signal.Notify(heard, syscall.SIGTSTP, syscall.SIGCONT)
	j.hears(heard)
	// Sending waits while a program has the terminal, and the signals of that
	// time must not: each kind of message has room for one that waits.
	stopped, continued := make(chan tea.Msg, 1), make(chan tea.Msg, 1)
	done := make(chan struct{})
	var work sync.WaitGroup
	work.Go(func() {
		for s := range heard {
			switch {
			case s == syscall.SIGTSTP && j.lent.Load():
				_ = j.Suspend() // where nobody could wake us, we go on
			case s == syscall.SIGTSTP:
				offer(stopped, tui.StopMsg{})
			case !j.lent.Load(): // else the screen is drawn anew when the terminal is back
				offer(continued, tui.ContinuedMsg{})
			}
		}
	})
	work.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-resized:
				send(tea.RequestWindowSize())
			case m := <-stopped:
				send(m)
			case m := <-continued:
				send(m)
			}
		}
	})
	return func() {
		j.hears(nil)
		signal.Stop(heard)
		signal.Stop(resized)
		close(heard)
		close(done)
		work.Wait()
	}
}

func (j *jobs) hears(heard chan os.Signal) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.heard = heard
}

// offer leaves a message, unless one of its kind is waiting already.
func offer(to chan<- tea.Msg, m tea.Msg) {
	select {
	case to <- m:
	default:
	}
}

// onTerminalNow makes messages about a terminal true at the moment that they
// are heard, in the loop that also lends it: of two sizes that are on their way
// the older one may come last, and the input of a terminal that a shell had in
// between is in the modes of that.
func onTerminalNow(in, out *os.File) func(tea.Model, tea.Msg) tea.Msg {
	var ours *term.State // that the program has put the input in, before its first message
	return func(_ tea.Model, msg tea.Msg) tea.Msg {
		if ours == nil {
			ours, _ = term.GetState(int(in.Fd())) // nil where there is no terminal
		}
		switch msg := msg.(type) {
		case tea.WindowSizeMsg:
			if w, h, err := term.GetSize(int(out.Fd())); err == nil && w > 0 && h > 0 {
				msg.Width, msg.Height = w, h
			}
			return msg
		case tui.ContinuedMsg:
			if ours != nil {
				_ = term.Restore(int(in.Fd()), ours) // one that is gone can't be read either, which says so
			}
		}
		return msg
	}
}
