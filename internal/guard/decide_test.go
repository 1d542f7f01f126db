package guard_test

import (
	"strings"
	"testing"
	"time"

	"runbook/internal/guard"
	"runbook/internal/risk"
	"runbook/internal/steps"
	"runbook/internal/world"
)

var sessionKey = steps.Protect{
	Name: "session key", Secret: "shop/app", Key: "SESSION_KEY", Vault: "kv/shop", Property: "session-key",
	Cost: "everybody is logged out",
}

// ask is what the guard says of a command in a world.
func ask(command string, w world.World) guard.Gate {
	r := risk.Classify(command, risk.Context{})
	s := steps.BoundStep{Taken: true, Step: steps.Step{
		ID: "try", Title: "Try", Blocks: []steps.Block{{Kind: steps.ShellBlock, Code: command, Offered: true}},
	}}
	return guard.Decide(guard.Request{
		Step: s, Class: r.Class, Results: []risk.Result{r}, World: w, Protects: []steps.Protect{sessionKey},
		Where: guard.Where{Context: "test", Server: "https://test:6443", Namespace: "shop"},
	})
}

func fact(p world.Presence) world.Fact { return world.Fact{Presence: p, Seen: time.Unix(1, 0)} }

// here is a world in which the Secret is there and the Vault entry has keys.
func here(keys ...string) world.World {
	ref := world.NewRef("secret", "", "shop", "app")
	w := world.World{}
	w = w.With(world.Update{Object: &world.Object{Fact: fact(world.Present), Ref: ref, Keys: []string{"SESSION_KEY"}, Body: map[string]any{}}}, time.Unix(1, 0))
	e := world.Entry{Fact: fact(world.Gone), Path: "kv/shop"}
	if keys != nil {
		e = world.Entry{Fact: fact(world.Present), Path: "kv/shop", KV: 2, Version: 3, Keys: keys}
	}
	return w.With(world.Update{Entry: &e}, time.Unix(1, 0))
}

func TestWhatStillRunsFromBeforeIsNamedAndAskedAboutWhereItWouldRunTwice(t *testing.T) {
	for _, tt := range []struct {
		name     string
		command  string
		begun    bool
		decision guard.Decision
	}{
		{"a step that was begun before", "kubectl create ns shop", true, guard.Confirm},
		{"another step", "kubectl create ns shop", false, guard.Allow},
		{"a step that only reads", "kubectl get pods", true, guard.Allow},
	} {
		r := risk.Classify(tt.command, risk.Context{})
		s := steps.BoundStep{Taken: true, Step: steps.Step{ID: "try", Title: "Try", Blocks: []steps.Block{{Kind: steps.ShellBlock, Code: tt.command, Offered: true}}}}
		q := guard.Request{Step: s, Class: r.Class, Results: []risk.Result{r}, Begun: tt.begun, Left: []string{"sleep 1000 (pid 12)"}, Died: []string{"the tunnel has ended"}}
		g := guard.Decide(q)
		if g.Decision != tt.decision || (g.Words != "") != (tt.decision == guard.Confirm) {
			t.Errorf("%s: %s %q, want %s", tt.name, g.Decision, g.Words, tt.decision)
		}
		said := strings.Join(g.Beside, "\n")
		for _, w := range g.Warnings {
			said += "\n" + w.Text
		}
		for _, want := range []string{"still running from before: sleep 1000 (pid 12)", "the tunnel has ended"} {
			if !strings.Contains(said, want) {
				t.Errorf("%s: it doesn't say %q: %s", tt.name, want, said)
			}
		}
		q.Left = nil
		if guard.Decide(q).Fingerprint == g.Fingerprint {
			t.Errorf("%s: an answer to this gate would pass another one", tt.name)
		}
	}
}

func TestAnAuthorCanOnlyRaiseTheGuard(t *testing.T) {
	for _, tt := range []struct {
		command  string
		decision guard.Decision
		words    string
	}{
		{"kubectl get pods", guard.Allow, ""},
		{"kubectl create ns shop", guard.Allow, ""},
		{"kubectl delete ns other", guard.Confirm, "other"},
		{"kubectl -n x delete pvc data-0", guard.Confirm, "data-0"},
		{"./install.sh", guard.Confirm, "try"},
		{"kubectl delete pods --all", guard.Confirm, "try"},
	} {
		g := ask(tt.command, world.World{})
		if g.Decision != tt.decision || g.Words != tt.words {
			t.Errorf("%s: %s %q, want %s %q", tt.command, g.Decision, g.Words, tt.decision, tt.words)
		}
	}
}

