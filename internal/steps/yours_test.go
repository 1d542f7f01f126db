package steps

import "testing"

// wantEach checks each piece of code alone: why it isn't offered, "" if it is.
func wantEach(t *testing.T, verdicts map[string]string) {
	t.Helper()
	for code, want := range verdicts {
		wantWhy(t, parseText("# A\n\n'''sh\n"+code+"\n'''\n"), map[string]string{code: want})
	}
}

func TestAWordThatIsYoursIsAPlaceholder(t *testing.T) {
	for _, code := range []string{
		"export NAMESPACE=youraccount", "kubectl create secret tls secret-yourdomain-com --cert a.crt", `tool set key "sk-ant-your-key-here"`, "curl https://your.domain.com/healthz",
		"dig YOURDOMAIN.com", "az account set -s yourSubscriptionId", "curl https://api.YOUR_HOST/x", "git checkout your-branch", "export TOKEN=your_token",
	} {
		wantWhy(t, parseText("# A\n\n'''sh\n"+code+"\n'''\n"), map[string]string{code: WhyPlaceholder})
	}
}

func TestAWordThatOnlyHasYourInItIsNone(t *testing.T) {
	for _, code := range []string{`echo "now visit your web server"`, "echo yourself", `echo "this is yours, and your, too"`, `echo "is this your..."`, "ls parlour-2", "echo $your_name", "cat /etc/hosts # your-host"} {
		wantWhy(t, parseText("# A\n\n'''sh\n"+code+"\n'''\n"), map[string]string{code: ""})
	}
}

func TestASegmentOfAPathInCapitalsIsAPlaceholder(t *testing.T) {
	wantEach(t, map[string]string{
		`curl "https://example.org/repos/REPO_NAME/teams"`:   WhyPlaceholder,
		"gh api repos/acme/REPO_NAME":                        WhyPlaceholder,
		"gcloud kms keys list --keyring projects/PROJECT-ID": WhyPlaceholder,
		"sed -i 's/REPO_NAME/shop/' values.yaml":             "",
		"sed -i s/shop/REPO_NAME/ values.yaml":               "",
		"curl https://example.org/repos/$REPO_NAME/teams":    "",
		"curl https://example.org/repos/${REPO_NAME}/teams":  "",
		"cat /etc/VERSION":                                   "",
		"ls /srv/REPORTS_2024":                               "",
	})
}

func TestAnObjectHasNoCapitals(t *testing.T) {
	wantEach(t, map[string]string{
		"kubectl get pod podName":                                WhyPlaceholder,
		"kubectl logs deploy/deploymentName":                     WhyPlaceholder,
		"kubectl -n shopNamespace get pods":                      WhyPlaceholder,
		"kubectl --namespace=myNamespace get pods":               WhyPlaceholder,
		"helm uninstall releaseName":                             WhyPlaceholder,
		"kubectl get pod web -o jsonpath={.spec.nodeName}":       "",
		"kubectl get pods --sort-by nodeName":                    "",
		"kubectl get pods --field-selector spec.nodeName=node-1": "",
		"kubectl get GitRepo shop":                               "",
		"etcdctl put userName bob":                               "",
		"kubectl annotate pod web owner.example/displayName=x":   "",
	})
}

func TestWhatAnEngineWasToFillInIsAPlaceholder(t *testing.T) {
	wantEach(t, map[string]string{
		"helm install shop --version [[VAR::latest]]":             WhyPlaceholder,
		"kubectl delete -f https://example.org/vX.Y.Z/shop.yaml":  WhyPlaceholder,
		"ssh -L 3389:runner-manager-X.example.org:3389 bastion":   WhyPlaceholder,
		"tool sign 'ssh-rsa AAA...'":                              WhyPlaceholder,
		`export V="[[VAR::latest]]"`:                              WhyPlaceholder,
		`echo "It is {{ .outputs.account.id }}"`:                  WhyPlaceholder,
		`tool rekey -nonce="..."`:                                 WhyPlaceholder,
		"echo 'eyJhbGc...' | base64 -d":                           WhyPlaceholder,
		`bao write auth/ldap/config filter="(uid={{.Username}})"`: "",
		`docker ps --format '{{.Names}}'`:                         "",
		"grep '[[a-z]]' names":                                    "",
		"[[ -f a ]] && echo b":                                    "",
		"curl -X POST https://example.org":                        "",
		"grep '[[:alpha:]]' names":                                "",
		"echo no-Xmas":                                            "",
		"curl https://example.org/v1.2.3/x":                       "",
		"curl -o Xorg.tar https://example.org/Xorg-1.tar":         "",
	})
}

func TestAVariableOfAnEngineIsNamedWhole(t *testing.T) {
	r := parseText("# A\n\n'''sh\nhelm install shop --version [[VAR::latest]] --wait\n'''\n")
	if got, want := r.Steps[0].Blocks[0].Reason(), "nothing is known to put in for [[VAR::latest]]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
