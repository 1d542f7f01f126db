package world

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"runbook/internal/dig"
)

var noon = time.Date(2026, 8, 22, 10, 10, 0, 0, time.UTC)

type fixture struct {
	Tag     string         `yaml:"tag"`
	Want    Answer         `yaml:"want"`
	Why     string         `yaml:"why"`
	Final   bool           `yaml:"final"`
	Now     time.Time      `yaml:"now"`
	Object  map[string]any `yaml:"object"`
	Events  []Event        `yaml:"events"`
	Related []struct {
		Object map[string]any `yaml:"object"`
		Absent string         `yaml:"absent"` // kind/namespace/name
		Hidden string         `yaml:"hidden"`
	} `yaml:"related"`
}

func TestEveryKindIsJudgedByItsOwnRule(t *testing.T) {
	for file, cases := range fixtures(t) {
		for _, f := range cases {
			t.Run(file+"/"+f.Tag, func(t *testing.T) {
				now := noon
				if !f.Now.IsZero() {
					now = f.Now
				}
				got := Judge(f.object(), now)
				if got.Answer != f.Want || got.Final != f.Final {
					t.Errorf("answer: got %s (final %v), want %s (final %v); why: %s", got.Answer, got.Final, f.Want, f.Final, got.Why)
				}
				if !strings.Contains(got.Why, f.Why) {
					t.Errorf("why:\n got %s\nwant %s", got.Why, f.Why)
				}
				if f.Want == Holds && f.Why == "" && got.Why != "" {
					t.Errorf("a caveat that nobody asked for: %s", got.Why)
				}
				if f.Want != Holds && got.Why == "" {
					t.Error("a verdict without a reason")
				}
			})
		}
	}
}

// What is not heard of, or not allowed, or of a kind that isn't there must
// never be green, whatever its body says.
func TestNoReadyObjectIsReadyOnceItIsUnheard(t *testing.T) {
	for file, cases := range fixtures(t) {
		for _, f := range cases {
			if f.Want != Holds {
				continue
			}
			for name, spoil := range map[string]func(*Object){
				"stale":   func(o *Object) { o.Stale, o.StaleSince = true, noon },
				"hidden":  func(o *Object) { o.Presence = Hidden },
				"asking":  func(o *Object) { o.Presence = Asking },
				"gone":    func(o *Object) { o.Presence = Gone },
				"no kind": func(o *Object) { o.Presence = NoKind },
				"deleted": func(o *Object) {
					o.Body["metadata"].(map[string]any)["deletionTimestamp"] = "2026-08-22T10:00:00Z"
				},
				"stale relative": func(o *Object) {
					o.Related = append(o.Related, Object{Ref: NewRef("secret", "", "x", "y"), Fact: Fact{Presence: Present, Stale: true, StaleSince: noon}})
				},
			} {
				o := f.object()
				spoil(&o)
				if v := Judge(o, noon); v.Answer == Holds || v.Why == "" {
					t.Errorf("%s/%s, %s: got %s %q", file, f.Tag, name, v.Answer, v.Why)
				}
			}
		}
	}
}

func TestAStoppedWatchSaysSinceWhen(t *testing.T) {
	o := Object{Ref: NewRef("deploy", "", "shop", "web"), Kind: "Deployment", Group: "apps",
		Fact: Fact{Presence: Present, Stale: true, StaleSince: time.Date(2026, 8, 22, 14, 2, 11, 0, time.UTC), Why: "connection refused"}}
	got := Judge(o, noon)
	want := Verdict{Answer: CantTell, Why: "not heard since 14:02:11: connection refused"}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAgesGoByTheServersClock(t *testing.T) {
	f := fixture{Object: map[string]any{
		"apiVersion": "external-secrets.io/v1", "kind": "ExternalSecret",
		"metadata": map[string]any{"name": "x", "namespace": "shop", "creationTimestamp": "2026-08-22T10:09:50Z"},
	}}
	o := f.object()
	laptop := noon.Add(time.Hour) // an hour ahead of the server
	o.Seen, o.ServerTime = laptop, noon
	if v := Judge(o, laptop); v.Answer != TooEarly {
		t.Errorf("ten seconds after its creation: got %s %q, want too early", v.Answer, v.Why)
	}
	if v := Judge(o, laptop.Add(time.Minute)); v.Answer != DoesNot {
		t.Errorf("a minute later: got %s %q, want does not", v.Answer, v.Why)
	}
}

func TestAListIsAsGoodAsItsWorst(t *testing.T) {
	good := Object{Ref: NewRef("secret", "", "shop", "a"), Kind: "Secret", Fact: Fact{Presence: Present}, Body: map[string]any{}}
	bad := Object{Ref: NewRef("secret", "", "shop", "b"), Kind: "Secret", Fact: Fact{Presence: Hidden, Why: "forbidden"}}
	all := Object{Ref: NewRef("secret", "", "shop", ""), Fact: Fact{Presence: Present}, Related: []Object{good, bad}}
	got := Judge(all, noon)
	want := Verdict{Answer: CantTell, Why: "1 of 2 ready; secret/b: forbidden"}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	all.Related = []Object{good, good}
	if got := Judge(all, noon); got.Answer != Holds {
		t.Errorf("two good ones: got %+v", got)
	}
}

func fixtures(t *testing.T) map[string][]fixture {
	t.Helper()
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	out := map[string][]fixture{}
	for _, file := range files {
		in, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		for d := yaml.NewDecoder(in); ; {
			var f fixture
			err := d.Decode(&f)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			out[filepath.Base(file)] = append(out[filepath.Base(file)], f)
		}
	}
	return out
}

func (f fixture) object() Object {
	o := present(f.Object)
	o.Events = f.Events
	for _, r := range f.Related {
		switch {
		case r.Object != nil:
			o.Related = append(o.Related, present(r.Object))
		case r.Absent != "":
			o.Related = append(o.Related, Object{Ref: refOf(r.Absent), Fact: Fact{Presence: Gone}})
		default:
			o.Related = append(o.Related, Object{Ref: refOf(r.Hidden), Fact: Fact{Presence: Hidden, Why: "forbidden"}})
		}
	}
	return o
}

func refOf(text string) Ref {
	p := strings.SplitN(text, "/", 3)
	return NewRef(p[0], "", p[1], p[2])
}

// present is what a watch would have made of the body. Unless said otherwise
// an object is ten minutes old and of generation 1.
func present(body map[string]any) Object {
	body = clone(body).(map[string]any)
	meta := body["metadata"].(map[string]any)
	if meta["creationTimestamp"] == nil {
		meta["creationTimestamp"] = "2026-08-22T10:00:00Z"
	}
	if meta["generation"] == nil {
		meta["generation"] = int64(1)
	}
	group, _, ok := strings.Cut(dig.Text(body, "apiVersion"), "/")
	if !ok {
		group = ""
	}
	o := Object{Kind: dig.Text(body, "kind"), Group: group, Body: body, Fact: Fact{Presence: Present}}
	o.Ref = NewRef(o.Kind, group, dig.Text(meta, "namespace"), dig.Text(meta, "name"))
	if o.Kind == "Secret" || o.Kind == "ConfigMap" {
		o.Keys = keysOf(body, "data")
	}
	return o
}

// clone copies a decoded document; numbers become what a JSON decoder of the
// API makes of them.
func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[k] = clone(e)
		}
		return out
	case []any:
		out := slices.Clone(v)
		for i := range out {
			out[i] = clone(out[i])
		}
		return out
	case int:
		return int64(v)
	case time.Time:
		return v.Format(time.RFC3339)
	}
	return v
}
