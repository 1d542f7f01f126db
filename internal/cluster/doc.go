// Package cluster watches the objects that are asked for and keeps the world's
// half of them true. It also pins the cluster that a run is about, creates and
// applies objects for actions, and lists what a namespace holds.
//
// Nothing of a Secret but its key names outlives the decoding of an answer.
package cluster
