package steps

import (
	"slices"
	"testing"
)

func TestTheTextOfAStepIsItsLines(t *testing.T) {
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"# A\n\n```sh\nls\n```\n\n## B\n\n```sh\npwd\n```\n", []string{"# A\n\n```sh\nls\n```\n", "## B\n\n```sh\npwd\n```\n", ""}},
		{"# A\n\n1. one\n\n   ```sh\n   ls\n   ```\n2. two\n\n   ```sh\n   pwd\n   ```", []string{"1. one\n\n   ```sh\n   ls\n   ```\n", "2. two\n\n   ```sh\n   pwd\n   ```", ""}},
	} {
		r := Parse("x.md", []byte(c.src))
		var got []string
		for _, s := range append(r.Steps, Step{Line: 99, End: 99}) {
			got = append(got, string(r.Text(s)))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
