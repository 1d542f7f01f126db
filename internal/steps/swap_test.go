package steps

import "testing"

func TestAWordThatTheTextSaysToReplaceIsAPlaceholder(t *testing.T) {
	for _, text := range []string{
		"Replace `my-cluster` with the name of your cluster.", "(replacing `my-cluster` with your cluster)", `**NOTE**: Replace "my-cluster" with the cluster name`,
		"Replace `shop-2` and `my-cluster` with your own names.", "You need to replace `my-cluster` with your cluster.", "substitute the `my-cluster` placeholder with whatever\nyours is called",
	} {
		for _, src := range []string{
			"# A\n\n" + text + "\n\n'''sh\nkubectl config use-context my-cluster\n'''\n",
			"# A\n\n'''sh\nkubectl config use-context my-cluster\n'''\n\n" + text + "\n",
			"# A\n\n" + text + "\n\n## B\n\n'''sh\nkubectl config use-context my-cluster\n'''\n",
		} {
			wantWhy(t, parseText(src), map[string]string{"use-context": WhyPlaceholder})
		}
	}
}

func TestAReplacementThatACommandMakesIsNone(t *testing.T) {
	for _, text := range []string{
		"To replace `my-cluster` with a new one, run:", "This will replace `my-cluster` with the standby.", "Replace `my-cluster` with `other`:", "It replaces `my-cluster` with the standby.",
		"Replace `my-cluster-2` with your cluster.", "Replace the context `my-cluster` is in.", "We can replace `my-cluster` later.", "Replace `<cluster>` with your cluster.",
	} {
		r := parseText("# A\n\n" + text + "\n\n'''sh\nkubectl config use-context my-cluster\n'''\n")
		if got := why(t, r, "use-context"); got != "" {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestAReplacementCountsForItsSectionOnly(t *testing.T) {
	r := parseText("# A\n\n## B\n\nReplace `one` with your pod.\n\n'''sh\nkubectl logs one\n'''\n\n'''sh\nkubectl logs ones # not one-2\n# one\n'''\n\n## C\n\n'''sh\nkubectl delete pod one\n'''\n")
	wantWhy(t, r, map[string]string{"logs one\n": WhyPlaceholder, "logs ones": "", "delete pod one": ""})
}

func TestValuesOfOnesOwnHaveToBePutInFirst(t *testing.T) {
	src := "# A\n\nReplace the values of all the variables with your own, then run the script:\n\n'''sh\nexport SIZE=512\n'''\n"
	wantWhy(t, parseText(src), map[string]string{"export": WhyPlaceholder})
	wantWhy(t, parseText("---\nrunbook: v1\n---\n"+src), map[string]string{"export": ""}) // its parameters are for that
	wantWhy(t, parseText("# A\n\nWork with your team, then run:\n\n'''sh\nexport SIZE=512\n'''\n"), map[string]string{"export": ""})
}
