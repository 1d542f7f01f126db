package conform

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"
)

// definitionUnderWatch deletes a definition while its objects are watched: the watch must bring their end and then close
// without an error, which looks to a careless client as if all was well.
func definitionUnderWatch(t *testing.T, target Target) {
	c, err := newClient(t, target, "conform-open")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []exchange{
		{method: "POST", path: crds, body: crd, status: 201},
		{method: "GET", path: things, status: 200, eventually: true, keep: "then=metadata.resourceVersion"},
		{method: "POST", path: things, status: 201, eventually: true, body: `{apiVersion: "${ns}.example.com/v1", kind: Thing, metadata: {name: a}, spec: {size: 3}}`},
	} {
		if problem := c.run(e); problem != "" {
			t.Fatalf("%s %s: %s", e.method, c.fill(e.path), problem)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.host+c.fill(things)+"?watch=1&resourceVersion="+c.kept["then"], nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.as[""].Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }() // it has been read to its end
	watch := json.NewDecoder(resp.Body)
	next := func() string {
		var e struct{ Type string }
		if err := watch.Decode(&e); errors.Is(err, io.EOF) {
			return "a clean end"
		} else if err != nil {
			return err.Error()
		}
		return e.Type
	}
	if got := next(); got != "ADDED" {
		t.Fatalf("got %s, want ADDED", got)
	}
	if problem := c.run(exchange{method: "DELETE", path: crds + "/things.${ns}.example.com", status: 200}); problem != "" {
		t.Fatal(problem)
	}
	for _, want := range []string{"DELETED", "a clean end"} {
		if got := next(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	gone := exchange{method: "GET", path: things, status: 404, text: "404 page not found", eventually: true}
	if problem := c.run(gone); problem != "" {
		t.Error(problem)
	}
}

// forgotten goes on where the history is gone. It comes last, because everybody loses the history at once.
func forgotten(t *testing.T, target Target) {
	c, err := newClient(t, target, "conform-forgotten")
	if err != nil {
		t.Fatal(err)
	}
	c.all(t, beforeCompaction)
	if err := target.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.all(t, afterCompaction)
}

// all carries out exchanges in order.
func (c *client) all(t *testing.T, does []exchange) {
	t.Helper()
	for i, e := range does {
		if problem := c.run(e); problem != "" {
			t.Errorf("exchange %d, %s %s: %s", i+1, e.method, c.fill(e.path), problem)
		}
	}
}
