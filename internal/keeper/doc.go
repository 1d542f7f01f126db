// Package keeper compares protected values before and after a step by
// fingerprints that reveal nothing: salted on this machine, kept in memory, and
// told as same, changed, or can't tell.
package keeper
