// Package edge lets programs on this machine reach the sandbox's cluster as they would a real one: a forward proxy on
// loopback behind which the cluster's domain leads to its gateway and every other host to where it always was.
package edge
