package steps

import "testing"

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
