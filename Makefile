# Tributary. `make` lists what there is.

SWIFT ?= swift
# debug shares its build with the tests, and is there soonest; release is for measuring and for serving in earnest.
CONFIGURATION ?= debug
# More for the program: make demo ARGS="--people 20000", make run ARGS="--port 9000".
ARGS ?=
FUZZ_ITERATIONS ?= 1000000
# make torture SECONDS=600 SEED=7
SECONDS = 60
SEED = 1

BIN = .build/$(CONFIGURATION)
SOURCES = Package.swift Sources Tests Plugins Benchmarks

.DEFAULT_GOAL := help
.PHONY: help demo run test build torture bench deb man completions check-deploy screenshots check-clickstream fuzz \
	dictionary format lint packages clean

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: packages ## See it work: build, send a day of traffic through the daemon, show the reports, write CSV files
	$(SWIFT) build -c $(CONFIGURATION)
	$(BIN)/tributary demo $(ARGS)

run: packages ## Serve on http://127.0.0.1:8080 until Ctrl-C
	$(SWIFT) build -c $(CONFIGURATION)
	exec $(BIN)/tributaryd $(ARGS)

test: packages ## Run every test, and say at the end which failed
	$(SWIFT) build --build-tests
	SWIFT="$(SWIFT)" scripts/run-tests

build: packages ## Build both programs for release, into .build/release
	$(SWIFT) build -c release

torture: packages ## Break everything for SECONDS, by SEED, under load; then count what was lost or stored twice
	$(SWIFT) build -c $(CONFIGURATION) --product torture
	$(BIN)/torture --seconds $(SECONDS) --seed $(SEED)

deb: packages ## Make the Debian package, in .build/deb; its programs need no Swift on the machine
	scripts/make-deb

man: ## Write the manual pages of the built programs, into .build/share/man
	scripts/make-man $(BIN)/tributary 1 .build/share/man
	scripts/make-man $(BIN)/tributaryd 8 .build/share/man

completions: ## Write completions for bash, zsh and fish, into .build/share/completions
	scripts/make-completions $(BIN) .build/share/completions

check-deploy: packages ## Hold deploy/ against its linters, and do what docs/operations.md says: backup, upgrade, failover
	BIN=$(BIN) scripts/check-deploy

bench: ## Measure ingest, export, start-up and reports against their limits and peers (LONG=1, SIZE=100M)
	Benchmarks/run

fuzz: packages ## Read a million mutated links (FUZZ_ITERATIONS)
	TRIBUTARY_FUZZ_ITERATIONS=$(FUZZ_ITERATIONS) $(SWIFT) test -c release -Xswiftc -enable-testing --filter ReaderFuzzTests

dictionary: ## Write docs/data-dictionary.md from the descriptions of columns in the code
	$(SWIFT) build -c $(CONFIGURATION) --product tributary
	$(BIN)/tributary dictionary > $(BIN)/data-dictionary.md
	mv $(BIN)/data-dictionary.md docs/data-dictionary.md

screenshots: packages ## Check the dashboard in a real browser, and take the pictures of docs/images from the demo's data
	$(SWIFT) build -c $(CONFIGURATION)
	scripts/check-dashboard --screenshots

check-clickstream: packages ## Compare funnels over public clickstreams with another program's (1 GB from PyPI)
	$(SWIFT) build -c $(CONFIGURATION) --product tributary
	CONFIGURATION=$(CONFIGURATION) Benchmarks/clickstream/check

format: ## Format the sources in place
	$(SWIFT) format -i -r $(SOURCES)

lint: ## Check the format of the sources
	$(SWIFT) format lint --strict -r $(SOURCES)

clean: ## Remove what was built, and the demo's files; the data under .tributary stays
	rm -rf .build demo-reports

packages:
	@scripts/install-packages
