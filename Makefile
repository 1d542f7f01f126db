# Everything a contributor runs. `make help` lists it.

GO ?= go
# The linter is run from its module, so that everybody has the same one.
STATICCHECK = $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2

.DEFAULT_GOAL := help
.PHONY: help build kubectl demo test check bench e2e lint golden corpus risk soak leaks kill floods

# A kubectl of the machine comes first; else the one that `make kubectl` builds.
export PATH := $(PATH):$(CURDIR)/.cache/bin

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build ./runbook
	@echo "building runbook (the first time takes a minute or two: client-go is large)" >&2
	@$(GO) build -trimpath -ldflags '-s -w' -o runbook ./cmd/runbook

kubectl: ## build kubectl from its module, if there is none
	@command -v kubectl >/dev/null || { \
		echo "kubectl is not on the path: building it from its module into .cache/bin (a minute or two)" >&2; \
		$(GO) build -C e2e -mod=mod -trimpath -ldflags '-s -w -X k8s.io/component-base/version.gitVersion=v1.37.2' -o ../.cache/bin/kubectl ./kubectl; }

demo: build kubectl ## open the bring-up on the embedded sandbox
	@./runbook demo || [ $$? -eq 3 ] # 3: left before the end, which is no error here

test: kubectl ## run all tests
	$(GO) test -timeout 20m ./...

check: lint kubectl ## format, vet, lint, and all tests with the race detector
	$(GO) test -race -timeout 40m ./...

lint: ## format, vet and staticcheck
	@test -z "$$(gofmt -l .)" || { echo "not gofmt-clean:"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	$(STATICCHECK) ./...

bench: kubectl ## run the benchmarks, and show what was held against something in one table
	@$(GO) test -run '^$$' -bench $(or $(BENCH),.) $(or $(PKG),./...) | awk -f internal/ratio/table.awk

golden: ## renew the golden files
	$(GO) test ./... -update

e2e: ## the same stories on real servers
	$(MAKE) -C e2e test

corpus: ## read a folder of runbooks and count what is offered: make corpus CORPUS=dir
	RUNBOOK_CORPUS=$(abspath $(CORPUS)) $(GO) test -run Corpus -v ./internal/steps

risk: ## measure the classifier on labelled commands: make risk DATA=commands.tsv
	RUNBOOK_COMMANDS=$(abspath $(DATA)) $(GO) test -run Measure -v ./internal/risk

leaks: kubectl ## walk and look for secrets everywhere, also with a program that hides nothing: they have to be found
	RUNBOOK_SOAK=1 RUNBOOK_TELLTALE=1 $(GO) test -count=1 -v -run "TestTheSearchFinds|TestNothingThatIsMarked|TestNothingSecret" ./cmd/runbook

soak: ## press anything, a million times: make soak [EVENTS=1000000]
	RUNBOOK_SOAK=$(or $(EVENTS),1000000) $(GO) test -count=1 -timeout 2h -v -run TestNothingDangerousRunsWithoutItsWords ./cmd/runbook

floods: ## print 20 million lines, 1 GB of noise, a line of 100 MB and yes without end
	RUNBOOK_SOAK=1 $(GO) test -count=1 -timeout 60m -v -run TestAFlood ./cmd/runbook

kill: kubectl ## kill a walk at every event, and resume it each time (about 15 minutes)
	RUNBOOK_SOAK=1 $(GO) test -v -count=1 -timeout 60m -run "TestKilledAtAnyEvent|TestFromAnyMoment" ./cmd/runbook
