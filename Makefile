# What a developer of Beagle does. `make` alone lists it.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup build demo quick test check attack memory bless bench rank fuzz clean

FUZZ_SECONDS ?= 600

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing (Erlang/OTP, rebar3, elixir, z3, chromium); does nothing the second time
	@scripts/setup

build: ## the release binary, target/release/beagle
	cargo build --release --package beagle

demo: setup build ## run Beagle on the examples
	@scripts/demo

quick: ## format, the unit tests of the pure crates, and the corpus on Beagle's machine
	@scripts/quick

test: ## everything that CI runs: check, then all tests (installs what is missing, a browser too)
	@scripts/setup --with-browser
	@scripts/check
	@scripts/test

check: ## format, lints, the walls between the crates, file sizes
	@scripts/check

attack: setup ## attack Beagle on purpose: routes to effects, hostile checkouts, faults of children, kills, limits, claims
	BEAGLE_ATTACK=full cargo test --package beagle-sandbox --test inside
	BEAGLE_ATTACK=full cargo test --package beagle-oracle --test it -- confined:: hostile::
	BEAGLE_ATTACK=full cargo test --package beagle --test it -- --nocapture attack:: attack_limits:: lying:: signals::
	BEAGLE_ATTACK=full cargo test --package beagle-fuzz --test it -- --nocapture surroundings::

memory: ## the tests of the machine and of Erlang's rows under valgrind
	@scripts/memory

bless: setup ## let the real BEAM write the expectations again, and the generated pages of the docs
	@scripts/bless

bench: setup ## our machine against the BEAM, as ratios
	@scripts/bench

rank: ## how well findings are ranked, on labelled findings of public libraries
	cargo test --quiet --package beagle-report --test ranking -- --nocapture

fuzz: setup ## differential fuzzing against the BEAM for FUZZ_SECONDS (600)
	@scripts/fuzz $(FUZZ_SECONDS)

clean: ## remove what was built
	cargo clean
