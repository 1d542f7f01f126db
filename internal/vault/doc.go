// Package vault watches Vault, writes entries with check-and-set, and keeps
// values unprintable.
package vault
