// Package survey says what would go with the things that a step takes away,
// from live reads at the moment of asking.
//
// It counts and gives the first names, never holds all objects of a namespace,
// and what it can't list is a loss that is unknown, never left out. No loss says
// how long ago something was: the question would change while it is being read.
package survey
