// Package scenarios prepares a cluster and a Vault for a story: the platform as the shipped runbooks expect it, the
// application brought up, or one fault of those that don't look like one.
package scenarios
