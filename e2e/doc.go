// Package e2e holds the embedded servers to the real ones: the same conformance suites, the same stories and the same
// objects on a real etcd, kube-apiserver, kube-controller-manager and Vault, which are built from their modules.
package e2e
