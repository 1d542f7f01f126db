package risk

import (
	"errors"
	"strings"
	"testing"
)

func TestAnAliasFileOfKubectlCanMakeAnyVerbMeanAnything(t *testing.T) {
	check(t, Context{}, []verdict{
		{"kubectl --kuberc=f zap ns x", Destroy},
		{"kubectl --kuberc f tidyup ns x", Unknown},
		{"KUBECTL_KUBERC=true kubectl tidyup ns x", Unknown},
		{"kubectl --kuberc f -n x delete cm y", Destroy},
		{"kubectl --kuberc f get pods", Read},
	})
}

func TestADryRunThatTheVerbDoesNotHaveIsNone(t *testing.T) {
	check(t, Context{}, []verdict{
		{"kubectl rollout restart deploy/x --dry-run=server", Interrupt},
		{"kubectl rollout undo deploy/x --dry-run=server", Read},
		{"kubectl rollout undo deploy/x --dry-run=none", Interrupt},
		{"kubectl delete ns x --dry-run=none --dry-run=client", Read},
		{"kubectl exec p -- rm -rf /x --dry-run=client", Destroy},
		{"kubectl cnpg destroy c 1 --dry-run=false", Destroy},
		{"kubectl get ns x -o name --dry-run=client | xargs kubectl delete", Destroy},
	})
}

func TestATaskRunnerRehearsesByRunning(t *testing.T) {
	files := map[string]string{
		"Taskfile.yml": "version: '3'\ntasks:\n  show:\n    vars: {V: {sh: kubectl delete ns x}}\n    cmds: ['echo {{.V}}']\n  later:\n    cmds:\n      - defer: kubectl delete ns x\n      - kubectl get ns\n  args:\n    cmds: ['kubectl {{.CLI_ARGS}}']\n  far:\n    cmds: [{task: 'other:thing'}]\n",
	}
	c := Context{ReadFile: func(p string) ([]byte, error) {
		if s, ok := files[p]; ok {
			return []byte(s), nil
		}
		return nil, errors.New("no such file")
	}}
	check(t, c, []verdict{
		{"task --dry show", Destroy},
		{"task show", Destroy},
		{"task later", Destroy},
		{"task args -- delete ns x", Destroy},
		{"task args -- get ns", Read},
		{"task far", Unknown},
	})
	check(t, Context{}, []verdict{
		{"task --dry deploy", Unknown},
		{"task --summary deploy", Read},
		{"make -n deploy", Unknown},
		{"make down", Destroy},
		{"just --dry-run deploy", Unknown},
		{"npm run deploy", Unknown},
	})
}

func TestCharactersThatOnlyLookLikeASCIIAreReadAsMeant(t *testing.T) {
	for name, text := range map[string]string{
		"en dash":           "kubectl \u2013n x delete cm y",
		"em dash":           "kubectl \u2014context c delete cm y",
		"minus sign":        "kubectl \u2212n x delete cm y",
		"hyphen":            "kubectl delete ns x \u2010\u2010wait=false",
		"no-break space":    "kubectl\u00a0delete\u00a0ns\u00a0x",
		"narrow space":      "kubectl\u202fdelete ns x",
		"zero width space":  "kub\u200bectl del\u200bete ns x",
		"zero width joiner": "kubectl del\u200dete ns x",
		"byte order mark":   "\ufeffkubectl delete ns x",
		"soft hyphen":       "kubectl de\u00adlete ns x",
		"double quotes":     "kubectl delete ns \u201cx\u201d",
		"single quotes":     "bash -c \u2018kubectl delete ns x\u2019",
		"in a loop":         "for n in a b; do\u00a0kubectl delete ns $n; done",
	} {
		r := Classify(text, Context{})
		if r.Class != Destroy || !strings.Contains(strings.Join(r.Notes, ";"), "look like ASCII") {
			t.Errorf("%s: %q is %v, notes %q", name, text, r.Class, r.Notes)
		}
	}
	check(t, Context{}, []verdict{
		{"kubectl delete ns x\r\n", Destroy},
		{"kubectl \\\r\n  delete \\\r\n  ns x\r\n", Destroy},
		{"kubectl get ns\r\nkubectl delete ns x\r\n", Destroy},
		{"bash <<EOF\r\nkubectl delete ns x\r\nEOF\r\n", Destroy},
		{"kubectl get ns\rkubectl delete ns x", Destroy},
		{"kubectl delete ns x --dry\u2011run=client", Read},
		{"kubectl delete ns x \u2014dry-run=none", Destroy},
		{"caf\u00e9 delete", Destroy},
	})
}

func TestLoopsConditionsAndOptionsChangeNothing(t *testing.T) {
	check(t, Context{}, []verdict{
		{"while true; do kubectl delete ns x; done", Destroy},
		{"until kubectl delete ns x; do sleep 1; done", Destroy},
		{"if kubectl delete ns x; then :; fi", Destroy},
		{"set -euo pipefail; kubectl delete ns x", Destroy},
		{"set +e\nkubectl get ns\nkubectl delete ns x", Destroy},
		{"kubectl get ns && kubectl delete ns x || true", Destroy},
		{"case $1 in down) kubectl delete ns x ;; *) kubectl get ns ;; esac", Destroy},
		{"select n in a b; do kubectl delete ns $n; done", Destroy},
		{"for ((i=0; i<3; i++)); do kubectl delete ns x$i; done", Destroy},
		{"( ``#; kubectl delete ns x\n)", Destroy},
		{"true && {\n2<in>out\n}", Destroy},
		{"true;2<in>out", Destroy},
		{"talosctl kubeconfig", Write},
		{"kubectl argo rollouts abort web", Interrupt},
	})
}

func TestAVariableThatMayBeEmptyIsSpelledOut(t *testing.T) {
	for text, want := range map[string]string{
		`rm -rf "$DIR/"*`:         "with DIR empty that is /*",
		"rm -rf $DIR/data":        "with DIR empty that is /data",
		"rm -rf /":                "removes everything under /",
		"DIR=; rm -rf \"$DIR/\"*": "removes everything under /*",
	} {
		if r := Classify(text, Context{}); r.Class != Destroy || !strings.Contains(r.Why(), want) {
			t.Errorf("%s: %v, %q, want %q", text, r.Class, r.Why(), want)
		}
	}
}

func TestAForcedSyncMayPullARotatedValue(t *testing.T) {
	r := Classify("kubectl annotate es db force-sync=1 --overwrite", Context{})
	if r.Class != Write || !strings.Contains(r.Why(), "changed at its source arrives") {
		t.Errorf("%v, %q", r.Class, r.Why())
	}
}
