package lint

import (
	"slices"

	"runbook/internal/steps"
)

func safetyRules() []Rule { return slices.Concat(secretRules(), lossRules()) }

// secretRules are about values that nobody else should have.
func secretRules() []Rule {
	return []Rule{
		{ID: "secret-printed", Group: Safety, Severity: steps.Warning,
			What: "A command prints a secret.",
			Why:  "It then stands in the terminal's scrollback, in a screen share, in a pipeline's log. What is printed here is redacted as far as it is known; elsewhere nobody does that.",
			Fix:  "Show the names of the keys, or hand the value to the program that needs it without the detour.",
			Bad:  "kubectl -n shop get secret db -o yaml\n",
			Good: "kubectl -n shop get secret db\n", check: checkPrinted},
		{ID: "literal-secret", Group: Safety, Severity: steps.Error,
			What: "The value of a secret stands in the file.",
			Why:  "Everybody who can read the repository has it, and so has its history for ever.",
			Fix:  "Ask for it (`params:` with `secret: true`), or let an action generate it. The value that is here is known and has to be replaced.",
			Bad:  "kubectl -n shop create secret generic db --from-literal=password=hunter2hunter2\n",
			Good: "# Example\n\n## Step\n\n'''yaml action\nsecret: create\nnamespace: shop\nname: db\ndata:\n  password: {generate: hex, bytes: 24}\n'''\n", check: checkLiteral},
		{ID: "secret-in-arguments", Group: Safety, Severity: steps.Warning,
			What: "A secret is an argument of a program.",
			Why:  "Arguments can be read by every user of the machine (`ps`), and land in shell histories and audit logs.",
			Fix:  "Hand it over in the environment, on standard input or in a file: `--from-file=password=/dev/stdin`, `--password-stdin`, `password=-`.",
			Bad:  "vault login \"$ROOT_TOKEN\"\n",
			Good: front("params:\n  ROOT_TOKEN: {secret: true}\n", "## Step\n\n'''sh\nprintf '%s' \"$ROOT_TOKEN\" | vault login -no-print -\n'''\n"), check: checkArguments},
	}
}

