package steps

import "testing"

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

func TestContinuationsOfASessionBelongToTheCommand(t *testing.T) {
	r := parseText("# A\n\n'''console\n$ kubectl get po \\\n    -n x\nNAME READY\n$ for i in 1 2; do\n> echo $i\n> done\n1\n2\n'''\n")
	wantCodes(t, r, "kubectl get po \\\n    -n x\nfor i in 1 2; do\necho $i\ndone\n")
}
