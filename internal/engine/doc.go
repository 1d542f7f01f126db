// Package engine carries out a run one step at a time and reports everything
// that happens as events on a channel it closes.
//
// The terminal interface, the plain front end and the tests drive the same
// [Engine]; none of them changes a run in any other way.
package engine
