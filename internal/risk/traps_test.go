package risk

import "testing"

type verdict struct {
	text string
	want Class
}

func check(t *testing.T, c Context, rows []verdict) {
	t.Helper()
	for _, r := range rows {
		if got := Classify(r.text, c); got.Class != r.want {
			t.Errorf("Classify(%q) = %v, want %v\n\t%v %v", r.text, got.Class, r.want, got.Reasons, got.ParseError)
		}
	}
}

func TestTheVerbIsTheFirstWordThatIsNoFlag(t *testing.T) {
	check(t, Context{}, []verdict{
		{"kubectl -n x delete cm y", Destroy},
		{"kubectl --context=c --as u delete cm y", Destroy},
		{"kubectl -nx delete cm y", Destroy},
		{"kubectl --as u --as-group g --as-uid 1 --request-timeout 5s --cache-dir d --tls-server-name t --certificate-authority f --client-key k --client-certificate c -v 6 delete cm y", Destroy},
		{"kubectl -s https://x --token t --user u --cluster c --kubeconfig f delete cm y", Destroy},
		{"kubectl -n delete get cm", Read},
		{"kubectl -n delete get cm delete", Read},
		{"kubectl get pods -n delete", Read},
	})
}

func TestLookAlikesAreKubectl(t *testing.T) {
	check(t, Context{Aliases: map[string]string{"kk": "kubectl", "kd": "kubectl delete"}}, []verdict{
		{"k delete ns x", Destroy},
		{"kk delete ns x", Destroy},
		{"kd ns x", Destroy},
		{"alias z=kubectl; z delete ns x", Destroy},
		{"z() { kubectl \"$@\"; }; z delete ns x", Destroy},
		{"kubectl() { command kubectl --context foo \"$@\"; }; kubectl delete ns x", Destroy},
		{"kubectl() { command kubectl --context foo \"$@\"; }; kubectl get ns", Read},
		{"oc delete project x", Destroy},
		{"kubecolor delete ns x", Destroy},
		{"kubie exec ctx ns kubectl delete ns x", Destroy},
		{"k3s kubectl delete ns x", Destroy},
		{"microk8s kubectl delete ns x", Destroy},
		{"minikube kubectl -- delete ns x", Destroy},
		{"/usr/bin/kubectl delete ns x", Destroy},
		{"./bin/kubectl-1.30 delete ns x", Destroy},
		{"kubectl.exe delete ns x", Destroy},
		{"kubectl_v1.30.2 delete ns x", Destroy},
		{"mykubectl get pods", Unknown},
		{"kubectl foo", Unknown},
		{"kubectl neat", Read},
		{"kubectl tree deploy x", Read},
		{"kubectl ctx other", Write},
		{"kubectl cnpg status c", Read},
		{"kubectl cnpg destroy c 1", Destroy},
	})
}

func TestHelpAndDryRunCountOnlyWhereTheToolCountsThem(t *testing.T) {
	check(t, Context{}, []verdict{
		{"kubectl delete --help", Read},
		{"kubectl delete ns x -h", Read},
		{"kubectl delete ns x -h=false", Destroy},
		{"kubectl delete ns x --help=false", Destroy},
		{"kubectl delete ns x --help --help=false", Destroy},
		{"kubectl delete ns x --dry-run=client", Read},
		{"kubectl delete ns x --dry-run=server", Read},
		{"kubectl delete ns x --dry-run", Read},
		{"kubectl delete ns x --dry-run=client --dry-run=none", Destroy},
		{"kubectl delete ns x --dry-run=false", Destroy},
		{"kubectl delete ns x --dry-run=none", Destroy},
		{"kubectl delete ns -- zz --dry-run=client", Destroy},
		{"kubectl delete ns x --dry-run client", Read},
		{"kubectl delete --raw /api/v1/namespaces/x --dry-run=server", Destroy},
		{"kubectl delete ns x --dry-run=$X", Unknown},
		{"./cleanup-everything.sh --dry-run", Unknown},
		{"./x.sh --help", Unknown},
		{"kubectl create secret generic a --from-literal=k=v --dry-run=client -o yaml | kubectl apply -f -", Rotate},
		{"kubectl create cm a --from-literal=k=v --dry-run=client -o yaml | kubectl apply -f -", Write},
		{"kubectl create secret generic a --from-literal=k=v", Write},
		{"kubectl create secret generic a --from-literal=k=v --dry-run=client -o yaml", Read},
		{"kubectl cnpg fio x --dry-run | kubectl delete -f -", Destroy},
	})
}

