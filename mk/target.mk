# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# RISC-V side: newlib, the firmware's ELF and flash image, and one ELF per GPU program. Kernels are
# compiled by scripts/sluice-kernel-cc, which users call for kernels of their own.

# ---- newlib: rebuilt when its recipe changes. The script compares the checksum in `stamp`, which stays as it is
# where it is the same; `checked` is younger than the script then ----

NEWLIB_FIRMWARE := $(BUILD)/newlib/firmware
NEWLIB_KERNEL   := $(BUILD)/newlib/kernel

NEWLIBS         := $(NEWLIB_FIRMWARE)/stamp $(NEWLIB_KERNEL)/stamp

$(NEWLIBS): %/stamp: %/checked ;
$(NEWLIBS:stamp=checked): $(BUILD)/newlib/%/checked: scripts/build-newlib.sh | $(READY)
	$(live)@SLUICE_BUILD=$(BUILD) scripts/build-newlib.sh $*

# $(call target-objects,folder,sources): a.c gives a.o, a.S gives a.S.o, so that both may be there.
target-objects = $(patsubst %.S,$(BUILD)/obj/$(1)/%.S.o,$(patsubst %.c,$(BUILD)/obj/$(1)/%.o,$(2)))

# ---- firmware ----

# The linker gets the plain architecture string: with the two extensions GCC 12 would take the libgcc of
# its default variant, which has another ABI.
FIRMWARE_ARCH       := -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany
FIRMWARE_LINK_ARCH  := -march=rv64imac -mabi=lp64 -mcmodel=medany
FIRMWARE_FLAGS      := $(FIRMWARE_ARCH) -isystem $(NEWLIB_FIRMWARE)/include $(LANGUAGE) -O2 -g \
                       -ffunction-sections -fdata-sections $(FIRMWARE_OPTIONS)
FIRMWARE_LINK_FLAGS := $(FIRMWARE_LINK_ARCH) -nostartfiles -nostdlib -T linker/firmware.ld -Wl,--gc-sections \
                       -L $(NEWLIB_FIRMWARE)/lib
FIRMWARE_LIBS       := -Wl,--start-group -lc -lgcc -Wl,--end-group

