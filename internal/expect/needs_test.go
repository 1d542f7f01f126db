package expect

import (
	"fmt"
	"strings"
	"testing"

	"runbook/internal/steps"
)

func TestEachSentenceNamesTheFactsItNeeds(t *testing.T) {
	for sentence, want := range map[string]string{
		"deploy/web is ready":                                        "deployment/web@shop",
		"deploy/web in edge is ready":                                "deployment/web@edge",
		"namespace/shop is active":                                   "namespace/shop@",
		"secret/db has keys a, b":                                    "secret/db@shop",
		"gateway/edge in infra has a TLS listener for a.b open to x": "gateway/edge@infra namespace/x@",
		"vault east/shop has keys a":                                 "health token entry east/shop",
		"vault is active":                                            "health",
		"vault token may read east/data/shop":                        "health token caps east/data/shop",
		"https://example.org answers 200":                            "url https://example.org",
		"output matches /x/":                                         "",
		`cel: object("v1", "Pod", "x").status.phase == "Running"`:    "pod/x@shop",
	} {
		e, err := steps.ParseExpectation(sentence, steps.Pos{})
		if err != nil {
			t.Errorf("%s: %v", sentence, err)
			continue
		}
		var got []string
		for _, n := range Needs(e, "shop") {
			switch {
			case n.Object != nil:
				got = append(got, fmt.Sprintf("%s@%s", n.Object, n.Object.Namespace))
			case n.Health:
				got = append(got, "health")
			case n.Token:
				got = append(got, "token")
			case n.Entry != "":
				got = append(got, "entry "+n.Entry)
			case n.Caps != "":
				got = append(got, "caps "+n.Caps)
			default:
				got = append(got, "url "+n.URL)
			}
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%s: got %q, want %q", sentence, g, want)
		}
	}
}
