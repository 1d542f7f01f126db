package world

import (
	"strings"

	"runbook/internal/dig"
)

// applicationReady reads all three axes and the conditions: health is that of
// the live objects, and stays Healthy while nothing can be synced any more.
func applicationReady(s subject) Verdict {
	if why := applicationError(s); why != "" {
		return fails("%s", why)
	}
	op, message := s.str("status", "operationState", "phase"), s.str("status", "operationState", "message")
	switch op {
	case "Running", "Terminating":
		text := joinText("sync "+strings.ToLower(op), message)
		return waits("%s (for %s)", text, Span(s.since(dig.Time(s.Body, "status", "operationState", "startedAt"))))
	case "Failed", "Error":
		return fails("the last sync failed and is not tried again for this revision: %s", orElse(message, op))
	}
	health, sync := s.str("status", "health", "status"), s.str("status", "sync", "status")
	switch {
	case health == "" && sync == "":
		return waitsOrFails(s.young(), "no status yet")
	case sync == "OutOfSync":
		return fails("OutOfSync%s", outOfSync(s))
	case sync != "Synced":
		return unsure("sync is %s", orElse(sync, "not known"))
	case health == "Progressing":
		return waits("health is Progressing")
	case health != "Healthy":
		return fails("%s", joinText("health is "+orElse(health, "not known"), s.str("status", "health", "message")))
	}
	return holdsBut("%s", leftovers(s))
}

func applicationError(s subject) string {
	for _, c := range dig.List(s.Body, "status", "conditions") {
		kind := dig.Text(c, "type")
		if strings.HasSuffix(kind, "Error") || kind == "SharedResourceWarning" {
			return joinText(kind, dig.Text(c, "message"))
		}
	}
	return ""
}

func outOfSync(s subject) string {
	var names []string
	for _, r := range dig.List(s.Body, "status", "resources") {
		if dig.Text(r, "status") == "OutOfSync" {
			names = append(names, dig.Text(r, "kind")+"/"+dig.Text(r, "name"))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ": " + strings.Join(names, ", ")
}

func leftovers(s subject) string {
	var names []string
	for _, r := range dig.List(s.Body, "status", "resources") {
		if dig.Bool(r, "requiresPruning") {
			names = append(names, dig.Text(r, "kind")+"/"+dig.Text(r, "name"))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "left over, would be pruned: " + strings.Join(names, ", ")
}
