// Package rbac decides whether rules of roles allow a request, and has the roles that every cluster
// starts with. It is pure: whoever asks brings the roles and bindings.
package rbac
