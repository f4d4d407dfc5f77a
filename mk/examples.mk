# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The examples of docs/examples, each a project with a Makefile of its own for those who have Sluice installed: in the
# tree they are built as programs of tests/ are, with warnings as errors. docs/examples/NAME/{NAME.c,NAME_kernel.c} make
# $(BUILD)/examples/NAME and the kernels beside it.

EXAMPLE_NAMES   := $(patsubst docs/examples/%/Makefile,%,$(wildcard docs/examples/*/Makefile))
EXAMPLE_SOURCES := $(foreach n,$(EXAMPLE_NAMES),docs/examples/$n/$n.c)
EXAMPLES        := $(EXAMPLE_NAMES:%=$(BUILD)/examples/%) $(EXAMPLE_NAMES:%=$(BUILD)/examples/%.elf)

$(eval $(call stamp,examples,$(HOST_LIBS)))

define example-rules
$(BUILD)/examples/$(1): $(BUILD)/obj/docs/examples/$(1)/$(1).o $(BUILD)/lib/libsluice.a $(BUILD)/stamps/examples
	$$(call say,LD,$$@) $$(make-folder) && $(CC) -pthread -o $$@ $$(filter %.o %.a,$$^) $(HOST_LIBS)
$(BUILD)/examples/$(1).elf: docs/examples/$(1)/$(1)_kernel.c $(WAVE_LIBRARIES) linker/kernel.ld $(CONVERGENCE) \
    $(KERNEL_NEEDS) | $(READY)
	$$(call say,KERNEL,$$@) $$(make-folder) && $(KERNEL_CC) $(LANGUAGE) -MMD -MP -MT $$@ -MF $$(@:.elf=.d) $$< -o $$@
endef
$(foreach n,$(EXAMPLE_NAMES),$(eval $(call example-rules,$(n))))

-include $(EXAMPLE_SOURCES:%.c=$(BUILD)/obj/%.d) $(EXAMPLE_NAMES:%=$(BUILD)/examples/%.d)