func TestListsOfArgumentsAreCommandsToo(t *testing.T) {
	check(t, Context{}, []verdict{
		{"kubectl get pv -o name | xargs kubectl delete", Destroy},
		{"kubectl get pv -o name | xargs -I{} sh -c 'kubectl delete {}'", Destroy},
		{"kubectl get pv -o name | parallel kubectl delete {}", Destroy},
		{"parallel ::: 'kubectl delete ns x' 'echo y'", Destroy},
		{"kubectl get ns -o name | while read x; do kubectl delete \"$x\"; done", Destroy},
		{"xargs -a f -n1 kubectl get", Read},
		{"echo delete ns x | xargs kubectl", Destroy},
		{"cat f | xargs kubectl", Unknown},
		{"cat f | xargs", Read},
		{"find . -name x -delete", Destroy},
		{"find . -name x -exec rm {} +", Destroy},
		{"find . -name x -exec cat {} \\;", Read},
		{"for ns in a b; do kubectl delete ns $ns; done", Destroy},
		{"for v in get delete; do kubectl $v ns x; done", Destroy},
	})
}

func TestSubstitutionsAreReadAndMayBeNames(t *testing.T) {
	check(t, Context{}, []verdict{
		{"echo $(kubectl delete ns x)", Destroy},
		{"echo `kubectl delete ns x`", Destroy},
		{"diff <(kubectl get a) <(kubectl delete ns x)", Destroy},
		{"kubectl get pod $(kubectl get pod -o name | head -1)", Read},
		{"kubectl $(cat verb) ns x", Unknown},
		{"$(cat prog) ns x", Unknown},
		{"$(which kubectl) get ns", Unknown},
		{"X=$(kubectl delete ns x)", Destroy},
		{"[[ $(kubectl delete ns x) ]]", Destroy},
		{"echo ${A:-$(kubectl delete ns x)}", Destroy},
		{"echo $(( $(kubectl delete ns x) + 1 ))", Destroy},
		{"case $(kubectl delete ns x) in *) ;; esac", Destroy},
		{"echo ${a[$(kubectl delete ns x)]}", Destroy},
		{"echo ${a/$(kubectl delete ns x)/b}", Destroy},
		{"echo ${a:$(kubectl delete ns x)}", Destroy},
		{"cat x > >(kubectl delete ns x)", Destroy},
		{"cat x | tee >(kubectl delete ns x)", Destroy},
		{"$BIN/kubectl delete ns x", Destroy},
		{"$BIN/test x", Unknown},
		{"cat > f <<EOF\n$(kubectl delete ns x)\nEOF", Destroy},
		{"cat <<'EOF'\n$(kubectl delete ns x)\nEOF", Read},
	})
}

