package steps

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestEverySentenceIsUnderstood(t *testing.T) {
	kube := func(kind, name, ns string) Subject {
		return Subject{Source: Kube, Kind: kind, Name: name, Namespace: ns}
	}
	for _, c := range []struct {
		text    string
		subject Subject
		check   Check
		args    []string
	}{
		{"namespace/schmetterpause is active", kube("namespace", "schmetterpause", ""), Active, nil},
		{"deployment/cloudnative-pg in postgres is ready", kube("deployment", "cloudnative-pg", "postgres"), Ready, nil},
		{"secret/schmetterpause-db exists", kube("secret", "schmetterpause-db", ""), Exists, nil},
		{"secret/db has keys username, password,SP_DATABASE_URL", kube("secret", "db", ""), HasKeys, []string{"username", "password", "SP_DATABASE_URL"}},
		{"cluster.postgresql.cnpg.io/db is ready", Subject{Source: Kube, Kind: "cluster", Group: "postgresql.cnpg.io", Name: "db"}, Ready, nil},
		{"PVC/data-0 is absent", kube("pvc", "data-0", ""), Absent, nil},
		{"crd/clusters.postgresql.cnpg.io is ready", kube("crd", "clusters.postgresql.cnpg.io", ""), Ready, nil},
		{"httproute/x is accepted", kube("httproute", "x", ""), Accepted, nil},
		{"vault cicd-test2/schmetterpause has keys session-key, username", Subject{Source: Vault, Entry: "cicd-test2/schmetterpause"}, HasKeys, []string{"session-key", "username"}},
		{"vault a/b exists", Subject{Source: Vault, Entry: "a/b"}, Exists, nil},
		{"vault a/b is absent", Subject{Source: Vault, Entry: "a/b"}, Absent, nil},
		{"vault is active", Subject{Source: Vault}, Active, nil},
		{"vault token may read cicd-test2/data/schmetterpause", Subject{Source: Vault, Entry: "token"}, MayRead, []string{"cicd-test2/data/schmetterpause"}},
		{"https://example.org/healthz answers 200", Subject{Source: HTTP, URL: "https://example.org/healthz"}, Answers, []string{"200"}},
		{"http://example.org/ redirects to https", Subject{Source: HTTP, URL: "http://example.org/"}, Redirects, []string{"https"}},
		{"https://example.org serves a trusted certificate for 21d", Subject{Source: HTTP, URL: "https://example.org"}, Trusted, []string{"21d"}},
		{"https://example.org serves a trusted certificate", Subject{Source: HTTP, URL: "https://example.org"}, Trusted, []string{"0s"}},
		{"gateway/cilium in default has a TLS listener for x.${DOMAIN} open to ${NS}", kube("gateway", "cilium", "default"), TLSListener, []string{"x.${DOMAIN}", "${NS}"}},
		{"job/provision condition Complete", kube("job", "provision", ""), Condition, []string{"Complete", ""}},
		{"pod/x condition Ready=false", kube("pod", "x", ""), Condition, []string{"Ready", "False"}},
		{"pod/x condition Ready is Unknown", kube("pod", "x", ""), Condition, []string{"Ready", "Unknown"}},
		{"pod/x jsonpath {.status.phase} == Running", kube("pod", "x", ""), JSONPath, []string{"{.status.phase}", "==", "Running"}},
		{`pod/x jsonpath {.a[?(@.t=="R}")].s} != "a b"`, kube("pod", "x", ""), JSONPath, []string{`{.a[?(@.t=="R}")].s}`, "!=", "a b"}},
		{`cel: object("apps/v1", "Deployment", "web").status.readyReplicas >= 2`, Subject{Source: CEL}, Expression, []string{`object("apps/v1", "Deployment", "web").status.readyReplicas >= 2`}},
		{`output matches /^HTTP\/2 200/`, Subject{Source: Output}, OutputMatch, []string{`^HTTP/2 200`}},
	} {
		e, err := ParseExpectation("  "+c.text+" ", Pos{Line: 3, Col: 5})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if e.Text != c.text || e.Pos.Line != 3 || e.Subject != c.subject || e.Check != c.check || !slices.Equal(e.Args, c.args) {
			t.Errorf("%s: got %+v", c.text, e)
		}
	}
}

