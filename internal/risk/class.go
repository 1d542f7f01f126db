package risk

import "fmt"

// Class is how bad a command can turn out. The order is the order of worry: a step has the
// worst class of everything it may run.
type Class int

// The classes, from harmless to worst.
const (
	// Read changes nothing outside the process.
	Read Class = iota
	// Write adds, or changes in a way that can be taken back.
	Write
	// Unknown can't be determined from the text.
	Unknown
	// Interrupt cuts or restarts a service, reversibly.
	Interrupt
	// Rotate overwrites a credential.
	Rotate
	// Destroy removes data or objects.
	Destroy
)

var classNames = [...]string{"read", "write", "unknown", "interrupt", "rotate", "destroy"}

// String is the lower-case name of the class.
func (c Class) String() string {
	if c < Read || c > Destroy {
		return fmt.Sprintf("Class(%d)", int(c))
	}
	return classNames[c]
}

// MarshalText writes the name of the class.
func (c Class) MarshalText() ([]byte, error) {
	if c < Read || c > Destroy {
		return nil, fmt.Errorf("write class %d: out of range", int(c))
	}
	return []byte(classNames[c]), nil
}

// UnmarshalText reads what MarshalText wrote.
func (c *Class) UnmarshalText(b []byte) error {
	v, err := ParseClass(string(b))
	if err != nil {
		return err
	}
	*c = v
	return nil
}

// ParseClass reads the name of a class. A name that isn't one is an error.
func ParseClass(s string) (Class, error) {
	for i, n := range classNames {
		if n == s {
			return Class(i), nil
		}
	}
	return Unknown, fmt.Errorf("parse class %q: not one of read, write, unknown, interrupt, rotate, destroy", s)
}

// Max is the worse of two classes.
func Max(a, b Class) Class { return max(a, b) }
