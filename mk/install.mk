# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Installing and packaging what `all` makes: scripts/install.sh says what goes where, scripts/package.sh makes a
# package of it.
# Settings: PREFIX=folder, DESTDIR=folder that is put in front of it.

PREFIX ?= /usr/local

# Of the host programs those that reports run (scripts/panels), and the one that people run first.
REPORTED = $(shell sed -n -E 's/^ *\+?program *=[^:]*: *([a-z0-9_]+).*/\1/p' scripts/panels/*/*.ini | sort -u)
INSTALLED_PROGRAMS = $(filter fib $(REPORTED),$(notdir $(PROGRAMS)))

quoted = '$(subst ','\'',$(1))'

INSTALL = SLUICE_BUILD='$(BUILD)' SLUICE_VERSION=$(VERSION) SLUICE_ABI=$(ABI) CROSS=$(CROSS) \
          PREFIX=$(call quoted,$(PREFIX)) DESTDIR=$(call quoted,$(DESTDIR)) scripts/install.sh

PACKAGE = SLUICE_BUILD='$(BUILD)' SLUICE_VERSION=$(VERSION) SLUICE_ABI=$(ABI) CROSS=$(CROSS) scripts/package.sh

# A package has the site where it can be made.
PACKAGED_SITE = $(if $(filter deb test-deb,$(MAKECMDGOALS)),$(if $(shell scripts/setup.sh missing site),,site))
