package risk

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestTouchesNameWhatACommandActsOn(t *testing.T) {
	for text, want := range map[string][]string{
		"kubectl create ns x":                                  {"namespace/x"},
		"kubectl delete ns x":                                  {"namespace/x"},
		"kubectl -n shop rollout restart deploy/web":           {"deployment/web in shop"},
		"kubectl -n shop delete po,svc a":                      {"pod/a in shop", "service/a in shop"},
		"kubectl delete pvc --all -n x":                        {"persistentvolumeclaim --all in x"},
		"kubectl get secrets -A -o yaml":                       {"secret in all namespaces"},
		"kubectl delete pods --all -A -n x":                    {"pod --all in all namespaces"},
		"kubectl get nodes -A":                                 {"node"},
		"kubectl wait --for=condition=Ready pod/x -n y":        {"pod/x in y"},
		"kubectl -n x create secret generic s --from-literal=": {"secret/s in x"},
		"kubectl get externalsecrets.external-secrets.io a":    {"externalsecret/a"},
		"kubectl -n x exec -it deploy/web -- ls":               {"deployment/web in x"},
		"vault kv put -mount=cicd x a=b":                       {"vault cicd/x"},
		"vault kv get cicd/data/x":                             {"vault cicd/x"},
		"ssh bob@example.org uptime":                           {"host bob@example.org"},
		"rm ./x":                                               {"path ./x"},
		"curl https://u:p@example.org/x":                       {"host example.org"},
		"helm uninstall web -n shop":                           {"release/web in shop"},
		"for n in a b; do kubectl delete ns $n; done":          {"namespace/a", "namespace/b"},
		"NS=prod; kubectl delete ns \"$NS\"":                   {"namespace/prod"},
		"kubectl delete ns <name>":                             {"namespace/<name>"},
		"kubectl delete ns \"$NS\"":                            {"namespace/$NS"},
		"kubectl drain node/n1":                                {"node/n1"},
		"kubectl label ns x a=b":                               {"namespace/x"},
	} {
		if got := Classify(text, Context{}).TouchNames(); !slices.Equal(got, want) {
			t.Errorf("touches of %q = %q, want %q", text, got, want)
		}
	}
}

func TestManifestsAreReadForWhatTheyHold(t *testing.T) {
	text := "kubectl -n shop apply -f - <<EOF\napiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {k: v}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: other}\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: n}\nEOF"
	r := Classify(text, Context{})
	want := []string{"secret/a in shop", "deployment/web in other", "namespace/n"}
	if got := r.TouchNames(); !slices.Equal(got, want) || r.Class != Rotate {
		t.Errorf("got %v %q, want rotate %q", r.Class, got, want)
	}
	if got := r.Touches[0]; got.Op != "apply" || !slices.Equal(got.Keys, []string{"k"}) {
		t.Errorf("secret is %+v, want op apply and key k", got)
	}
	if got := r.Touches[1].Group; got != "apps" {
		t.Errorf("group of the deployment is %q, want apps", got)
	}
}

func TestFilesAreReadThroughTheContextOnly(t *testing.T) {
	files := map[string]string{
		"s.yaml":       "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n",
		"x.sh":         "kubectl delete ns x\n",
		"x.sql":        "DROP TABLE x;",
		"Taskfile.yml": "version: '3'\ntasks:\n  down:\n    deps: [stop]\n    cmds: [docker compose down -v]\n  stop: kubectl get pods\n  show:\n    cmds:\n      - kubectl get pods\n  vars:\n    vars: {V: {sh: rm -rf x}}\n    cmds: ['echo {{.V}}']\n  dyn: '{{.CMD}} x'\n",
		"Makefile":     "all: show\nshow:\n\t@kubectl get pods\nwipe: show\n\tkubectl delete ns $(NS)\n",
		"justfile":     "show:\n  kubectl get pods\nwipe ns:\n  kubectl delete ns {{ns}}\n",
		"package.json": `{"scripts":{"wipe":"rm -rf dist","show":"ls"}}`,
	}
	c := Context{ReadFile: func(p string) ([]byte, error) {
		if s, ok := files[p]; ok {
			return []byte(s), nil
		}
		return nil, errors.New("no such file")
	}}
	check(t, c, []verdict{
		{"kubectl apply -f s.yaml", Rotate},
		{"kubectl apply -f other.yaml", Write},
		{"bash x.sh", Destroy},
		{"bash other.sh", Unknown},
		{"psql -f x.sql", Destroy},
		{"task down", Destroy},
		{"task show", Read},
		{"task vars", Destroy},
		{"task dyn", Unknown},
		{"task nosuch", Unknown},
		{"make", Read},
		{"make show", Read},
		{"make wipe", Destroy},
		{"just show", Read},
		{"just wipe x", Destroy},
		{"npm run show", Read},
		{"npm run wipe", Destroy},
		{"sh < x.sh", Destroy},
	})
}

