// Package guard says what must be shown, asked or refused before a step, and
// whether a protected key changed after it; it is pure.
//
// A document can raise a guard, never lower it: nothing that a runbook says
// reaches [Decide] in a way that makes its answer milder.
package guard
