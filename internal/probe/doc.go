// Package probe asks web addresses what a person would ask them, and keeps the
// world's answers about them true.
package probe