// lossRules are about what can't be taken back, or isn't what it seems.
func lossRules() []Rule {
	return []Rule{
		{ID: "cost-missing", Group: Safety, Severity: steps.Warning,
			What: "A step destroys, overwrites a credential or cuts a service, and doesn't say what that costs.",
			Why:  "The confirmation can show which object goes, but not what it means to people. On a bad night that sentence is what stops a hand.",
			Fix:  "Add `cost:` to the step's annotation, or a warning to its text.",
			Bad:  "kubectl delete ns shop\n",
			Good: "# Example\n\n## Step\n\n<!-- step\ncost: every order that wasn't delivered\n-->\n\n'''sh\nkubectl delete ns shop\n'''\n", check: checkCost},
		{ID: "pipe-to-shell", Group: Safety, Severity: steps.Warning,
			What: "A download is run without anybody's having seen it.",
			Why:  "What runs is what the server says at that moment, with the rights of the operator. A broken connection runs half of it.",
			Fix:  "Download a fixed version, compare its checksum, then run it.",
			Bad:  "curl -fsSL https://get.example.dev/install | bash\n",
			Good: "curl -fsSLO https://get.example.dev/v1.2.3/install.sh\nsha256sum -c install.sh.sha256\n", check: checkPipe},
		{ID: "unpinned-source", Group: Safety, Severity: steps.Warning,
			What: "A source is fetched from a branch, or from whatever is newest.",
			Why:  "The same runbook does something else tomorrow, and nobody changed it.",
			Fix:  "Name a tag or a commit: `?ref=v1.2.3`.",
			Bad:  "helmfile apply -f git::https://github.com/acme/platform.git@database/postgres.yaml\n",
			Good: "helmfile apply -f \"git::https://github.com/acme/platform.git@database/postgres.yaml?ref=v1.2.3\"\n", check: checkSources},
		{ID: "unpinned-image", Group: Safety, Severity: steps.Warning,
			What: "An image has no tag, or one that moves.",
			Why:  "A pod that is restarted may come up with another version than its neighbour; going back has no name.",
			Fix:  "Name a version or a digest.",
			Bad:  "kubectl -n shop run probe --image=busybox -- sleep 60\n",
			Good: "kubectl -n shop run probe --image=busybox:1.37.0 -- sleep 60\n", check: checkImages},
		{ID: "namespace-missing", Group: Safety, Severity: steps.Warning,
			What: "kubectl acts on namespaced objects and doesn't say in which namespace.",
			Why:  "It takes the one that the context happens to name, which is another one at the next person's desk. Where nothing is changed this is only mentioned.",
			Fix:  "Add `-n`.",
			Bad:  "kubectl scale deployment web --replicas=2\n",
			Good: "kubectl -n shop scale deployment web --replicas=2\n", check: checkNamespace},
		{ID: "rotates-protected", Group: Safety, Severity: steps.Error,
			What: "A step overwrites or removes a value that the front matter protects.",
			Why:  "The front matter says that it must never change by accident. What happens on purpose says so.",
			Fix:  "Use `vault: add` or a patch of the other keys. If the rotation is meant, say `risk: rotate` (or `destroy`) and what it costs.",
			Bad:  front(protecting, "## Step\n\n'''sh\nvault kv put kv/shop password=- < password.txt\n'''\n"),
			Good: front(protecting, "## Step\n\n<!-- step\ncost: until their restart, clients have the old password\n-->\n\n'''sh\nvault kv patch kv/shop password=- < password.txt\n'''\n"), check: checkProtected},
		{ID: "failure-hidden", Group: Safety, Severity: steps.Warning,
			What: "A command that takes something away is made to look as if it worked.",
			Why:  "\"Not found\" and \"forbidden\", \"wrong cluster\" and \"API server gone\" become the same silence.",
			Fix:  "Use `--ignore-not-found`, which forgives only that.",
			Bad:  "kubectl -n shop delete deployment web || true\n",
			Good: "# Example\n\n## Step\n\nThe page is gone until the next deployment.\n\n'''sh\nkubectl -n shop delete deployment web --ignore-not-found\n'''\n", check: checkHidden},
		{ID: "sample-value", Group: Safety, Severity: steps.Warning,
			What: "A sample value was left in.",
			Why:  "Somebody will run it as it is. A `<placeholder>` that no parameter stands for keeps the commands from being offered at all.",
			Fix:  "Declare a parameter for it.",
			Bad:  "kubectl -n shop get pod <pod>\n",
			Good: front("params:\n  POD: {help: the pod}\n", "## Step\n\n'''sh\nkubectl -n shop get pod <pod>\n'''\n"), check: checkSamples},
		{ID: "unset-path", Group: Safety, Severity: steps.Error,
			What: "A path to be removed begins with a variable that may be empty.",
			Why:  "With DIR unset, `rm -rf \"$DIR/\"*` is `rm -rf /*`.",
			Fix:  "Write `${DIR:?}`: the shell then stops instead.",
			Bad:  "rm -rf \"$WORK_DIR/\"*\n",
			Good: "# Example\n\n## Step\n\nWhat wasn't saved is lost.\n\n'''sh\nrm -rf \"${WORK_DIR:?}/\"*\n'''\n", check: checkUnset},
		{ID: "generator-reapplied", Group: Safety, Severity: steps.Warning,
			What: "A new secret is generated and applied over the old one each time the step is run.",
			Why:  "Running the step again, after an interruption for instance, is a rotation that nothing reports: everybody is logged out, or the database has another password than its clients.",
			Fix:  "Create and don't apply: `secret: create` and `vault: create` refuse to overwrite, and so does `kubectl create`.",
			Bad:  "kubectl -n shop create secret generic app --from-literal=id=\"$(openssl rand -hex 32)\" --dry-run=client -o yaml | kubectl apply -f -\n",
			Good: "# Example\n\n## Step\n\n'''yaml action\nsecret: create\nnamespace: shop\nname: app\ndata:\n  key: {generate: hex, bytes: 32}\n'''\n", check: checkGenerator},
	}
}

const protecting = "protects:\n  - {name: session key, vault: kv/shop, property: session-key, cost: everybody is logged out}\n"
