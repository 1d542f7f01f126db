// Package plain shows a run as lines of text or JSON, for pipes and pipelines.
//
// It never asks: a step that needs an answer is refused unless its id was
// accepted beforehand.
package plain
