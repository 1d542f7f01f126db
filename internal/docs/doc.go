// Package docs prints a runbook or a record as terminal text or Markdown.
package docs
