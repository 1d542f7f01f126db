// Package world holds what is known right now about objects, Vault and
// addresses, how old each fact is, and what it means; it is pure.
//
// A fact is never missing silently: what could not be asked carries the reason.
package world
