package steps

// A ValueSource says where a parameter's value came from.
type ValueSource string

// The sources, strongest first.
const (
	FromSet     ValueSource = "set"
	FromEnv     ValueSource = "env"
	FromSaved   ValueSource = "saved"
	FromDefault ValueSource = "default"
	FromForm    ValueSource = "asked"
	FromChanged ValueSource = "changed" // by the operator, while the run was under way
	FromNone    ValueSource = "none"
)

// A Value is what a parameter stands for in one run.
type Value struct {
	Text   string
	Source ValueSource
	Secret bool
}

// Values are the parameters of one run by name.
type Values map[string]Value

// Text returns the text of a parameter, or "" when it has none.
func (v Values) Text(name string) string { return v[name].Text }
