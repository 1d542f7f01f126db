package dig_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"runbook/internal/dig"
)

const object = `{"spec": {"name": "a", "n": 3, "on": true, "items": [1, 2], "when": "2026-08-22T10:00:00Z"}, "bare": "text"}`

func TestAFieldIsFoundWhicheverDecoderMadeIt(t *testing.T) {
	var plain, numbers any
	if err := json.Unmarshal([]byte(object), &plain); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(object))
	d.UseNumber()
	if err := d.Decode(&numbers); err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{plain, numbers, map[string]any{"spec": map[string]any{"name": "a", "n": int64(3), "on": true, "items": []any{1, 2}, "when": "2026-08-22T10:00:00Z"}, "bare": "text"}} {
		if dig.Text(v, "spec", "name") != "a" || dig.Int(v, "spec", "n") != 3 || !dig.Bool(v, "spec", "on") || len(dig.List(v, "spec", "items")) != 2 ||
			!dig.Time(v, "spec", "when").Equal(time.Date(2026, 8, 22, 10, 0, 0, 0, time.UTC)) || dig.Map(v, "spec") == nil || dig.At(v) == nil {
			t.Errorf("something isn't found in %v", v)
		}
		if dig.Int(map[string]any{"n": 3}, "n") != 3 {
			t.Error("an int isn't a number")
		}
	}
}

func TestWhatIsMissingOrOfAnotherTypeIsTheZeroValue(t *testing.T) {
	v := map[string]any{"bare": "text", "n": 3}
	for _, path := range [][]string{{"no"}, {"bare", "below"}, {"no", "no"}} {
		if dig.At(v, path...) != nil || dig.Text(v, path...) != "" || dig.Int(v, path...) != 0 || dig.Bool(v, path...) ||
			dig.List(v, path...) != nil || dig.Map(v, path...) != nil || !dig.Time(v, path...).IsZero() {
			t.Errorf("%v is something", path)
		}
	}
	if dig.Int(v, "bare") != 0 || dig.Text(v, "n") != "" || !dig.Time(v, "bare").IsZero() || dig.At(nil, "a") != nil {
		t.Error("another type is something")
	}
}
