package steps

// Reason says in words why a block isn't offered, and is empty when it is.
func (b Block) Reason() string {
	if b.Offered {
		return ""
	}
	return reason(b.Why, b.Detail, b.Lang)
}

// Reason says in words why a fence isn't offered.
func (f Fence) Reason() string { return reason(f.Why, f.Detail, f.Lang) }

// reason is what is known of this one fence, else what is true of all that
// aren't offered for the same cause.
func reason(why, detail, lang string) string {
	switch {
	case detail != "":
		return detail
	case why == WhyNotShell && !Runnable(lang):
		return "it is " + lang + ", which isn't run here"
	}
	if words, ok := causes[why]; ok {
		return words
	}
	return why
}

var causes = map[string]string{
	WhyOutput:      "it shows what a command prints",
	WhyNotShell:    "it isn't shell",
	WhyPlaceholder: "it holds a placeholder that no parameter fills in",
	WhyRemote:      "it is meant for another machine",
	WhyDoubtful:    "the file's structure is in doubt here",
	WhyNegated:     "the text says not to run it",
	WhyFragment:    "it is a part of something",
	WhyNotTaken:    "it belongs to a choice that wasn't made",
}
