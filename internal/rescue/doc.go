// Package rescue gives the terminal back when the program can't do so itself:
// a panic in somebody else's goroutine, a fatal error of the Go runtime,
// SIGKILL. A small watcher of its own process sees the program end, puts the
// terminal back to what it was, and says in one line what happened.
package rescue
