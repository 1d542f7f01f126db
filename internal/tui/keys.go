package tui

import (
	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
)

// A keyMap holds every key of the run, each declared once: what it does, what
// help says and what is bound can't part ways.
type keyMap struct {
	Run, Statement, Next, Stop               key.Binding
	Skip, Tick, Note, Edit                   key.Binding
	Input, Leave                             key.Binding
	Up, Down, PageUp, PageDown, Top, Bottom  key.Binding
	Focus, FocusBack, Zoom                   key.Binding
	Find, FindNext, FindBack, Copy           key.Binding
	Variables, Messages, Refresh, Help, Quit key.Binding
	Beside                                   key.Binding
	Suspend                                  key.Binding
}

func newKeyMap() keyMap {
	bind := func(show, does string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(show, does))
	}
	return keyMap{
		Run:       bind("enter", "run", "enter", "ctrl+m"),
		Statement: bind("x", "statement", "x"),
		Next:      bind("space", "next", "space"),
		Stop:      bind("ctrl+c", "stop", "ctrl+c"),
		Skip:      bind("s", "skip", "s"),
		Tick:      bind("t", "tick off", "t"),
		Note:      bind("n", "note", "n"),
		Edit:      bind("e", "edit", "e"),
		Input:     bind("i", "type to it", "i"),
		Leave:     bind("esc esc/ctrl+]", "leave", "ctrl+]"),
		Up:        bind("k/↑", "up", "k", "up"),
		Down:      bind("j/↓", "down", "j", "down"),
		PageUp:    bind("pgup", "page up", "pgup", "ctrl+b"),
		PageDown:  bind("pgdn", "page down", "pgdown", "ctrl+f"),
		Top:       bind("g/home", "top", "g", "home"),
		Bottom:    bind("G/end", "bottom", "G", "end"),
		Focus:     bind("tab", "pane", "tab", "ctrl+i", "right", "l"),
		FocusBack: bind("shift+tab", "pane back", "shift+tab", "left", "h"),
		Zoom:      bind("z", "zoom", "z"),
		Find:      bind("/", "find", "/"),
		FindNext:  bind("n", "next hit", "n"),
		FindBack:  bind("N", "hit before", "N"),
		Copy:      bind("y", "copy", "y"),
		Variables: bind("v", "variables", "v"),
		Beside:    bind("b", "background", "b"),
		Messages:  bind("m", "messages", "m"),
		Refresh:   bind("r", "refresh", "r"),
		Help:      bind("?", "help", "?"),
		Quit:      bind("q", "quit", "q"),
		Suspend:   bind("ctrl+z", "suspend", "ctrl+z"),
	}
}

// short are the keys of the line at the bottom, the most needed first; what
// doesn't fit is under "?".
func (k keyMap) short(at situation) []key.Binding {
	switch {
	case at.typing:
		return []key.Binding{k.Leave}
	case at.hits:
		return []key.Binding{k.FindNext, k.FindBack, k.endSearch()}
	case at.paused:
		rest := key.NewBinding(key.WithKeys(k.Run.Keys()...), key.WithHelp("enter", "the rest"))
		return []key.Binding{k.Statement, rest, k.Stop, k.Next, k.Focus, k.Help, k.Quit}
	case at.busy:
		return []key.Binding{k.Stop, k.Input, k.Next, k.Focus, k.Find, k.Help, k.Quit}
	}
	run := k.Run
	if at.held { // a step has just come up by itself: enter counts in a moment
		run = key.NewBinding(key.WithKeys(k.Run.Keys()...), key.WithHelp("enter", "…"))
	}
	if at.narrow { // where the rest is must be seen
		return []key.Binding{run, k.Next, k.Help, k.Quit}
	}
	if at.beside {
		return []key.Binding{run, k.Next, k.Beside, k.Skip, k.Help, k.Quit, k.Statement, k.Tick, k.Note, k.Edit, k.Variables, k.Find, k.Copy, k.Focus}
	}
	return []key.Binding{run, k.Next, k.Skip, k.Help, k.Quit, k.Statement, k.Tick, k.Note, k.Edit, k.Variables, k.Find, k.Copy, k.Focus}
}

func (k keyMap) endSearch() key.Binding {
	return key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "end search"))
}

// full are all keys by what they are for.
func (k keyMap) full() []keyGroup {
	return []keyGroup{
		{"The step", []key.Binding{described(k.Run, "run the step"), described(k.Statement, "run one statement, then the next"),
			described(k.Next, "show the next step"), described(k.Skip, "skip it, with a reason"), described(k.Tick, "tick it off as done by hand"),
			described(k.Note, "write a note into the record"), described(k.Edit, "edit its commands, for this run only"), described(k.Copy, "copy its commands")}},
		{"While it runs", []key.Binding{described(k.Stop, "stop it, and all that it has started"), described(k.Input, "type to the program"),
			described(k.Leave, "stop typing to the program")}},
		{"Looking around", []key.Binding{k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.Bottom,
			described(k.Focus, "next pane"), described(k.FocusBack, "pane before"), described(k.Zoom, "one pane at a time, or all")}},
		{"Finding", []key.Binding{described(k.Find, "find in steps and output"), k.FindNext, k.FindBack, k.endSearch()}},
		{"The run", []key.Binding{described(k.Variables, "see the variables, change one"), described(k.Beside, "what runs in the background"), described(k.Messages, "all messages so far"),
			described(k.Refresh, "ask the cluster and Vault again"), k.Suspend, described(k.Help, "these keys"), described(k.Quit, "quit; the record is kept")}},
	}
}

// described is a binding with more words than the bottom line has room for.
func described(b key.Binding, does string) key.Binding {
	b.SetHelp(b.Help().Key, does)
	return b
}

type keyGroup struct {
	name string
	keys []key.Binding
}

// A situation is what decides which keys the bottom line names.
type situation struct{ typing, hits, busy, held, paused, beside, narrow bool }

// helpLine draws bindings on one line of at most width cells.
func (t theme) helpLine(bindings []key.Binding, width int) string {
	h := help.New()
	h.ShortSeparator = " · "
	h.Styles = help.DefaultStyles(t.dark)
	h.Styles.ShortKey, h.Styles.ShortDesc, h.Styles.ShortSeparator = t.title, t.faint, t.faint
	h.SetWidth(max(1, width))
	return h.ShortHelpView(bindings)
}
