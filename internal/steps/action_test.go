package steps

import (
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

const actionFront = "---\nrunbook: v1\nparams:\n  CLUSTER: {}\n  NS: {}\n  N: {type: int, default: 2}\n  PW: {secret: true}\n---\n\n## A\n\n"

func action(body string) *Runbook {
	return parseText(actionFront + "'''yaml action\n" + body + "\n'''\n")
}

func TestEveryActionIsRead(t *testing.T) {
	for body, want := range map[string]ActionVerb{
		"vault: create\nentry: ${CLUSTER}/x\ndata: {k: {generate: base64, bytes: 32}, u: name}":                                                              VaultCreate,
		"vault: add\nentry: ${CLUSTER}/x\ndata: {k: {generate: hex, bytes: 16}}":                                                                             VaultAdd,
		"vault: rotate\nentry: ${CLUSTER}/x\nproperty: k\ngenerate: hex\nbytes: 24":                                                                          VaultRotate,
		"secret: create\nnamespace: ${NS}\nname: x\ntype: t\ndata:\n  u: name\n  p: {generate: hex}\n  url: {template: \"pg://{{.u}}:{{.p | urlquery}}@x\"}": SecretCreate,
		"apply: manifests\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: \"${NS}\"}":                                                                Apply,
		"wait: externalsecret/x is ready\nwithin: 2m":                                                                                                        Wait,
	} {
		r := action(body)
		if err := r.Err(); err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		b := r.Steps[0].Blocks[0]
		if b.Kind != ActionBlock || !b.Offered || b.Action == nil || b.Action.Verb != want || b.Lang != "yaml" || b.Line != 13 {
			t.Errorf("%s: %+v", body, b)
		}
	}
}

func TestTheDataOfAnActionKeepsItsOrder(t *testing.T) {
	r := action("secret: create\nname: x\ndata:\n  z: lit\n  a: {generate: hex, bytes: 24}\n  m: {template: \"{{.z}}\"}\n  u: {generate: uuid}\n  d: {generate: alphanumeric}")
	a := r.Steps[0].Blocks[0].Action
	var keys []string
	for _, d := range a.Data {
		keys = append(keys, d.Key)
	}
	if got := strings.Join(keys, ""); got != "zamud" || a.Data[1].Bytes != 24 || a.Data[0].Literal != "lit" || a.Data[4].Bytes != 32 || a.Data[3].Bytes != 0 || a.Data[0].Pos != (Pos{16, 3}) {
		t.Errorf("got %+v", a.Data)
	}
	r = action("wait: secret/x exists\nwithin: 90s")
	if a := r.Steps[0].Blocks[0].Action; a.Within != 90*time.Second || a.Wait.Check != Exists {
		t.Errorf("got %+v", a)
	}
	r = action("vault: rotate\nentry: a/b\nproperty: k")
	if a := r.Steps[0].Blocks[0].Action; len(a.Data) != 1 || a.Data[0].Key != "k" || a.Data[0].Bytes != 32 {
		t.Errorf("got %+v", a)
	}
}

func TestMistakesInActionsAreErrors(t *testing.T) {
	for body, want := range map[string]string{
		"":                                      "must start with",
		"valut: create":                         "did you mean `vault`?",
		"vault: creat":                          "did you mean `create`?",
		"vault: delete":                         "known: create, add, rotate",
		"vault: create\nentry: a/b":             "lacks `data`",
		"vault: create\ndata: {a: b}":           "lacks `entry`",
		"vault: create\nentry: a\ndata: {a: b}": "must be mount/path",
		"vault: create\nentry: a/b\nproperty: c\ndata: {a: b}":                                                 "belongs to `vault: rotate`",
		"vault: create\nentry: a/b\ndata: {a: {generate: rot13}}":                                              "known: base64, hex, alphanumeric, uuid",
		"vault: create\nentry: a/b\ndata: {a: {generate: hex, bytes: 1}}":                                      "from 8 to 1024",
		"vault: create\nentry: a/b\ndata: {a: {bytes: 32}}":                                                    "how the value",
		"vault: create\nentry: a/b\ndata: {a: {generate: uuid, bytes: 9}}":                                     "has no `bytes`",
		"vault: create\nentry: a/b\ndata: {a: {generate: hex, template: x}}":                                   "either generated",
		"vault: create\nentry: a/b\ndata: {a: b, a: c}":                                                        "occurs twice",
		"vault: create\nentry: a/b\ndata: {a: {template: \"{{.b}}\"}}":                                         "isn't among the data",
		"vault: create\nentry: a/b\ndata: {a: {template: \"{{.a}}\"}}":                                         "uses itself",
		"vault: create\nentry: a/b\ndata: {a: {template: \"{{\"}}":                                             "can't be read",
		"vault: rotate\nentry: a/b":                                                                            "lacks `property`",
		"vault: rotate\nentry: a/b\nproperty: k\ndata: {x: y}":                                                 "one property only",
		"secret: create\nentry: x\nname: y\ndata: {a: b}":                                                      "has no key `entry`",
		"secret: create\ndata: {a: b}":                                                                         "lacks `name`",
		"apply: manifests":                                                                                     "lacks `manifests`",
		"apply: manifests\n---\nkind: X\nmetadata: {}":                                                         "has no `apiVersion`",
		"apply: manifests\n---\napiVersion: [":                                                                 "isn't YAML",
		"apply: manifests\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: x}\nstringData: {p: \"${PW}\"}": "would be shown",
		"wait: secret/x exits":                                                                                 "did you mean `exists`?",
		"wait: secret/x exists\n---\na: b":                                                                     "only `apply: manifests`",
		"vault: create\nentry: ${CLUSTR}/b\ndata: {a: b}":                                                      "did you mean `CLUSTER`?",
		"vault: create\nentry: ${PW}/b\ndata: {a: b}":                                                          "would be shown",
	} {
		r := action(body)
		if r.Err() == nil || !strings.Contains(dump(r), want) {
			t.Errorf("%s: want %q in\n%s", body, want, dump(r))
		}
		if len(r.Steps) != 1 || r.Steps[0].Blocks[0].Offered {
			t.Errorf("%s: must not be offered", body)
		}
	}
}

func TestActionsAreBound(t *testing.T) {
	r := action("secret: create\nnamespace: ${NS}\nname: ${NS}-db\ndata:\n  u: ${NS}\n  p: ${PW}\n  url: {template: \"{{.u}}@${NS}\"}")
	p, err := r.Bind(Values{"NS": {Text: "{{evil}}"}, "PW": {Text: "hunter2", Secret: true}})
	if err != nil {
		t.Fatal(err)
	}
	a := p.Steps[0].Blocks[0].Action
	if a.Namespace != "{{evil}}" || a.Data[0].Literal != "{{evil}}" || a.Data[0].Secret || a.Data[1].Literal != "hunter2" || !a.Data[1].Secret {
		t.Errorf("got %+v", a)
	}
	if got, want := a.Data[2].Template, `{{.u}}@{{"{{"}}evil}}`; got != want {
		t.Errorf("template: got %s, want %s", got, want)
	}
	if r.Steps[0].Blocks[0].Action.Namespace != "${NS}" {
		t.Error("binding must not change the runbook")
	}
}

func TestAValueCannotChangeTheStructureOfAManifest(t *testing.T) {
	r := action("apply: manifests\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n  labels:\n    a: \"${NS}\"\n    plain: ${NS}\ndata:\n  text: |\n    before ${NS} after\n  number: \"${N}\"\nspec:\n  replicas: ${N}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: y}\n")
	evil := "x\"\nkind: Secret\nmetadata: {name: z}\n---\n'"
	p, err := r.Bind(Values{"NS": {Text: evil}, "N": {Text: "3"}})
	if err != nil {
		t.Fatal(err)
	}
	m := p.Steps[0].Blocks[0].Action.Manifests
	if len(m) != 2 || m[0].Line != 15 || m[1].Line != 29 {
		t.Fatalf("got %+v", m)
	}
	var got struct {
		Kind     string
		Metadata struct {
			Name   string
			Labels map[string]string
		}
		Data map[string]string
		Spec struct{ Replicas any }
	}
	if err := yaml.Unmarshal([]byte(m[0].Text), &got); err != nil {
		t.Fatalf("%v in\n%s", err, m[0].Text)
	}
	if got.Kind != "ConfigMap" || got.Metadata.Labels["a"] != evil || got.Metadata.Labels["plain"] != evil || got.Data["text"] != "before "+evil+" after\n" ||
		got.Data["number"] != "3" || got.Spec.Replicas != 3 {
		t.Errorf("got %+v from\n%s", got, m[0].Text)
	}
}
