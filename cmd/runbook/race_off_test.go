//go:build !race

package main

// slowed tells that the race detector makes everything several times slower.
const slowed = false
