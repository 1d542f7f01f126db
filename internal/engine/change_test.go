package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"runbook/internal/engine"
	"runbook/internal/steps"
	"runbook/internal/world"
)

const amendable = `---
runbook: v1
title: Shop
params:
  NAMESPACE: {default: shop, pattern: "[a-z0-9-]+"}
  STORE: {default: "vault-${NAMESPACE}"}
  VARIANT: {default: a, choices: [a, b]}
  TOKEN: {secret: true}
protects:
  - {name: session key, secret: "${NAMESPACE}/app", key: KEY}
---

# Shop

## Namespace

<!-- step
id: namespace
done: namespace/${NAMESPACE} is active
-->

` + "```sh\nkubectl create ns \"$NAMESPACE\"\n```" + `

## Make

<!-- step
id: make
expect: configmap/thing in ${NAMESPACE} exists
-->

` + "```sh\nkubectl -n <namespace> create configmap thing\n```" + `

## Only a

<!-- step
id: only-a
when: VARIANT == a
-->

` + "```sh\nkubectl get pods\n```" + `

## Only b

<!-- step
id: only-b
when: VARIANT == b
-->

` + "```sh\nkubectl get nodes\n```" + `

## After

<!-- step
id: after
before: configmap/thing in ${NAMESPACE} exists
expect: configmap/thing in ${NAMESPACE} exists
-->

` + "```sh\nkubectl -n <namespace> delete configmap thing\n```\n"

func thingIn(namespace string) world.Ref { return world.NewRef("configmap", "", namespace, "thing") }

// amend starts a run of the document above, with its defaults.
func amend(t *testing.T, stand func(*engine.Config)) *bench {
	t.Helper()
	return resume(t, amendable, func(cfg *engine.Config) {
		cfg.Namespace = func(v steps.Values) string { return v.Text("NAMESPACE") }
		cfg.Where.Namespace = cfg.Plan.Values.Text("NAMESPACE")
		if stand != nil {
			stand(cfg)
		}
	})
}

// change looks at what a value would mean and takes it.
func (b *bench) change(name, text string) engine.Meaning {
	b.t.Helper()
	m, err := b.Consider(name, text)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := b.Change(b.t.Context(), name, text, m); err != nil {
		b.t.Fatal(err)
	}
	synctest.Wait()
	return m
}

// makes carries the step that makes the thing to its end.
func (b *bench) makes(namespace string) {
	b.t.Helper()
	if err := b.Do(b.t.Context(), "make", engine.Answer{}); err != nil {
		b.t.Fatal(err)
	}
	synctest.Wait()
	b.learn(thingIn(namespace), world.Present)
	if got := b.status("make").Status; got != steps.Done {
		b.t.Fatalf("make is %s, want done", got)
	}
}

func TestStepsThatHaveNotRunFollowAChangedValueAndThoseThatHaveKeepTheirs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := amend(t, nil)
		defer b.Close()
		b.makes("shop")
		m := b.change("NAMESPACE", "other")
		if !slices.Equal(m.Ran, []string{"make"}) || m.Namespace != "other" || len(m.Shifts) != 2 {
			t.Errorf("meaning: %+v, want make ran, namespace other, NAMESPACE and STORE shifted", m)
		}
		if got := b.Plan().Step("make").Code[0]; !strings.Contains(got, "'shop'") {
			t.Errorf("the step that ran shows %q, want what it ran with", got)
		}
		if got := b.Checks("make")[0].Expect.Text; got != "configmap/thing in shop exists" {
			t.Errorf("the step that ran expects %q", got)
		}
		if got := b.Since("make"); len(got) != 1 || got[0].String() != "NAMESPACE was changed from `shop` to `other`" {
			t.Errorf("since it ran: %v", got)
		}
		if got := b.Code("after")[0]; !strings.Contains(got, "'other'") {
			t.Errorf("the later step would run %q, want the new value", got)
		}
		if got := b.Live("after")[0].Subject.Namespace; got != "other" {
			t.Errorf("the later step watches namespace %q, want other", got)
		}
		if got := b.Plan().Values["STORE"].Text; got != "vault-other" {
			t.Errorf("STORE is %q, want the default made anew", got)
		}
		if got := b.Plan().Protects[0].Secret; got != "other/app" {
			t.Errorf("protected is %q, want other/app", got)
		}
		if got := b.Where().Namespace; got != "other" {
			t.Errorf("the run is in %q, want other", got)
		}
		g, err := b.Gate(t.Context(), "after")
		if err != nil || g.Where.Namespace != "other" || !strings.Contains(g.Warnings[0].Text, "configmap/thing in other") {
			t.Errorf("gate: %+v, %v, want it to be about the thing in other", g, err)
		}
		if !b.journal.has("values NAMESPACE:shop→other STORE:vault-shop→vault-other") {
			t.Errorf("the record has %q", b.journal.lines)
		}
	})
}

