package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"runbook/internal/screen"
)

// onTerminal walks the bring-up as a person does: chooses the variant in the form and presses enter for each step.
func onTerminal(t *testing.T, p place, variant string) string {
	t.Helper()
	s := screen.StartCommand(t, runbook(t, p, "schmetterpause/bring-up"), 160, 50)
	s.WaitFor("VARIANT", "external-secrets")
	titles := []string{"Postgres operator", "Gateway", "Storage for Postgres", "Namespace"}
	if variant == "external-secrets" {
		s.Type("\r")
		titles = append(titles, "Vault entry", "External Secrets")
	} else {
		s.Type("\x1b[B\r") // down to the second choice
		titles = append(titles, "Nothing else owns the Secrets", "Both Secrets, without a kiosk")
	}
	for i, title := range append(titles, "Manifests", "Postgres cluster", "Checking") {
		s.WaitFor(fmt.Sprintf("%d/9", i))
		selected(s, title)
		s.Type("\r")
	}
	s.WaitFor("9 of 9 done", "q quits")
	said := s.Text()
	s.Type("q")
	if err := s.WaitExit(); err != nil {
		t.Fatalf("at the end: %v", err)
	}
	return said
}

// selected waits until enter would run the step of a title, and puts away a notice that is in front of it.
func selected(s *screen.Screen, title string) {
	shown := regexp.MustCompile(`(?m)[╭┏] \d+ ` + regexp.QuoteMeta(title))
	told := false
	s.WaitUntil(func(text string) string {
		bottom := strings.TrimSpace(text[strings.LastIndex(text, "\n")+1:])
		switch {
		case !told && (strings.HasPrefix(bottom, "· ") || strings.HasPrefix(bottom, "! ")):
			told = true
			s.Type("\x1b")
			return "a notice: " + bottom
		case !strings.Contains(bottom, "enter run"):
			return "not ready to run: " + title
		case !shown.MatchString(text):
			return "not shown: " + title
		}
		return ""
	})
}
