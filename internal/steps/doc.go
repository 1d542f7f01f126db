// Package steps says what a runbook is, and what may happen next in a run; it
// is pure: no I/O, no clock, no goroutine.
//
// [Parse] turns Markdown into a [Runbook]; [Runbook.Bind] fills in parameters;
// [Run] is the one state machine that every front end, the journal and the
// tests share.
package steps