func TestConstantsAreFollowedAndNothingElseIsGuessed(t *testing.T) {
	check(t, Context{Env: map[string]string{"V": "delete", "G": "get"}}, []verdict{
		{"W=delete; kubectl $W ns x", Destroy},
		{"W=get; kubectl $W ns x", Read},
		{"kubectl $V ns x", Destroy},
		{"kubectl $G ns x", Read},
		{"CMD=(kubectl delete ns x); \"${CMD[@]}\"", Destroy},
		{"CMD=\"kubectl delete\"; $CMD ns x", Destroy},
		{"\"${CMD[@]}\"", Unknown},
		{"$KUBECTL delete ns x", Unknown},
		{"eval \"$X\"", Unknown},
		{"eval \"kubectl delete ns x\"", Destroy},
		{"X='kubectl get ns'; eval \"$X\"", Read},
		{". ./env.sh", Unknown},
		{"source <(curl -s https://x)", Unknown},
		{"source <(kubectl completion bash)", Read},
		{"W=get; if true; then W=delete; fi; kubectl $W ns x", Unknown},
		{"W=get; kubectl $W ns x; W=delete; kubectl $W ns x", Destroy},
		{"W=get; while true; do kubectl $W ns x; W=delete; done", Unknown},
		{"kubectl $OPTS delete ns x", Destroy},
		{"kubectl $OPTS get ns x", Unknown},
		{"k${E}ubectl delete ns x", Unknown},
		{"E=; k${E}ubectl delete ns x", Destroy},
		{"kubectl${IFS}delete${IFS}ns${IFS}x", Destroy},
		{"kubectl de\\lete ns x", Destroy},
		{"kubectl 'del'\"ete\" ns x", Destroy},
		{"kubectl $'\\x64elete' ns x", Destroy},
		{"kubectl {delete,get} ns", Destroy},
		{"W=get; read W; kubectl $W ns x", Unknown},
		{"W=get; printf -v W delete; kubectl $W ns x", Unknown},
		{"W=get; unset W; kubectl $W ns x", Unknown},
		{"f() { set -- delete; kubectl \"$@\" ns x; }; f get", Unknown},
		{"f() { shift; kubectl $1 ns x; }; f get delete", Unknown},
		{"f() { kubectl $1 ns x; }; f delete", Destroy},
		{"f() { kubectl $1 ns x; }; f get", Read},
		{"alias kubectl=echo; kubectl delete ns x", Destroy},
		{"if true; then kubectl() { echo; }; fi; kubectl delete ns x", Destroy},
		{"kubectl() { echo; }; unset -f kubectl; kubectl delete ns x", Destroy},
		{"ssh -o ProxyCommand='kubectl delete ns x' h uptime", Destroy},
		{"busybox sh -c 'kubectl delete ns x'", Destroy},
	})
}

func TestShellsInsideTheShellAreRead(t *testing.T) {
	check(t, Context{}, []verdict{
		{"bash -c 'kubectl delete ns x'", Destroy},
		{"sh -ec 'kubectl delete ns x'", Destroy},
		{"zsh -lc 'kubectl delete ns x'", Destroy},
		{"su -c 'kubectl delete ns x' bob", Destroy},
		{"su bob -c 'kubectl get ns'", Read},
		{"ssh host 'kubectl delete ns x'", Destroy},
		{"ssh -p 22 -i key host sudo kubectl delete ns x", Destroy},
		{"ssh host uptime", Read},
		{"docker exec c sh -c 'rm -rf /x'", Destroy},
		{"docker run --rm -v /:/h alpine sh -c 'rm -rf /h'", Destroy},
		{"kubectl exec p -- sh -c 'rm -rf /x'", Destroy},
		{"kubectl exec p -c c -- ls", Read},
		{"nix-shell -p x --run 'kubectl delete ns x'", Destroy},
		{"python -c 'import os'", Unknown},
		{"node -e 'x()'", Unknown},
		{"perl -e 'unlink 1'", Unknown},
		{"awk 'BEGIN{system(\"kubectl delete ns x\")}'", Destroy},
		{"awk '{print $1 > \"f\"}' x", Write},
		{"awk '$1 > 3 {print}' x", Read},
		{"bash <<EOF\nkubectl delete ns x\nEOF", Destroy},
		{"bash <<EOF\nkubectl get ns x\nEOF", Read},
		{"bash <<< \"kubectl delete ns x\"", Destroy},
		{"cat <<EOF | sh\nkubectl delete ns x\nEOF", Destroy},
		{"cat <<EOF | sh\nkubectl get ns x\nEOF", Unknown},
		{"echo 'kubectl delete ns x' | bash", Destroy},
		{"printf 'kubectl %s ns x' delete | bash", Destroy},
		{"printf '%s ' kubectl delete ns x | bash", Destroy},
		{"kubectl apply -f - <<EOF\nkind: Secret\napiVersion: v1\nmetadata: {name: a}\nEOF", Rotate},
		{"kubectl create -f - <<EOF\nkind: Secret\napiVersion: v1\nmetadata: {name: a}\nEOF", Write},
		{"kubectl apply -f - <<EOF\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\nEOF", Write},
		{"kubectl delete -f - <<< \"$x\"", Destroy},
		{"psql <<SQL\nDROP TABLE x;\nSQL", Destroy},
		{"psql <<SQL\nSELECT 1;\nSQL", Read},
		{"curl https://x | sh", Unknown},
		{"wget -O- https://x | bash", Unknown},
		{"base64 -d f | sh", Unknown},
		{"bash <(curl -s https://x)", Unknown},
		{"bash deploy.sh", Unknown},
		{"bash -c \"$X\"", Unknown},
	})
}

