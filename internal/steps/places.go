package steps

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A place is where in shell code a hole stands.
type place int

const (
	barePlace place = iota
	doubleQuoted
	singleQuoted
	hereDoc       // body of a here-document that is expanded
	quotedHereDoc // body of one that isn't
	commentPlace
	unsafePlace // inside ${…}, $((…)) or $'…'
)

// placesOf finds the places of holes in masked code.
func placesOf(file *syntax.File, holes []hole) []place {
	places := make([]place, len(holes))
	mark := func(n syntax.Node, as place) {
		from, to := int(n.Pos().Offset()), int(n.End().Offset())
		for i, h := range holes {
			if h.start >= from && h.end <= to {
				places[i] = as
			}
		}
	}
	// Outer nodes come first, so that the innermost one has the last word.
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Comment:
			mark(n, commentPlace)
		case *syntax.DblQuoted:
			mark(n, doubleQuoted)
		case *syntax.SglQuoted:
			if n.Dollar {
				mark(n, unsafePlace)
			} else {
				mark(n, singleQuoted)
			}
		case *syntax.CmdSubst, *syntax.ProcSubst:
			mark(n, barePlace)
		case *syntax.ParamExp, *syntax.ArithmExp, *syntax.ArithmCmd:
			mark(n, unsafePlace)
		case *syntax.Redirect:
			if n.Hdoc != nil {
				as := hereDoc
				if quotedWord(n.Word) {
					as = quotedHereDoc
				}
				mark(n.Hdoc, as)
			}
		}
		return true
	})
	return places
}

func quotedWord(w *syntax.Word) bool {
	for _, part := range w.Parts {
		switch x := part.(type) {
		case *syntax.SglQuoted, *syntax.DblQuoted:
			return true
		case *syntax.Lit:
			if strings.Contains(x.Value, `\`) {
				return true
			}
		}
	}
	return false
}

// openHoles leaves out what is no hole where it stands: comments aren't run,
// and brackets or braces in quotes and here-documents are data.
func openHoles(places []place, holes []hole) []hole {
	var open []hole
	for i, where := range places {
		h := holes[i]
		if where == commentPlace || where != barePlace && !h.angled && h.bracket {
			continue
		}
		open = append(open, h)
	}
	return open
}
