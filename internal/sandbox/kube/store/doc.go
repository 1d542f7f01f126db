// Package store keeps objects in memory under one growing revision, remembers what changed, and can
// answer what was there at an earlier revision for as long as that memory lasts.
//
// It knows nothing of Kubernetes but where an object's resourceVersion is written. Objects handed in or
// out are shared and must never be changed by whoever holds them.
package store
