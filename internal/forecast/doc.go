// Package forecast is for tests: whether what a step was said to take away is
// what is gone after it, and nothing else.
package forecast
