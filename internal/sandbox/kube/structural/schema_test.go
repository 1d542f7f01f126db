package structural

import (
	"encoding/json"
	"slices"
	"testing"

	sigsyaml "sigs.k8s.io/yaml"
)

func parse(t *testing.T, text string) *Schema {
	t.Helper()
	s, err := Parse(value(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func value(t *testing.T, text string) map[string]any {
	t.Helper()
	data, err := sigsyaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return integers(out).(map[string]any)
}

const sample = `
type: object
required: [spec]
properties:
  spec:
    type: object
    required: [size]
    properties:
      size: {type: integer, minimum: 1, maximum: 9}
      mode: {type: string, enum: [a, b], default: a}
      name: {type: string, pattern: '^[a-z]+$', maxLength: 3}
      port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
      free: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {strict: {type: object, properties: {a: {type: string}}}}}
      labels: {type: object, additionalProperties: {type: string}}
      list: {type: array, maxItems: 1, items: {type: object, properties: {x: {type: integer, default: 7}}}}
      gone: {type: string, nullable: true, default: here}
      template: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object}}}
`

func TestWhatTheSchemaDoesNotKnowIsDropped(t *testing.T) {
	obj := value(t, `{apiVersion: v1, kind: W, metadata: {name: x}, bogus: 1, spec: {bogus: 1, free: {any: 1, strict: {a: x, b: y}}, labels: {any: x}, list: [{x: 1, z: 2}], template: {metadata: {name: t}, kind: K, extra: 1}}}`)
	got := parse(t, sample).Prune(obj)
	slices.Sort(got)
	want := []string{"bogus", "spec.bogus", "spec.free.strict.b", "spec.list[0].z", "spec.template.extra"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	left, err := json.Marshal(obj["spec"])
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"free":{"any":1,"strict":{"a":"x"}},"labels":{"any":"x"},"list":[{"x":1}],"template":{"kind":"K","metadata":{"name":"t"}}}`; string(left) != want {
		t.Errorf("got %s, want %s", left, want)
	}
}

func TestDefaultsFillWhatIsLeftOut(t *testing.T) {
	obj := value(t, `{spec: {size: 1, list: [{}], gone: null}}`)
	parse(t, sample).Default(obj)
	got, err := json.Marshal(obj)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"spec":{"gone":null,"list":[{"x":7}],"mode":"a","size":1}}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestValidationSaysWhatIsWrongAsTheRealServerDoes(t *testing.T) {
	s := parse(t, sample)
	tests := []struct{ name, object, want string }{
		{"nothing", `{spec: {size: 3, port: http}}`, ""},
		{"an int for int-or-string", `{spec: {size: 3, port: 80}}`, ""},
		{"absent", `{}`, "spec: Required value"},
		{"absent below", `{spec: {}}`, "spec.size: Required value"},
		{"too small", `{spec: {size: 0}}`, "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1"},
		{"too large", `{spec: {size: 10}}`, "spec.size: Invalid value: 10: spec.size in body should be less than or equal to 9"},
		{"another type", `{spec: {size: x}}`, `spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"`},
		{"not a choice", `{spec: {size: 1, mode: c}}`, `spec.mode: Unsupported value: "c": supported values: "a", "b"`},
		{"not the pattern", `{spec: {size: 1, name: A}}`, `spec.name: Invalid value: "A": spec.name in body should match '^[a-z]+$'`},
		{"too long", `{spec: {size: 1, name: abcd}}`, `spec.name: Too long: may not be more than 3 bytes`},
		{"too many", `{spec: {size: 1, list: [{}, {}]}}`, `spec.list: Too many: 2: must have at most 1 item`},
		{"a list's element", `{spec: {size: 1, list: [{x: a}]}}`, `spec.list[0].x: Invalid value: "string": spec.list[0].x in body must be of type integer: "string"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if errs := s.Validate(value(t, tt.object)); len(errs) > 0 {
				got = errs.ToAggregate().Error()
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
