package steps

import (
	"slices"
	"testing"
)

// The tests of this file hold what the hardest files of real repositories
// taught, each reduced to its pattern.

func TestABodyLeftOfItsListIsDoubtful(t *testing.T) {
	r := parseText("# A\n\n1. Do\n\n    '''sh\nkubectl delete ns x\n    '''\n\n2. Then\n")
	wantWhy(t, r, map[string]string{"kubectl delete": WhyDoubtful})
	wantDiagnostic(t, r, "list-broken", 6, "list ends here")
}

func TestAnUnclosedFenceDoesNotSwallowTheNextHeading(t *testing.T) {
	r := parseText("# A\n\n## One\n\n'''shell\n$ kubectl get po\n\n## Two\n\nText.\n")
	wantWhy(t, r, map[string]string{"kubectl get po": WhyDoubtful})
	wantDiagnostic(t, r, "unclosed-fence", 5, "never closed")
	if !slices.ContainsFunc(r.Sections, func(s Section) bool { return s.Title == "Two" }) {
		t.Errorf("the heading is gone: %+v", r.Sections)
	}
}

func TestTwoBackticksCloseNothing(t *testing.T) {
	r := parseText("# A\n\n1. x\n   '''bash\n   kubectl get po\n   ``\n   Prose.\n\n## B\n\n'''sh\necho b\n'''\n")
	wantDiagnostic(t, r, "wrong-closer", 6, "shorter")
	wantWhy(t, r, map[string]string{"kubectl get po": WhyDoubtful, "echo b": ""})
}

func TestThreeBackticksDoNotCloseFour(t *testing.T) {
	r := parseText("# A\n\n`'''\nkubectl get po\n'''\n\n## B\n\n'''sh\necho b\n'''\n")
	wantDiagnostic(t, r, "wrong-closer", 5, "shorter")
	wantWhy(t, r, map[string]string{"kubectl get po": WhyDoubtful, "echo b": WhyDoubtful})
}

func TestACommandInAnInfoStringIsNoFence(t *testing.T) {
	r := parseText("# A\n\n'''REDIS=$(x) redis-cli '''\n\nText.\n\n'''sh\necho hi\n'''\n")
	wantCodes(t, r, "echo hi\n")
}

func TestTabsOfComponentsAreAlternatives(t *testing.T) {
	r := Parse("x.mdx", []byte(md("# A\n\n<Tabs>\n<Tab title=\"New\">\n'''bash\necho new\n'''\n</Tab>\n<Tab title=\"Old\">\n'''bash\necho old\n'''\n</Tab>\n</Tabs>\n\n'''bash\necho after\n'''\n")))
	wantWhy(t, r, map[string]string{"echo new": "", "echo old": WhyNotTaken, "echo after": ""})
}

func TestFencesIndentedBelowAComponentAreRead(t *testing.T) {
	r := Parse("x.mdx", []byte(md("# A\n\n<Tabs>\n  <Tab title=\"One\">\n    Text.\n\n    '''bash\n    echo one\n    '''\n  </Tab>\n  <Tab title=\"Two\">\n\n    '''bash\n    echo two\n    '''\n  </Tab>\n</Tabs>\n")))
	wantCodes(t, r, "echo one\n")
	wantWhy(t, r, map[string]string{"echo two": WhyNotTaken})
}

func TestAdmonitionsAreUnwrapped(t *testing.T) {
	r := parseText("# A\n\n!!! note \"Read\"\n    Text.\n\n    '''sh\n    echo in\n    '''\n\nOut.\n\n'''sh\necho out\n'''\n")
	wantCodes(t, r, "echo in\n", "echo out\n")
}

func TestTabsOfPythonMarkdownAreAlternatives(t *testing.T) {
	r := parseText("# A\n\n=== \"Linux\"\n\n    '''sh\n    echo linux\n    '''\n\n=== \"macOS\"\n\n    '''sh\n    echo mac\n    '''\n\nThen.\n\n=== \"Other set\"\n\n    '''sh\n    echo other\n    '''\n")
	wantWhy(t, r, map[string]string{"echo linux": "", "echo mac": WhyNotTaken, "echo other": ""})
}

