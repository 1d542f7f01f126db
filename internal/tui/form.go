package tui

import (
	"image"
	"maps"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
	"github.com/charmbracelet/x/ansi"

	"runbook/internal/steps"
)

// A form asks for the parameters that nobody has given yet.
type form struct {
	huh     *huh.Form // mutable, as that library wants it
	fields  []huh.Field
	missing []steps.Param
	said    string // what became of a paste; until the next key
}

// ask goes to the form.
func (m Model) ask(missing []steps.Param) (Model, tea.Cmd) {
	m.phase = asking
	fields := make([]huh.Field, len(missing))
	for i, p := range missing {
		fields[i] = field(p)
	}
	// The form's own quit key stays off: quitting is one decision, made in one place.
	keys := huh.NewDefaultKeyMap()
	keys.Quit = key.NewBinding(key.WithDisabled())
	f := huh.NewForm(huh.NewGroup(fields...)).WithShowHelp(false).WithKeyMap(keys).
		WithTheme(huh.ThemeFunc(huh.ThemeBase16)).WithShowErrors(false)
	m.form = form{huh: f, fields: fields, missing: missing}
	m.sizedForm()
	return m, f.Init()
}

func field(p steps.Param) huh.Field {
	title, help := oneLine(p.Name), oneLine(p.Help)
	choices := p.Choices
	if p.Type == steps.BoolParam && len(choices) == 0 {
		choices = []string{"true", "false"}
	}
	if len(choices) > 0 {
		options := make([]huh.Option[string], len(choices))
		for i, c := range choices {
			options[i] = huh.NewOption(oneLine(c), c)
		}
		return huh.NewSelect[string]().Key(p.Name).Title(title).Description(help).Options(options...)
	}
	in := huh.NewInput().Key(p.Name).Title(title).Description(help).Validate(p.Admit)
	if p.Example != "" {
		in = in.Placeholder("e.g. " + oneLine(p.Example)) // without colour it looks like an answer
	}
	if p.Secret {
		in = in.EchoMode(huh.EchoModeNone)
	}
	return in
}

// knownRows is how many of the screen's rows the known values may take, with
// the empty one below them.
func knownRows(size image.Point) int { return min(7, max(2, size.Y/5)) }

// sizedForm makes the form as large as the screen leaves it beside known values,
// the title, a complaint and the keys.
func (m Model) sizedForm() {
	if m.size.Y == 0 {
		return // not known yet
	}
	// The library makes a field smaller where there is no room, and never larger
	// again: every choice is to be seen where there is room for it.
	room, width := max(3, m.size.Y-len(m.knownLines(m.size.X))-4), max(10, m.size.X-4)
	for i, f := range m.form.fields {
		p := m.form.missing[i]
		help := shortHelp(p, width-2, room-answerLines(p))
		describe(f, strings.Join(help, "\n"))
		f.WithHeight(answerLines(p) + len(help))
	}
	m.form.huh.WithWidth(width).WithHeight(room)
}

// answerLines is how many lines a field wants beside its help: its title, and
// what is chosen from or typed in.
func answerLines(p steps.Param) int {
	switch {
	case len(p.Choices) > 0:
		return 1 + len(p.Choices)
	case p.Type == steps.BoolParam:
		return 3
	}
	return 2
}

// shortHelp is the help of a parameter, cut where the answer would be pushed off
// the screen.
func shortHelp(p steps.Param, width, room int) []string {
	if p.Help == "" {
		return nil
	}
	lines := wrapWords(oneLine(p.Help), width)
	if room = max(1, room); len(lines) > room {
		lines = lines[:room]
		lines[room-1] = ansi.Truncate(lines[room-1], max(0, width-2), "") + " …"
	}
	return lines
}

// describe sets the help of a field.
func describe(f huh.Field, help string) {
	switch f := f.(type) {
	case *huh.Input:
		f.Description(help)
	case *huh.Select[string]:
		f.Description(help)
	}
}

// toForm hands a message to the form, if there is one.
func (m Model) toForm(msg tea.Msg) (Model, tea.Cmd) {
	if m.phase != asking {
		return m, nil
	}
	if k, ok := msg.(tea.KeyPressMsg); ok {
		m.form.said = ""
		switch k.String() {
		case "ctrl+c":
			return m.quit()
		case "esc":
			if len(m.cfg.Choices) > 0 {
				m.phase = picking
				return m, nil
			}
		}
	}
	if _, ok := msg.(tea.WindowSizeMsg); ok {
		m.sizedForm()
		return m, nil
	}
	updated, cmd := m.form.huh.Update(msg)
	m.form.huh = updated.(*huh.Form)
	if m.form.huh.State == huh.StateCompleted {
		return m.formFilled()
	}
	return m, cmd
}