func TestVaultKeysSayWhatAWriteNames(t *testing.T) {
	c := Context{ReadFile: func(string) ([]byte, error) { return []byte(`{"a": {"b": 1}, "c": 2}`), nil }}
	for text, want := range map[string]VaultKeys{
		"vault kv put -mount=m -cas=3 e a=b c=d":        {Entry: "m/e", Op: "put", Keys: []string{"a", "c"}, CAS: "3", Complete: true},
		"vault kv put m/e -":                            {Entry: "m/e", Op: "put"},
		"vault kv put m/e @f.json":                      {Entry: "m/e", Op: "put", Keys: []string{"a", "c"}, Complete: true},
		"vault kv patch -remove-data=x,y m/e a=b":       {Entry: "m/e", Op: "patch", Keys: []string{"a"}, Removed: []string{"x", "y"}, Complete: true},
		"vault kv rollback -version=4 m/e":              {Entry: "m/e", Op: "rollback", Version: "4", Complete: true},
		"vault kv put m/e - <<EOF\n{\"k\": \"v\"}\nEOF": {Entry: "m/e", Op: "put", Keys: []string{"k"}, Complete: true},
	} {
		got := Classify(text, c).VaultKeys
		if len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Errorf("keys of %q = %+v, want %+v", text, got, want)
		}
	}
}

func TestWhatACommandOpensAndWhetherItEnds(t *testing.T) {
	for _, r := range []struct {
		text, opens, where    string
		endless, tty, secrets bool
		generates             bool
	}{
		{text: "kubectl exec -it web-0 -n x -- bash", opens: "shell", where: "pod/web-0 in x", tty: true},
		{text: "ssh host", opens: "ssh", where: "host", tty: true},
		{text: "psql -h x", opens: "psql", tty: true},
		{text: "sudo su - postgres", opens: "su", where: "postgres", tty: true},
		{text: "redis-cli", opens: "redis-cli", tty: true},
		{text: "kubectl exec web-0 -- ls"},
		{text: "psql -c 'select 1'"},
		{text: "kubectl get pods -w", endless: true},
		{text: "kubectl logs -f x", endless: true},
		{text: "kubectl port-forward svc/x 1:1", endless: true},
		{text: "watch kubectl get pods", endless: true},
		{text: "kubectl edit deploy x", tty: true},
		{text: "vault login", tty: true},
		{text: "read -p 'x' y", tty: true},
		{text: "vault kv get m/e", secrets: true},
		{text: "kubectl get secret x -o yaml", secrets: true},
		{text: "kubectl get secret x"},
		{text: "kubectl exec x -- env", secrets: true},
		{text: "docker compose config", secrets: true},
		{text: "terraform output", secrets: true},
		{text: "helm get values x", secrets: true},
		{text: "set -x", secrets: true},
		{text: "X=$(openssl rand -base64 32)", generates: true},
		{text: "head -c 32 /dev/urandom | base64", generates: true},
		{text: "python3 -c 'import secrets; print(secrets.token_hex(16))'", generates: true},
		{text: "tr -dc a-z < /dev/urandom | head -c 16", generates: true},
		{text: "helm template x --set p='{{ randAlphaNum 16 }}'", generates: true},
	} {
		got := Classify(r.text, Context{})
		kind, where := "", ""
		if len(got.Opens) > 0 {
			kind, where = got.Opens[0].Kind, got.Opens[0].Where
		}
		if kind != r.opens || where != r.where {
			t.Errorf("%q opens %q at %q, want %q at %q", r.text, kind, where, r.opens, r.where)
		}
		if (got.Endless != "") != r.endless || (got.Interactive != "") != r.tty || (got.Prints != "") != r.secrets || (got.Generates != "") != r.generates {
			t.Errorf("%q: endless %q, interactive %q, prints %q, generates %q", r.text, got.Endless, got.Interactive, got.Prints, got.Generates)
		}
	}
}

func TestAnotherTargetIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		"kubectl --context prod get ns":          "--context=prod",
		"kubectl -s https://x get ns":            "-s=https://x",
		"kubectl --kubeconfig=f get ns":          "--kubeconfig=f",
		"KUBECONFIG=f kubectl get ns":            "KUBECONFIG=f",
		"export KUBECONFIG=f":                    "KUBECONFIG=f",
		"VAULT_ADDR=https://x vault status":      "VAULT_ADDR=https://x",
		"vault kv get -address=https://x m/e":    "-address=https://x",
		"kubectl config use-context prod":        "use-context=prod",
		"helm --kube-context prod list":          "--kube-context=prod",
		"env KUBECONFIG=f kubectl get ns":        "KUBECONFIG=f",
		"sudo KUBECONFIG=f kubectl get ns":       "KUBECONFIG=f",
		"argocd app list --server x":             "--server=x",
		"talosctl --talosconfig f -e 1.2 health": "--talosconfig=f",
	} {
		got := Classify(text, Context{}).Targets
		if len(got) == 0 || got[0].How+"="+got[0].Value != want {
			t.Errorf("targets of %q = %+v, want %s", text, got, want)
		}
	}
	if got := Classify("kubectl get ns", Context{}).Targets; len(got) != 0 {
		t.Errorf("kubectl get ns names the targets %v, want none", got)
	}
}

func TestHiddenFailuresAreNoted(t *testing.T) {
	for text, want := range map[string]string{
		"kubectl delete ns x || true":          "hides a failure",
		"kubectl delete ns x &":                "background",
		"kubectl delete ns x 2>/dev/null":      "hides error messages",
		"kubectl delete ns x; true":            "hides a failure",
		"kubectl delete\u00a0ns x":             "look like ASCII",
		"$ kubectl delete ns x":                "prompts",
		"kubectl delete ns x --wait=false ||:": "hides a failure",
	} {
		got := strings.Join(Classify(text, Context{}).Notes, "; ")
		if !strings.Contains(got, want) {
			t.Errorf("notes of %q = %q, want %q in them", text, got, want)
		}
	}
}

func TestReasonsAreWorstFirstAndStable(t *testing.T) {
	r := Classify("kubectl get a; kubectl delete ns x; kubectl apply -f y; kubectl get b; kubectl delete ns z", Context{})
	var got []string
	for _, x := range r.Reasons {
		got = append(got, x.Command)
	}
	want := []string{"kubectl delete ns x", "kubectl delete ns z", "kubectl apply -f y", "kubectl get a", "kubectl get b"}
	if !slices.Equal(got, want) {
		t.Errorf("reasons are %q, want %q", got, want)
	}
}

func TestTheJSONIsTheDocumentedShape(t *testing.T) {
	got, err := json.Marshal(Classify("kubectl delete ns x", Context{}))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"command":"kubectl delete ns x","class":"destroy","reasons":[{"class":"destroy","command":"kubectl delete ns x","why":"deletes namespace x and everything in it"}],"touches":["namespace/x"]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	var back struct{ Class Class }
	if err := json.Unmarshal(got, &back); err != nil || back.Class != Destroy {
		t.Errorf("read back %v, %v, want destroy", back.Class, err)
	}
}

func TestWhatIsNoShellIsUnknownAtLeast(t *testing.T) {
	for text, want := range map[string]Class{
		"if then fi (":                         Unknown,
		"kubectl get 'x":                       Unknown,
		"echo \"\nkubectl delete ns x":         Destroy,
		"done\nkubectl delete ns x":            Destroy,
		"(kubectl delete ns x":                 Destroy,
		"kubectl get ns && && kubectl drain n": Interrupt,
	} {
		r := Classify(text, Context{})
		if r.Class != want || r.ParseError == "" {
			t.Errorf("Classify(%q) = %v (%q), want %v and why", text, r.Class, r.ParseError, want)
		}
	}
}

func TestClassesHaveAnOrder(t *testing.T) {
	if Max(Write, Unknown) != Unknown || Max(Destroy, Rotate) != Destroy || Max(Rotate, Interrupt) != Rotate || Max(Interrupt, Unknown) != Interrupt {
		t.Error("the order isn't read < write < unknown < interrupt < rotate < destroy")
	}
	if _, err := ParseClass("bad"); err == nil {
		t.Error("ParseClass takes a name that is none")
	}
}

func TestADryRunOnlyLooks(t *testing.T) {
	r := Classify("kubectl delete ns a; kubectl delete ns b --dry-run=client", Context{})
	if len(r.Touches) != 2 || r.Touches[0].Op != "delete" || r.Touches[1].Op != "read" {
		t.Errorf("touches are %+v, want a deleted and b read", r.Touches)
	}
}

func TestAnEmptyTextReadsNothing(t *testing.T) {
	for _, s := range []string{"", "  \n", "# only a comment"} {
		if r := Classify(s, Context{}); r.Class != Read || len(r.Reasons) != 0 {
			t.Errorf("Classify(%q) = %v %v, want read and no reasons", s, r.Class, r.Reasons)
		}
	}
}
