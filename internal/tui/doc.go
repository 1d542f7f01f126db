// Package tui draws a run and turns key presses into requests to the engine;
// it holds the only [tea.Model].
//
// Nothing here does I/O while drawing or deciding: requests run in commands,
// their answers come back as messages that say whose they are, and an answer
// that nobody waits for any more is dropped.
package tui
