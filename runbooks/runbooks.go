// Package runbooks holds the runbooks that ship with the program.
package runbooks

import "embed"

// FS has every shipped runbook, as <app>/<purpose>.md.
//
//go:embed */*.md
var FS embed.FS