func (m Model) formFilled() (Model, tea.Cmd) {
	values := maps.Clone(m.values)
	if values == nil {
		values = steps.Values{}
	}
	for _, p := range m.form.missing {
		values[p.Name] = steps.Value{Text: m.form.huh.GetString(p.Name), Source: steps.FromForm, Secret: p.Secret}
	}
	// Defaults that are made from what was given are known now; one that comes
	// out wrong is asked for.
	if plan, err := m.runbook.Bind(values); err == nil {
		values = plan.Values
	}
	m.values = values
	if missing := m.runbook.Missing(values); len(missing) > 0 {
		return m.ask(missing)
	}
	return m.startEngine()
}

// complaint is what is wrong with the field that is being filled in, said
// while it is typed.
func (f form) complaint() string {
	if f.said != "" {
		return f.said
	}
	at := f.huh.GetFocusedField()
	i := slices.IndexFunc(f.missing, func(p steps.Param) bool { return p.Name == at.GetKey() })
	text, ok := at.GetValue().(string)
	if i < 0 || !ok {
		return ""
	}
	err := at.Error() // of an enter that was not taken
	if text != "" {
		err = f.missing[i].Validate(text)
	}
	if err != nil {
		return oneLine(err.Error())
	}
	return ""
}

func (m Model) drawForm() []string {
	t, w := m.theme, m.size.X
	rows := []string{fit(" "+t.title.Render(oneLine(m.cfg.Written(m.runbook.Title)))+t.faint.Render("  what this run needs to know"), w), fit("", w)}
	for _, line := range m.knownLines(w - 4) {
		rows = append(rows, fit("  "+line, w))
	}
	room := max(0, m.size.Y-2-len(rows))
	lines := strings.Split(m.form.huh.View(), "\n")
	for _, line := range window(lines, 0, room) {
		rows = append(rows, fit("  "+line, w))
	}
	rows = append(rows, blank(image.Pt(w, m.size.Y-2-len(rows)))...)
	status := ""
	if said := m.form.complaint(); said != "" {
		status = " " + t.failed.Render("✗") + " " + said
	}
	leave := "ctrl+c quits"
	if len(m.cfg.Choices) > 0 {
		leave = "esc another runbook · ctrl+c quits"
	}
	return append(rows, fit(status, w), fit(" "+t.faint.Render("enter next · shift+tab back · "+leave), w))
}

// knownLines are the values that need no asking, with where they come from.
func (m Model) knownLines(width int) []string {
	var lines []string
	for _, p := range m.runbook.Params {
		if v, ok := m.values[p.Name]; ok && v.Source != steps.FromNone {
			lines = append(lines, fit(valueLine(m.theme, p, v), width))
		}
	}
	if most := knownRows(m.size) - 1; len(lines) > most {
		lines = append(lines[:most-1:most-1], m.theme.faint.Render("and "+itoa(len(lines)-most+1)+" known values more"))
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}

// valueLine is a parameter as it may be shown.
func valueLine(t theme, p steps.Param, v steps.Value) string {
	return fit(oneLine(p.Name), 20) + " " + valueText(t, p, v) + t.faint.Render("  "+sourceText(v.Source))
}

// valueText is a value as it may be shown.
func valueText(t theme, p steps.Param, v steps.Value) string {
	text := oneLine(v.Text)
	switch {
	case v.Source == steps.FromNone || v.Source == "":
		text = t.faint.Render("not set")
	case p.Secret || v.Secret:
		text = "••••••" // one length for all: the length says something too
	case text == "":
		text = t.faint.Render("empty")
	}
	return text
}

func sourceText(s steps.ValueSource) string {
	switch s {
	case steps.FromSet:
		return "given with --set"
	case steps.FromEnv:
		return "from the environment"
	case steps.FromSaved:
		return "from the last run on this context"
	case steps.FromDefault:
		return "the runbook's default"
	case steps.FromForm:
		return "asked for"
	case steps.FromChanged:
		return "changed during this run"
	}
	return ""
}
