package tui

// editedLines say that a block isn't what the document has, and what that is.
func (s session) editedLines(t theme, i, width int) []string {
	document := s.step().Code[i]
	if code := s.codeOf(i); code == document || document == "" {
		return nil
	}
	lines := hang("  "+t.unsure.Render("!")+" ", "edited; the document says:", width)
	for _, line := range plainLines(document) {
		for _, part := range cutCode(line, width-4) {
			lines = append(lines, "    "+t.faint.Render(part))
		}
	}
	return lines
}
