package steps

import "testing"

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

func TestADirectiveThatIsNeverClosedIsDoubtful(t *testing.T) {
	r := parseText("# A\n\n`'''{note}\nText.\n\n'''sh\necho in\n'''\n")
	wantWhy(t, r, map[string]string{"echo in": WhyDoubtful})
	wantDiagnostic(t, r, "wrong-closer", 3, "never closed")
}

func TestATagThatIsNeverClosedUnwrapsNothing(t *testing.T) {
	r := parseText("# A\n\n<Namespace>\n\nText:\n\n    '''sh\n    echo indented\n    '''\n\n'''sh\necho plain\n'''\n")
	wantWhy(t, r, map[string]string{"echo indented": WhyDoubtful, "echo plain": ""})
}

func TestAFenceInAQuoteIsRead(t *testing.T) {
	r := parseText("# A\n\n> Tip:\n>\n> '''sh\n> kubectl get po\n>   # indented\n> '''\n\nText.\n")
	wantCodes(t, r, "kubectl get po\n  # indented\n")
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

func TestATitleHoldsNoTerminalCodes(t *testing.T) {
	r := parseText("## One\x1b[31m\a two\n\n'''sh\necho a\n'''\n")
	if got := r.Steps[0].Title; got != "One[31m two" {
		t.Errorf("%q", got)
	}
}