# firmware/boot is for the target only; all else under firmware/, and hal/aggregator,
# is also built for the host, with sanitizers (mk/tests.mk).
FIRMWARE_CORE    := $(filter-out firmware/boot/%,$(wildcard firmware/*/*.c)) $(wildcard hal/aggregator/*.c)
# Where a function lies decides which others it meets in the instruction cache: files keep their places in the image, new
# ones come last, so that moving or renaming one changes no figure.
FIRMWARE_PLACES  := $(addprefix firmware/queues/,channel.c hill_climb.c completion.c dispatch.c) \
                    firmware/graph/host_input.c firmware/graph/guard.c firmware/queues/mailbox.c \
                    $(addprefix firmware/,graph/open_graph.c graph/run.c queues/throttle.c runs/epoch_stack.c queues/yield.c) \
                    $(addprefix firmware/guards/,empty.c space.c guards.c) \
                    $(addprefix firmware/policies/,flat.c levelized.c levels.c policies.c) \
                    $(addprefix firmware/predicates/,age.c always.c at_least.c full.c predicates.c) \
                    $(addprefix firmware/runs/,run_graph.c runs.c run_launch.c service.c steps.c run_tasks.c) \
                    hal/aggregator/device.c \
                    $(addprefix hal/check/graph/,channel_accounting.c channel_check.c graph_check.c memory_claims.c) \
                    $(addprefix hal/check/graph/,host_input_check.c guard_check.c limit_check.c waiting_order.c) \
                    $(addprefix hal/check/graph/,overlap_check.c policy_check.c protection_table.c) \
                    $(addprefix hal/check/,launch/launch_check.c launch/sequence_check.c tasks/task_vector_check.c)
FIRMWARE_FILES   := $(FIRMWARE_CORE) $(wildcard hal/check/*/*.c)
FIRMWARE_SOURCES := $(wildcard firmware/boot/*.[cS]) $(FIRMWARE_PLACES) $(filter-out $(FIRMWARE_PLACES),$(FIRMWARE_FILES))
FIRMWARE_OBJECTS := $(call target-objects,riscv,$(FIRMWARE_SOURCES))
FIRMWARE_ELF     := $(BUILD)/firmware/sluice.elf
FLASH            := $(BUILD)/firmware/sluice.flash

$(eval $(call stamp,firmware,$(CROSS)gcc $(INCLUDES_firmware) $(FIRMWARE_FLAGS)))
$(eval $(call stamp,firmware-link,$(FIRMWARE_LINK_FLAGS) $(FIRMWARE_LIBS) $(FIRMWARE_OBJECTS)))

$(BUILD)/obj/riscv/%.o: %.c $(BUILD)/stamps/firmware $(NEWLIB_FIRMWARE)/stamp | $(READY)
	$(call say,CC,$< (firmware)) $(make-folder) && $(CROSS)gcc $(INCLUDES_firmware) $(FIRMWARE_FLAGS) \
	    $(DEPENDENCIES) -c $< -o $@
$(BUILD)/obj/riscv/%.S.o: %.S $(BUILD)/stamps/firmware $(NEWLIB_FIRMWARE)/stamp | $(READY)
	$(call say,AS,$< (firmware)) $(make-folder) && $(CROSS)gcc $(INCLUDES_firmware) $(FIRMWARE_FLAGS) \
	    $(DEPENDENCIES) -c $< -o $@

# What images say of themselves.
INFORMATION     := $(BUILD)/obj/riscv/firmware/boot/information.o
FIRMWARE_COMMIT := $(shell scripts/source-commit.sh firmware hal/aggregator hal/check hal/contract hal/include/sluice linker/firmware.ld)
$(eval $(call stamp,firmware-commit,$(FIRMWARE_COMMIT)))

$(INFORMATION): private INCLUDES_firmware += $(contract-flag) -DFIRMWARE_COMMIT='"$(FIRMWARE_COMMIT)"'
$(INFORMATION): $(CONTRACT_ID) $(BUILD)/stamps/firmware-commit

$(FIRMWARE_ELF): $(FIRMWARE_OBJECTS) linker/firmware.ld $(BUILD)/stamps/firmware-link
	$(call say,LD,$@) $(make-folder) && $(CROSS)gcc $(FIRMWARE_LINK_FLAGS) -Wl,-Map=$(@:.elf=.map) \
	    -o $@ $(FIRMWARE_OBJECTS) $(FIRMWARE_LIBS)

$(FLASH): $(FIRMWARE_ELF) $(MKFLASH)
	$(call say,FLASH,$@) $(MKFLASH) $< $@

# ---- GPU kernels ----

KERNEL_CC := SLUICE_BUILD=$(BUILD) CROSS=$(CROSS) scripts/sluice-kernel-cc
# All of the first library is in every program; of the second what its kernels call.
CALLED_SOURCES := hal/kernel/stamped.S hal/kernel/tasks_fronts.c
WAVE_SOURCES   := $(filter-out $(CALLED_SOURCES),$(wildcard hal/kernel/*.c hal/kernel/*.S))
WAVE_OBJECTS   := $(call target-objects,wave,$(WAVE_SOURCES))
CALLED_OBJECTS := $(call target-objects,wave,$(CALLED_SOURCES))
WAVE_LIBRARY   := $(BUILD)/lib/libsluice-wave.a
CALLED_LIBRARY := $(BUILD)/lib/libsluice-wave-called.a
WAVE_LIBRARIES := $(WAVE_LIBRARY) $(CALLED_LIBRARY)
# Kernels are beside their programs.
vpath %_kernel.c $(PROGRAM_FOLDERS)
vpath %_kernel.cc $(PROGRAM_FOLDERS)
KERNELS        := $(patsubst %_kernel.c,$(BUILD)/kernels/%.elf,$(notdir $(wildcard $(PROGRAM_FOLDERS:%=%/*_kernel.c))))
CXX_KERNELS    := $(patsubst %_kernel.cc,$(BUILD)/kernels/%.elf,$(notdir $(wildcard $(PROGRAM_FOLDERS:%=%/*_kernel.cc))))
# The same kernels once more, for stamped channels.
STAMPED_NAMES  := fib cilk_fib cilksort queens strassen strassen_seven tree_sum wrap routines handover
STAMPED        := $(STAMPED_NAMES:%=$(BUILD)/kernels/%_stamped.elf)

$(eval $(call stamp,kernel,$(CROSS)gcc $(LANGUAGE) $(LANGUAGE_CXX)))
KERNEL_NEEDS := scripts/sluice-kernel-cc $(ENTRIES) $(KERNEL_PLUGIN) $(BUILD)/stamps/kernel $(NEWLIB_KERNEL)/stamp

$(BUILD)/obj/wave/%.o: %.c $(KERNEL_NEEDS) | $(READY)
	$(call say,CC,$< (kernel)) $(make-folder) && $(KERNEL_CC) $(LANGUAGE) $(DEPENDENCIES) -c $< -o $@
$(BUILD)/obj/wave/%.S.o: %.S $(KERNEL_NEEDS) | $(READY)
	$(call say,AS,$< (kernel)) $(make-folder) && $(KERNEL_CC) $(LANGUAGE) $(DEPENDENCIES) -c $< -o $@
$(eval $(call archive,$(WAVE_LIBRARY),$(WAVE_OBJECTS)))
$(eval $(call archive,$(CALLED_LIBRARY),$(CALLED_OBJECTS)))

$(KERNELS): $(BUILD)/kernels/%.elf: %_kernel.c $(WAVE_LIBRARIES) linker/kernel.ld \
    $(CONVERGENCE) $(KERNEL_NEEDS) | $(READY)
	$(call say,KERNEL,$@) $(make-folder) && $(KERNEL_CC) $(LANGUAGE) -Itests -MMD -MP -MT $@ \
	    -MF $(@:.elf=.d) $(filter tests/%.S,$^) $< -o $@

$(CXX_KERNELS): $(BUILD)/kernels/%.elf: %_kernel.cc $(WAVE_LIBRARIES) linker/kernel.ld \
    $(CONVERGENCE) $(KERNEL_NEEDS) | $(READY)
	$(call say,KERNEL,$@) $(make-folder) && $(KERNEL_CC) $(LANGUAGE_CXX) -Itests -MMD -MP -MT $@ \
	    -MF $(@:.elf=.d) $< -o $@

# A copy of library routines goes into one of them.
$(BUILD)/kernels/races.elf: tests/probes/races/routines.S hal/kernel/channel_routines.S

$(STAMPED): $(BUILD)/kernels/%_stamped.elf: %_kernel.c $(WAVE_LIBRARIES) linker/kernel.ld \
    $(CONVERGENCE) $(KERNEL_NEEDS) | $(READY)
	$(call say,KERNEL,$@) $(make-folder) && $(KERNEL_CC) $(LANGUAGE) -DSL_STAMPED -Itests -MMD -MP -MT $@ \
	    -MF $(@:.elf=.d) $< -o $@

# A kernel's name stays when its source moves: what the file of dependencies in the build folder names is no error.
%_kernel.c: ;
%_kernel.cc: ;
-include $(FIRMWARE_OBJECTS:.o=.d) $(WAVE_OBJECTS:.o=.d) $(CALLED_OBJECTS:.o=.d) $(KERNELS:.elf=.d) $(CXX_KERNELS:.elf=.d) $(STAMPED:.elf=.d)
