package steps

import "strings"

// startsWithShebang tells whether code is the text of a script: at a prompt, its
// first line would only be a comment.
func startsWithShebang(code string) bool {
	return strings.HasPrefix(strings.TrimLeft(code, " \n"), "#!")
}

// runsScript tells whether the text says to run the script that follows it.
func (l lead) runsScript() bool {
	return scriptCues.in(l.sentence + " ")
}

// scriptCues tell a script that is to be run from one that is only shown, as in
// "scripts are plain old bash" or "always include a shebang".
var scriptCues = newPhrases("run ", "run: ", "running ", "execute ", "executing ", "use this script", "use the following", "this script will", "führe", "ausführen")
