package lint

import (
	"slices"

	"runbook/internal/steps"
)

// front makes a runbook with front matter of the text of an example.
func front(matter, body string) string {
	return "---\nrunbook: v1\n" + matter + "---\n\n# Example\n\n" + body
}

const anyStep = "## Step\n\n'''sh\nkubectl get nodes\n'''\n"

// note makes a runbook whose one step has an annotation.
func note(annotation string) string {
	return "# Example\n\n## Step\n\n<!-- step\n" + annotation + "-->\n\n'''sh\nkubectl get nodes\n'''\n"
}

// writtenRules are what the parser says of front matter, annotations and actions.
func writtenRules() []Rule { return slices.Concat(frontRules(), annotationRules(), valueRules()) }

func frontRules() []Rule {
	return []Rule{
		{ID: "front-matter", Group: Language, Severity: steps.Error,
			What: "Front matter says something that can't be.",
			Why:  "Parameters, needs and protected keys come from here. What isn't understood would silently not be asked for, checked or guarded.",
			Fix:  "The message names the key and what it takes; `docs/format.md` lists them all.",
			Bad:  front("purpose: bringup\n", anyStep),
			Good: front("purpose: bring-up\n", anyStep)},
		{ID: "front-matter-ignored", Group: Language, Severity: steps.Warning,
			What: "Front matter has keys of a runbook but doesn't say that it is one.",
			Why:  "Front matter of other tools is left alone. Without `runbook: v1` nothing in it counts: no key is protected, no program is checked for.",
			Fix:  "Add `runbook: v1`.",
			Bad:  "---\npurpose: teardown\n---\n\n# Example\n\n" + anyStep,
			Good: front("purpose: teardown\n", anyStep)},
		{ID: "unknown-key", Group: Language, Severity: steps.Error,
			What: "A key isn't known.",
			Why:  "A misspelt `expct:` would check nothing, and a misspelt `protects:` would guard nothing; both look right.",
			Fix:  "Take the key that the hint suggests.",
			Bad:  note("expct: namespace/shop is active\n"),
			Good: note("expect: namespace/shop is active\n")},
	}
}

func annotationRules() []Rule {
	return []Rule{
		{ID: "unknown-annotation", Group: Language, Severity: steps.Error,
			What: "A comment looks like an annotation and is none.",
			Why:  "Only `step` and `fault` are read. A comment with another word is hidden text and nothing else.",
			Fix:  "Write `<!-- step` or `<!-- fault`.",
			Bad:  "# Example\n\n## Step\n\n<!-- stpe\nid: look\n-->\n\n'''sh\nkubectl get nodes\n'''\n",
			Good: note("id: look\n")},
		{ID: "annotation", Group: Language, Severity: steps.Error,
			What: "A key of an annotation has a value that can't be.",
			Why:  "A step whose annotation isn't understood can't be judged, and a class can be raised by the author but never lowered.",
			Fix:  "The message says what the key takes.",
			Bad:  note("risk: read\n"),
			Good: note("risk: interrupt\ncost: a minute without the page\n")},
		{ID: "duplicate-annotation", Group: Language, Severity: steps.Error,
			What: "A step has two annotations.",
			Why:  "It would not be clear which of them counts.",
			Fix:  "Join them, or give each step a heading of its own.",
			Bad:  "# Example\n\n## Step\n\n<!-- step\nid: a\n-->\n\n<!-- step\nid: b\n-->\n\n'''sh\nkubectl get nodes\n'''\n",
			Good: note("id: a\n")},
		{ID: "annotation-without-step", Group: Language, Severity: steps.Error,
			What: "An annotation belongs to no step.",
			Why:  "Its expectations would never be checked, and a reader of the source thinks they are.",
			Fix:  "Put it below the heading of a step, or say `manual: true`.",
			Bad:  "# Example\n\n## Words\n\n<!-- step\nid: words\n-->\n\nNo commands.\n\n" + anyStep,
			Good: "# Example\n\n## Words\n\n<!-- step\nid: words\nmanual: true\n-->\n\nCall somebody.\n\n" + anyStep},
		{ID: "manual-with-commands", Group: Language, Severity: steps.Error,
			What: "A manual step has commands.",
			Why:  "Either a person does it or the program does.",
			Fix:  "Remove `manual`, or move the commands into a step of their own.",
			Bad:  note("manual: true\n"),
			Good: note("id: look\n")},
		{ID: "dangling-undo", Group: Language, Severity: steps.Error,
			What: "`undo` names a step that isn't there.",
			Why:  "The way back is missing at the moment it is needed.",
			Fix:  "Name the id of a step of this file.",
			Bad:  note("undo: away\n"),
			Good: note("undo: away\n") + "\n## Back\n\n<!-- step\nid: away\n-->\n\n'''sh\nkubectl get ns\n'''\n"},
		{ID: "duplicate-id", Group: Language, Severity: steps.Error,
			What: "Two steps have the same id.",
			Why:  "`--from`, `--only` and `--accept-risk` name steps by their id: the wrong one could be accepted.",
			Fix:  "Give each an id of its own.",
			Bad:  note("id: look\n") + "\n## Next\n\n<!-- step\nid: look\n-->\n\n'''sh\nkubectl get ns\n'''\n",
			Good: note("id: look\n")},
		{ID: "fault-outside", Group: Language, Severity: steps.Error,
			What: "A fault stands in a runbook for something else.",
			Why:  "Faults are looked for in runbooks for fault-finding only.",
			Fix:  "Say `purpose: fault-finding`, or remove the annotation.",
			Bad:  front("purpose: teardown\n", "## Slow\n\n<!-- fault\nevent: BackOff\n-->\n\n'''sh\nkubectl get nodes\n'''\n"),
			Good: front("purpose: fault-finding\n", "## Slow\n\n<!-- fault\nevent: BackOff\n-->\n\n'''sh\nkubectl get nodes\n'''\n")},
	}
}

