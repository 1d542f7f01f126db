// Package conform holds any Vault to the exchanges that the rest relies on: the
// embedded one and a real one must answer them alike.
package conform
