// Package kinds is what the API server knows by heart about its built-in kinds: their Go struct, names
// and scope, which defaults they get, what is invalid about them and what of them can't be changed.
package kinds
