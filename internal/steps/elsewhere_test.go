package steps

import "testing"

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
