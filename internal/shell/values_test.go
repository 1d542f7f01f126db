package shell

import (
	"slices"
	"testing"
)

func TestAValueThatIsGivenAnewWinsOverWhatACommandMadeOfIt(t *testing.T) {
	for _, sh := range shells(t) {
		s := open(t, Options{Shell: sh})
		show := `echo "NS=${NS-unset}"`
		for i, c := range []struct {
			renew   bool
			env     string
			code    string
			want    string
			strayed bool // afterwards
		}{
			{false, "param", show, "param", false},
			{false, "param", "export NS=code", "", true},
			{false, "param", show, "code", true},
			{true, "param", show, "param", false}, // the value is the old one: it was asked for again
			{false, "param", "unset NS", "", true},
			{false, "other", show, "other", false},
			{false, "other", "export NS=other", "", false},
		} {
			if c.renew {
				s.Renew("NS")
			}
			out, _ := runCode(t, s, Command{Code: c.code, Env: []string{"NS=" + c.env, "QUIET=1"}})
			if want := "NS=" + c.want + "\n"; c.want != "" && out != want {
				t.Errorf("%s %d: got %q, want %q", sh, i, out, want)
			}
			if got := s.Strayed(); slices.Equal(got, []string{"NS"}) != c.strayed {
				t.Errorf("%s %d: strayed %v, want NS: %v", sh, i, got, c.strayed)
			}
		}
	}
}
