package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"runbook/internal/guard"
)

// liveKey is the session key of the sandbox, which no gate may show.
func (d *desk) liveKey(t *testing.T) string {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(d.kubectl(t, "-n", "schmetterpause", "get", "secret", "schmetterpause-app", "-o", "jsonpath={.data.SP_SESSION_KEY}"))
	if err != nil || len(raw) == 0 {
		t.Fatalf("no session key: %v", err)
	}
	return string(raw)
}

// keyed is a manifest of the Secret; content is its data.
func keyed(content string, args ...any) string {
	return "\napiVersion: v1\nkind: Secret\nmetadata: {name: schmetterpause-app, namespace: schmetterpause}\n" + fmt.Sprintf(content, args...)
}

// file writes a manifest beside the runbook.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAnAppliedValueIsComparedWithTheLiveOneWithoutShowingEither(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "deployed-ordinary")
	key, other := d.liveKey(t), "another-value-that-is-long-enough-for-it"
	encoded := base64.StdEncoding.EncodeToString([]byte(key))
	const piped = `kubectl -n schmetterpause create secret generic schmetterpause-app --from-literal=SP_SESSION_KEY=%s --dry-run=client -o yaml | kubectl -n schmetterpause apply -f -`
	const (
		same    = "writes into the Secret what is there already as the session key"
		changed = "overwrites the Secret that holds the session key; the pods read it at their next restart; the value is another one"
		open    = "overwrites the Secret that holds the session key; the pods read it at their next restart; can't tell whether the value is another one: it is only known when the step runs"
		space   = "the value differs from the one that is there in white space around it alone"
	)
	rows := []row{
		{"a here-document with the same value", applied(keyed("stringData: {SP_SESSION_KEY: %q}", key)), guard.Secret, same, "nothing has to be taken back", itsID},
		{"a here-document with the same value, encoded", applied(keyed("data: {SP_SESSION_KEY: %s}", encoded)), guard.Secret, same, "", itsID},
		{"a here-document with another value", applied(keyed("stringData: {SP_SESSION_KEY: %s}", other)), guard.Secret, changed, "no other place", rotate},
		{"stringData wins over data", applied(keyed("data: {SP_SESSION_KEY: %s}\nstringData: {SP_SESSION_KEY: %s}", encoded, other)), guard.Secret, changed, "no other place", rotate},
		{"a line end more", applied(keyed("stringData: {SP_SESSION_KEY: %q}", key+"\n")), guard.Secret, space, "no other place", rotate},
		{"a value that the shell decides", strings.Replace(applied(keyed("stringData: {SP_SESSION_KEY: $KEY}")), "<<'EOF'", "<<EOF", 1), guard.Secret, open, "no other place", rotate},
		{"an action with the same value", action("apply: manifests\n---" + keyed("stringData: {SP_SESSION_KEY: %q}", key)), guard.Secret, same, "", itsID},
		{"an action with another value", action("apply: manifests\n---" + keyed("stringData: {SP_SESSION_KEY: %s}", other)), guard.Secret, changed, "no other place", rotate},
		{"a file with the same value", sh("kubectl apply -f " + file(t, keyed("stringData: {SP_SESSION_KEY: %q}", key))), guard.Secret, same, "", itsID},
		{"a file with another value", sh("kubectl apply -f " + file(t, keyed("stringData: {SP_SESSION_KEY: %s}", other))), guard.Secret, changed, "no other place", rotate},
		{"a file that is replaced with the same value", sh("kubectl replace -f " + file(t, keyed("stringData: {SP_SESSION_KEY: %q}", key))), guard.Secret, same, "", itsID},
		{"a pipe with the same value", sh(fmt.Sprintf(piped, "'"+key+"'")), guard.Secret, same, "", itsID},
		{"a pipe with another value", sh(fmt.Sprintf(piped, other)), guard.Secret, changed, "no other place", rotate},
		{"a pipe with a generated value", sh(fmt.Sprintf(piped, `"$(openssl rand -hex 16)"`)), guard.Secret, "can't tell whether the value is another one", "no other place", rotate},
		{"made anew with the same value", strings.Replace(applied(keyed("stringData: {SP_SESSION_KEY: %q}", key)), "apply -f", "replace --force -f", 1), guard.Secret, "the value is the one that is there already", "no other place", rotate},
	}
	var fences []string
	for _, r := range rows {
		fences = append(fences, r.fence)
	}
	for i, g := range d.gates(t, fences...) {
		t.Run(rows[i].row, func(t *testing.T) {
			if rows[i].warns == same {
				if len(g.Warnings) != 1 || !strings.HasPrefix(g.Warnings[0].Text, same) || strings.Contains(g.Warnings[0].Text, "logged out") || g.Words != g.Step {
					t.Errorf("want only %q and no cost:\n%s", same, described(g))
				}
			} else {
				rows[i].hold(t, g)
			}
			for _, w := range g.Warnings {
				for _, value := range []string{key, encoded, other} {
					if strings.Contains(w.Text+w.Undo, value) {
						t.Error("a value is shown")
					}
				}
			}
		})
	}
}
