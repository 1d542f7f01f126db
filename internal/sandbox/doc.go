// Package sandbox is a cluster and a Vault small enough to embed: real wire protocols on loopback, operators that behave
// as the real ones do, and an environment with which unmodified kubectl, vault and curl reach them.
package sandbox