func TestAStepThatRanRunsAgainWithTheNewValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := amend(t, nil)
		defer b.Close()
		b.makes("shop")
		b.change("NAMESPACE", "other")
		b.makes("other")
		if got := b.shell.history(); got != "kubectl -n 'shop' create configmap thing; kubectl -n 'other' create configmap thing" {
			t.Errorf("ran %q", got)
		}
		if got := b.Since("make"); len(got) != 0 {
			t.Errorf("since it ran again: %v, want nothing", got)
		}
		if got := b.shell.env["NAMESPACE"]; got != "other" {
			t.Errorf("its environment had NAMESPACE=%s", got)
		}
	})
}

func TestAValueThatIsTakenBackLeavesNoTrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := amend(t, nil)
		defer b.Close()
		b.makes("shop")
		b.change("NAMESPACE", "other")
		m := b.change("NAMESPACE", "shop")
		if len(b.Since("make")) != 0 || len(m.Stranded) != 0 {
			t.Errorf("since: %v, meaning %+v", b.Since("make"), m)
		}
	})
}

func TestAFailedStepTriesAgainWithTheNewValueAndSaysWhatItFailedWith(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := amend(t, nil)
		defer b.Close()
		b.shell.exits["kubectl -n 'shop' create configmap thing"] = 1
		if err := b.Do(t.Context(), "make", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		if got := b.status("make").Status; got != steps.Failed {
			t.Fatalf("make is %s", got)
		}
		b.change("NAMESPACE", "other")
		if got := b.Code("make")[0]; !strings.Contains(got, "'other'") {
			t.Errorf("it would run %q", got)
		}
		if got := b.Since("make"); len(got) != 1 {
			t.Errorf("since it failed: %v", got)
		}
	})
}

func TestAStepThatHeldAlreadyIsHeldAgainstTheNewValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := amend(t, nil)
		defer b.Close()
		b.learn(world.NewRef("namespace", "", "", "shop"), world.Present)
		b.updates <- world.Update{Object: &world.Object{Ref: world.NewRef("namespace", "", "", "shop"),
			Fact: world.Fact{Presence: world.Present}, Body: map[string]any{"status": map[string]any{"phase": "Active"}}}}
		if got := b.status("namespace").Status; got != steps.Satisfied {
			t.Fatalf("namespace is %s, want satisfied", got)
		}
		m := b.change("NAMESPACE", "other")
		if !slices.Equal(m.Turn.Reopened, []string{"namespace"}) || b.status("namespace").Status != steps.Pending || b.Run().Next() != "namespace" {
			t.Errorf("meaning %+v, next %q, want the namespace step open again", m, b.Run().Next())
		}
	})
}

func TestAChoiceThatIsChangedTakesUpItsStepsAndLeavesTheOthersOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := amend(t, nil)
		defer b.Close()
		m := b.change("VARIANT", "b")
		if !slices.Equal(m.Turn.Taken, []string{"only-b"}) || m.Turn.NotTaken["only-a"] != "VARIANT is b" || len(m.Stranded) != 0 {
			t.Errorf("meaning: %+v", m)
		}
		if b.status("only-a").Status != steps.NotTaken || b.status("only-b").Status != steps.Pending {
			t.Errorf("only-a is %s, only-b is %s", b.status("only-a").Status, b.status("only-b").Status)
		}
		if b.Plan().Step("only-a").Taken || !b.Plan().Step("only-b").Taken {
			t.Error("the plan doesn't follow the choice")
		}
		if err := b.Do(t.Context(), "only-b", engine.Answer{}); err != nil || b.status("only-b").Status != steps.Done || b.shell.history() != "kubectl get nodes" {
			t.Errorf("run: %v, ran %q", err, b.shell.history())
		}
	})
}

