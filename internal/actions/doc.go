// Package actions carries out the steps that need no shell: Vault entries,
// Secrets and manifests. No value of a secret leaves it but to Vault or the
// cluster.
package actions
