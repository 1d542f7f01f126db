package steps

import "testing"

func TestAClientIsLeftByWhatItCannotTake(t *testing.T) {
	r := parseText("# A\n\n'''sh\nkubectl exec -it pg-0 -- psql -U app\n'''\n\nDrop it:\n\n'''sql\nDROP TABLE x;\n'''\n\nThen look:\n\n'''sh\nkubectl get po\n'''\n\n'''sh\nrm -rf data\n'''\n")
	wantWhy(t, r, map[string]string{"kubectl get po": "", "rm -rf data": ""})
	r = parseText("# A\n\n'''sh\nssh db-1\n'''\n\n'''sh\npsql -U app\n'''\n\nThen:\n\n'''sh\nkubectl get po\n'''\n\n'''sh\nrm -rf data\n'''\n")
	wantWhy(t, r, map[string]string{"kubectl get po": WhyRemote, "rm -rf data": WhyRemote})
	r = parseText("# A\n\n'''sh\nmysql -u root -p\n'''\n\n'''sh\nsystemctl stop mysql\n'''\n")
	wantWhy(t, r, map[string]string{"systemctl": WhyRemote})
}

func TestADialogueWithAProgramHereLeavesTheReaderHere(t *testing.T) {
	r := parseText("# A\n\n'''sh\ngpg --edit-card\n'''\n\n'''\ngpg> key 1\n'''\n\nThen:\n\n'''sh\nssh-add -l\n'''\n")
	wantWhy(t, r, map[string]string{"gpg --edit-card": "", "key 1": WhyRemote, "ssh-add": ""})
}

func TestBehindThePodsSectionKubectlIsForHere(t *testing.T) {
	src := "# A\n\n## Inside\n\n'''sh\nkubectl exec -it web -- bash\n'''\n\n'''sh\nkubectl get no\n'''\n\n### Deeper\n\n'''sh\nkubectl get cm\n'''\n\n## Next\n\n'''sh\nkubectl get po\n'''\n\n'''sh\nrm -rf /home/*\n'''\n"
	wantWhy(t, parseText(src), map[string]string{"get no": WhyRemote, "get cm": WhyRemote, "get po": "", "rm -rf": WhyRemote})
}

func TestBehindANodesSectionNothingIsForHere(t *testing.T) {
	r := parseText("# A\n\n## Inside\n\n'''sh\nssh node-1\n'''\n\n## Next\n\n'''sh\nkubectl delete po x\n'''\n\n## Back\n\nOn your machine:\n\n'''sh\nkubectl get po\n'''\n")
	wantWhy(t, r, map[string]string{"kubectl delete": WhyRemote, "kubectl get": ""})
}

func TestTextGoesHomeHoweverDeepItWas(t *testing.T) {
	for _, text := range []string{"On your machine:", "Back on your laptop:", "In a new terminal:", "From your local machine run:"} {
		r := parseText("# A\n\n'''sh\nssh node\n'''\n\n'''sh\nsudo -i\n'''\n\n" + text + "\n\n'''sh\nrm -rf tmp\n'''\n")
		if got := why(t, r, "rm -rf"); got != "" {
			t.Errorf("%s: %q", text, got)
		}
	}
	r := parseText("# A\n\n'''sh\nssh node\n'''\n\nPaste the key and press Ctrl-D:\n\n'''sh\ncat > /tmp/key\n'''\n")
	wantWhy(t, r, map[string]string{"cat >": WhyRemote})
}

func TestATextThatNamesTheMachineIsBelieved(t *testing.T) {
	for _, text := range []string{
		"On the replica node run:", "Execute the following in the instance you need to verify:", "On each of the worker nodes, run:", "Load the modules on each node.",
		"On the primary:", "From the master node, run:", "Run this on a database host:", "On `cache-1.example.com` run following", "Within the toolbox pod:",
	} {
		for _, code := range []string{"rm -rf /data", "sudo docker restart db"} {
			r := parseText("# A\n\n" + text + "\n\n'''bash\n" + code + "\n'''\n\nThen:\n\n'''bash\nrm second\n'''\n\n# B\n\n'''bash\nrm third\n'''\n")
			wantWhy(t, r, map[string]string{code: WhyRemote, "rm second": WhyRemote, "rm third": ""})
		}
	}
}

