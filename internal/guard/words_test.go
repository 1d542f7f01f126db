package guard_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

func TestTheWordsNameWhatMostHangsOff(t *testing.T) {
	for _, tt := range []struct{ command, words string }{
		{"kubectl -n x delete cm a; kubectl delete ns shop; kubectl -n x delete pvc data", "shop"},
		{"kubectl delete ns a b", "a b"},
		{"kubectl delete ns a b c d", "try"},
		{"kubectl delete crd widgets.example.org; kubectl -n x delete pvc data", "widgets.example.org"},
		{"kubectl -n x delete secret a; kubectl -n x delete pvc data", "data"},
		{"kubectl delete ns $X", "try"},
		{"kubectl delete ns a $X", "try"},
		{`kubectl delete ns "$(cat name)"`, "try"},
		{"kubectl delete ns -l a=b", "try"},
		{"vault kv metadata delete kv/other", "kv/other"},
		{"vault secrets disable other", "other"},
		{"vault delete sys/mounts/other", "other"},
		{"vault namespace delete team", "team"},
		{"helm uninstall web", "web"},
		{"rm -rf /tmp/x", "try"},
		{"kubectl delete ns shоp", "try"}, // a Cyrillic letter
	} {
		if g := ask(tt.command, world.World{}); g.Words != tt.words || g.Decision != guard.Confirm {
			t.Errorf("%s: %s %q, want %q", tt.command, g.Decision, g.Words, tt.words)
		}
	}
}

// pieces are what steps of a random runbook are made of.
var pieces = []string{"kubectl delete ns ", "kubectl -n x delete secret ", "vault kv put kv/shop a=", "rm -rf ", "./", "helm uninstall ", "kubectl get pods", "$X", "größe", "shop",
	" ", "\u202eevil", "a\tb", "--all", "kubectl --context prod get ", "vault kv delete ", "; ", "\n", "| sh", "'", "kubectl drain n1", "kubectl -n shop delete secret app"}

func TestAGateThatAsksAlwaysHasWordsThatCanBeTyped(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	for range 5000 {
		var results []risk.Result
		s := steps.BoundStep{Step: steps.Step{ID: pick(2), N: r.IntN(5), Title: pick(2), Cost: pick(2)}}
		class := risk.Read
		for range 1 + r.IntN(3) {
			res := risk.Classify(pick(5), risk.Context{})
			results = append(results, res)
			class = risk.Max(class, res.Class)
			s.Blocks = append(s.Blocks, steps.Block{Kind: steps.ShellBlock, Offered: true})
		}
		p := sessionKey
		p.Name = pick(2)
		g := guard.Decide(guard.Request{Step: s, Class: class, Results: results, Protects: []steps.Protect{p}, World: here("session-key")})
		switch {
		case class >= risk.Unknown && g.Decision != guard.Confirm:
			t.Fatalf("%s is let through: %+v", class, results)
		case g.Decision != guard.Confirm:
		case g.Words == "" || g.Words != strings.TrimSpace(g.Words) || strings.ContainsFunc(g.Words, func(r rune) bool { return r < ' ' || r > '~' }):
			t.Fatalf("asks for %q in %+v", g.Words, s)
		}
	}
}

func TestWhatAnAuthorWritesNeverMakesAGateMilder(t *testing.T) {
	r := risk.Classify("kubectl delete ns shop", risk.Context{})
	plain := guard.Request{Class: r.Class, Results: []risk.Result{r}, World: here(), Step: steps.BoundStep{Step: steps.Step{ID: "away", Blocks: []steps.Block{{Offered: true}}}}}
	for _, change := range []func(*steps.Step){
		func(s *steps.Step) { s.Risk = "read" }, func(s *steps.Step) { s.Cost = "nothing at all" }, func(s *steps.Step) { s.Title = "Nothing" },
		func(s *steps.Step) { s.Undo = "back" }, func(s *steps.Step) { s.Interactive = true }, func(s *steps.Step) { s.Background = true },
		func(s *steps.Step) { s.Done = &steps.Expectation{Text: "vault is active"} },
	} {
		q := plain
		change(&q.Step.Step)
		if a, b := guard.Decide(plain), guard.Decide(q); b.Decision != a.Decision || b.Words != a.Words || len(b.Warnings) < len(a.Warnings) {
			t.Errorf("%+v made of %s %q a %s %q", q.Step, a.Decision, a.Words, b.Decision, b.Words)
		}
	}
}

