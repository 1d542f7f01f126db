package screen

// WaitUntil looks at the screen whenever something was drawn, until lacks has
// nothing more to say of its text.
func (s *Screen) WaitUntil(lacks func(text string) string) {
	s.t.Helper()
	s.waitUntil(lacks)
}
