// Package shell runs one command on a pseudo-terminal or a pipe; it owns the
// session (environment, folder, shell state), the process tree and the last
// byte of the output.
package shell
