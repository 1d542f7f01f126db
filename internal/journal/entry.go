package journal

import (
	"encoding/json"
	"time"

	"runbook/internal/steps"
)

// A Kind says what a line of a record is about.
type Kind string

// The kinds of lines.
const (
	Opened  Kind = "opened"  // first line: who, where, what
	Fact    Kind = "fact"    // a step's event
	Gate    Kind = "gate"    // a question and its answer
	Code    Kind = "code"    // what a block is about to run
	Intent  Kind = "intent"  // what a rotation is about to write
	Ended   Kind = "ended"   // how a block ended
	Beside  Kind = "beside"  // how a command in the background ended
	Checked Kind = "checked" // expectations at the end of a step
	Changed Kind = "changed" // what became of protected values
	Noted   Kind = "note"    // the operator's words
	Edited  Kind = "edited"  // the operator's text for a block that may run later
	Resumed Kind = "resumed" // the run went on in another process
	Closed  Kind = "closed"  // the program ended in order
)

// A Line is one line of a record.
type Line struct {
	N    int       `json:"n"`    // from 1
	Prev string    `json:"prev"` // hash of the line before; empty on the first
	At   time.Time `json:"at"`
	Kind Kind      `json:"kind"`
	Step string    `json:"step,omitempty"`
	// Data is the kind's own object; see the types below.
	Data json.RawMessage `json:"data,omitempty"`
}

// A Header is the data of an opened line: all that says which run this was.
type Header struct {
	Run      string `json:"run"`
	Version  string `json:"version"` // of the program
	Operator string `json:"operator"`
	Host     string `json:"host"`
	Path     string `json:"path"`
	Dir      string `json:"dir,omitempty"` // working folder, which a relative path starts from
	Title    string `json:"title"`
	Hash     string `json:"hash"`             // SHA-256 of the runbook as read
	Commit   string `json:"commit,omitempty"` // of the repository that holds it
	Context  string `json:"context,omitempty"`
	Server   string `json:"server,omitempty"`
	UID      string `json:"uid,omitempty"` // of kube-system
	Vault    string `json:"vault,omitempty"`
	// Namespace is where objects without one are meant.
	Namespace string            `json:"namespace,omitempty"`
	Params    map[string]Param  `json:"params"`
	Steps     map[string]string `json:"steps"` // id → hash of its text, to see later edits
	Order     []string          `json:"order"`
	Titles    map[string]string `json:"titles,omitempty"`
	NotTaken  map[string]string `json:"notTaken,omitempty"` // id → why, of steps of another choice
}

// ResumeData is the data of a resumed line: who went on, and where.
type ResumeData struct {
	Operator string `json:"operator"`
	Host     string `json:"host"`
	Version  string `json:"version"` // of the program
}

// A Param is a parameter without its value when that is secret.
type Param struct {
	Value  string            `json:"value,omitempty"`
	Source steps.ValueSource `json:"source"`
	Secret bool              `json:"secret,omitempty"`
}

// GateData is the data of a gate line.
type GateData struct {
	Decision string   `json:"decision"`
	Class    string   `json:"class"`
	Reasons  []string `json:"reasons,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Losses   []string `json:"losses,omitempty"`
	Words    string   `json:"words,omitempty"`
	Accepted bool     `json:"accepted,omitempty"` // by --accept-risk
	Passed   bool     `json:"passed"`
}

// CodeData is the data of a code line.
type CodeData struct {
	Block  int    `json:"block"`
	Code   string `json:"code"`
	Edited bool   `json:"edited,omitempty"`
	// Document is what the document says in place of edited code.
	Document string `json:"document,omitempty"`
	// Statement counts from 1 when the statements of a block run one by one.
	Statement int    `json:"statement,omitempty"`
	Of        int    `json:"of,omitempty"`
	Output    string `json:"output"` // file with what it printed, in the record's folder
	// Foretells says that an intent line comes before anything is written.
	Foretells bool `json:"foretells,omitempty"`
}

// IntentData is the data of an intent line: of the code line of the same block
// before it.
type IntentData struct {
	Block   int    `json:"block"`
	Version int    `json:"version,omitempty"` // of the entry, that is written on top of
	Print   string `json:"print"`             // salted fingerprint of the new value, which is random
}

// BesideData is the data of a beside line. The line is written when the command
// ends, which is mostly long after its step.
type BesideData struct {
	Block int       `json:"block"`
	Code  string    `json:"code"` // its first line
	PID   int       `json:"pid"`
	Since time.Time `json:"since"`
	// Exit is its exit status, as a shell tells it: 128 and the number of the
	// signal that has ended it, which Signal names.
	Exit   int    `json:"exit"`
	Signal string `json:"signal,omitempty"`
	// Stopped says why it was ended: by the operator, or with the run. It is
	// empty for one that has ended by itself.
	Stopped StopReason `json:"stopped,omitempty"`
	Output  string     `json:"output,omitempty"` // file with what it printed, in the record's folder
	Sum     string     `json:"sum,omitempty"`    // SHA-256 of that file
}

// A StopReason says why a command in the background was ended.
type StopReason string

// The reasons.
const (
	StoppedByOperator StopReason = "operator"
	StoppedWithRun    StopReason = "run"
)

// EditData is the data of an edited line: what runs in place of what the
// document says, for this run.
type EditData struct {
	Block int    `json:"block"`
	Code  string `json:"code"`
	// Document is what the document said; the same as Code when an edit was
	// taken back.
	Document string `json:"document"`
	// Withheld is set when Code had a secret in it: it is not kept, and what is
	// left of it would be another command.
	Withheld bool `json:"withheld,omitempty"`
}

// EndData is the data of an ended line: of the code line of the same block
// before it.
type EndData struct {
	Block     int    `json:"block"`
	Exit      int    `json:"exit"`
	Why       string `json:"why,omitempty"` // it could not be carried out
	Statement int    `json:"statement,omitempty"`
	Of        int    `json:"of,omitempty"`
	// Sum is the SHA-256 of the output file; empty while it still grows.
	Sum string `json:"sum,omitempty"`
}

// CheckData is one expectation of a checked line.
type CheckData struct {
	Role   string `json:"role"`
	Text   string `json:"text"`
	Answer string `json:"answer"`
	Why    string `json:"why,omitempty"`
	// Seen is when the oldest fact behind the answer was known to be true.
	Seen time.Time `json:"seen,omitzero"`
}

// ChangeData is one protected value of a changed line.
type ChangeData struct {
	Protects string `json:"protects"`
	Layer    string `json:"layer"`
	Now      string `json:"now"`
	Why      string `json:"why,omitempty"`
}
