// Package operators plays the controllers of a cluster against any Kubernetes API server: scheduler, kubelet,
// workloads, volumes, External Secrets, CloudNativePG and a Gateway controller, with the statuses, Events and
// messages of the real ones and nothing but the dynamic client to do it with.
package operators