func TestTabsOfShortcodesAndZonesAreAlternatives(t *testing.T) {
	r := parseText("# A\n\n{{< tabs >}}\n{{< tab \"x\" >}}\n\n'''sh\necho x\n'''\n\n{{< /tab >}}\n{{< tab \"y\" >}}\n\n'''sh\necho y\n'''\n\n{{< /tab >}}\n{{< /tabs >}}\n\n::: zone pivot=\"p-bash\"\n\n'''bash\necho bash\n'''\n\n::: zone-end\n\n::: zone pivot=\"p-cmd\"\n\n'''bash\necho cmd\n'''\n\n::: zone-end\n\n'''sh\necho after\n'''\n")
	wantWhy(t, r, map[string]string{"echo x": "", "echo y": WhyNotTaken, "echo bash": "", "echo cmd": WhyNotTaken, "echo after": ""})
}

func TestDirectivesAreUnwrapped(t *testing.T) {
	r := parseText("# A\n\n`'''{note} Title\nText.\n\n'''{code-block} shell\n:name: x\n:emphasize-lines: 2\n\necho in\n'''\n`'''\n\n'''{danger}\nDon't do that.\n'''\n\n'''sh\necho out\n'''\n")
	wantCodes(t, r, "echo in\n", "echo out\n")
}

func TestADirectiveThatEndsTooEarlyIsDoubtful(t *testing.T) {
	r := parseText("# A\n\n'''{note}\nText.\n\n'''sh\necho in\n'''\n'''\n")
	wantWhy(t, r, map[string]string{"echo in": WhyDoubtful})
}

func TestShellVariantsOfAnotherShellAreNotOffered(t *testing.T) {
	r := parseText("# A\n\n~~~bash\necho a\n~~~\n\n~~~powershell\nWrite-Output a\n~~~\n")
	wantCodes(t, r, "echo a\n")
	wantWhy(t, r, map[string]string{"Write-Output": WhyNotShell})
}

func TestWhatFollowsAShellInAPodNeverRunsHere(t *testing.T) {
	r := parseText("# Delete\n\n1. Open a shell:\n\n   '''bash\n   kubectl exec -it deploy/nfs -n x -- /bin/bash\n   '''\n\n2. Delete:\n\n   '''bash\n   rm -rf /home/*\n   '''\n\n3. Leave:\n\n   '''bash\n   exit\n   '''\n\n4. Look:\n\n   '''bash\n   kubectl get po\n   '''\n")
	wantWhy(t, r, map[string]string{"kubectl exec": "", "rm -rf": WhyRemote, "exit": WhyRemote, "kubectl get po": ""})
	if !r.Steps[0].Interactive || r.Steps[3].Interactive {
		t.Error("only the first step needs the terminal")
	}
}

func TestEveryKindOfShellElsewhereOpensAContext(t *testing.T) {
	for _, opener := range []string{
		"ssh node-1", "ssh -i key -p 22 root@node", "sudo su", "su - root", "sudo -i", "psql -U app", "redis-cli -h x",
		"kubectl -n x exec -ti pod -c c -- sh", "kubectl exec --stdin --tty pod -- bash", "k exec pod", "oc rsh pod", "oc debug node/x",
		"docker exec -it web bash", "docker compose exec web sh", "docker run --rm -it alpine", "kubectl run -it --rm x --image=y -- sh",
		"kubectl exec -it pg-0 -- psql -U postgres", "cd x && ssh node", "rails console", "mysql -u root -p", "chroot /host", "vagrant ssh",
		"gcloud compute ssh x", "kubectl debug -it pod --image=busybox", "sudo ssh node",
	} {
		r := parseText("# A\n\n'''sh\n" + opener + "\n'''\n\nThen:\n\n'''sh\nrm -rf /data\n'''\n")
		if got := why(t, r, "rm -rf"); got != WhyRemote {
			t.Errorf("after %s: %q", opener, got)
		}
		if r.Steps[0].Blocks[0].Offered && !r.Steps[0].Interactive {
			t.Errorf("%s: not interactive", opener)
		}
	}
}

