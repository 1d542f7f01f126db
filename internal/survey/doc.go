// Package survey says what would go with the things that a step takes away,
// from live reads at the moment of asking.
package survey
