package steps

import (
	"strings"
	"testing"
)

// A shell would carry out the part before the arrow, and write a file that is
// called like the word behind it.
func TestAnArrowOfProseIsNoRedirection(t *testing.T) {
	for _, code := range []string{
		"argocd app sync x --retry=10 -> invalid", "kubectl get po -> lists them", "vault status => sealed", "helm list --> shows x", "true == > x -> y",
	} {
		r := parseText("# A\n\n'''bash\n" + code + "\n'''\n")
		if got := why(t, r, code); got != WhyNotShell {
			t.Errorf("%s: %q", code, got)
		}
	}
	for _, code := range []string{"kubectl create ns x -o yaml - > x.yaml", "cat - >x", "cat ->x", "echo 'a -> b'", "echo a # -> b", "git log --format='%h => %s' > x", "jq '.a => .b' x"} {
		r := parseText("# A\n\n'''bash\n" + code + "\n'''\n")
		if got := why(t, r, code); got != "" {
			t.Errorf("%s: %q", code, got)
		}
	}
}

func TestASentenceBelowACommandIsItsOutput(t *testing.T) {
	for _, output := range []string{"No resources found in shop namespace.", "Plan: 7 to add, 0 to change", "Apply complete, nothing changed"} {
		for _, label := range []string{"", "sh"} {
			r := parseText("# A\n\n'''" + label + "\nkubectl get all -n shop\n" + output + "\n'''\n")
			if got := why(t, r, output); got != WhyOutput {
				t.Errorf("%q in a fence of %q: %q", output, label, got)
			}
			if len(r.Steps) != 1 {
				t.Errorf("%q in a fence of %q: the step is gone", output, label)
			}
		}
	}
}

func TestALabelThatIsNoShellIsNamedAboveCommands(t *testing.T) {
	for label, want := range map[string]string{"base": "its label says `base`", "8sh": "its label says `8sh`", "YAML": "its label says `yaml`"} {
		r := parseText("# A\n\n'''" + label + "\ncat <<EOF | kubectl apply -f -\nkind: Namespace\nEOF\n'''\n")
		if len(r.NotOffered) != 1 || !strings.HasPrefix(r.NotOffered[0].Reason(), want) {
			t.Errorf("%s: %s", label, dump(r))
		}
	}
	r := parseText("# A\n\n'''yaml\nkind: Namespace\n'''\n")
	if got := r.NotOffered[0].Reason(); strings.Contains(got, "label") {
		t.Errorf("YAML that is YAML: %q", got)
	}
}

func TestASentenceThatForbidsSendsNobodyElsewhere(t *testing.T) {
	r := parseText("# A\n\n**Do not run** this on the old node:\n\n'''sh\nrm -rf old\n'''\n\nLook:\n\n'''sh\nls old\n'''\n")
	wantWhy(t, r, map[string]string{"rm -rf old": WhyNegated, "ls old": ""})
}

func TestWhoIsToBecomeRootOnAMachineHasGoneThereBefore(t *testing.T) {
	for _, code := range []string{"su - root", "sudo -i", "sudo su -", "chroot /host"} {
		r := parseText("# A\n\nLog on to each node and become root:\n\n'''sh\n" + code + "\n'''\n\n'''sh\nrm x\n'''\n\nOn your machine:\n\n'''sh\nls\n'''\n")
		wantWhy(t, r, map[string]string{code: WhyRemote, "rm x": WhyRemote, "ls": ""})
	}
	for _, code := range []string{"ssh node-1", "kubectl exec -it db-0 -- bash", "psql -h db.example.org"} {
		r := parseText("# A\n\nLog on to the database server:\n\n'''sh\n" + code + "\n'''\n")
		wantWhy(t, r, map[string]string{code: ""})
	}
}

func TestAWalkFromMachineToMachineSpeaksForItsSection(t *testing.T) {
	for _, text := range []string{"Connect to each machine and delete what is left.", "Log in to each of these nodes first.", "Log on to each worker node."} {
		r := parseText("# A\n\n## Hosts\n\n" + text + "\n\n### Disks\n\n'''sh\nrm -rf /dev/ceph-*\n'''\n\n'''sh\nkubectl get no\n'''\n\n## After\n\n'''sh\nrm x\n'''\n")
		wantWhy(t, r, map[string]string{"rm -rf": WhyRemote, "kubectl get no": ""})
	}
	r := parseText("# A\n\n## Hosts\n\nConnect to each service in the browser.\n\n'''sh\nrm x\n'''\n")
	wantWhy(t, r, map[string]string{"rm x": ""})
}

func TestASectionForAnotherMachineEndsWhereTheTextComesHome(t *testing.T) {
	r := parseText("# A\n\n## On the replica\n\n'''sh\nrm x\n'''\n\nBack on your machine:\n\n'''sh\nrm y\n'''\n\nThen:\n\n'''sh\nrm z\n'''\n")
	wantWhy(t, r, map[string]string{"rm x": WhyRemote, "rm y": "", "rm z": ""})
}