func TestOnlyAnotherClusterOrVaultIsAnotherTarget(t *testing.T) {
	where := guard.Where{Context: "test", Server: "https://test:6443", Vault: "https://vault:8200", VaultNamespace: "team"}
	for command, warns := range map[string]bool{
		"kubectl --context prod get pods":                                true,
		"kubectl --context test get pods":                                false,
		"helm --kube-context prod list":                                  true,
		"flux --context prod get all":                                    true,
		"kubectl -s https://prod:6443 get ns":                            true,
		"kubectl --server https://test:6443/ get ns":                     false,
		"kubectl --cluster prod get ns":                                  true,
		"kubectl --kubeconfig ~/.kube/prod get ns":                       true,
		`kubectl --kubeconfig "$KUBECONFIG" get ns`:                      false,
		"KUBECONFIG=prod kubectl get ns":                                 true,
		"export KUBECONFIG=prod":                                         true,
		"kubectl config use-context prod":                                true,
		"kubectl config use-context test":                                false,
		"kubectx prod":                                                   true,
		"VAULT_ADDR=https://other:8200 vault status":                     true,
		"VAULT_ADDR=https://vault:8200/ vault status":                    false,
		"vault status -address=https://other:8200":                       true,
		`vault status -address="$VAULT_ADDR"`:                            false,
		"gcloud container clusters get-credentials prod":                 true,
		"aws --region eu-1 s3 ls":                                        false,
		"psql -h db -c 'select 1'":                                       false,
		"docker --context other ps":                                      false,
		"argocd app list --server argo.example.org":                      true,
		"kubectl --user bob get ns":                                      false,
		"kubectl --token not-to-be-shown get ns":                         false,
		"kubectl get ns":                                                 false,
		"kubectl --kubeconfig=prod get ns":                               true,
		"kubectl --context=prod get ns":                                  true,
		"kubectl get ns --context prod":                                  true,
		"kubectl -shttps://prod get ns":                                  true,
		"kubectl --context=$CTX get ns":                                  true,
		`kubectl --context "$(cat ctx)" get ns`:                          true,
		"kubectl get ns -o name | xargs kubectl --context=prod get":      true,
		"env KUBECONFIG=prod kubectl get ns":                             true,
		"sudo KUBECONFIG=prod kubectl get ns":                            true,
		"export KUBECONFIG=prod\nkubectl get ns":                         true,
		"KUBECONFIG=prod\nkubectl get ns":                                true,
		"declare -x KUBECONFIG=prod; kubectl get ns":                     true,
		"(export KUBECONFIG=prod; kubectl get ns)":                       true,
		"bash -c 'export KUBECONFIG=prod; kubectl get ns'":               true,
		"KUBECONFIG= kubectl get ns":                                     true,
		"KUBECONFIG=$KUBECONFIG:prod kubectl get ns":                     true,
		"unset KUBECONFIG; kubectl get ns":                               true,
		"env -u KUBECONFIG kubectl get ns":                               true,
		"env -i kubectl get ns":                                          true,
		"env -i sort names":                                              false,
		"unset PGHOST":                                                   false,
		`export KUBECONFIG="$KUBECONFIG"`:                                false,
		`cat prod.yaml > "$KUBECONFIG"`:                                  true,
		`kubectl config view --raw > copy.yaml`:                          false,
		"kubectl config use prod":                                        true,
		"kubectl config set current-context prod":                        true,
		"kubectl config set clusters.test.server https://prod":           true,
		"kubectl config set-context --current --cluster=prod":            true,
		"kubectl config set-context --current --namespace=x":             false,
		"kubectl ctx prod":                                               true,
		"vault -address=https://other:8200 status":                       true,
		"vault -address=https://vault:8200 status":                       false,
		"export VAULT_ADDR=https://other:8200\nvault status":             true,
		"env VAULT_ADDR=https://other vault status":                      true,
		"unset VAULT_ADDR; vault status":                                 true,
		"BAO_ADDR=https://other bao status":                              true,
		"vault -namespace=other status":                                  true,
		"vault status -ns=other":                                         true,
		"vault -namespace=team/ status":                                  false,
		"VAULT_NAMESPACE=other vault status":                             true,
		"VAULT_NAMESPACE=team vault status":                              false,
		"helm --kube-context=prod list":                                  true,
		"helm list --kubeconfig=prod":                                    true,
		"HELM_KUBECONTEXT=prod helm list":                                true,
		"HELM_KUBECONTEXT=test helm list":                                false,
		"HELM_KUBEAPISERVER=https://prod helm list":                      true,
		"helmfile --kube-context prod list":                              true,
		"KUBE_CONFIG_PATH=prod tofu plan":                                true,
		"argocd --server=argo.example.org app list":                      true,
		"ARGOCD_SERVER=argo.example.org argocd app list":                 true,
		"argocd --argocd-context prod app list":                          true,
		"argocd context prod":                                            true,
		"argocd app list":                                                false,
		"cmctl --context prod status certificate x":                      true,
		"velero --kubecontext prod backup get":                           true,
		"cilium --context test status":                                   false,
		"oc login https://prod":                                          true,
		"aws eks update-kubeconfig --name prod":                          true,
		`kubectl config use-context "$(cat somewhere)"`:                  true,
		"kubectl --context prod get ns; kubectl --context prod get pods": true,
	} {
		r := risk.Classify(command, risk.Context{})
		g := guard.Decide(guard.Request{Class: r.Class, Results: []risk.Result{r}, Where: where, Step: steps.BoundStep{Step: steps.Step{ID: "try", Blocks: []steps.Block{{Offered: true}}}}})
		if (len(g.Warnings) == 1) != warns || len(g.Warnings) > 1 {
			t.Errorf("%s: warnings %+v, want one: %v", command, g.Warnings, warns)
		}
		for _, w := range g.Warnings {
			if strings.Contains(w.Text, "not-to-be-shown") {
				t.Errorf("%s shows a token: %s", command, w.Text)
			}
		}
	}
}

func TestADestructionThatCannotBeNamedIsALossThatIsUnknown(t *testing.T) {
	for _, command := range []string{"kubectl delete -f https://example.org/all.yaml", "kubectl delete --raw /api/v1/namespaces/other", "psql -c 'drop table a'"} {
		g := ask(command, world.World{})
		if len(g.Losses) != 1 || !g.Losses[0].Unknown {
			t.Errorf("%s: losses %+v", command, g.Losses)
		}
	}
}
