// Package redact decides what may be shown: it removes secret values, in every
// form they are usually printed in, and every terminal escape but colour.
//
// It is a net and not a wall. A value that was never registered and has no
// telling shape or name beside it passes through.
package redact