// valueRules are about what stands in sentences and actions.
func valueRules() []Rule {
	return []Rule{
		{ID: "expectation", Group: Language, Severity: steps.Error,
			What: "An expectation can't be read.",
			Why:  "It is checked when the file is read and not in the middle of a teardown.",
			Fix:  "Take one of the sentences in `docs/format.md`; the hint names the nearest.",
			Bad:  note("expect: namespace/shop is gone\n"),
			Good: note("expect: namespace/shop is absent\n")},
		{ID: "unknown-param", Group: Language, Severity: steps.Error,
			What: "`${NAME}` refers to a parameter that isn't declared.",
			Why:  "In an expectation or an action nothing would be put in for it.",
			Fix:  "Declare it under `params`, or correct the name.",
			Bad:  note("expect: namespace/${NAMESPACE} is active\n"),
			Good: front("params:\n  NAMESPACE: {default: shop}\n", "## Step\n\n<!-- step\nexpect: namespace/${NAMESPACE} is active\n-->\n\n'''sh\nkubectl get nodes\n'''\n")},
		{ID: "secret-in-text", Group: Language, Severity: steps.Error,
			What: "A secret parameter stands where it would be shown.",
			Why:  "Costs, expectations and names of objects are printed and recorded.",
			Fix:  "Use it in commands, as an environment variable, or as data of a `vault:` or `secret:` action.",
			Bad:  front("params:\n  TOKEN: {secret: true}\n", "## Step\n\n<!-- step\ncost: ${TOKEN} is gone\n-->\n\n'''sh\nkubectl get nodes\n'''\n"),
			Good: front("params:\n  TOKEN: {secret: true}\n", "## Step\n\n'''sh\nprintf '%s' \"$TOKEN\" | vault login -no-print -\n'''\n")},
		{ID: "action", Group: Language, Severity: steps.Error,
			What: "An action lacks something, or says something that can't be.",
			Why:  "Actions are carried out without a shell; one that is half understood isn't carried out at all.",
			Fix:  "The message says which key is missing or wrong.",
			Bad:  "# Example\n\n## Step\n\n'''yaml action\nvault: create\nentry: kv/shop\n'''\n",
			Good: "# Example\n\n## Step\n\n'''yaml action\nvault: create\nentry: kv/shop\ndata:\n  session-key: {generate: base64, bytes: 32}\n'''\n"},
		{ID: "manifest", Group: Language, Severity: steps.Error,
			What: "A manifest of an `apply` action isn't one.",
			Why:  "Without apiVersion, kind and a name the API server can't be asked about it, so no preview could be shown.",
			Fix:  "Complete it.",
			Bad:  "# Example\n\n## Step\n\n'''yaml action\napply: manifests\n---\nkind: Namespace\nmetadata: {name: shop}\n'''\n",
			Good: "# Example\n\n## Step\n\n'''yaml action\napply: manifests\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n'''\n"},
	}
}
