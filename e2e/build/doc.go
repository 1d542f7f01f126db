// Package build makes the binaries of the real servers from their modules, once per version, in the user's cache folder,
// and says what it does and how far it is.
package build
