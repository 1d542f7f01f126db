// Package layout holds the floor plan of the repository: which package may
// import which, and that each says what it is for. It has no code, only tests.
package layout
