# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The one entry point: `make help` lists the targets. This file has the targets that people call; what
# they are built of is in mk/:
#   mk/common.mk    folders, warnings, the stamps that notice changed flags and source lists
#   mk/host.mk      libraries, QEMU plugin, host programs, tools
#   mk/target.mk    newlib, firmware image, GPU kernels
#   mk/examples.mk  the examples of docs/examples
#   mk/tests.mk     unit and soc tests with sanitizers
#   mk/fuzz.mk      what reads input from outside: tests/fuzz/input
#   mk/attack.mk  what attacks the machine: tests/attack
#   mk/install.mk   installing and packaging
# Settings: BUILD=folder, CC=compiler, V=1 (show commands), WERROR= (warnings do not fail).

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

include mk/common.mk
include mk/host.mk
include mk/target.mk
include mk/examples.mk
include mk/tests.mk
include mk/fuzz.mk
include mk/attack.mk
include mk/install.mk

# ---- what people call; the text after `##` is the line that `make help` shows ----

.PHONY: help
help: ## show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile
	@printf 'make %-10s %s\n' FIGURE 'one panel as text, for FIGURE one of: $(FIGURES)'

.PHONY: setup
setup: $(READY) $(NEWLIBS) ## install missing Debian packages (or name them) and build newlib

.PHONY: packages packages-run packages-paper packages-site
packages: # install missing Debian packages
	$(live)@SLUICE_BUILD=$(BUILD) scripts/setup.sh all
packages-run: # the same, but only what `make run` needs
	$(live)@SLUICE_BUILD=$(BUILD) scripts/setup.sh run
packages-paper: # the same, but only what `make paper` needs
	$(live)@SLUICE_BUILD=$(BUILD) scripts/setup.sh paper
packages-site: # the same, but only what `make site` needs
	$(live)@SLUICE_BUILD=$(BUILD) scripts/setup.sh site

# newlib first: it takes longest.
PRODUCTS := $(NEWLIBS) $(LIBRARIES) $(PLUGIN) $(NATIVE) $(FLASH) $(KERNELS) $(CXX_KERNELS) $(STAMPED) $(PROGRAMS) $(EXAMPLES) $(TOOLS) $(LINES) $(PAGE_PARTS) $(SHARED)

.PHONY: all
all: $(PRODUCTS) ## build libraries, plugin, firmware, kernels, programs and tools

.PHONY: run
run: all ## build, then compute fib(24) on the simulated accelerator (sets up when something is missing)
	$(live)@$(BUILD)/bin/fib 24

# Which test is in which set: tests/schedule.txt, scripts/run-tests.sh.
TEST_PRODUCTS := all $(ATTACKS) $(TESTS) $(FLOW_TESTS) $(RUN_KERNELS) $(STRAYED_FLASHES) $(PAGE_WRITER) $(LOCALES) $(PRELOADS)

.PHONY: test test-rest
test: $(TEST_PRODUCTS) ## build, then run the main tests, as for every change (sets up when something is missing)
	$(live)@SLUICE_TEST_SET=main $(RUN_TESTS) $(TEST_RUN)
test-rest: $(TEST_PRODUCTS) $(RECIPE) $(FUZZERS) ## build, then run the tests that `make test` leaves out
	$(live)@SLUICE_TEST_SET=rest $(RUN_TESTS) $(TEST_RUN)

.PHONY: attack
attack: all $(ATTACKS) ## attack the machine, for some minutes: docs/know/trust.md (SEED=N for other attacks)
	$(live)@SLUICE_BUILD=$(BUILD) tests/attack/attack.sh $(SEED)

.PHONY: attack-mutants
attack-mutants: all $(ATTACK_TESTS) ## break the rules that trust rests on, one by one, and name the tests that notice
	$(live)@SLUICE_BUILD=$(BUILD) tests/attack/mutants.sh $(MUTANT)

.PHONY: fuzzers fuzz
fuzzers: $(FUZZERS) $(SEEDS) # what `make fuzz` runs; nothing without clang and libFuzzer
fuzz: fuzzers ## give random input to all that reads input from outside, with libFuzzer (FUZZ_SECONDS=120 for each)
	$(live)@SLUICE_BUILD=$(BUILD) tests/fuzz/input/campaign.sh $(FUZZ_SECONDS)

.PHONY: test-long
test-long: $(TEST_PRODUCTS) $(RECIPE) $(FUZZERS) ## as both, with the long suites: more seeds, more sizes
	$(live)@SLUICE_TEST_LONG=1 SLUICE_TEST_LIMIT_S=$${SLUICE_TEST_LIMIT_S:-7200} $(RUN_TESTS) $(TEST_RUN)

