package steps

import "testing"

func TestAMachineNamedInAnyOfTheseWaysIsBelieved(t *testing.T) {
	for _, text := range []string{
		"On a database host:", "It can be run on any proxy (`*-lb-*`) host via:", "On any of the nodes `cache-0X.example.com` run:", "Log in to the shard that has it, run",
		"Create a list of files to delete on `file-XX`:", "Stop it on `db-2`:",
		"On each worker node, install the packages.\n\nUse these versions:", "**On the primary:**\n\nBe careful.\n\n1. Look:", "On the standby\nrun these. Start with:",
		"These steps clean the drives. This only needs to be run once on each node. If all disks are wiped, run the following.",
	} {
		r := parseText("# A\n\nFirst:\n\n'''sh\nkubectl get no\n'''\n\n" + text + "\n\n'''sh\nrm -rf /data\n'''\n")
		if got := why(t, r, "rm -rf"); got != WhyRemote {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestAMachineThatOnlyOccursIsNot(t *testing.T) {
	for _, text := range []string{"The kubelet logs on a node:", "Save it on a server:", "It is stored once on each node. Then look:", "In a nutshell:", "Depends on `libfoo`:", "It listens on `0.0.0.0`:", "Work on `main`:", "On the node, the kubelet writes logs.\n\nTo find them:", "On each node\nthe same files are found. List them:", "On any distribution (`apt` or `dnf`):"} {
		r := parseText("# A\n\nFirst:\n\n'''sh\nkubectl get no\n'''\n\n" + text + "\n\n'''sh\nls /data\n'''\n")
		if got := why(t, r, "ls /data"); got != "" {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestAClientOnAnotherMachineIsNotForHere(t *testing.T) {
	r := parseText("# A\n\nOn the cache node run:\n\n'''sh\nredis-cli -p 26379\n'''\n\nThen:\n\n'''sh\nrm dump.rdb\n'''\n")
	wantWhy(t, r, map[string]string{"redis-cli": WhyRemote, "rm dump": WhyRemote})
	r = parseText("# A\n\nConnect to the cache instance:\n\n'''sh\nredis-cli -h cache\n'''\n")
	wantWhy(t, r, map[string]string{"redis-cli": ""})
	r = parseText("# A\n\nOn the node, open a shell:\n\n'''sh\nssh node-1\n'''\n")
	wantWhy(t, r, map[string]string{"ssh node": ""})
}

func TestANumberedHostBeforeAHashIsAPrompt(t *testing.T) {
	r := parseText("# A\n\n'''\ndb-02-prod # systemctl stop db\n'''\n\n'''sh\nhtop # interactive\n'''\n\n'''sh\napt-get # see above\n'''\n")
	wantWhy(t, r, map[string]string{"systemctl": WhyRemote, "htop": "", "apt-get": ""})
}
