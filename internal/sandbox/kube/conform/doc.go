// Package conform holds any Kubernetes API server to the exchanges that the rest relies on: the embedded one and a real
// one must answer them alike.
package conform
