package lint

import (
	"slices"
	"strings"
	"testing"

	"runbook/internal/steps"
)

// lookAlikes has for each rule code that it speaks of, and code that only looks like it.
var lookAlikes = map[string]struct{ found, silent []string }{
	"secret-printed": {
		found: []string{
			"kubectl -n x get secret s -o yaml | grep password",
			"kubectl -n x get secret s -o jsonpath='{.data.p}' | base64 --decode",
			"vault kv get kv/x | tee out.txt",
			"echo \"$(vault kv get -field=p kv/x)\"",
			"printf '%s' \"$DB_PASSWORD\"",
			"bash -x ./script.sh",
		},
		silent: []string{
			"TOKEN=$(vault kv get -field=p kv/x)",
			"kubectl -n x get secret s -o yaml > backup.yaml",
			"echo \"$DB_PASSWORD\" | tee ./pw.sh >/dev/null",
			"kubectl -n x get secret s -o yaml | kubectl -n y apply -f -",
			"vault kv get -field=p kv/x | docker login --password-stdin reg",
			"curl -H \"Authorization: Bearer $(gcloud auth print-access-token)\" https://x.internal",
			"echo \"${#DB_PASSWORD}\"",
			"echo \"$SECRET_NAME\"",
			"base64 < file",
			"set -e",
		}},
	"literal-secret": {
		found: []string{
			"export DB_PASSWORD=s3cretvalue",
			"mysql --password=s3cretvalue",
			"mysql --password s3cretvalue",
			"helm upgrade x . --set auth.password=s3cretvalue",
			"vault kv put kv/x api-key=abcdef123",
			"curl https://bob:s3cretvalue@x.internal/",
			"curl -H 'Authorization: Bearer abcdefghijkl' https://x.internal",
			"git clone https://x.internal --config a=ghp_abcdefghijklmnopqrstuvwx",
		},
		silent: []string{
			"export DB_PASSWORD=\"$PW\"",
			"export PASSWORD_FILE=/run/secrets/db",
			"mysql --password=\"$PW\"",
			"vault kv put kv/x password=-",
			"vault kv put kv/x password=@pw.txt",
			"kubectl -n x create secret generic s --from-literal=username=bob",
			"etcd --initial-cluster-token etcd-cluster-1",
			"vault kv put kv/x password=changeme",
			"curl https://x.internal:8443/a@b",
		}},
	"secret-in-arguments": {
		found:  []string{"mysql -p\"$DB_PASSWORD\"", "sudo -u postgres psql -c \"ALTER ROLE x PASSWORD '$PW'\""},
		silent: []string{"printf '%s' \"$DB_PASSWORD\" | docker login --password-stdin", "[ -n \"$TOKEN\" ]", "PGPASSWORD=\"$PW\" psql", "docker run -e TOKEN img:1"}},
	"pipe-to-shell": {
		found:  []string{"curl -s https://x | tee a | bash", "bash <(curl -s https://x)", "sh -c \"$(curl -s https://x)\"", "wget -qO- https://x | sudo -E bash -", "source <(curl -s https://x)", "eval \"$(curl -s https://x)\""},
		silent: []string{"curl -s https://x | jq .", "source <(kubectl completion bash)", "curl -so install.sh https://x; bash install.sh", "X=$(curl -s https://x)"}},
	"unpinned-source": {
		found:  []string{"kubectl apply -k github.com/o/r//path", "kubectl apply -k 'github.com/o/r//path?ref=main'", "kubectl apply -f https://raw.githubusercontent.com/o/r/master/x.yaml", "curl -LO https://github.com/o/r/releases/latest/download/x"},
		silent: []string{"kubectl apply -k 'github.com/o/r//path?ref=v1.2'", "kubectl apply -f https://raw.githubusercontent.com/o/r/v1.2.3/x.yaml", "kubectl apply -k ./overlay", "git clone https://github.com/o/r"}},
	"unpinned-image": {
		found:  []string{"docker run --rm -e A=b -v \"$PWD:/x\" nginx", "docker pull reg:5000/nginx", "kubectl -n x set image deploy/web web=nginx:latest", "kubectl -n x run a --image busybox"},
		silent: []string{"docker run --name web nginx:1.27", "docker run reg:5000/nginx@sha256:abc", "docker run \"$IMAGE\"", "kubectl -n x set image deploy/web web=nginx:1.27", "docker ps -a", "docker exec web nginx"}},
	"namespace-missing": {
		found:  []string{"kubectl get pods", "kubectl delete deploy web", "kubectl logs web-0", "kubectl port-forward svc/web 8080:80", "kubectl exec web-0 -- ls", "sudo kubectl rollout restart deploy/web"},
		silent: []string{"kubectl get pods -A", "kubectl -nshop get pods", "kubectl get pods --namespace=shop", "kubectl get nodes", "kubectl get ns", "kubectl create ns shop", "kubectl apply -f x.yaml", "kubectl config set-context --current --namespace=shop\nkubectl get pods", "kubectl get widgets", "kubectl version", "kubectl -n x logs web-0"}},
	"failure-hidden": {
		found:  []string{"kubectl -n x delete pvc data || :", "helm -n x uninstall web 2> /dev/null", "kubectl -n x delete pvc data &> /dev/null"},
		silent: []string{"kubectl -n x get pvc data || true", "kubectl -n x delete pvc data || exit 1", "kubectl -n x get pods 2>/dev/null", "grep -q x file || true"}},
	"unset-path": {
		found:  []string{"rm -rf $DIR/*", "sudo rm -fr \"${DIR}/data\"", "find \"$DIR/\" -delete"},
		silent: []string{"DIR=/srv/x\nrm -rf \"$DIR/\"*", "rm -rf \"${DIR:?}/\"*", "rm -rf \"${DIR:-/tmp/x}/a\"", "rm -rf \"$DIR\"", "rm \"$DIR/file\"", "rm -rf \"$HOME/.cache/x\"", "DIR=$(mktemp -d)\nrm -rf \"$DIR/x\""}},
	"generator-reapplied": {
		found:  []string{"PW=$(openssl rand -hex 8)\nvault kv patch kv/x password=\"$PW\"", "helm upgrade web . --set password=$(openssl rand -hex 8)"},
		silent: []string{"vault kv put -cas=0 kv/x password=\"$(openssl rand -hex 8)\"", "kubectl -n x create secret generic s --from-literal=k=\"$(openssl rand -hex 8)\"", "kubectl apply -f x.yaml", "openssl rand -hex 8 > file\nkubectl apply -f x.yaml"}},
	"sample-value": {
		found:  []string{"curl https://shop.example.com/", "kubectl -n my-namespace get pods", "vault login XXXX", "ssh <host> uptime"},
		silent: []string{"echo 'open https://shop.example.com'", "curl https://shop.internal/", "kubectl get nodes"}},
	"gnu-only": {
		found:  []string{"grep -oP 'x' f", "ls | xargs -r rm", "head -n -1 f", "stat -c %s f", "base64 -w0 f", "mktemp --suffix=.yaml", "find . -printf x", "sudo sed -i s/a/b/ f"},
		silent: []string{"grep -E x f", "sed -i '' s/a/b/ f", "sed -e s/a/-i/ f", "head -n 1 f", "date +%s", "ls | xargs -n 1 echo", "xargs -I{} kubectl -n x get pod {}"}},
	"bashism": {
		found:  []string{"source ./env", "cat <<< x", "diff <(ls a) <(ls b)", "a=(1 2)", "echo ${x//a/b}", "ls &> log", "function f { ls; }"},
		silent: []string{". ./env", "[ -f x ] && ls", "echo ${x#a}", "f() { ls; }", "ls > log 2>&1", "cat << E\n[[ x ]]\nE"}},
	"cost-missing": {
		found:  []string{"vault kv delete kv/x", "kubectl drain node1", "echo 'DROP TABLE x' | psql", ": > data.db"},
		silent: []string{"rm -f /tmp/x", "kubectl get pods -A", "vault kv put -cas=0 kv/x a=b", "make build"}},
}

