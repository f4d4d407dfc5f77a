# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Builds a program for Sluice: the host program with the C compiler, its kernels with `sluice cc`. A Makefile names them and
# includes this file:
#   NAME := my_program
#   include $(shell sluice --project | sed 's/ /\\ /g')/sluice.mk
# It may set before:
#   SOURCES       of the host program (NAME.c)
#   KERNELS       files of kernels, all in one NAME.elf (NAME_kernel.c)
#   KERNEL_FLAGS  options of their compiler, for example -DSL_STAMPED
#   ARGUMENTS     of the program for `make run`
#   LIBRARIES     that the host program needs, for example -lm
#   CFLAGS, WARNINGS, SLUICE (the command)

SOURCES      ?= $(NAME).c
KERNELS      ?= $(NAME)_kernel.c
KERNEL_FLAGS ?=
ARGUMENTS    ?=
LIBRARIES    ?=
CFLAGS       ?= -O2 -g
WARNINGS     ?= -Wall -Wextra
SLUICE       ?= sluice

# The host library, by pkg-config: where PKG_CONFIG_PATH says, else the one that belongs to the command.
sluice_package = $(shell PKG_CONFIG_PATH="$$PKG_CONFIG_PATH:$(sluice_beside)" pkg-config $(1) sluice)

ifneq ($(MAKECMDGOALS),clean)
sluice_beside := $(shell '$(SLUICE)' --pkgconfig)
ifeq ($(call sluice_package,--modversion),)
$(error pkg-config gives no sluice.pc, which is needed to build with the host library: is pkg-config installed?)
endif
endif

.PHONY: all run test profile annotate report clean help
.DEFAULT_GOAL := all
all: $(NAME) $(NAME).elf

$(NAME): $(SOURCES) $(wildcard *.h) $(firstword $(MAKEFILE_LIST))
	$(CC) $(CPPFLAGS) $(CFLAGS) $(WARNINGS) $(call sluice_package,--cflags) -o $@ $(SOURCES) \
	    $(LDFLAGS) $(call sluice_package,--libs) $(LIBRARIES)

$(NAME).elf: $(KERNELS) $(wildcard *.h) $(firstword $(MAKEFILE_LIST))
	'$(SLUICE)' cc $(WARNINGS) $(KERNEL_FLAGS) -o $@ $(KERNELS)

run: all
	./$(NAME) $(ARGUMENTS)

test: all
	sh "$$('$(SLUICE)' --project)/test.sh" ./$(NAME) tests.txt

profile: all
	'$(SLUICE)' profile './$(NAME) $(ARGUMENTS)'

annotate: all
	./$(NAME) $(ARGUMENTS) --kernel-profile $(NAME).kp
	'$(SLUICE)' annotate $(NAME).kp

report: all
	./$(NAME) $(ARGUMENTS) --report $(NAME).html

clean:
	rm -f $(NAME) $(NAME).elf $(NAME).kp $(NAME).html

help:
	@printf '%s\n' \
	    'make            builds $(NAME) and its kernels' \
	    'make run        and runs it: make run ARGUMENTS="$(ARGUMENTS) --set gpu.cus=4"' \
	    'make test       and runs it as tests.txt says' \
	    'make profile    and shows what each core of the aggregator costs' \
	    'make annotate   and shows where the kernels spend their cycles, by source line' \
	    'make report     and writes $(NAME).html, a page about the run' \
	    'make clean      removes what was built'
