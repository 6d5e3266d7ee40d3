# Tributary. `make` lists the targets.

SWIFT ?= swift
# debug shares its build with the tests and is ready soonest. release is for measuring and for production.
CONFIGURATION ?= debug
# More arguments for the program: make demo ARGS="--people 20000", make run ARGS="--port 9000".
ARGS ?=
FUZZ_ITERATIONS ?= 1000000
# make test ONLY=FunnelRuleTests: targets, suites or tests by name.
ONLY ?=
# make torture SECONDS=600 SEED=7; on a Citus cluster: ARGS=--citus, for its own faults alone ARGS="--citus --faults 7"
SECONDS = 60
SEED = 1

BIN = .build/$(CONFIGURATION)
# Only what the two programs need: the tests need twice as much.
BUILD_PROGRAMS = $(SWIFT) build -c $(CONFIGURATION) --product tributary && $(SWIFT) build -c $(CONFIGURATION) --product tributaryd
SOURCES = Package.swift Sources Tests Plugins Benchmarks kits/swift

.DEFAULT_GOAL := help
.PHONY: help demo run test build torture bench deb kits release man completions check-deploy check-release check-long check-citus check-links check-recipes check-webhooks \
	check-kits check-assistants screenshots check-clickstream fuzz dictionary format lint packages clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: packages ## See it work: build, send a day of traffic through the daemon, show the reports, write CSV files
	$(BUILD_PROGRAMS)
	$(BIN)/tributary demo $(ARGS)

run: packages ## Serve on http://127.0.0.1:8080 until Ctrl-C
	$(BUILD_PROGRAMS)
	exec $(BIN)/tributaryd $(ARGS)

test: packages ## Run every test (ONLY=NAME: some); say what each suite cost, and what failed
	@began=$$(date +%s); $(SWIFT) build --build-tests && echo "Built in $$(($$(date +%s) - began)) s."
	SWIFT="$(SWIFT)" scripts/run-tests $(ONLY)

build: CONFIGURATION = release
build: packages ## Build both programs for release, into .build/release
	$(BUILD_PROGRAMS)

torture: packages ## Cause random faults under load (SECONDS, SEED); then count events that were lost or stored twice
	$(SWIFT) build -c $(CONFIGURATION) --product torture
	$(BIN)/torture --seconds $(SECONDS) --seed $(SEED) $(ARGS)

deb: packages ## Make the Debian package in .build/deb; its programs need no Swift on the machine
	scripts/make-deb

kits: ## Make the archives of the kits in .build/kits
	scripts/make-kits

release: packages ## Make everything that users take of VERSION, in .build/release-VERSION
	scripts/make-release "$(VERSION)"

man: ## Write the manual pages of the built programs into .build/share/man
	scripts/make-man $(BIN)/tributary 1 .build/share/man
	scripts/make-man $(BIN)/tributaryd 8 .build/share/man

completions: ## Write completions for bash, zsh and fish into .build/share/completions
	scripts/make-completions $(BIN) .build/share/completions

check-deploy: packages ## Lint deploy/, and try the backup, upgrade and failover of docs/operations.md
	BIN=$(BIN) scripts/check-deploy

check-release: packages ## Make the release twice, compare, and use it on a Debian without Swift
	scripts/check-release

check-long: ## Run what takes too long for every change: more random samples, fuzzing, torture, packages, failover
	scripts/check-long

check-citus: packages ## Run the tests that matter on a Citus cluster, where PostgreSQL knows the extension
	SWIFT="$(SWIFT)" scripts/check-citus

bench: ## Measure ingest, export, start-up and reports, and compare them (LONG=1, SIZE=100M)
	Benchmarks/run

fuzz: packages ## Test the link reader with a million mutated links (FUZZ_ITERATIONS)
	$(SWIFT) build --build-tests
	TRIBUTARY_FUZZ_ITERATIONS=$(FUZZ_ITERATIONS) scripts/run-tests ReaderFuzzTests

dictionary: ## Write the pages and the table of docs/ that are descriptions in the code
	$(SWIFT) build -c $(CONFIGURATION) --product tributary
	$(BIN)/tributary dictionary columns > $(BIN)/data-dictionary.md
	$(BIN)/tributary dictionary events > $(BIN)/event-reference.md
	$(BIN)/tributary dictionary access > $(BIN)/access-matrix.md
	mv $(BIN)/data-dictionary.md $(BIN)/event-reference.md $(BIN)/access-matrix.md docs/
	(echo; $(BIN)/tributary dictionary settings) > $(BIN)/settings.md
	sed -i -e '/^| flag | environment /,/^$$/d' -e '/^## Settings$$/r $(BIN)/settings.md' docs/configuration.md

check-links: packages ## Let programs that are not ours read the previews of short links; follow links in a real browser
	$(BUILD_PROGRAMS)
	scripts/check-links
	scripts/check-redirects

check-recipes: packages ## Run the recipes of docs/recipes.md against a daemon that refuses and loses answers
	$(BUILD_PROGRAMS)
	scripts/check-recipes

check-kits: packages ## Test the kits (kits/), and use them as apps and pages do, against a daemon that refuses
	$(BUILD_PROGRAMS)
	scripts/check-kits

check-assistants: packages ## Let a foreign client of the Model Context Protocol ask every report
	$(BUILD_PROGRAMS)
	scripts/check-assistants

check-webhooks: packages ## Tell webhooks while receivers fail and the daemon and PostgreSQL are killed (ARGS="--seed 7": a minute)
	$(BUILD_PROGRAMS)
	scripts/check-webhooks $(ARGS)

screenshots: packages ## Check the dashboard in a real browser, and take the screenshots in docs/images
	$(BUILD_PROGRAMS)
	scripts/check-dashboard --screenshots

check-clickstream: packages ## Compare funnels of public clickstreams with another program's (downloads 1 GB)
	$(SWIFT) build -c $(CONFIGURATION) --product tributary
	CONFIGURATION=$(CONFIGURATION) Benchmarks/clickstream/check

format: ## Format the sources in place
	$(SWIFT) format -i -r $(SOURCES)

lint: ## Check the format of the sources
	$(SWIFT) format lint --strict -r $(SOURCES)

clean: ## Remove the build and the demo's files; the data in .tributary stays
	rm -rf .build demo-reports

packages:
	@scripts/install-packages