func TestRulesTellLookAlikesApart(t *testing.T) {
	for rule, cases := range lookAlikes {
		for _, code := range cases.found {
			if !slices.Contains(rulesOf(check(code)), rule) {
				t.Errorf("%s doesn't see %q", rule, code)
			}
		}
		for _, code := range cases.silent {
			if slices.Contains(rulesOf(check(code)), rule) {
				t.Errorf("%s speaks of %q", rule, code)
			}
		}
	}
}

func TestAProtectedKeyIsSeenInEveryForm(t *testing.T) {
	matter := "params:\n  NS: {help: namespace}\nprotects:\n  - {name: session key, secret: \"${NS}/app\", key: KEY, vault: kv/shop, property: session-key}\n"
	for code, want := range map[string]string{
		"vault kv put kv/shop password=-":                                "drops",
		"vault kv put kv/shop session-key=-":                             "overwrites",
		"vault kv put kv/shop @all.json":                                 "may drop or overwrite",
		"vault kv put -mount=kv shop a=-":                                "drops",
		"vault kv patch kv/shop session-key=-":                           "overwrites",
		"vault kv patch -remove-data=session-key kv/shop":                "removes",
		"vault kv rollback -version=3 kv/shop":                           "an older value",
		"vault kv metadata delete kv/shop":                               "deletes",
		"kubectl -n \"$NS\" delete secret app":                           "deletes",
		"E=kv/shop\nvault kv put $E a=-":                                 "drops",
		"vault kv put -cas=0 kv/shop session-key=-":                      "",
		"vault kv patch kv/shop password=-":                              "",
		"vault kv put kv/other password=-":                               "",
		"vault kv get kv/shop":                                           "",
		"kubectl -n \"$NS\" create secret generic app --from-file=KEY=x": "",
		"kubectl -n other delete secret app":                             "",
		"kubectl -n \"$NS\" get secret app":                              "",
	} {
		var got []string
		for _, d := range check(front(matter, "## Step\n\n'''sh\n"+code+"\n'''\n")) {
			if d.Rule == "rotates-protected" {
				got = append(got, d.Message)
			}
		}
		if want == "" && got != nil || want != "" && (len(got) != 1 || !strings.Contains(got[0], want)) {
			t.Errorf("%q: got %q, want %q", code, got, want)
		}
	}
}