func TestAStepThatRanStaysWhenItsChoiceIsChangedAndThatIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := amend(t, nil)
		defer b.Close()
		if err := b.Do(t.Context(), "only-a", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		m := b.change("VARIANT", "b")
		if !slices.Equal(m.Stranded, []string{"only-a"}) || b.status("only-a").Status != steps.Done {
			t.Errorf("meaning %+v, only-a is %s, want it named and done", m, b.status("only-a").Status)
		}
	})
}

func TestWhatCannotBeRightIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := errors.New("no Vault")
		b := amend(t, func(cfg *engine.Config) {
			cfg.Run, _ = cfg.Run.Apply(steps.Event{Kind: steps.StepStarted, Step: "only-a"})
			cfg.Run, _ = cfg.Run.Apply(steps.Event{Kind: steps.StepLost, Step: "only-a"})
			cfg.Admit = func(_ context.Context, p *steps.Plan) error {
				if p.Values.Text("NAMESPACE") == "sealed" {
					return refused
				}
				return nil
			}
		})
		defer b.Close()
		for _, c := range []struct{ name, text, want string }{
			{"NAMESPACE", "No Good", "must match"},
			{"NAMESPACE", "", "must match"},
			{"VARIANT", "c", "must be one of"},
			{"NOBODY", "x", "no such parameter"},
			{"VARIANT", "b", "only-a was cut off"},
		} {
			if _, err := b.Consider(c.name, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s=%s: %v, want %q", c.name, c.text, err, c.want)
			}
		}
		m, _ := b.Consider("NAMESPACE", "sealed")
		if err := b.Change(t.Context(), "NAMESPACE", "sealed", m); !errors.Is(err, refused) {
			t.Errorf("got %v, want what the target says", err)
		}
		if err := b.Change(t.Context(), "NAMESPACE", "other", m); !errors.Is(err, engine.ErrMeaning) {
			t.Errorf("got %v, want that it means something else than what was shown", err)
		}
		b.shell.hang["kubectl -n 'shop' create configmap thing"] = true
		if err := b.Do(t.Context(), "make", engine.Answer{}); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Consider("NAMESPACE", "other"); err == nil || !strings.Contains(err.Error(), "make is running") {
			t.Errorf("while a step runs: %v", err)
		}
		if got := b.Plan().Values.Text("NAMESPACE"); got != "shop" {
			t.Errorf("NAMESPACE is %q after all that", got)
		}
	})
}

func TestAValueThatCannotBeRecordedDoesNotChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := amend(t, nil)
		defer b.Close()
		m, err := b.Consider("NAMESPACE", "other")
		if err != nil {
			t.Fatal(err)
		}
		b.journal.full = true
		if err := b.Change(t.Context(), "NAMESPACE", "other", m); err == nil || b.Plan().Values.Text("NAMESPACE") != "shop" {
			t.Errorf("got %v, NAMESPACE is %s", err, b.Plan().Values.Text("NAMESPACE"))
		}
	})
}

func TestASecretIsChangedWithoutBeingTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := amend(t, nil)
		defer b.Close()
		m := b.change("TOKEN", "hunter2")
		if s := m.Shifts[0]; s.Old != "" || s.New != "" || !s.Secret {
			t.Errorf("the meaning tells %+v", s)
		}
		if !b.journal.has("values TOKEN:→") {
			t.Errorf("the record has %q", b.journal.lines)
		}
	})
}

func TestAParameterThatAStepHasSetItselfIsNamedAndGivesWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := amend(t, nil)
		defer b.Close()
		b.shell.strayed = []string{"NAMESPACE"}
		m, err := b.Consider("NAMESPACE", "shop")
		if err != nil || !slices.Equal(m.Strayed, []string{"NAMESPACE"}) {
			t.Fatalf("the same value again: %+v, %v, want that the session's gives way", m, err)
		}
		b.change("NAMESPACE", "shop")
		if !slices.Equal(b.shell.renewed, []string{"NAMESPACE"}) {
			t.Errorf("renewed %v", b.shell.renewed)
		}
	})
}
