package steps

import "testing"

const listed = "'''bash\n#!/bin/bash\nset -e\nkubectl get nodes\n'''\n"

func TestTheTextOfAScriptIsShownUnlessItIsToBeRun(t *testing.T) {
	for text, want := range map[string]string{
		"Always include a shebang in scripts:":       WhyNotShell,
		"In your check script:":                      WhyNotShell,
		"Scripts can use `trap` for cleanup.":        WhyNotShell,
		"Run the following script:":                  "",
		"After the change, execute this:":            "",
		"On macOS, use this script to restart it.":   "",
		"Restarts it. Save it, and run it like this": "",
	} {
		r := parseText("# A\n\n" + text + "\n\n" + listed)
		if got := why(t, r, "kubectl get nodes"); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestWhoWritesARunbookForUsMeansItsScriptsToBeRun(t *testing.T) {
	wantWhy(t, parseText("---\nrunbook: v1\n---\n\n# A\n\n"+listed), map[string]string{"kubectl get nodes": ""})
	wantWhy(t, parseText("# A\n\n<!-- step\nid: a\n-->\n\n"+listed), map[string]string{"kubectl get nodes": ""})
}

func TestOneSideOfAChangeIsNoCommand(t *testing.T) {
	r := parseText("# A\n\nFrom:\n\n'''\nexport URL=old\n'''\n\nTo:\n\n'''\nexport URL=new\n'''\n\nThen switch to:\n\n'''sh\nkubectl get po\n'''\n")
	wantWhy(t, r, map[string]string{"old": WhyNotShell, "new": WhyNotShell, "kubectl": ""})
}

func TestAnAssignmentWithBlanksIsNoCommand(t *testing.T) {
	r := parseText("# A\n\nSuppose these keys are there:\n\n'''bash\nfoo = bar     # revision 2\nfoo1 = bar1\n'''\n\n'''bash\ntest a = b\n'''\n")
	wantWhy(t, r, map[string]string{"foo =": WhyNotShell, "test a": ""})
}

func TestWhatASentenceEndsInPrintingIsOutput(t *testing.T) {
	for text, want := range map[string]string{
		"For the example above this would output:": WhyOutput,
		"This prints:": WhyOutput,
		"Note the version that the command prints.": "",
		"Look at the Terraform outputs:":            "",
		"See what the last release prints:":         "",
	} {
		r := parseText("# A\n\n" + text + "\n\n'''\nterraform init\n'''\n")
		if got := why(t, r, "terraform"); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestCommandsWithTheirOutputSayWhatTheyAre(t *testing.T) {
	for _, code := range []string{
		"etcdctl snapshot save my.db\n\nSnapshot saved at my.db", "terraform plan\n\nPlan: 7 to add, 0 to change", "kubectl get all\nNo resources found in shop namespace.",
	} {
		for _, lang := range []string{"", "sh"} {
			r := parseText("# A\n\n'''" + lang + "\n" + code + "\n'''\n")
			if got := why(t, r, firstCode(code)); got != WhyOutput {
				t.Errorf("%s %s: %q", lang, code, got)
			}
		}
	}
}

func TestARootPromptNeedsNoLabel(t *testing.T) {
	r := parseText("# A\n\n'''\n# kubectl get nodes\nnode-1   Ready\n'''\n\nThis file:\n\n'''\n# cat /etc/hosts\n127.0.0.1 localhost\n'''\n\nThen:\n\n'''\n# kubectl get pods\n'''\n")
	wantWhy(t, r, map[string]string{"kubectl get nodes\n": "", "cat /etc/hosts": WhyNotShell, "kubectl get pods": WhyNotShell})
}
