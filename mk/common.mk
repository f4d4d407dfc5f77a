# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What all the build's parts share: folders, jobs, warnings, include paths, stamps, and the check that calls
# setup before anything is compiled.

# For the clock of the tests (scripts/run-tests.sh).
MAKE_BEGAN := $(shell date +%s.%N)

BUILD  ?= build
WERROR ?= -Werror
ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin AR),default)
AR := ar
endif
ifeq ($(origin CXX),default)
CXX := $(if $(findstring clang,$(CC)),$(CC:clang%=clang++%),g++)
endif
CROSS  ?= riscv64-unknown-elf-

# The version is written down for users of the library, too. While its first number is 0, the second one changes with
# the interface.
VERSION  := $(shell sed -n 's/^\#define SL_VERSION "\(.*\)"$$/\1/p' hal/include/sluice/version.h)
ABI      := $(basename $(VERSION))

# As many jobs as there are processors, unless -j says otherwise, here or in a make that calls this one. (make
# 4.3 has that in the environment alone while it reads makefiles, later ones in the variable, too.)
ifeq ($(filter -j% --jobserver%,$(MAKEFLAGS) $(shell printf '%s' "$$MAKEFLAGS")),)
MAKEFLAGS += -j$(shell nproc)
endif
# A job's output appears when it is done, in one piece, but for those that begin with $(live): what shows how far
# it is, and what shares this make's jobs. (make takes it for a make; where nothing is to be run, it is empty.)
MAKEFLAGS += --output-sync=target
live = $(if $(strip $(foreach f,n q t,$(findstring $(f),$(firstword -$(MAKEFLAGS))))),,+)

# Messages are cut to their buffers on purpose: no format-truncation.
WARNINGS := -Wall -Wextra $(if $(findstring clang,$(CC)),,-Wno-format-truncation) $(WERROR)
LANGUAGE := -std=gnu11 $(WARNINGS)
LANGUAGE_CXX := -std=gnu++17 $(WARNINGS)

# A folder sees hal/ and itself, a tool the folder of its name; only tests see everything (the dependency rule).
INCLUDES          := -Ihal -Ihal/include
INCLUDES_hal      := $(INCLUDES)
INCLUDES_sim-soc  := $(INCLUDES) -Isim-soc
INCLUDES_docs     := $(INCLUDES)
INCLUDES_firmware := $(INCLUDES) -Ifirmware
INCLUDES_tests    := $(INCLUDES) -Isim-soc -Ifirmware -Itests
INCLUDES_scripts   = $(INCLUDES) -Iscripts/tools/$(word 3,$(subst /, ,$<))
includes = $(INCLUDES_$(firstword $(subst /, ,$<)))

# Header dependencies beside each object; a header that was removed does not break the build.
DEPENDENCIES = -MMD -MP -MF $(@:.o=.d)

# Commands are short lines unless V=1.
V ?= 0
ifeq ($(V),0)
say = @printf '  %-8s %s\n' '$(1)' '$(patsubst $(BUILD)/%,%,$(2))';
else
say =
endif
make-folder = mkdir -p $(@D)

# $(eval $(call stamp,name,text)): the file $(BUILD)/stamps/name is rewritten when text differs from what
# is in it, and what depends on it is built again. Text is a list of flags, or of an archive's objects.
define stamp
ifneq ($$(strip $$(file <$(BUILD)/stamps/$(1))),$$(strip $(2)))
$(BUILD)/stamps/$(1): FORCE
endif
$(BUILD)/stamps/$(1):
	@mkdir -p $$(@D)
	@printf '%s\n' '$$(strip $(2))' >$$@
endef
.PHONY: FORCE
FORCE:

# $(eval $(call archive,file,objects)): an archive of exactly these objects.
define archive
$(call stamp,$(subst /,-,$(1)),$(2))
$(1): $(2) $(BUILD)/stamps/$(subst /,-,$(1))
	$$(call say,AR,$$@) $$(make-folder) && rm -f $$@ && $$(AR) rcs $$@ $(2)
endef

# `setup`, `run`, `site`, `paper` (and each of its figures, and the other reports) and the tests install what is missing first: then everything that is
# compiled waits for that (as an order-only prerequisite, it makes nothing out of date).
READY :=
ifneq ($(filter setup test test-rest test-long,$(MAKECMDGOALS)),)
ifneq ($(shell scripts/setup.sh missing all),)
READY := packages
endif
else ifneq ($(filter paper quickrelease writecombining figure% table%,$(MAKECMDGOALS)),)
ifneq ($(shell scripts/setup.sh missing paper),)
READY := packages-paper
endif
else ifneq ($(filter site,$(MAKECMDGOALS)),)
ifneq ($(shell scripts/setup.sh missing site),)
READY := packages-site
endif
else ifneq ($(filter run,$(MAKECMDGOALS)),)
ifneq ($(shell scripts/setup.sh missing run),)
READY := packages-run
endif
endif
