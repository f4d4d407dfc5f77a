# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What attacks the machine (tests/attack): a host program that looks at the library's inner parts, as
# badgraph does, and its kernels.

ATTACK         := $(BUILD)/attack/attack
ATTACK_SOURCES := $(filter-out %_kernel.c,$(wildcard tests/attack/*.c))
ATTACK_OBJECTS := $(ATTACK_SOURCES:%.c=$(BUILD)/obj/%.o)
ATTACK_KERNELS := $(BUILD)/kernels/attack.elf

$(eval $(call stamp,attack,$(ATTACK_OBJECTS) $(HOST_LIBS)))

$(ATTACK): $(ATTACK_OBJECTS) $(COMMON_OBJECTS) $(BUILD)/lib/libsluice.a $(BUILD)/stamps/attack
	$(call say,LD,$@) $(make-folder) && $(CC) -pthread -o $@ $(filter %.o,$^) \
	    -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(HOST_LIBS)

$(ATTACK_KERNELS): tests/attack/attack_kernel.c $(WAVE_LIBRARIES) linker/kernel.ld $(CONVERGENCE) $(KERNEL_NEEDS) | $(READY)
	$(call say,KERNEL,$@) $(make-folder) && $(KERNEL_CC) $(LANGUAGE) -Itests -MMD -MP -MT $@ -MF $(@:.elf=.d) $< -o $@

-include $(ATTACK_OBJECTS:.o=.d) $(ATTACK_KERNELS:.elf=.d)

ATTACKS := $(ATTACK) $(ATTACK_KERNELS)

# The tests that mutants are given to.
ATTACK_TESTS := $(addprefix $(BUILD)/tests/,soc/simt/test_routines soc/simt/test_protection soc/simt/test_protection_random \
                soc/machine/test_protection_device unit/check/test_channel_accounting)
