package steps

import "testing"

func TestANegatedFenceIsText(t *testing.T) {
	for _, text := range []string{"Do not run this:", "**Do not run** the following on production:", "Never run:", "Don't run it before the backup:", "Nicht ausführen:"} {
		r := parseText("# A\n\n" + text + "\n\n'''bash\ndocker compose down\n'''\n")
		if got := why(t, r, "docker compose"); got != WhyNegated {
			t.Errorf("%s: %q", text, got)
		}
	}
	r := parseText("# A\n\n'''sh\n# Do NOT run this by hand\nrm -rf x\n'''\n")
	wantWhy(t, r, map[string]string{"rm -rf": WhyNegated})
	r = parseText("# A\n\nDo not run it twice. Run this:\n\n'''sh\necho once\n'''\n")
	wantWhy(t, r, map[string]string{"echo once": ""})
}

func TestFragmentsAreNotOffered(t *testing.T) {
	for _, code := range []string{
		"-Q \"ALTER LOGIN sa\"", "--feature-gates=x", "kubectl get po \\", "cat <<EOF\nx", "for i in 1 2; do", "echo 'x", "df -h /dev/sdb`",
		"oc delete machineconfig \\ \n  name",
	} {
		r := parseText("# A\n\n'''bash\n" + code + "\n'''\n")
		if got := why(t, r, code); got != WhyFragment {
			t.Errorf("%s: %q", code, got)
		}
	}
}

func TestWhatIsNoShellIsNotOfferedWhateverItsLabel(t *testing.T) {
	for _, code := range []string{
		"apiVersion: v1\nkind: Pod", "{\"a\": 1}", "SELECT * FROM x;", "DROP TABLE x;", "sum(rate(x[5m])) by (pod)", "Get-ChildItem C:\\",
		"$x = 5", "Check that the pod is running", "✅ Cluster is up", "├── main.go", "[INFO] started", "2024-01-02T03:04:05Z started", "I1130 12:15:20.533792 1 x.go:243] y",
		"Error: not found", "- one\n- two", "NAME   READY   STATUS\nweb    1/1     Running", "| a | b |", "namespace/x created",
	} {
		r := parseText("# A\n\n'''bash\n" + code + "\n'''\n\n'''sh\necho a\n'''\n")
		if got := why(t, r, code); got != WhyNotShell && got != WhyOutput {
			t.Errorf("%s: %q", code, got)
		}
	}
}

func TestPlaceholdersAreNotRunEvenWhereBashWould(t *testing.T) {
	for _, code := range []string{
		"kubectl get po -n <namespace>", "kubectl delete pod <name of the pod> --force", "echo <a>b", "helm install x --set a={{ .Values.x }}",
		"kubectl apply -f https://x/v{{< version >}}/y.yaml", "curl {% url %}", "curl {%} %}", "echo [[VAR]] REPLACE_ME", "export TOKEN=xxx", "ckan [COMMAND]",
		"kubectl create -f x\n[...]", "aws s3 cp s3://your-bucket/x .", "kubectl get {name}", "helm install TODO x",
	} {
		r := parseText("# A\n\n'''bash\n" + code + "\n'''\n")
		if got := why(t, r, code); got != WhyPlaceholder {
			t.Errorf("%s: %q", code, got)
		}
	}
}

func TestWhatOnlyLooksLikeAPlaceholderIsRun(t *testing.T) {
	for _, code := range []string{
		"cat <<EOF >x\na\nEOF", "sort <in >out", "diff <(ls a) <(ls b)", "kubectl get po -o go-template='{{range .items}}{{.metadata.name}}{{end}}'",
		"docker ps --format '{{.Names}}'", "kubectl get po -o jsonpath='{.items[0].metadata.name}'", "awk '{print}' x", "if [[ -f x ]]; then echo y; fi",
		"ls [abc]*", "cat <<EOF\n<html><b>x</b></html>\nEOF", "xargs -I {} echo {}", "echo x # <note> in a comment", "cat todo", "echo ${NAME}", "[ -f x ] && echo y",
		"cat <<EOF | kubectl apply -f -\nlist: [name]\nobject: {name}\nEOF",
	} {
		r := parseText("# A\n\n'''bash\n" + code + "\n'''\n")
		if got := why(t, r, code); got != "" {
			t.Errorf("%s: %q", code, got)
		}
	}
}

func TestDryRunsAndRedirectsAreLeftToTheReaderOfRisks(t *testing.T) {
	for _, code := range []string{"x --dry-run=no", "kubectl create ns x --dry-run=client -o yaml | kubectl delete -f -", "< files.txt xargs rm -fr", "dd if=/dev/zero of=/dev/sdb # wipes it"} {
		wantCodes(t, parseText("# A\n\n'''bash\n"+code+"\n'''\n"), code+"\n")
	}
}

func TestFencesWithoutALabelNeedToLookLikeCommands(t *testing.T) {
	r := parseText("# A\n\nRun:\n\n'''\nsudo sv status monitor\n'''\n\nThe file:\n\n'''\naddress=/dev/127.0.0.1\n'''\n\nPaste this:\n\n'''\ntopk(10, x)\n'''\n\nText:\n\n'''\ncloud-platform pipeline delete --cluster-name x\n'''\n\nFor a line like this\n\n'''\nbuffer-limit slave 4gb 4gb 0\n'''\n")
	wantWhy(t, r, map[string]string{"sudo sv": "", "address=": WhyNotShell, "topk": WhyNotShell, "cloud-platform": "", "buffer-limit": WhyNotShell})
}

func TestCharactersThatLookLikeOthersAreRefused(t *testing.T) {
	for _, code := range []string{"kubectl delete pod x –namespace prod", "kubectl\u00a0get po", "kubectl delete pod x\u200b", "echo a\u202eb", "echo a # \u2066b", "echo a\x1b[8m; rm x\x1b[0m", "echo a\b\b\b"} {
		r := parseText("# A\n\n'''sh\necho first\n'''\n\n'''sh\n# a comment – with a dash\n" + code + "\n'''\n")
		if got := why(t, r, code); got != WhyNotShell {
			t.Errorf("%q: %q", code, got)
		}
		wantDiagnostic(t, r, "odd-character", 9, "this line has")
	}
	wantCodes(t, parseText("# A\n\n'''sh\necho \"über – uns\"\n'''\n"), "echo \"über – uns\"\n")
}