func TestARotationThatIsMeantSaysSo(t *testing.T) {
	step := func(annotation string) string {
		return front(protecting, "## Step\n\n<!-- step\n"+annotation+"-->\n\n'''yaml action\nvault: rotate\nentry: kv/shop\nproperty: session-key\ngenerate: base64\nbytes: 32\n'''\n")
	}
	if got := rulesOf(check(step("id: x\n"))); !slices.Contains(got, "rotates-protected") {
		t.Errorf("unsaid: %v", got)
	}
	if got := rulesOf(check(step("risk: rotate\ncost: everybody is logged out\n"))); len(got) != 0 {
		t.Errorf("said: %v", got)
	}
}

func TestManifestsOfActionsAreReadToo(t *testing.T) {
	manifest := func(text string) string {
		return "# X\n\n## Y\n\n'''yaml action\napply: manifests\n---\n" + text + "'''\n"
	}
	for text, want := range map[string]string{
		"apiVersion: v1\nkind: Secret\nmetadata: {name: x}\nstringData:\n  password: hunter2hunter2\n": "literal-secret 12:13",
		"apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec:\n  containers:\n    - image: busybox\n": "unpinned-image 13:14",
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  host: shop.example.com\n":      "sample-value 12:9",
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  password: not-a-secret\n":      "",
	} {
		var got []string
		for _, d := range check(manifest(text)) {
			got = append(got, sprintf("%s %d:%d", d.Rule, d.Line, d.Col))
		}
		if g := strings.Join(got, ", "); g != want {
			t.Errorf("%s: got %q, want %q", text, g, want)
		}
	}
}

func TestExpectationsThatExcludeEachOther(t *testing.T) {
	for pair, want := range map[string]bool{
		"deploy/web is ready|deployment/web is absent":                    true,
		"namespace/x is absent|secret/s in x exists":                      true,
		"https://x.internal/ answers 200|https://x.internal/ answers 404": true,
		"job/x condition Complete|job/x condition Complete False":         true,
		"vault kv/x exists|vault kv/x is absent":                          true,
		"pod/a exists|pod/b is absent":                                    false,
		"secret/s in x exists|secret/s in y is absent":                    false,
		"deploy/web is ready|deploy/web exists":                           false,
		"job/x condition Complete|job/x condition Failed False":           false,
	} {
		a, b, _ := strings.Cut(pair, "|")
		got := slices.Contains(rulesOf(check(note("expect:\n  - "+a+"\n  - "+b+"\n"))), "expectation-contradiction")
		if got != want {
			t.Errorf("%s: contradiction %v, want %v", pair, got, want)
		}
	}
}

func TestAFindingStandsWhereItIsInTheFile(t *testing.T) {
	src := "# X\n\n1. Quoted:\n\n   > ```console\n   > $ ls\n   > a  b\n   > $ cd x &&\n   >     sed -i s/a/b/ f\n   > ```\n"
	for _, d := range Check(steps.Parse("x.md", []byte(src)), nil) {
		if d.Rule == "gnu-only" {
			if d.Line != 9 || d.Col != 10 {
				t.Errorf("%d:%d, want 9:10", d.Line, d.Col)
			}
			return
		}
	}
	t.Error("nothing found")
}

func TestValuesThatAreKnownAreUsed(t *testing.T) {
	src := front("params:\n  IMAGE: {help: the image}\n", "## Step\n\n'''sh\nkubectl -n shop run x --image=${IMAGE}\n'''\n")
	r := steps.Parse("x.md", Example(src))
	for image, want := range map[string]bool{"": false, "nginx": true, "nginx:1.27": false} {
		v := steps.Values{}
		if image != "" {
			v["IMAGE"] = steps.Value{Text: image, Source: steps.FromSet}
		}
		if got := slices.Contains(rulesOf(Check(r, v)), "unpinned-image"); got != want {
			t.Errorf("IMAGE=%s: %v, want %v", image, got, want)
		}
	}
}
