// Package risk says what a shell text would do before anybody runs it: the class of every
// command in it, why, and which objects, entries, hosts and files it touches. It is pure: it
// reads no file, no environment and no clock; what a caller knows comes in through a [Context].
//
// The text is parsed as bash and every simple command is judged by the grammar of its own
// tool. Those grammars are tables in the folder grammar, one line a verb; its README explains
// how to add one. What can't be told is [Unknown], never [Read].
package risk
