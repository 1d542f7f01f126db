// Package printer has the columns that kubectl get shows for the built-in kinds. They are the server's:
// clients only lay them out.
package printer
