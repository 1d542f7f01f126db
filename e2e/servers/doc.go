// Package servers runs the real etcd, kube-apiserver, kube-controller-manager and Vault on free ports of loopback, in
// folders of their own, and sees to it that nothing of them is left however the test ends.
package servers
