package steps

import "testing"

func TestTheTextOfAStepIsTheSameForOneAndForMany(t *testing.T) {
	for _, src := range []string{
		"# A\n\n```sh\nls\n```\n\n## B\n\n```sh\npwd\n```\n",
		"# A\n\n1. one\n\n   ```sh\n   ls\n   ```\n2. two\n\n   ```sh\n   pwd\n   ```",
	} {
		r := Parse("x.md", []byte(src))
		if len(r.Steps) != 2 {
			t.Fatalf("%q: %d steps, want 2", src, len(r.Steps))
		}
		text := r.Texts()
		for _, s := range append(r.Steps, Step{Line: 99, End: 99}) {
			if got, want := string(text(s)), string(r.Text(s)); got != want {
				t.Errorf("lines %d to %d: got %q, want %q", s.Line, s.End, got, want)
			}
		}
	}
}