func TestWhateverChangesTheSessionKeySaysSoFirst(t *testing.T) {
	vault, empty := here("session-key", "password"), here()
	nothing := empty.With(world.Update{Object: &world.Object{Fact: fact(world.Gone), Ref: world.NewRef("secret", "", "shop", "app")}}, time.Unix(1, 0))
	for _, tt := range []struct {
		name    string
		command string
		world   world.World
		warns   string // part of the warning; empty: none
		undo    string
	}{
		{"a put that names it", "vault kv put kv/shop session-key=x", vault, "overwrites the session key", "version 3"},
		{"a put that drops it", "vault kv put kv/shop password=x", vault, "drops the session key", "version 3"},
		{"a put where nothing is", "vault kv put kv/shop session-key=x", nothing, "", ""},
		{"a put where only the Secret is", "vault kv put kv/shop session-key=x", empty, "beside the Secret that holds the session key", "keep the ExternalSecret away"},
		{"a put with -cas=0", "vault kv put -cas=0 kv/shop session-key=x", vault, "", ""},
		{"a patch of it", "vault kv patch kv/shop session-key=x", vault, "changes the session key", "version 3"},
		{"a patch of another key", "vault kv patch kv/shop password=x", vault, "", ""},
		{"a rollback", "vault kv rollback -version=1 kv/shop", vault, "older value of the session key", "version 3"},
		{"deleting the entry", "vault kv metadata delete kv/shop", vault, "deletes the Vault entry", ""},
		{"disabling its mount", "vault secrets disable kv", vault, "deletes the mount", "the Secret shop/app still has it"},
		{"disabling its mount by its path", "vault delete sys/mounts/kv", vault, "deletes the mount", "the Secret shop/app still has it"},
		{"disabling its mount by an address", "curl -X DELETE $VAULT_ADDR/v1/sys/mounts/kv", vault, "deletes the mount", "the Secret shop/app still has it"},
		{"disabling another mount by an address", "curl -X DELETE $VAULT_ADDR/v1/sys/mounts/kv2", vault, "", ""},
		{"deleting the Vault namespace that it is in", "vault namespace delete kv", vault, "deletes the mount", ""},
		{"deleting its namespace, with Vault", "kubectl delete ns shop", vault, "takes the Secret away", "bring the same value back"},
		{"deleting its namespace, without", "kubectl delete ns shop", empty, "takes the Secret away", "nothing: no other place has it"},
		{"deleting the Secret", "kubectl -n shop delete secret app", empty, "deletes the Secret", "nothing"},
		{"deleting another Secret", "kubectl -n shop delete secret other", vault, "", ""},
		{"a generator in a pipe", "kubectl -n shop create secret generic app --from-literal=SESSION_KEY=$(openssl rand -hex 16) --dry-run=client -o yaml | kubectl -n shop apply -f -", vault, "overwrites the Secret", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := ask(tt.command, tt.world)
			if tt.warns == "" {
				if len(g.Warnings) > 0 {
					t.Fatalf("warns: %+v", g.Warnings)
				}
				return
			}
			if g.Decision != guard.Confirm || len(g.Warnings) == 0 {
				t.Fatalf("%s with %d warnings", g.Decision, len(g.Warnings))
			}
			w := g.Warnings[0]
			if w.Protects != "session key" || !strings.Contains(w.Text, tt.warns) || !strings.Contains(w.Text, sessionKey.Cost) {
				t.Errorf("warns %q, want %q and the cost", w.Text, tt.warns)
			}
			if !strings.Contains(w.Undo, tt.undo) {
				t.Errorf("undo %q, want %q", w.Undo, tt.undo)
			}
		})
	}
}

func TestOverwritingTheSessionKeyAsksForItsOwnWords(t *testing.T) {
	if g := ask("vault kv put kv/shop password=x", here("session-key", "password")); g.Words != "rotate session key" {
		t.Errorf("asks for %q", g.Words)
	}
}

func TestAKeyThatNothingBringsBackIsTheFirstLoss(t *testing.T) {
	g := ask("kubectl delete ns shop", here())
	if len(g.Losses) == 0 || !g.Losses[0].Irrecoverable || g.Losses[0].What != "the session key" {
		t.Fatalf("losses: %+v", g.Losses)
	}
	g = ask("kubectl delete ns shop", here("session-key"))
	if g.Losses[0].Irrecoverable {
		t.Fatalf("Vault has it, and yet: %+v", g.Losses)
	}
	unknown := here().With(world.Update{Entry: &world.Entry{Path: "kv/shop", Fact: world.Fact{Presence: world.Hidden, Why: "permission denied"}}}, time.Unix(1, 0))
	g = ask("kubectl delete ns shop", unknown)
	if !g.Losses[0].Unknown || !strings.Contains(g.Losses[0].Why, "permission denied") {
		t.Fatalf("Vault didn't say, and yet: %+v", g.Losses)
	}
}

