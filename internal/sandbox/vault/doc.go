// Package vault is a Vault small enough to embed: an http.Handler that speaks
// Vault's HTTP API well enough for its Go client and its unmodified CLI.
//
// What it serves it serves with the codes, bodies and messages of Vault 1.14:
// health and seal, mounts with KV v1 and v2, policies, tokens, and Kubernetes
// and AppRole logins. Everything is kept in memory, and no value is ever logged.
package vault
