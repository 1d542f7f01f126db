// Package screen runs a program on a terminal that exists in memory, types on
// it, and says what a person would see. It is for tests.
//
// [Start] runs a [tea.Model] in this process, [StartCommand] a built binary on
// a pseudo-terminal; both answer to the same methods.
package screen
