package tui

import "image"

func (c change) draw(t theme, size image.Point) []string {
	width := dialogWidth(size)
	head := c.headLines(t, width-4, size.Y)
	body := c.bodyLines(t, width-4)
	room := max(0, min(len(body), size.Y-2-len(head)))
	*c.area = area{lines: len(body), room: room}
	top := c.within(len(body), room).top
	b := box{title: t.title.Render("Change " + oneLine(c.param.Name)), note: position(top, room, len(body)), foot: c.foot(),
		lines: append(head, window(body, top, room)...), heavy: true, style: t.focus}
	return b.draw(image.Pt(width, min(size.Y, len(head)+room+2)))
}

func (c change) foot() string {
	switch {
	case c.sending != 0:
		return "… being changed"
	case len(c.choices) > 0:
		return "↑/↓ choose · enter changes it · esc leaves it"
	}
	return "enter changes it · esc leaves it"
}

// headLines are what must be seen on the smallest screen: what is being given,
// and what is wrong with it.
func (c change) headLines(t theme, width, height int) []string {
	var lines []string
	if c.param.Help != "" && height >= 16 {
		help := hang("", oneLine(c.param.Help), width)
		lines = append(lines, window(help, 0, height/4)...)
	}
	if len(c.choices) == 0 || height >= 16 {
		lines = append(lines, fit("now: "+valueText(t, c.param, c.now)+t.faint.Render("  "+sourceText(c.now.Source)), width))
	}
	switch {
	case len(c.choices) > 0:
		lines = append(lines, c.choiceLines(t, width, max(1, height/3))...)
	case c.param.Secret:
		lines = append(lines, fit("› "+t.faint.Render(secretState(c.input.Value())), width))
	default:
		in := covered(c.input, c.written)
		in.SetWidth(max(1, width-4))
		lines = append(lines, fit(in.View(), width))
	}
	said := c.said
	if said == "" {
		said = c.complaint()
	}
	said = c.written(said) // it may repeat the value
	if c.hasty {
		lines = append(lines, fit("· read what it would mean; then press enter again", width))
	}
	if said != "" {
		lines = append(lines, window(hang(t.failed.Render("✗")+" ", said, width), 0, 3)...)
	}
	return lines
}

// secretState says that something was typed, and not how much.
func secretState(text string) string {
	if text == "" {
		return "typed without echo"
	}
	return "something was typed; it isn't shown"
}

// choiceLines are the choices around the one that is picked.
func (c change) choiceLines(t theme, width, room int) []string {
	var lines []string
	for i, choice := range c.choices {
		mark, text := "  ", oneLine(choice)
		if i == c.pick {
			mark, text = t.accent.Render("▸")+" ", t.chosen.Render(text)
		}
		if choice == c.now.Text {
			text += t.faint.Render("  now")
		}
		lines = append(lines, fit(mark+text, width))
	}
	top := max(0, min(c.pick-room/2, len(lines)-room))
	return window(lines, top, room)
}

// bodyLines say what the value would mean.
func (c change) bodyLines(t theme, width int) []string {
	w := c.weighed
	switch {
	case c.complaint() != "" || c.param.Secret && c.text() == "":
		return nil
	case w.id != 0 || !w.known:
		return []string{"", t.faint.Render("… working out what it would mean")}
	case w.err != nil:
		return append([]string{""}, hang(t.failed.Render("✗")+" ", errorText(w.err), width)...)
	case len(w.meaning.Shifts) == 0:
		return []string{"", t.faint.Render("that is its value now")}
	}
	return w.lines(t, width)
}
