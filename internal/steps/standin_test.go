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

func TestAShortenedKeyIsNotRun(t *testing.T) {
	for code, want := range map[string]string{
		"echo \"wcBMA37...\" | base64 -d": WhyPlaceholder, "vault login s.aB3dE5...": WhyPlaceholder, "echo 'Waiting for node1...'": "", "echo \"Please wait...\"": "",
	} {
		r := parseText("# A\n\n'''sh\n" + code + "\n'''\n")
		wantWhy(t, r, map[string]string{code: want})
	}
}

func TestTheContentOfAFileIsNotRun(t *testing.T) {
	for _, text := range []string{"Add the following lines to your `~/.bashrc`:", "Create a file `x.sh` with the following content:", "Save the following as x.sh:", "Append the following to the profile of your shell:"} {
		r := parseText("# A\n\n" + text + "\n\n'''bash\nexport PATH=\"$HOME/bin:$PATH\"\n'''\n")
		wantWhy(t, r, map[string]string{"export PATH": WhyNotShell})
	}
	for text, code := range map[string]string{
		"Create a file with the following content:": "cat <<EOF > x\na\nEOF", "Add this to the file:": "echo a >> x", "Paste the following in your terminal:": "export A=1",
		"Add the following repository:": "helm repo add x https://x", "Create a ConfigMap containing the following:": "kubectl create cm x",
	} {
		r := parseText("# A\n\n" + text + "\n\n'''bash\n" + code + "\n'''\n")
		wantWhy(t, r, map[string]string{code: ""})
	}
}

func TestAnOutputOfSomethingIsOutput(t *testing.T) {
	for _, text := range []string{"Typical output for the primary:", "Output of the command:", "Example output from a replica:"} {
		r := parseText("# A\n\n" + text + "\n\n'''shell\nget /v1/kv/x\n'''\n")
		wantWhy(t, r, map[string]string{"get /v1": WhyOutput})
	}
	r := parseText("# A\n\n'''shell\n0.006017    PUT    /v1/session\n'''\n\n'''sh\necho a\n'''\n")
	wantWhy(t, r, map[string]string{"0.006017": WhyOutput})
}

func TestWhatIsCrossedOutIsNotRun(t *testing.T) {
	for code, want := range map[string]string{
		"DISK=\"/dev/sdX\"\nsgdisk --zap-all $DISK": WhyPlaceholder, "cleanup.rb file-XX-stor.example.org": WhyPlaceholder, "kubectl get backup velero-YYYYMMDDHHMMSS": WhyPlaceholder,
		"mktemp /tmp/backup.XXXXXX": "", "java -Xmx2g -jar x": "", "date -d 2024 +%Y": "", "cat XXL.txt": "", "psql -c \"select to_char(now(), 'YYYY-MM-DD')\"": "",
	} {
		r := parseText("# A\n\n'''sh\n" + code + "\n'''\n")
		wantWhy(t, r, map[string]string{code: want})
	}
}

func TestATableBelowACommandIsOutputInAnyCase(t *testing.T) {
	r := parseText("# A\n\n'''sh\nwal-g backup-list\nname            last_modified        wal_segment\nbase_1 2020-07-07T14:51:36Z 0000\n'''\n\n'''sh\nmv  a  b\nln  -s  c  d\n'''\n\n'''sh\nwal-g backup-list\n\nname\tlast_modified\texpanded_size\n'''\n")
	wantWhy(t, r, map[string]string{"base_1": WhyOutput, "mv  a": "", "expanded_size": WhyOutput})
}
