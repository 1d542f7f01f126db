package risk

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestWhatASecretIsGivenIsKnownWhereItIsWrittenDown(t *testing.T) {
	const head = "apiVersion: v1\nkind: Secret\nmetadata: {name: app, namespace: shop}\n"
	here := func(content string) string { return "kubectl apply -f - <<'EOF'\n" + head + content + "\nEOF" }
	open := func(content string) string { return "kubectl apply -f - <<EOF\n" + head + content + "\nEOF" }
	files := map[string]string{
		"secret.yaml": head + "stringData: {K: from-a-file}", "value": "from-a-file", "text.yaml": head + "stringData:\n  K: |\n    one\n    two\n",
		"list.yaml": "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: app, namespace: shop}, stringData: {K: of-a-list}}",
	}
	context := Context{Env: map[string]string{"SET": "known"}, ReadFile: func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, errors.New("not there")
	}}
	const unknown = "(unknown)"
	for _, tt := range []struct{ command, want string }{
		{here("stringData: {K: plain}"), "plain"},
		{here("data: {K: cGxhaW4=}"), "plain"},
		{here("data: {K: b3RoZXI=}\nstringData: {K: plain}"), "plain"},
		{here("data: {K: '***'}"), unknown},
		{here("stringData: {K: 17}"), unknown},
		{here("stringData: {K: $NOT_EXPANDED}"), "$NOT_EXPANDED"},
		{here("stringData: {OTHER: x}"), unknown},
		{open("stringData: {K: plain, L: $UNSET}"), "plain"},
		{open("stringData: {K: $UNSET}"), unknown},
		{open("stringData: {K: $SET}"), "known"},
		{open("stringData: {K: \"$(openssl rand -hex 8)\"}"), unknown},
		{"kubectl apply -f secret.yaml", "from-a-file"},
		{"kubectl apply --server-side -f secret.yaml", "from-a-file"},
		{"kubectl replace -f secret.yaml", "from-a-file"},
		{"kubectl apply -f list.yaml", "of-a-list"},
		{"kubectl apply -f text.yaml", "one\ntwo\n"},
		{"cat secret.yaml | kubectl apply -f -", "from-a-file"},
		{"sed s/from/of/ secret.yaml | kubectl apply -f -", "(no Secret)"}, // a file as sed's argument isn't read,
		{"head -20 secret.yaml | yq '.stringData.K=1' | kubectl apply -f -", "(no Secret)"},
		{here("stringData: {K: plain}") + "\n", "plain"},
		{"kubectl -n shop create secret generic app --from-literal=K=plain --dry-run=client -o yaml | yq '.data.K=1' | kubectl apply -f -", unknown},
		{"cat <<'EOF' | kubectl apply -f -\n" + head + "stringData: {K: plain}\nEOF", "plain"},
		{"envsubst < secret.yaml | kubectl apply -f -", unknown},
		{"kubectl -n shop create secret generic app --from-literal=K=plain --dry-run=client -o yaml | kubectl apply -f -", "plain"},
		{"kubectl -n shop create secret generic app --from-literal=K=\"$UNSET\" --dry-run=client -o yaml | kubectl apply -f -", unknown},
		{"kubectl -n shop create secret generic app --from-literal=K=\"$(openssl rand -hex 8)\" --dry-run=client -o yaml | kubectl apply -f -", unknown},
		{"kubectl -n shop create secret generic app --from-file=K=value --dry-run=client -o yaml | kubectl apply -f -", "from-a-file"},
		{"kubectl -n shop create secret generic app --from-file=K=missing --dry-run=client -o yaml | kubectl apply -f -", unknown},
	} {
		r := Classify(tt.command, context)
		got := "(no Secret)"
		for _, touch := range r.Touches {
			if touch.Kind != "secret" || touch.Op != "apply" {
				continue
			}
			value, known := touch.Given.Value("K")
			if got = value; !known {
				got = unknown
			}
		}
		if got != tt.want {
			t.Errorf("%s\ngives %q, want %q", tt.command, got, tt.want)
		}
		if printed := fmt.Sprintf("%+v %#v", r.Touches, r.Touches); strings.Contains(printed, "from-a-file") || strings.Contains(printed, "plain") {
			t.Errorf("%s: printing it shows the value", tt.command)
		}
	}
}

func TestAManifestOfASecretGivesItsKeys(t *testing.T) {
	keys, g := SecretGiven("kind: Secret\ndata: {B: eA==}\nstringData: {A: a, B: b}")
	if v, known := g.Value("B"); fmt.Sprint(keys) != "[A B]" || v != "b" || !known {
		t.Errorf("got %v, %q %v", keys, v, known)
	}
	if keys, g := SecretGiven("{{ not yaml"); len(keys) > 0 || fmt.Sprint(g) != "[values]" {
		t.Errorf("got %v %v", keys, g)
	}
}