func TestAWrongSentenceSaysWhatToWrite(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "write a sentence",
		"namespace":                        "kind/name",
		"namespace/x":                      "says nothing of its subject",
		"namespace/x is redy":              "did you mean `ready`?",
		"namespace/x is gone":              "did you mean `is absent`?",
		"namespace/x is present":           "did you mean `exists`?",
		"deploy/x is available":            "did you mean `is ready`?",
		"secret/x exist":                   "did you mean `exists`?",
		"secret/x has key a":               "say one of",
		"secret/x has keys a b":            "separate them with commas",
		"secret/x in is ready":             "namespace is missing",
		"secret/x in":                      "namespace is missing",
		"a/b/c exists":                     "isn't a subject",
		"gateway/x has a TLS listener for": "say one of",
		"gateway/x has a TLS listener for h to n":         "open to NAMESPACE",
		"job/x condition":                                 "condition Complete",
		"job/x condition Complete Maybe":                  "True, False or Unknown",
		"pod/x jsonpath {.a == b":                         "has no end",
		"pod/x jsonpath {.a} = b":                         "use one of ==",
		"pod/x jsonpath {.a} ==":                          "is missing",
		"vault is sealed":                                 "known: active",
		"vault a/b is active":                             "known: absent",
		"vault token can read x/y":                        "may read mount/path",
		"ftp://x answers 200":                             "http:// or https://",
		"https:// answers 200":                            "a host",
		"https://x answers ok":                            "answers 200",
		"https://x serves a trusted certificate for ever": "21d",
		"output matches x":                                "between slashes",
		"output matches /(/":                              "isn't a regular expression",
		"output contains x":                               "matches /pattern/",
		"cel:":                                            "is missing",
		"cel: a(b":                                        "isn't closed",
		"cel: a(b]":                                       "don't match",
		`cel: "a`:                                         "a string in the expression isn't closed",
		"secret/x exists\nand more":                       "one line",
	} {
		_, err := ParseExpectation(text, Pos{Line: 7, Col: 2})
		var e *ParseError
		if !errors.As(err, &e) {
			t.Errorf("%q: got %v", text, err)
			continue
		}
		if e.Pos != (Pos{Line: 7, Col: 2}) || !strings.Contains(e.Text+" "+e.Hint, want) {
			t.Errorf("%q: got %q, hint %q; want %q", text, e, e.Hint, want)
		}
	}
}

func TestAValueNeverChangesWhatASentenceMeans(t *testing.T) {
	v := Values{"X": {Text: `a.b"c`}, "NS": {Text: "web"}}
	for text, want := range map[string]string{
		"secret/${X} in ${NS} exists":                      `{kube secret  a.b"c web  } []`,
		"output matches /^${X}$/":                          `{output      } [^a\.b"c$]`,
		`cel: name == "${X}"`:                              `{cel      } [name == "a.b\"c"]`,
		"https://${NS}.org/ answers 200":                   "{http      https://web.org/} [200]",
		"vault ${NS}/x has keys a":                         "{vault     web/x } [a]",
		"gateway/g has a TLS listener for h open to ${NS}": "{kube gateway  g   } [h web]",
		"secret/${OTHER} exists":                           "{kube secret  ${OTHER}   } []",
	} {
		e, err := ParseExpectation(text, Pos{})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		b := e.Bind(v)
		if got := fmt.Sprintf("%v %v", b.Subject, b.Args); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestAWatchNamesAThing(t *testing.T) {
	for _, text := range []string{"pod/x", "pod/x in y", "vault", "vault a/b", "https://x.org"} {
		if _, err := ParseSubject(text, Pos{}); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := ParseSubject("pod/x is ready", Pos{Line: 1, Col: 1}); err == nil || !strings.Contains(err.Error(), "after `pod/x` nothing is expected") {
		t.Errorf("got %v", err)
	}
}
