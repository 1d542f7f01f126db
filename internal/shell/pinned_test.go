package shell

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestAPinnedVariableIsTheSameForEveryCommandWhateverOneSetsItTo(t *testing.T) {
	for _, sh := range []string{"bash", "sh"} {
		t.Run(sh, func(t *testing.T) {
			s, err := New(Options{Dir: t.TempDir(), StateDir: t.TempDir(), Shell: sh, Pinned: []string{"KUBECONFIG=/pinned"}})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if _, err := s.Close(t.Context()); err != nil {
					t.Error(err)
				}
			}()
			run := func(code string) (string, Result) {
				t.Helper()
				var out bytes.Buffer
				p, err := s.Start(t.Context(), Command{Code: code, Pipe: true, Record: &out})
				if err != nil {
					t.Fatal(err)
				}
				r := p.Wait()
				return strings.TrimSpace(out.String()), r
			}
			if out, r := run("export KUBECONFIG=/elsewhere OTHER=kept; echo $KUBECONFIG"); out != "/elsewhere" || !slices.Equal(r.PutBack, []string{"KUBECONFIG"}) {
				t.Errorf("where it is set: %q, put back %v", out, r.PutBack)
			}
			if out, r := run("echo $KUBECONFIG $OTHER"); out != "/pinned kept" || r.PutBack != nil {
				t.Errorf("afterwards: %q, put back %v", out, r.PutBack)
			}
		})
	}
}