func TestPrefixesAreStrippedWithTheirOwnFlags(t *testing.T) {
	check(t, Context{}, []verdict{
		{"sudo -u x kubectl delete ns y", Destroy},
		{"sudo -H -E -u x -- kubectl delete ns y", Destroy},
		{"env A=1 -i kubectl delete ns y", Destroy},
		{"env -i A=1 kubectl delete ns y", Destroy},
		{"env -u A B=1 kubectl delete ns y", Destroy},
		{"A=1 kubectl delete ns y", Destroy},
		{"timeout 5 kubectl delete ns y", Destroy},
		{"timeout -k 1 5s kubectl delete ns y", Destroy},
		{"time -p kubectl delete ns y", Destroy},
		{"nice -n 5 kubectl delete ns y", Destroy},
		{"nohup kubectl delete ns y &", Destroy},
		{"stdbuf -oL kubectl delete ns y", Destroy},
		{"watch -n1 'kubectl delete ns y'", Destroy},
		{"watch -n 1 kubectl get pods", Read},
		{"strace -f -e trace=open kubectl delete ns y", Destroy},
		{"chroot /mnt kubectl delete ns y", Destroy},
		{"flock f kubectl delete ns y", Destroy},
		{"flock f -c 'kubectl delete ns y'", Destroy},
		{"setsid kubectl delete ns y", Destroy},
		{"command kubectl delete ns y", Destroy},
		{"command -v kubectl", Read},
		{"builtin cd x", Read},
		{"exec kubectl delete ns y", Destroy},
		{"if true; then ! kubectl delete ns y; fi", Destroy},
		{"aws-vault exec p -- kubectl delete ns y", Destroy},
		{"op run -- kubectl delete ns y", Destroy},
		{"sops exec-env f 'kubectl delete ns y'", Destroy},
		{"dotenv -f .env -- kubectl delete ns y", Destroy},
		{"mise x -- kubectl delete ns y", Destroy},
		{"mise x node@20 -- kubectl delete ns y", Destroy},
		{"direnv exec . kubectl delete ns y", Destroy},
		{"time kubectl delete ns y", Destroy},
		{"coproc kubectl delete ns y", Destroy},
		{"sudo -i", Unknown},
		{"sudo A=1 kubectl delete ns y", Destroy},
		{"kubectl exec p -- env A=1 rm -rf /x", Destroy},
	})
}

func TestCopiedTextIsNormalisedForJudging(t *testing.T) {
	check(t, Context{}, []verdict{
		{"kubectl \\\ndelete \\\n  ns x", Destroy},
		{"kubectl \\\r\ndelete ns x\r\n", Destroy},
		{"kubectl\u00a0delete\u00a0ns\u00a0x", Destroy},
		{"kubectl\u200b delete ns x", Destroy},
		{"kubectl delete ns \u201cx\u201d", Destroy},
		{"kubectl \u2013n x delete cm y", Destroy},
		{"$ kubectl delete ns x", Destroy},
		{"$ kubectl get ns\n$ kubectl delete ns x", Destroy},
		{"# kubectl delete ns x", Destroy},
		{"# kubectl delete ns x is what you must not do\nkubectl get ns", Read},
		{"# this deletes the namespace", Read},
		{"kubectl get ns # kubectl delete ns x", Read},
		{"kubectl delete ns <name>", Destroy},
		{"kubectl -n <my namespace> get pods", Read},
		{"kubectl -n {{ ns }} delete cm y", Destroy},
		{"kubectl -n {{ ns | quote }} get cm y", Read},
		{"kubectl get pods -n <ns> -o yaml > out.yaml", Write},
		{"cat <in >/dev/sda", Destroy},
		{"cat <in>/dev/sda", Destroy},
	})
}

