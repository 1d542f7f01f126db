package guard

// A Change says what became of a protected value while a step ran.
type Change struct {
	Protects string // its name
	Layer    string // "Vault", "Secret"
	Now      ChangeState
	Why      string // behind CantTell
}

// A ChangeState compares two fingerprints.
type ChangeState string

// The states. A baseline that is missing is CantTell, never Same.
const (
	Same       ChangeState = "same"
	Changed    ChangeState = "changed"
	Whitespace ChangeState = "only white space differs"
	Created    ChangeState = "created"
	Removed    ChangeState = "removed"
	CantTell   ChangeState = "can't tell"
)
