// Package lint says what the author of a runbook should know before anybody
// runs it: what the parser found, and what the rules here find; it is pure.
//
// A rule is an entry in one of the tables (structure.go, language.go,
// safety.go, portability.go). It carries its reason, the way out and two
// examples; docs/lint.md is written from them, and the tests hold each rule to
// its own examples.
package lint
