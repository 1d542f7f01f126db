// Package conceal learns what is secret in the things that a command is about to
// read, so that nothing of it is shown, however the command prints it:
// decoded, as one field, or out of a variable some steps later.
package conceal