func TestCommandsForAPodOpenNothing(t *testing.T) {
	for _, command := range []string{
		"kubectl exec pod -- ls", "kubectl exec -it pod -- ls -l", "kubectl exec -it pod -- sh -c 'ls'", "ssh node uptime", "ssh -N -L 1:x:2 node",
		"ssh node <<EOF\nls\nEOF", "psql -c 'select 1'", "psql < dump.sql", "redis-cli ping", "docker exec web ls", "su -c id",
		"docker run alpine ls", "sudo systemctl restart x", "echo ssh node", "kubectl exec -i pod -- psql < dump.sql", "mysql -e 'show tables'", "sudo -u app ls",
	} {
		r := parseText("# A\n\n'''sh\n" + command + "\n'''\n\nThen:\n\n'''sh\nrm -rf data\n'''\n")
		if got := why(t, r, "rm -rf"); got != "" {
			t.Errorf("after %s: %q", command, got)
		}
	}
}

func TestWhatFollowsAnOpenerInItsOwnFenceIsNotOffered(t *testing.T) {
	r := parseText("# A\n\n'''sh\nssh node\nrm -rf /data\nexit\n'''\n\n'''sh\necho here\n'''\n")
	wantWhy(t, r, map[string]string{"ssh node": WhyRemote, "echo here": ""})
}

