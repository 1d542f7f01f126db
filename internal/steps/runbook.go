package steps

import "time"

// A Purpose says which of the four jobs a runbook is for.
type Purpose string

// The purposes that front matter may name.
const (
	BringUp      Purpose = "bring-up"
	Secrets      Purpose = "secrets"
	Teardown     Purpose = "teardown"
	FaultFinding Purpose = "fault-finding"
)

// A Runbook is a parsed Markdown file.
type Runbook struct {
	Path     string // as given; "-" for standard input
	Source   []byte // normalised: no BOM, LF only
	lines    []int  // where each line of Source begins, and where the last one ends
	Title    string
	Purpose  Purpose // empty when the file doesn't say
	Needs    []string
	Params   []Param
	Protects []Protect
	Intro    string // Markdown before the first step, without front matter and title
	Steps    []Step
	Faults   []Fault

	// Sections are the whole text behind the front matter, in order: what the
	// steps hold, and what stands between them.
	Sections []Section

	// NotOffered are the fences that belong to no step: output, configuration, prose.
	NotOffered  []Fence
	Diagnostics []Diagnostic
}

// A Param is a value that the runbook asks for; every step gets it in its environment.
type Param struct {
	Name    string
	Help    string
	Example string
	Default string
	// HasDefault tells an empty default from none.
	HasDefault bool
	Type       ParamType
	Pattern    string // anchored regular expression; empty allows everything
	Choices    []string
	Secret     bool // asked for without echo, never saved, redacted everywhere
	Pos        Pos
}

// A ParamType restricts what a parameter's text may be.
type ParamType string

// The types of parameters.
const (
	TextParam ParamType = ""
	BoolParam ParamType = "bool"
	IntParam  ParamType = "int"
)

// A Protect names a value that must never change by accident. Its fields may
// hold ${PARAM} references.
type Protect struct {
	Name     string
	Secret   string // namespace/name of the Kubernetes Secret
	Key      string // key in that Secret
	Vault    string // mount/path of the Vault entry
	Property string // key in that entry
	Cost     string // who loses what when it changes
	Pos      Pos
}

// A Step is a heading, or an item of an ordered list, with the fences below it.
type Step struct {
	N     int    // position, from 1
	ID    string // stable name
	Title string
	Line  int // of the heading or item
	End   int // last line that belongs to it

	// Parts are the prose and the blocks in the order of the document.
	Parts  []Part
	Blocks []Block

	When        *When        // the choice that the step belongs to
	Done        *Expectation // makes the step unnecessary when it holds
	Before      []Expectation
	Expect      []Expectation
	Watch       []Subject
	Within      time.Duration // how long Expect may take; 0 means [DefaultWithin]
	Risk        string        // class that the author raises the step to: destroy, rotate, interrupt
	Cost        string
	Interactive bool
	Background  bool
	Timeout     time.Duration // of the command; 0 means none
	Shell       string        // "" means bash, or what a block's info string says
	Undo        string        // id of the step that takes this one back
	Manual      bool
}

// DefaultWithin is how long expectations may take to hold when a step doesn't say.
const DefaultWithin = 2 * time.Minute

// A Part is either prose (Markdown) or the index of a block or of a fence
// that isn't a command but belongs to the text.
type Part struct {
	Prose string
	Block int    // index into Step.Blocks, or -1
	Fence *Fence // a fence shown as text (output, configuration), or nil
}

// A Section is a stretch of the document: a heading or an item with what
// belongs to it, or the text before the first heading.
type Section struct {
	Line  int // of the heading or item, or of the first line
	Level int // 1 to 6 for headings, 0 for text without one, 7 and more for items of lists
	Title string
	Parts []Part
	Step  int // index into Runbook.Steps, or -1
}

// A BlockKind tells who carries a block out.
type BlockKind string

// The kinds of blocks.
const (
	ShellBlock  BlockKind = "shell"
	ActionBlock BlockKind = "action"
)

// A Block is a fence that looks like commands, or an action.
type Block struct {
	Kind    BlockKind
	Line    int    // first line of its code
	EndLine int    // last line of its code
	Info    string // the whole info string
	Lang    string // sh, bash, zsh; yaml for actions; "" when unlabelled
	// Code is as written, dedented, prompts and output removed; the bytes are
	// otherwise those of the file.
	Code         string
	Offered      bool
	Why          string   // when not offered: one of the reasons below
	Detail       string   // more on Why, for people; may be empty
	Placeholders []string // <names> that occur in the code, in order, without brackets
	Action       *Action  // for ActionBlock
}

// A Fence is a fenced block that isn't offered as commands.
type Fence struct {
	Line int
	Lang string
	Code string
	Why  string // one of the reasons below

	Info    string // the whole info string
	EndLine int    // the closing line, or the last line that belongs to it
	Detail  string // more on Why, for people; may be empty
}

// A When says to which choice a step belongs: PARAM == value, or PARAM != value.
type When struct {
	Param  string
	Value  string
	Negate bool
	Text   string
	Outer  *When // the choice of a heading further up, which must hold too
}

// Holds tells whether the choice is taken under the given values.
func (w *When) Holds(v Values) bool {
	return w.Unmet(v) == nil
}

// Unmet returns the outermost condition that doesn't hold, or nil.
func (w *When) Unmet(v Values) *When {
	if w == nil {
		return nil
	}
	if o := w.Outer.Unmet(v); o != nil {
		return o
	}
	if (v.Text(w.Param) == w.Value) == w.Negate {
		return w
	}
	return nil
}

// The reasons why a fence isn't offered.
const (
	WhyOutput      = "output"                 // it shows what a command prints
	WhyNotShell    = "not-shell"              // another language, or text
	WhyPlaceholder = "unresolved-placeholder" // a <name> that no parameter stands for
	WhyRemote      = "remote-context"         // it belongs into a shell that an earlier command opened elsewhere
	WhyDoubtful    = "structure-doubtful"     // people and renderers see different fences here
	WhyNegated     = "negated"                // the text says not to run it
	WhyFragment    = "fragment"               // part of a command
	WhyNotTaken    = "not-taken"              // belongs to a choice that isn't made
)