func TestACommandForAnotherClusterSaysSoEveryTime(t *testing.T) {
	if g := ask("kubectl --context prod get pods", world.World{}); g.Decision != guard.Confirm || len(g.Warnings) != 1 {
		t.Errorf("another context: %s, %+v", g.Decision, g.Warnings)
	}
	if g := ask("kubectl --context test get pods", world.World{}); g.Decision != guard.Allow {
		t.Errorf("the pinned context: %s, %+v", g.Decision, g.Warnings)
	}
}

func TestTheFingerprintFollowsWhatIsShownAndNothingElse(t *testing.T) {
	a := ask("kubectl delete ns shop", here("session-key"))
	if b := ask("kubectl delete ns shop", here("session-key")); a.Fingerprint != b.Fingerprint {
		t.Error("the same question has two fingerprints")
	}
	if b := ask("kubectl delete ns shop", here()); a.Fingerprint == b.Fingerprint {
		t.Error("a key that is lost for good doesn't change the question")
	}
}

func TestWhatCannotBeToldIsForTheOperatorToWeigh(t *testing.T) {
	q := guard.Request{Class: risk.Read, Step: steps.BoundStep{Step: steps.Step{ID: "look"}}}
	q.Unmet = []guard.Unmet{{Text: "secret/db exists", Verdict: world.Verdict{Answer: world.CantTell, Why: "forbidden"}}}
	if g := guard.Decide(q); g.Decision != guard.Confirm || !strings.Contains(g.Warnings[0].Text, "forbidden") {
		t.Errorf("can't tell: %s %+v", g.Decision, g.Warnings)
	}
	q.Unmet[0].Verdict.Answer = world.DoesNot
	if g := guard.Decide(q); g.Decision != guard.Refuse {
		t.Errorf("does not: %s", g.Decision)
	}
}

func TestWhatMayNotBeListedIsNotTakenForNothing(t *testing.T) {
	hidden := func(kind string) world.World {
		ref := world.NewRef(kind, "", "shop", "")
		return here("session-key").With(world.Update{Object: &world.Object{Ref: ref, Fact: world.Fact{Presence: world.Hidden, Why: "forbidden"}}}, time.Unix(1, 0))
	}
	for _, tt := range []struct {
		name, command, warns string
		world                world.World
	}{
		{"pods, before a restart", "kubectl -n shop rollout restart deployment web", "can't tell, because the pods can't be listed", hidden("pod")},
		{"pods, before a drain", "kubectl drain n1", "can't tell, because the pods can't be listed", hidden("pod")},
		{"ExternalSecrets, before the Secret is adopted", "kubectl apply -f - <<EOF\napiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: app, namespace: shop}\nspec: {}\nEOF", "adopts the Secret", hidden("externalsecret")},
		{"a name that only the shell knows", `kubectl -n shop delete secret "$name"`, "deletes the Secret", hidden("pod")},
		{"a namespace that only the shell knows", `kubectl delete ns "$name"`, "takes the Secret away", hidden("pod")},
		{"an entry that only the shell knows", `vault kv put "$entry" a=b`, "drops the session key", hidden("pod")},
	} {
		g := ask(tt.command, tt.world)
		if len(g.Warnings) == 0 || !strings.Contains(g.Warnings[0].Text, tt.warns) {
			t.Errorf("%s: warnings %+v, want %q", tt.name, g.Warnings, tt.warns)
		}
	}
}

func TestWhoLooksAtAnApplicationRendersNothing(t *testing.T) {
	ref := world.NewRef("secret", "", "shop", "app")
	body := map[string]any{"metadata": map[string]any{"labels": map[string]any{"argocd.argoproj.io/instance": "web"}}}
	w := here("session-key").With(world.Update{Object: &world.Object{Fact: fact(world.Present), Ref: ref, Keys: []string{"SESSION_KEY"}, Body: body}}, time.Unix(1, 0))
	for command, warns := range map[string]bool{
		"argocd app sync web": true, "argocd app get web": false, "argocd app wait web": false, "argocd app diff web": false,
	} {
		if g := ask(command, w); len(g.Warnings) > 0 != warns {
			t.Errorf("%s: warnings %+v, want some: %v", command, g.Warnings, warns)
		}
	}
}
