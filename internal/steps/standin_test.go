package steps

import "testing"

func TestWordsThatStandForAValueAreNotRun(t *testing.T) {
	for _, code := range []string{
		"argocd proj windows add PROJECT ID", "ckan sysadmin add USERNAME email=EMAIL_ADDRESS", "kubectl cnpg promote CLUSTER INSTANCE", "kubectl get po -n NAMESPACE", "ssh HOST uptime",
		"etcdctl snapshot save DB_NAME", "helm upgrade x y --set image.tag=VERSION", "vacuumdb --jobs=N", "for i in 1 2; do kubectl delete pod POD_NAME; done",
		"gds aws govuk-[environment]-admin -l", "kubectl create cm x --from-file /path/to/x", "export KEY=/path/to/key", "cp 'path/to/my file' .",
		"curl -H \"X-Vault-Token: ...\" http://x", "curl -d 'token=...' http://x",
	} {
		r := parseText("# A\n\n'''bash\n" + code + "\n'''\n")
		if got := why(t, r, code); got != WhyPlaceholder {
			t.Errorf("%s: %q", code, got)
		}
	}
}

func TestWordsInCapitalsThatProgramsKnowAreRun(t *testing.T) {
	for _, code := range []string{
		"kubectl get po -o custom-columns=NAME:.metadata.name,NAMESPACE:.metadata.namespace", "kubectl get po | grep NAME", "export NAMESPACE", "read -r TOKEN", "unset PASSWORD",
		"redis-cli CONFIG GET save", "lsblk -o NAME", "kubectl set env deploy/x DATABASE_NAME-", "gh secret set TOKEN", "curl -X DELETE http://x", "NAMESPACE=x kubectl get po",
		"terraform output VPC_ID", "make build VERSION=1", "docker run -e PASSWORD img", "kubectl get po $NAMESPACE", "printenv HOST", "kubectl scale --replicas=3 deploy/web",
		"go test ./...", "echo \"loading...\"", "ls [a-z]*", "cat arr[index]", "ls -d x-[0-9]", "cd path",
	} {
		r := parseText("# A\n\n'''bash\n" + code + "\n'''\n")
		if got := why(t, r, code); got != "" {
			t.Errorf("%s: %q", code, got)
		}
	}
}

func TestForExampleAloneIntroducesNothing(t *testing.T) {
	r := parseText("# A\n\n'''sh\nshowmount -e x\n'''\n\nWe should see the path. For example:\n\n'''bash\nexports for x\n'''\n\nList them. For example:\n\n'''bash\nshowmount -a x\n'''\n")
	wantWhy(t, r, map[string]string{"exports for": WhyOutput, "showmount -a": ""})
}

func TestMarkedOutputIsOutputInEveryLanguage(t *testing.T) {
	r := parseText("# A\n\n'''sh\necho a\n'''\n\nResults:\n\n<!-- expected_similarity=0.3 -->\n\n'''json\n{\"a\": 1}\n'''\n\nThe config looks like this:\n\n'''json\n{\"b\": 1}\n'''\n")
	wantWhy(t, r, map[string]string{"\"a\"": WhyOutput, "\"b\"": WhyNotShell})
}