.PHONY: flash
flash: $(FLASH) ## build the firmware's flash image, build/firmware/sluice.flash

.PHONY: install uninstall deb test-deb
install: all ## install to PREFIX (default /usr/local), which may be moved later; DESTDIR for packages
	@$(INSTALL) install $(INSTALLED_PROGRAMS)
uninstall: ## remove from PREFIX what was installed
	@$(INSTALL) uninstall
deb: all $(PACKAGED_SITE) ## make a Debian package, build/sluice_VERSION_ARCHITECTURE.deb
	@$(PACKAGE) $(INSTALLED_PROGRAMS)
test-deb: deb ## as root: install the package, build and run a program with it, and remove it
	@SLUICE_BUILD=$(BUILD) tests/install/package.sh

.PHONY: bench
bench: all $(AGG_SPEED) ## measure the simulator's speed
	$(live)@SLUICE_BUILD=$(BUILD) tests/bench/bench.sh

# Panels as text: scripts/panels, docs/do/reproduce-a-paper.md. OPTIONS are those of `sluice report`.
FIGURES := $(sort $(basename $(notdir $(wildcard scripts/panels/*/figure*.ini scripts/panels/*/table*.ini scripts/panels/hybrid/*.ini))))

.PHONY: paper
paper: all ## run the core paper's evaluation and write it as a page, build/report/index.html (OPTIONS="--seeds 5")
	$(live)@$(BUILD)/bin/sluice report isca14 $(OPTIONS)

# Reports of their own, each a folder of panels.
REPORTS := quickrelease writecombining locks consistency consistency-sweep trees hrf hybrid

.PHONY: $(REPORTS)
quickrelease: ## the same of QuickRelease's evaluation (papers/000 chapter 4), build/report/quickrelease/index.html
writecombining: ## the same of channels on write-combining caches, build/report/writecombining/index.html
locks: ## the same of locks (papers/004 chapter 7), build/report/locks/index.html
consistency: ## the same of consistency models (papers/000 chapter 3), build/report/consistency/index.html
consistency-sweep: ## the same of what the cost of order depends on (papers/000 chapter 3), build/report/consistency-sweep/index.html
trees: ## the same of TREES (papers/000 chapter 5), with one seed, build/report/trees/index.html
trees: SEEDS := --seeds 1
hrf: ## the same of HRF models and the task runtime (papers/002 section 8), with eight seeds, build/report/hrf/index.html
hrf: SEEDS := --seeds 8
hybrid: ## the same of hybrid caching (papers/003 chapter 4), with one seed, build/report/hybrid/index.html
hybrid: SEEDS := --seeds 1
$(REPORTS): all
	@mkdir -p $(BUILD)/report
	$(live)@$(BUILD)/bin/sluice report $@ --out $(BUILD)/report/$@ $(SEEDS) $(OPTIONS)

.PHONY: $(FIGURES)
$(FIGURES): all # one figure or table of the paper as text: make figure15 OPTIONS="--set gpu.lanes=32"
	$(live)@$(BUILD)/bin/sluice report --text $@ $(OPTIONS)

.PHONY: format
format: ## format the C sources with clang-format
	@scripts/list-sources.sh c cc h | xargs clang-format -i

.PHONY: check
check: all ## check format, file headers, the dependency rule and the generated docs
	$(live)@$(RUN_TESTS) $(CHECKS)

.PHONY: docs
docs: all ## bring docs/ up to date: pages made from tables, and what examples print (stop it at any time, it goes on)
	@for page in $(DOCGEN_PAGES); do \
	    $(DOCGEN) $$page >$(BUILD)/$$page.md && mv $(BUILD)/$$page.md docs/look-up/$$page.md || exit 1; done
	@SLUICE_BUILD=$(BUILD) tests/static/check_figures.sh --write

.PHONY: site
site: $(BUILD)/bin/sluice | $(READY) ## make a site of the pages, build/site/html/index.html (sets up when something is missing)
	$(call say,SITE,$(BUILD)/site/html/index.html) SLUICE_BUILD=$(BUILD) scripts/site.sh

.PHONY: clean
clean: ## remove what was built, but keep newlib
	@if [ -d $(BUILD) ]; then find $(BUILD) -mindepth 1 -maxdepth 1 ! -name newlib -exec rm -rf {} +; fi

.PHONY: distclean
distclean: ## remove everything that was built
	@rm -rf $(BUILD)
