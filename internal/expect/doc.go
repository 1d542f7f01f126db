// Package expect says what an expectation means: which facts it needs, and
// whether it holds in a world; it is pure.
package expect