func TestATextThatOnlySpeaksOfMachinesIsNot(t *testing.T) {
	for _, text := range []string{
		"Scale the node pool:", "Restart the pods on the node:", "Create it on your machine:", "Useful when running in a container:", "Get the key from the auth server:",
		"Stored in the container registry:", "The pods run in the default node group:", "Run it on the local host:", "Each machine reaches each other and the host:",
	} {
		r := parseText("# A\n\n" + text + "\n\n'''bash\nkubectl delete po x\n'''\n")
		if got := why(t, r, "kubectl"); got != "" {
			t.Errorf("%s: %q", text, got)
		}
	}
	for _, text := range []string{"Scale the node pool:", "Useful when running in a container:", "Get the key from the auth server:", "Stored in the container registry:", "Run it on the local host:"} {
		r := parseText("# A\n\n" + text + "\n\n'''bash\nrm -rf x\n'''\n")
		if got := why(t, r, "rm -rf"); got != "" {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestWhatReachesOutIsForHereThoughTheTextNamesAMachine(t *testing.T) {
	for _, code := range []string{
		"sudo docker exec web ls", "bundle exec knife ssh role:db 'sudo chef-client'", "kubectl exec web -- ls", "IP=$(kubectl get no -o name)", "for h in a b; do\n  ssh $h uptime\ndone",
		"aws-vault exec prod -- kubectl get po",
	} {
		r := parseText("# A\n\nOn the database nodes:\n\n'''bash\n" + code + "\n'''\n")
		if got := why(t, r, code); got != "" {
			t.Errorf("%s: %q", code, got)
		}
	}
}

func TestAHeadingOrAnIntroductionSpeaksForItsSection(t *testing.T) {
	for _, head := range []string{"## On the replica\n", "## Directly on a database host\n", "## Clean up\n\nThese commands are meant to be run on a replica instance.\n\nFirst:\n", "## Ceph\n\nThe CLI can be used from the toolbox pod to look around.\n\n### Look\n"} {
		r := parseText("# A\n\n" + head + "\n'''sh\nsudo rm -rf x\n'''\n\n### More\n\n'''sh\nsudo rm y\n'''\n\n## Elsewhere\n\n'''sh\nrm z\n'''\n")
		wantWhy(t, r, map[string]string{"rm -rf x": WhyRemote, "rm y": WhyRemote, "rm z": ""})
	}
	r := parseText("# A\n\n## Once\n\nThis may be run from any machine.\n\n'''sh\nrm x\n'''\n")
	wantWhy(t, r, map[string]string{"rm x": ""})
}

func TestWordsThatOnlyContainACueOpenNothing(t *testing.T) {
	r := parseText("# A\n\n'''sh\naz vm create -n x\n'''\n\nIt is an instance in the set.\n\n'''sh\nrm -rf x\n'''\n")
	wantWhy(t, r, map[string]string{"rm -rf": ""})
	r = parseText("# A\n\n'''sh\ndeployer x\n'''\n\nOnce in the pod:\n\n'''sh\nrm -rf x\n'''\n")
	wantWhy(t, r, map[string]string{"rm -rf": WhyRemote})
}

func TestCommandsWithAHostOrShellInTheirNameOpenNothing(t *testing.T) {
	for _, code := range []string{"killall ssh", "service ssh restart", "ssh -T git@example.org", "vault ssh -role x h uptime", "aws-vault exec x -- sh -c ls"} {
		r := parseText("# A\n\n'''sh\n" + code + "\n'''\n\n'''sh\nrm x\n'''\n")
		wantWhy(t, r, map[string]string{"rm x": ""})
	}
	for _, code := range []string{"vault ssh -role x user@h", "bao ssh -mode=ca user@h", "aws-vault exec x -- kubectl exec -it web -- bash", "kubectl exec -it web -- su - app"} {
		r := parseText("# A\n\n'''sh\n" + code + "\n'''\n\n'''sh\nrm x\n'''\n")
		wantWhy(t, r, map[string]string{"rm x": WhyRemote})
	}
}

func TestCommandsThatAskFirstGetTheTerminal(t *testing.T) {
	for code, want := range map[string]bool{
		"vault operator unseal": true, "bao operator unseal": true, "vault operator unseal $KEY": false, "vault login": true, "vault login -method=oidc": false, "vault login -": false,
		"terraform apply": true, "terraform destroy": true, "terraform apply -auto-approve": false, "terraform apply x.tfplan": false, "terraform plan": false,
		"ssh-keygen -t ed25519": true, "ssh-keygen -t ed25519 -N '' -f k": false, "gpg --full-generate-key": true, "etcdctl user passwd root": true, "etcdctl user add root:x": false,
		"docker login ghcr.io": true, "docker login --password-stdin x": false, "kubectl create --edit -f x": true, "argocd login h": true, "argocd login h --password $P": false,
	} {
		r := parseText("# A\n\n'''sh\n" + code + "\n'''\n")
		if len(r.Steps) != 1 || r.Steps[0].Interactive != want {
			t.Errorf("%s: want %v\n%s", code, want, dump(r))
		}
	}
}

func TestALineThatSendsItsReaderBySSHIsBelievedUntilTheTextComesBack(t *testing.T) {
	r := parseText("# A\n\n## Check\n\n* SSH to the `cache-X.example.com`.\n* Look around.\n\n## Fix\n\n'''\nsudo rm -r /opt/cache/*\n'''\n\n'''sh\nkubectl get po\n'''\n\n## After\n\nOn your machine:\n\n'''sh\nrm tmp\n'''\n")
	wantWhy(t, r, map[string]string{"sudo rm": WhyRemote, "kubectl": "", "rm tmp": ""})
	r = parseText("# A\n\nKeys for SSH are kept in a vault.\n\n'''sh\nrm tmp\n'''\n")
	wantWhy(t, r, map[string]string{"rm tmp": ""})
}

func TestAMeasurementByTheRedisClientOpensNothing(t *testing.T) {
	for _, code := range []string{"redis-cli --latency-history -h 10.0.0.1", "redis-cli --hotkeys", "redis-cli --rdb dump.rdb"} {
		r := parseText("# A\n\n'''sh\n" + code + "\n'''\n\n'''sh\nrm tmp\n'''\n")
		wantWhy(t, r, map[string]string{"rm tmp": ""})
	}
}

func TestAPromptBehindAPromptIsRefused(t *testing.T) {
	r := parseText("# A\n\n'''console\n$ root@db# drop\n'''\n\n'''console\n$ cat> x <<EOF\na\nEOF\n'''\n")
	wantWhy(t, r, map[string]string{"drop": WhyRemote, "cat>": ""})
}

func TestALabelMayKeepAFenceFromBeingRun(t *testing.T) {
	r := parseText("# A\n\n'''sh no-run\n$ echo a\n'''\n\n'''text no-run\necho b\n'''\n\n'''sh\necho c\n'''\n")
	wantWhy(t, r, map[string]string{"echo a": WhyNegated, "echo b": WhyNegated, "echo c": ""})
}

func TestTheToolThatOpenedAShellIsForHereBehindItsSection(t *testing.T) {
	r := parseText("# A\n\n## Data\n\n'''sh\ndeployer exec homes $CLUSTER\n'''\n\n'''sh\ndeployer inside\n'''\n\n## Next\n\n'''sh\ndeployer credentials $CLUSTER\n'''\n\n'''sh\nrm -rf /home/*\n'''\n\n## Hosts\n\n'''sh\nssh one\n'''\n\n## More\n\n'''sh\nssh two uptime\n'''\n")
	wantWhy(t, r, map[string]string{"deployer inside": WhyRemote, "credentials": "", "rm -rf": WhyRemote, "ssh two": WhyRemote})
}
