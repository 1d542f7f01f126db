package conform

import (
	"encoding/json"
	"testing"
)

func TestADifferenceIsSeen(t *testing.T) {
	for _, tc := range []struct {
		want, got string
		matches   bool
	}{
		{`{"a":1}`, `{"a":1,"b":2}`, true},
		{`{"a":1}`, `{"a":2}`, false},
		{`{"a":1}`, `{}`, false},
		{`{"a":null}`, `{"a":null}`, true},
		{`{"a":null}`, `{"a":{}}`, false},
		{`{"a":{}}`, `{"a":null}`, false},
		{`{"a":["x"]}`, `{"a":["x","y"]}`, false},
		{`{"a":"<any>"}`, `{"a":0}`, true},
		{`{"a":"<any>"}`, `{"a":null}`, false},
		{`{"a":"<any>"}`, `{}`, false},
		{`{"a":"<absent>"}`, `{}`, true},
		{`{"a":"<absent>"}`, `{"a":null}`, false},
		{`{"a":{"b":"<absent>"}}`, `{"a":{"b":1}}`, false},
	} {
		var want, got any
		if err := json.Unmarshal([]byte(tc.want), &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(tc.got), &got); err != nil {
			t.Fatal(err)
		}
		if problem := match("", want, got); (problem == "") != tc.matches {
			t.Errorf("want %s of %s: got %q", tc.want, tc.got, problem)
		}
	}
}
