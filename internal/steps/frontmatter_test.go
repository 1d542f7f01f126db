package steps

import (
	"strings"
	"testing"
)

func TestFrontMatterIsRead(t *testing.T) {
	r := parseText("---\nrunbook: v1\ntitle: T\npurpose: teardown\nneeds: kubectl\nprotects:\n  - secret: ${NS}/app\n    key: K\n    vault: ${NS}/app\n    property: k\n    cost: everybody\nparams:\n  NS: {default: web, pattern: \"[a-z]+\", help: h, example: x}\n  KIOSK: {type: bool, default: false}\n  N: {type: int}\n  EMPTY: {default: \"\"}\n  BARE:\n---\n\n## A\n\n'''sh\necho a\n'''\n")
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	if r.Title != "T" || r.Purpose != Teardown || len(r.Needs) != 1 || len(r.Params) != 5 || len(r.Protects) != 1 {
		t.Errorf("%s", dump(r))
	}
	if q := r.Param("KIOSK"); q.Type != BoolParam || q.Default != "false" || !q.HasDefault {
		t.Errorf("%+v", q)
	}
	if q := r.Param("EMPTY"); q.Default != "" || !q.HasDefault {
		t.Errorf("%+v", q)
	}
	if r.Param("BARE").HasDefault || r.Param("NONE") != nil {
		t.Error("BARE has no default, and NONE doesn't exist")
	}
	if q := r.Protects[0]; q.Name != "K k" || q.Pos.Line != 7 {
		t.Errorf("%+v", q)
	}
}

func TestMistakesInFrontMatterSayWhere(t *testing.T) {
	for body, want := range map[string]string{
		"runbook: v2":                                              "2:10 front-matter: runbook can't be `v2` [did you mean `v1`?]",
		"runbook: v1\ntitel: x":                                    "3:1 unknown-key: front matter has no key `titel` [did you mean `title`?]",
		"runbook: v1\n\"ti\\ntle\": x":                             "3:1 unknown-key: front matter has no key `ti tle` [did you mean `title`?]",
		"runbok: v1":                                               "2:1 unknown-key: front matter has no key `runbok` [did you mean `runbook`?]",
		"runbook: v1\npurpose: bringup":                            "3:10 front-matter: purpose can't be `bringup` [did you mean `bring-up`?]",
		"runbook: v1\nparams: {A: {defualt: x}}":                   "3:14 unknown-key: parameter A has no key `defualt` [did you mean `default`?]",
		"runbook: v1\nparams: {A B: {}}":                           "3:10 front-matter: a parameter can't be named `A B`",
		"runbook: v1\nparams: {PATH: {}}":                          "3:10 front-matter: a parameter can't be named `PATH`: the shell uses",
		"runbook: v1\nparams: {A: {pattern: \"(\"}}":               "3:23 front-matter: pattern `(` isn't a regular expression: missing closing ): `(`",
		"runbook: v1\nparams: {A: {default: x, choices: [a]}}":     "3:23 front-matter: the default of A isn't allowed: `x` must be one of: a",
		"runbook: v1\nparams: {A: {default: x, secret: true}}":     "3:23 front-matter: the secret parameter A has a default",
		"runbook: v1\nparams: {A: {default: \"${B}\"}}":            "3:23 unknown-param: there is no parameter `B`",
		"runbook: v1\nparams: {A: {type: number}}":                 "3:20 front-matter: type can't be `number`",
		"runbook: v1\nparams: [A]":                                 "3:9 front-matter: params must be a mapping",
		"runbook: v1\nprotects:\n  - secret: a/b":                  "4:5 front-matter: which key of the Secret is protected isn't said",
		"runbook: v1\nprotects:\n  - secret: b\n    key: k":        "4:5 front-matter: secret `b` must be namespace/name",
		"runbook: v1\nprotects:\n  - cost: x":                      "4:5 front-matter: nothing is protected here",
		"runbook: v1\nprotects:\n  - vault: a/b":                   "4:5 front-matter: which property of the Vault entry",
		"runbook: v1\nprotects:\n  - {secret: \"${X}/b\", key: k}": "4:14 unknown-param: there is no parameter `X`",
		"runbook: v1\ntitle: [":                                    "front-matter: this isn't YAML",
	} {
		r := parseText("---\n" + body + "\n---\n\n## A\n\n'''sh\necho a\n'''\n")
		if r.Err() == nil || !strings.Contains(dump(r), want) {
			t.Errorf("%s: want %q in\n%s", body, want, dump(r))
		}
	}
}

func TestFrontMatterThatForgetsToSayWhatItIsIsMentioned(t *testing.T) {
	for body, want := range map[string]int{
		"purpose: teardown":                         2,
		"params: {NAMESPACE: {default: x}}":         2,
		"params:\n  A: {secret: true}\n  B: {}":     2,
		"params: {NAMESPACE: x}":                    0,
		"params: {limit: {default: 1, minimum: 0}}": 0,
		"params: [A]":                               0,
	} {
		r := parseText("---\n" + body + "\n---\n\n## A\n\n'''sh\necho a\n'''\n")
		if got := ruleAt(r, "front-matter-ignored"); got != want {
			t.Errorf("%s: mentioned in line %d, want %d", body, got, want)
		}
		if r.Err() != nil {
			t.Errorf("%s: that is no error: the file may be another tool's", body)
		}
	}
}
