package tui

import (
	"time"

	"runbook/internal/engine"
	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

// bringUp is a run of six steps, two of them through, on a cluster where an
// ExternalSecret doesn't work.
func bringUp() *fakeEngine {
	rb := &steps.Runbook{Title: "Bring up schmetterpause", Purpose: steps.BringUp,
		Intro: "Everything runs in one namespace. Start with an **empty** cluster.",
		Params: []steps.Param{
			{Name: "CLUSTER", Help: "the cluster, as its Vault mount is named"},
			{Name: "DB_PASSWORD", Secret: true},
			{Name: "VARIANT", Choices: []string{"vault", "ordinary-secrets"}},
		}}
	f := fakeOf(rb,
		shellStep("platform", "Check the platform", "Look before you leap.", "kubectl get nodes"),
		shellStep("namespace", "Namespace", "", "kubectl create namespace schmetterpause"),
		secretsStep(),
		shellStep("apply", "Apply the manifests", "Apply what stands in `manifests/`.", "kubectl apply -f manifests/"),
		shellStep("ordinary", "Secrets without Vault", "", "kubectl create secret generic schmetterpause-db"),
		shellStep("teardown", "Take it all down", "This cannot be undone.", "kubectl delete namespace schmetterpause"),
	)
	f.plan.Steps[4].Taken, f.plan.Steps[4].WhyNot = false, "VARIANT is vault"
	f.plan.Values = steps.Values{
		"CLUSTER":     {Text: "cicd-test2", Source: steps.FromSet},
		"DB_PASSWORD": {Text: "hunter2", Source: steps.FromForm, Secret: true},
		"VARIANT":     {Text: "vault", Source: steps.FromDefault},
	}
	f.run = through(steps.NewRun(f.plan), "platform", "namespace")
	f.where = guard.Where{Context: "cicd-test2", Server: "https://10.0.0.1:6443", Namespace: "schmetterpause",
		Vault: "https://vault.example:8200", Verified: noon.Add(-5 * time.Second)}
	f.gates["teardown"] = deletion()
	fillWorld(f)
	return f
}

func fakeOf(rb *steps.Runbook, all ...steps.BoundStep) *fakeEngine {
	f := &fakeEngine{plan: &steps.Plan{Runbook: rb}, checks: map[string][]engine.Check{}, live: map[string][]engine.LiveItem{},
		output: map[string]engine.Output{}, gates: map[string]guard.Gate{}, edits: map[string]string{}}
	for i := range all {
		all[i].N = i + 1
		rb.Steps = append(rb.Steps, all[i].Step)
	}
	f.plan.Steps, f.events = all, make(chan engine.Event)
	f.run = steps.NewRun(f.plan)
	return f
}

func shellStep(id, title, prose, code string) steps.BoundStep {
	s := steps.BoundStep{Taken: true, Code: []string{code + "\n"}}
	s.ID, s.Title = id, title
	if prose != "" {
		s.Parts = append(s.Parts, steps.Part{Prose: prose, Block: -1})
	}
	s.Parts = append(s.Parts, steps.Part{Block: 0})
	s.Blocks = []steps.Block{{Kind: steps.ShellBlock, Lang: "sh", Code: code + "\n", Offered: true}}
	return s
}

func secretsStep() steps.BoundStep {
	s := shellStep("secrets", "Secrets from Vault",
		"Both Secrets come from *one* Vault entry; wait with `kubectl --context cicd-test2 wait --for=condition=Ready` until they do.",
		"kubectl -n schmetterpause get externalsecrets.external-secrets.io,secrets --show-labels --output=wide --sort-by=.metadata.name")
	s.Blocks = append(s.Blocks, steps.Block{Kind: steps.ShellBlock, Code: "vault kv get <mount>/schmetterpause\n",
		Why: steps.WhyPlaceholder, Placeholders: []string{"mount"}})
	s.Code = append(s.Code, "")
	s.Parts = append(s.Parts, steps.Part{Block: 1},
		steps.Part{Block: -1, Fence: &steps.Fence{Code: "NAME\tSTATUS\nschmetterpause-db\tSecretSynced\n", Why: steps.WhyOutput}})
	s.Cost = "everybody is logged out"
	return s
}

func through(r steps.Run, ids ...string) steps.Run {
	at := noon.Add(-10 * time.Minute)
	for _, id := range ids {
		for _, kind := range []steps.EventKind{steps.StepStarted, steps.StepExited, steps.StepHeld} {
			at = at.Add(3 * time.Second)
			r, _ = r.Apply(steps.Event{Kind: kind, Step: id, At: at})
		}
	}
	return r
}

func deletion() guard.Gate {
	return guard.Gate{
		Step: "teardown", Title: "Take it all down", Decision: guard.Confirm, Class: risk.Destroy, Words: "schmetterpause",
		Reasons: []risk.Reason{{Class: risk.Destroy, Command: "kubectl delete namespace schmetterpause",
			Why: "deletes namespace schmetterpause and everything in it"}},
		Where: guard.Where{Context: "cicd-test2", Server: "https://10.0.0.1:6443", Namespace: "schmetterpause",
			Vault: "https://vault.example:8200", Verified: noon.Add(-5 * time.Second)},
		Cost: "the game is offline for good",
		Losses: []guard.Loss{
			{What: "deployment/schmetterpause", Why: "in namespace schmetterpause"},
			{What: "persistentvolumeclaim/db-1 (8Gi)", Why: "reclaim policy Delete", Irrecoverable: true},
			{What: "cluster.postgresql.cnpg.io", Why: "forbidden", Unknown: true},
		},
		Warnings:    []guard.Warning{{Protects: "session key", Text: "it exists only in secret/schmetterpause-app", Undo: "nothing brings it back"}},
		Fingerprint: "gate 1",
	}
}

func fillWorld(f *fakeEngine) {
	seen := func(ago time.Duration) world.Fact { return world.Fact{Presence: world.Present, Seen: noon.Add(-ago)} }
	secret := world.NewRef("secret", "", "schmetterpause", "schmetterpause-app")
	claim := world.NewRef("pvc", "", "schmetterpause", "db-1")
	stale := seen(3 * time.Minute)
	stale.Stale, stale.StaleSince, stale.Why = true, noon.Add(-2*time.Minute), "the watch was closed"
	f.world = world.World{Now: noon,
		Objects: map[world.Ref]world.Object{
			secret: {Fact: seen(2 * time.Second), Ref: secret, Kind: "Secret", Keys: []string{"password", "session-key"}, Body: map[string]any{}},
			claim:  {Fact: stale, Ref: claim, Kind: "PersistentVolumeClaim", Body: map[string]any{"status": map[string]any{"phase": "Bound"}}},
		},
		Entries: map[string]world.Entry{"cicd-test2/schmetterpause": {Fact: seen(time.Second), Path: "cicd-test2/schmetterpause",
			Mount: "cicd-test2", KV: 2, Version: 3, Keys: []string{"password", "session-key", "username"}}},
		Health: world.Health{Fact: seen(time.Second), Initialized: true},
		Token:  world.Token{Fact: seen(2 * time.Minute), TTL: time.Hour},
	}
	f.live["secrets"] = []engine.LiveItem{
		{Subject: steps.Subject{Source: steps.Kube, Kind: "secret", Namespace: "schmetterpause", Name: "schmetterpause-app"}},
		{Subject: steps.Subject{Source: steps.Kube, Kind: "pvc", Namespace: "schmetterpause", Name: "db-1"}},
		{Subject: steps.Subject{Source: steps.Vault, Entry: "cicd-test2/schmetterpause"}},
	}
	f.checks["secrets"] = []engine.Check{
		{Role: engine.ExpectRole, Expect: steps.Expectation{Text: "externalsecret/schmetterpause-db is ready"},
			Verdict: world.Verdict{Answer: world.DoesNot, Why: `no property "usernme" in the entry`}},
		{Role: engine.ExpectRole, Expect: steps.Expectation{Text: "secret/schmetterpause-app exists"}, Verdict: world.Verdict{Answer: world.Holds}},
		{Role: engine.BeforeRole, Expect: steps.Expectation{Text: "vault is active"}, Verdict: world.Verdict{Answer: world.CantTell, Why: "forbidden"}},
	}
	f.output["secrets"] = engine.Output{Lines: []string{"NAME                STORETYPE    STATUS",
		"schmetterpause-db   SecretStore  \x1b[31mSecretSyncedError\x1b[m", "schmetterpause-app  SecretStore  SecretSynced"}}
}