func TestWordsInArgumentsAreNoCommands(t *testing.T) {
	check(t, Context{}, []verdict{
		{`echo "kubectl delete ns x"`, Read},
		{`printf "kubectl delete ns x\n"`, Read},
		{"grep delete file", Read},
		{"man kubectl-delete", Read},
		{`git commit -m "delete ns"`, Write},
		{`echo "kubectl delete ns x" > f`, Write},
	})
}

func TestGlobalFlagsComeBeforeTheVerb(t *testing.T) {
	check(t, Context{}, []verdict{
		{"helm del x", Destroy},
		{"helm un x", Destroy},
		{"helm -n x --kube-context y uninstall z", Destroy},
		{"docker-compose -f a down -v", Destroy},
		{"docker compose -f a down --volumes --remove-orphans", Destroy},
		{"docker compose down", Interrupt},
		{"docker container rm x", Destroy},
		{"terraform -chdir=x destroy", Destroy},
		{"tofu apply -destroy", Destroy},
		{"TF_CLI_ARGS_apply=-auto-approve tofu apply", Write},
		{"TF_CLI_ARGS_apply=-destroy tofu apply", Destroy},
		{"git -C x push -f", Destroy},
		{"git push origin :branch", Destroy},
		{"git push origin +main", Destroy},
		{"git push origin main", Write},
		{"git push --force-with-lease", Destroy},
		{"git push --dry-run --force", Read},
	})
}

func TestRedirectionsWrite(t *testing.T) {
	check(t, Context{}, []verdict{
		{"> f", Destroy},
		{": > f", Destroy},
		{"cat /dev/null > f", Destroy},
		{"kubectl get x > values.yaml", Write},
		{"kubectl get x >| f", Write},
		{"kubectl get x &> f", Write},
		{"kubectl get x 2>/dev/null", Read},
		{"kubectl get x > /dev/null 2>&1", Read},
		{"kubectl get x > /dev/sda", Destroy},
		{"kubectl get x >> f", Write},
		{"rm -rf \"$DIR/\"*", Destroy},
		{"DIR=; rm -rf $DIR/*", Destroy},
		{"rm -f /tmp/x", Destroy},
	})
}

func TestVaultEntriesAreReplacedNotMerged(t *testing.T) {
	v := func(string) int { return 2 }
	one := func(string) int { return 1 }
	check(t, Context{}, []verdict{
		{"vault kv put -mount=m e @file.json", Rotate},
		{"vault kv put m/e -", Rotate},
		{"vault kv put m/e k=@file", Rotate},
		{"vault kv put -cas=0 m/e k=v", Write},
		{"vault kv put m/e k=v -cas=0", Rotate},
		{"vault kv put -cas=3 m/e k=v", Rotate},
		{"vault kv patch m/e k=v", Rotate},
		{"vault kv get m/e", Read},
		{"vault kv delete m/e", Destroy},
		{"vault kv undelete -versions=2 m/e", Write},
		{"vault kv destroy -versions=2 m/e", Destroy},
		{"vault kv metadata delete m/e", Destroy},
		{"vault kv rollback -version=2 m/e", Rotate},
		{"vault write secret/x a=b", Unknown},
		{"vault delete secret/x", Destroy},
		{"vault secrets disable m", Destroy},
		{"vault operator seal", Interrupt},
		{"vault lease revoke -prefix x", Interrupt},
		{"vault token revoke -self", Interrupt},
		{"vault policy write p f", Write},
		{"vault policy delete p", Destroy},
		{"vault login", Write},
		{"vault kv put -help", Read},
	})
	check(t, Context{MountVersion: v}, []verdict{{"vault write m/data/e a=b", Rotate}})
	check(t, Context{MountVersion: one}, []verdict{{"vault kv put m/e a=b", Destroy}, {"vault write m/e a=b", Destroy}})
}

func TestForceSyncIsAWrite(t *testing.T) {
	check(t, Context{}, []verdict{{"kubectl annotate es x force-sync=$(date +%s) --overwrite", Write}})
}