func TestTextLeavesAContext(t *testing.T) {
	for _, text := range []string{"Exit the container.", "Log out of the node.", "Back on your machine:", "Type `exit`."} {
		r := parseText("# A\n\n'''sh\nssh node\n'''\n\n" + text + "\n\n'''sh\necho here\n'''\n")
		if got := why(t, r, "echo here"); got != "" {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestAnInteractiveStepHandsTheTerminalOverAndGetsItBack(t *testing.T) {
	r := parseText("# A\n\n## Shell\n\n<!-- step\ninteractive: true\n-->\n\n'''sh\nkubectl exec -it pod -- bash\n'''\n\n## Next\n\n'''sh\necho here\n'''\n")
	wantWhy(t, r, map[string]string{"echo here": ""})
}

func TestForeignPromptsAreRefused(t *testing.T) {
	r := parseText("# A\n\n'''sh\nk exec -it redis-0 -- redis-cli\n'''\n\n'''\n> info keyspace\n'''\n\n'''sh\n> flushall\n'''\n")
	wantWhy(t, r, map[string]string{"info keyspace": WhyRemote, "flushall": WhyRemote})
	r = parseText("# A\n\n'''sh\n> flushall\n'''\n\n'''sh\necho a\n> flushall\n'''\n\n'''sh\n$mac docker ps\n'''\n\n'''sh\n$dev cd /app\n'''\n")
	wantWhy(t, r, map[string]string{"echo a": WhyNotShell, "docker ps": WhyRemote, "cd /app": WhyRemote})
	if got := codes(r); len(got) != 0 {
		t.Errorf("offered: %q", got)
	}
}

func TestPromptsOfOtherMachinesAreRefused(t *testing.T) {
	for _, prompt := range []string{"root@node:~# ", "[user@host ~]# ", "sh-4.4$ ", "bash-5.1# ", "/ # ", "node4# ", "repo $ ", "postgres=# ", "gpg> ", "mysql> ", `PS C:\> `} {
		r := parseText("# A\n\n'''console\n" + prompt + "kubectl delete ns x\n'''\n")
		if got := why(t, r, "kubectl delete"); got != WhyRemote && got != WhyNotShell {
			t.Errorf("%s: %q", prompt, got)
		}
	}
}

func TestAVariableThatIsSetIsNoHost(t *testing.T) {
	r := parseText("# A\n\n'''sh\nkube=kubectl\n$kube get po\n'''\n")
	wantCodes(t, r, "kube=kubectl\n$kube get po\n")
}

func TestACommentedOptionIsNoRootPrompt(t *testing.T) {
	code := "# WARNING: this deletes the store\n# kubectl delete secretstore x\nkubectl get secretstore\n"
	wantCodes(t, parseText("# A\n\n'''sh\n"+code+"'''\n"), code)
	r := parseText("# A\n\n'''console\n# kubectl get po\nNAME   READY\nx      1/1\n# kubectl get svc\nNAME   TYPE\n'''\n")
	wantCodes(t, r, "kubectl get po\nkubectl get svc\n")
}

func TestOutputIsNeverOffered(t *testing.T) {
	for _, text := range []string{
		"Example output:", "You should see something like:", "The output is similar to this:", "Expected output:", "**Output**", "This returns the following:",
		"Die Ausgabe:", "### Output", "which looks like this:", "<!-- expected_similarity=0.3 -->",
	} {
		r := parseText("# A\n\n'''sh\necho first\n'''\n\n" + text + "\n\n'''bash\nkubectl get po\n'''\n")
		if got := why(t, r, "kubectl get po"); got != WhyOutput {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestACommandWhoseOutputIsSpokenOfIsOffered(t *testing.T) {
	for _, text := range []string{
		"Run the following command and check that the output shows three pods:", "To see the output, run:",
		"The logs will show the exact error:", "Changing it could give unexpected results:", "The vault command will look like this:",
	} {
		r := parseText("# A\n\n" + text + "\n\n'''bash\nkubectl get po\n'''\n")
		if got := why(t, r, "kubectl get po"); got != "" {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestOutputBetweenCommandsWithoutPromptsIsNotOffered(t *testing.T) {
	r := parseText("# A\n\n'''\nvelero backup get\n\nNAME      STATUS\nbackup-1  Completed\n'''\n\n'''sh\nkubectl apply -f x\ndeployment.apps/web configured\n'''\n\n'''shell\netcdutl snapshot status my.db\n\n+------+\n| HASH |\n+------+\n'''\n")
	wantWhy(t, r, map[string]string{"velero": WhyOutput, "kubectl apply": WhyOutput, "etcdutl": WhyOutput})
}

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

func TestABlankBehindABackslashIsReported(t *testing.T) {
	r := parseText("# A\n\n'''bash\noc delete machineconfig \\ \n  name\n'''\n")
	wantDiagnostic(t, r, "broken-continuation", 4, "cuts this command in two")
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
		"kubectl apply -f https://x/v{{< version >}}/y.yaml", "curl {% url %}", "echo [[VAR]] REPLACE_ME", "export TOKEN=xxx", "ckan [COMMAND]",
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

func TestInlineCodeIsText(t *testing.T) {
	r := parseText("# A\n\nDo not run `docker compose down`. Run `rm -rf etcd.bak` first.\n\n1. `cp -a x y`\n2. `docker compose stop`\n\n'''sh\necho a\n'''\n")
	wantCodes(t, r, "echo a\n")
}

func TestFencesWithoutALabelNeedToLookLikeCommands(t *testing.T) {
	r := parseText("# A\n\nRun:\n\n'''\nsudo sv status monitor\n'''\n\nThe file:\n\n'''\naddress=/dev/127.0.0.1\n'''\n\nPaste this:\n\n'''\ntopk(10, x)\n'''\n\nText:\n\n'''\ncloud-platform pipeline delete --cluster-name x\n'''\n\nFor a line like this\n\n'''\nbuffer-limit slave 4gb 4gb 0\n'''\n")
	wantWhy(t, r, map[string]string{"sudo sv": "", "address=": WhyNotShell, "topk": WhyNotShell, "cloud-platform": "", "buffer-limit": WhyNotShell})
}

func TestAFenceInAQuoteIsRead(t *testing.T) {
	r := parseText("# A\n\n> Tip:\n>\n> '''sh\n> kubectl get po\n>   # indented\n> '''\n\nText.\n")
	wantCodes(t, r, "kubectl get po\n  # indented\n")
}

func TestContinuationsOfASessionBelongToTheCommand(t *testing.T) {
	r := parseText("# A\n\n'''console\n$ kubectl get po \\\n    -n x\nNAME READY\n$ for i in 1 2; do\n> echo $i\n> done\n1\n2\n'''\n")
	wantCodes(t, r, "kubectl get po \\\n    -n x\nfor i in 1 2; do\necho $i\ndone\n")
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

func TestACommentMarkInIndentedCodeHidesNothing(t *testing.T) {
	wantCodes(t, parseText("# A\n\nLike this:\n\n    <!-- open\n\n'''sh\necho a\n'''\n\n<!-->\n\n'''sh\necho b\n'''\n"), "echo a\n", "echo b\n")
}

func TestAnUnderlinedHeadingKeepsItsLineOutOfTheProse(t *testing.T) {
	r := parseText("Title\n=====\n\nIntro.\n\nStep\n----\n\nProse.\n\n'''sh\necho a\n'''\n")
	if r.Title != "Title" || r.Intro != "Intro." || r.Steps[0].Title != "Step" || r.Steps[0].Parts[0].Prose != "Prose." {
		t.Errorf("%q, %q, %+v", r.Title, r.Intro, r.Steps[0].Parts)
	}
}

func TestADirectiveThatIsNeverClosedIsDoubtful(t *testing.T) {
	r := parseText("# A\n\n`'''{note}\nText.\n\n'''sh\necho in\n'''\n")
	wantWhy(t, r, map[string]string{"echo in": WhyDoubtful})
	wantDiagnostic(t, r, "wrong-closer", 3, "never closed")
}

func TestATagThatIsNeverClosedUnwrapsNothing(t *testing.T) {
	r := parseText("# A\n\n<Namespace>\n\nText:\n\n    '''sh\n    echo indented\n    '''\n\n'''sh\necho plain\n'''\n")
	wantWhy(t, r, map[string]string{"echo indented": WhyDoubtful, "echo plain": ""})
}

func TestATextThatOpensAShellIsBelieved(t *testing.T) {
	r := parseText("# Delete data\n\nDelete the homes with `deployer exec homes`.\n\n'''bash\ndeployer homes $CLUSTER $HUB\n'''\n\nThis should get you a shell with all home directories. Delete them with:\n\n'''bash\nrm -rf /home/*\n'''\n\nExit the shell.\n\n'''bash\necho here\n'''\n")
	wantWhy(t, r, map[string]string{"rm -rf": WhyRemote, "echo here": ""})
	for _, src := range []string{
		"'''bash\ndeployer exec homes $CLUSTER\n'''\n\nThen:\n\n'''bash\nrm -rf /home/*\n'''\n",
		"Get a shell on the hub pod:\n\n'''bash\ndeployer hub $CLUSTER\n'''\n\n'''bash\nrm -rf /home/*\n'''\n",
		"SSH into the node and clean up:\n\n'''bash\nrm -rf /home/*\n'''\n",
		"Log in to the database server and run:\n\n'''bash\nrm -rf /home/*\n'''\n",
		"Inside the container, run:\n\n'''bash\nrm -rf /home/*\n'''\n",
	} {
		r := parseText("# A\n\n" + src)
		if got := why(t, r, "rm -rf"); got != WhyRemote {
			t.Errorf("%s: %q", src, got)
		}
	}
	for _, src := range []string{
		"Check the processes inside the container:\n\n'''bash\nkubectl exec web -- rm -rf /tmp/x\n'''\n",
		"Log in to the web console. Then:\n\n'''bash\nrm -rf x\n'''\n",
		"'''bash\nbundle exec rake x\n'''\n\nThen:\n\n'''bash\nrm -rf x\n'''\n",
		"'''bash\nsqlcmd create mssql\n'''\n\nThen:\n\n'''bash\nrm -rf x\n'''\n",
	} {
		r := parseText("# A\n\n" + src)
		if got := why(t, r, "rm -rf"); got != "" {
			t.Errorf("%s: %q", src, got)
		}
	}
}

func TestAnInteractiveItemSpeaksForItselfOnly(t *testing.T) {
	r := parseText("# A\n\n1. One\n\n   <!-- step\n   interactive: true\n   -->\n\n   '''sh\n   ssh one\n   '''\n\n2. Two\n\n   '''sh\n   echo here\n   '''\n\n3. Three\n\n   '''sh\n   ssh three\n   '''\n\n4. Four\n\n   '''sh\n   rm -rf /data\n   '''\n")
	wantWhy(t, r, map[string]string{"echo here": "", "rm -rf": WhyRemote})
}

func TestStepsThatNeedATerminalAreInteractive(t *testing.T) {
	for code, want := range map[string]bool{
		"kubectl exec -it pod -- vault operator unseal": true, "kubectl edit cm x": true, "vim x": true, "read -p 'sure? ' && echo y": true, "crontab -e": true,
		"kubectl exec pod -- ls": false, "kubectl get po": false, "docker run --rm alpine ls": false, "crontab -l": false,
	} {
		r := parseText("# A\n\n'''sh\n" + code + "\n'''\n")
		if got := r.Steps[0].Interactive; got != want {
			t.Errorf("%s: %v", code, got)
		}
	}
}

func TestATitleHoldsNoTerminalCodes(t *testing.T) {
	r := parseText("## One\x1b[31m\a two\n\n'''sh\necho a\n'''\n")
	if got := r.Steps[0].Title; got != "One[31m two" {
		t.Errorf("%q", got)
	}
}
