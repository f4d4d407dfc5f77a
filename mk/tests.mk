# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Tests on the host, with cmocka: each of tests/{unit,soc,fuzz} is one program, build/tests/unit/unit, built with
# AddressSanitizer and UndefinedBehaviorSanitizer, as is all that it links: hal, the accelerator, and the firmware's logic
# with its register accesses mocked (SL_AGG_HOST). A link to it for each test_*.c runs the tests of that file
# (tests/common/check_main.c). Other .c files in these folders are helpers; soc and fuzz have those of tests/common, too.
# What tests/fuzz compares with runs in qemu-riscv64 (tests/fuzz/target). Those of tests/kernel-plugin are in C++.

SANITIZE   := -fsanitize=address,undefined -fno-sanitize-recover=undefined
# The traces of sanitizers need lines alone (-g1). Tests compile faster without optimization, and run as fast: most of the
# work is in what they test and in helpers. Some work themselves (TESTS_THAT_WORK).
TEST_FLAGS := $(LANGUAGE) -O1 -g1 -fno-omit-frame-pointer -pthread $(SANITIZE) -DSL_AGG_HOST \
              $(filter -DSL_LANES_ONLY_BASE,$(HOST_FLAGS))
TESTS_THAT_WORK := $(addprefix tests/unit/,aggregator/test_agg_pipeline.c litmus/test_litmus_reference.c) \
                   $(addprefix tests/unit/races/test_,races_history.c races_random.c) \
                   tests/soc/machine/test_limits.c
TEST_OWN_FLAGS  := -O0
TEST_LIBS  := -lcmocka $(HOST_LIBS) -lz

TEST_SOURCES := $(wildcard tests/unit/*/test_*.c tests/soc/*/test_*.c tests/fuzz/test_*.c)
TESTS        := $(TEST_SOURCES:tests/%.c=$(BUILD)/tests/%)
helpers = $(patsubst %.c,$(BUILD)/san/%.o,$(filter-out $(TEST_SOURCES),$(wildcard tests/$(1)/*.c)))
TEST_MAIN := $(BUILD)/san/tests/common/check_main.o
TEST_HELPERS_unit := $(call helpers,unit/*) $(TEST_MAIN)
TEST_HELPERS_soc  := $(call helpers,soc/*) $(call helpers,common)
TEST_HELPERS_fuzz := $(call helpers,fuzz) $(call helpers,fuzz/native) $(call helpers,common)

$(eval $(call stamp,san,$(CC) $(INCLUDES_tests) $(TEST_FLAGS) $(LANES_FLAGS) $(TEST_OWN_FLAGS)))

$(BUILD)/san/%.o: %.c $(BUILD)/stamps/san | $(READY)
	$(call say,CC,$< (sanitized)) $(make-folder) && $(CC) $(includes) $(TEST_FLAGS) \
	    $(if $(filter $(TEST_SOURCES),$(filter-out $(TESTS_THAT_WORK),$<)),$(TEST_OWN_FLAGS)) $(DEPENDENCIES) -c $< -o $@

define lanes-test-rule
$(BUILD)/san/%.$(1).o: %.c $(BUILD)/stamps/san | $(READY)
	$$(call say,CC,$$< ($(1), sanitized)) $$(make-folder) && $(CC) $$(includes) $(TEST_FLAGS) -O3 \
	    $(LANES_OWN_FLAGS) $(LANES_FLAGS_$(1)) $$(DEPENDENCIES) -c $$< -o $$@
endef
$(foreach v,$(LANES_VARIANTS),$(eval $(call lanes-test-rule,$v)))

TEST_ARCHIVES := $(BUILD)/san/libsluice-soc.a $(BUILD)/san/libsluice-firmware.a $(BUILD)/san/libsluice.a
$(eval $(call archive,$(BUILD)/san/libsluice.a,$(call objects,$(BUILD)/san,$(HAL_SOURCES))))
$(eval $(call archive,$(BUILD)/san/libsluice-soc.a,$(call objects,$(BUILD)/san,$(SOC_SOURCES))))
$(eval $(call archive,$(BUILD)/san/libsluice-firmware.a,$(FIRMWARE_CORE:%.c=$(BUILD)/san/%.o)))
$(eval $(call stamp,tests-unit,$(TEST_HELPERS_unit) $(TEST_LIBS)))
$(eval $(call stamp,tests-soc,$(TEST_HELPERS_soc) $(TEST_LIBS)))
$(eval $(call stamp,tests-fuzz,$(TEST_HELPERS_fuzz) $(TEST_LIBS)))

# Programs of their own: tests that define functions of libc or the library, and those that need the library's module
# where the others have that of host_fixture.c.
APART := $(addprefix $(BUILD)/tests/unit/host/test_,host_dump host_options host_progress output)

link-test = $(call say,LD,$@) $(make-folder) && $(CC) $(SANITIZE) -pthread -o $@ $(filter %.o,$^) \
	    -Wl,--start-group $(TEST_ARCHIVES) -Wl,--end-group $(TEST_LIBS)
$(APART): $(BUILD)/tests/%: $(BUILD)/san/tests/%.o $(TEST_MAIN) $(TEST_ARCHIVES) $(BUILD)/stamps/tests-unit
	$(link-test)

# Of a kind, the tests in its program, and their objects.
together = $(filter-out $(APART),$(filter $(BUILD)/tests/$(1)/%,$(TESTS)))
together-objects = $(patsubst $(BUILD)/%,$(BUILD)/san/%.o,$(call together,$(1)))

define test-rule
$(call stamp,tests-$(1)-files,$(call together,$(1)))
$(BUILD)/tests/$(1)/$(1): $(call together-objects,$(1)) $(TEST_HELPERS_$(1)) $(TEST_ARCHIVES) \
    $(BUILD)/stamps/tests-$(1) $(BUILD)/stamps/tests-$(1)-files
	$$(link-test)
$(call together,$(1)): $(BUILD)/tests/$(1)/$(1)
	@$$(make-folder) && ln -srf $$< $$@
endef
$(foreach kind,unit soc fuzz,$(eval $(call test-rule,$(kind))))

# Unit tests of litmus.c have its parts, but for those that run on the whole machine.
LITMUS_PARTS := $(filter-out %/run.c %/image.c,$(filter tests/litmus/%,$(PART_SOURCES)))
LITMUS_OBJECTS := $(LITMUS_PARTS:%.c=$(BUILD)/san/%.o)

# The native engine, but for its command line.
NATIVE_TEST_OBJECTS := $(patsubst %.c,$(BUILD)/san/%.o,$(filter-out %/main.c,$(NATIVE_SOURCES)))

# What a unit test has of a program.
UTS_OBJECTS := $(BUILD)/san/tests/workloads/uts/sha1.o $(BUILD)/san/tests/workloads/uts/tree.o \
               $(BUILD)/san/tests/workloads/uts/walk.o

$(BUILD)/tests/unit/unit: $(LITMUS_OBJECTS) $(UTS_OBJECTS) $(NATIVE_TEST_OBJECTS)

# ---- prototypes that a unit test reads: there when it runs, and no part of its program (so are those below) ----

PROTOTYPES        := $(BUILD)/tests/prototypes.elf
PROTOTYPE_SOURCES := $(wildcard tests/unit/code/target/prototypes*)

$(PROTOTYPES): $(PROTOTYPE_SOURCES) linker/kernel.ld $(NEWLIB_KERNEL)/stamp | $(READY)
	$(call say,KERNEL,$@) $(make-folder) && $(CROSS)gcc -march=rv64imafd -mabi=lp64d -mcmodel=medany -g -O2 \
	    -isystem $(NEWLIB_KERNEL)/include -nostartfiles -nostdlib -T linker/kernel.ld -Wl,--no-relax \
	    $(PROTOTYPE_SOURCES) -o $@

$(BUILD)/tests/unit/code/test_prototype: | $(PROTOTYPES)

# ---- what the plugin of the cross compiler has without the compiler (tests/kernel-plugin): C++ ----

FLOW_SOURCES := $(wildcard tests/kernel-plugin/test_*.cc)
FLOW_TESTS   := $(if $(shell command -v $(CXX)),$(FLOW_SOURCES:tests/%.cc=$(BUILD)/tests/%))
FLOW_OBJECTS := $(FLOW_SOURCES:%.cc=$(BUILD)/san/%.o) $(BUILD)/san/scripts/kernel-plugin/flow.o
FLOW_FLAGS   := $(LANGUAGE_CXX) -O1 -g -fno-omit-frame-pointer $(SANITIZE) -Iscripts
$(eval $(call stamp,tests-kernel-plugin,$(CXX) $(FLOW_FLAGS)))

$(FLOW_OBJECTS): $(BUILD)/san/%.o: %.cc $(BUILD)/stamps/tests-kernel-plugin | $(READY)
	$(call say,CXX,$< (sanitized)) $(make-folder) && $(CXX) $(FLOW_FLAGS) $(DEPENDENCIES) -c $< -o $@
$(FLOW_TESTS): $(BUILD)/tests/%: $(BUILD)/san/tests/%.o $(BUILD)/san/scripts/kernel-plugin/flow.o
	$(call say,LD,$@) $(make-folder) && $(CXX) $(SANITIZE) -o $@ $^ -lcmocka
-include $(FLOW_OBJECTS:.o=.d)

# ---- programs for qemu-riscv64 ----

FUZZ_RUNNER := $(BUILD)/fuzz/runner
FUZZ_FLAGS  := -march=rv64gc -mabi=lp64d -mcmodel=medany $(LANGUAGE) -O2 -ffreestanding -Itests

$(FUZZ_RUNNER): tests/fuzz/target/runner.c tests/fuzz/exchange.h | $(READY)
	$(call say,LD,$@) $(make-folder) && $(CROSS)gcc $(FUZZ_FLAGS) -nostdlib -static -Wl,--no-relax \
	    -o $@ $<

# The functions as lanes execute them: for each level of optimization, without and with compressed
# instructions. No contraction, so that the host's results are the same.
FUZZ_FUNCTIONS := $(wildcard tests/fuzz/functions_*.c)
FUZZ_LEVELS    := O0 O2 O3 O0c O2c O3c
FUZZ_PROGRAMS  := $(FUZZ_LEVELS:%=$(BUILD)/fuzz/functions-%.elf)

$(FUZZ_PROGRAMS): $(BUILD)/fuzz/functions-%.elf: $(FUZZ_FUNCTIONS) tests/fuzz/functions.h \
    tests/fuzz/functions.def linker/kernel.ld $(NEWLIB_KERNEL)/stamp | $(READY)
	$(call say,KERNEL,$@) $(make-folder) && $(CROSS)gcc -march=rv64imafd$(if $(findstring c,$*),c) \
	    -mabi=lp64d -mcmodel=medany -$(*:c=) $(LANGUAGE) -ffp-contract=off -Itests \
	    -isystem $(NEWLIB_KERNEL)/include -nostartfiles -nostdlib -T linker/kernel.ld -Wl,--no-relax \
	    $(FUZZ_FUNCTIONS) -L $(NEWLIB_KERNEL)/lib -Wl,--start-group -lc -lm -lgcc -Wl,--end-group -o $@

$(filter $(BUILD)/tests/fuzz/test_%,$(TESTS)): | $(FUZZ_RUNNER) $(FUZZ_PROGRAMS)

# What runs sequences of instructions on QEMU and on the native engine.
NATIVE_DRIVER := $(BUILD)/fuzz/native_driver.bin

$(NATIVE_DRIVER): tests/fuzz/native/driver.S tests/fuzz/native/layout.h | $(READY)
	$(call say,AS,$@) $(make-folder) && $(CROSS)gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -Itests -nostdlib -static \
	    -Wl,--no-relax -Wl,-Ttext=0x80000000 -o $(@:.bin=.elf) $< && $(CROSS)objcopy -O binary -j .text $(@:.bin=.elf) $@
$(BUILD)/tests/fuzz/test_native: | $(NATIVE_DRIVER) $(NATIVE)

# Kernels of random prototypes, which are called in qemu-riscv64 and launched.
FUZZ_ARGUMENTS := $(BUILD)/fuzz/arguments.elf

$(FUZZ_ARGUMENTS): tests/fuzz/target/arguments.awk tests/fuzz/arguments.h linker/kernel.ld $(NEWLIB_KERNEL)/stamp | $(READY)
	$(call say,KERNEL,$@) $(make-folder) && awk -f $< >$(@:.elf=.c) && \
	    $(CROSS)gcc -march=rv64imafd -mabi=lp64d -mcmodel=medany -g -O2 $(LANGUAGE) -Wno-unused-parameter -Itests \
	    -isystem $(NEWLIB_KERNEL)/include -nostartfiles -nostdlib -T linker/kernel.ld -Wl,--no-relax $(@:.elf=.c) -o $@

$(BUILD)/tests/fuzz/test_arguments: | $(FUZZ_ARGUMENTS)
$(BUILD)/tests/fuzz/fuzz: $(BUILD)/san/tests/soc/common/ndrange_machine.o $(BUILD)/san/tests/soc/common/kernel_file.o

# ---- random kernels with cross-lane operations (tests/fuzz/convergence) ----

# Fast, that is, without sanitizers; with the machine of tests/soc and what that has of tests/common, hence cmocka.
RUN_KERNELS         := $(BUILD)/fuzz/run_kernels
RUN_KERNELS_SOURCES := $(wildcard tests/fuzz/convergence/*.c) $(filter-out %/check_main.c,$(wildcard tests/common/*.c)) tests/soc/common/ndrange_machine.c tests/soc/common/kernel_file.c
RUN_KERNELS_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out %_kernel.c,$(RUN_KERNELS_SOURCES)))

$(eval $(call stamp,run-kernels,$(RUN_KERNELS_OBJECTS) $(TEST_LIBS)))

$(RUN_KERNELS): $(RUN_KERNELS_OBJECTS) $(SIMULATOR) $(LIBRARIES) $(BUILD)/stamps/run-kernels
	$(call say,LD,$@) $(make-folder) && $(CC) -pthread -o $@ $(filter %.o,$^) \
	    -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(TEST_LIBS)
-include $(RUN_KERNELS_OBJECTS:.o=.d)

# ---- firmware that measures the kernels for the aggregator's cores in QEMU (tests/soc/aggregator/test_agg_cores.c) ----

CORE_MEASURE_OBJECTS := $(call target-objects,riscv,$(wildcard tests/soc/aggregator/target/*.[cS])) \
                        $(filter-out %/boot/main.o,$(FIRMWARE_OBJECTS))
CORE_MEASURE_FLASH   := $(BUILD)/firmware/core_measure.flash

$(eval $(call stamp,core-measure-link,$(FIRMWARE_LINK_FLAGS) $(CORE_MEASURE_OBJECTS)))

$(BUILD)/firmware/core_measure.elf: $(CORE_MEASURE_OBJECTS) linker/firmware.ld $(BUILD)/stamps/core-measure-link
	$(call say,LD,$@) $(make-folder) && $(CROSS)gcc $(FIRMWARE_LINK_FLAGS) -o $@ $(CORE_MEASURE_OBJECTS) $(FIRMWARE_LIBS)

$(CORE_MEASURE_FLASH): $(BUILD)/firmware/core_measure.elf $(MKFLASH)
	$(call say,FLASH,$@) $(MKFLASH) $< $@

$(BUILD)/tests/soc/aggregator/test_agg_cores: | $(CORE_MEASURE_FLASH) $(PLUGIN)
-include $(filter %.d,$(CORE_MEASURE_OBJECTS:.o=.d))

# ---- the test build of what docs/ say how to add (tests/recipe) ----

RECIPE := $(BUILD)/recipe/built

$(RECIPE): tests/recipe/build.sh $(wildcard tests/recipe/*.c) tests/soc/common/stale.c docs/know/scheduling.md docs/do/profile.md \
    docs/look-up/memory-moesi.md $(LIBRARIES) $(PLUGIN) $(FLASH) $(KERNELS) $(PROGRAMS)
	$(call say,RECIPE,$(@D)) :
	$(live)@SLUICE_BUILD=$(BUILD) tests/recipe/build.sh

# ---- the speed of the core models (tests/bench/bench.sh) ----

AGG_SPEED := $(BUILD)/bench/agg_speed
AGG_SPEED_OBJECTS := $(BUILD)/obj/tests/bench/agg_speed.o $(BUILD)/obj/tests/soc/aggregator/core_machine.o

$(AGG_SPEED): $(AGG_SPEED_OBJECTS) $(BUILD)/lib/libsluice.a $(CORE_MEASURE_FLASH)
	$(call say,LD,$@) $(make-folder) && $(CC) -pthread -o $@ $(filter %.o %.a,$^) $(HOST_LIBS)
-include $(AGG_SPEED_OBJECTS:.o=.d)

# ---- pages of sample data, for the tests that look at them in a browser (tests/page) ----

PAGE_WRITER := $(BUILD)/tests/page/write_page
PAGE_WRITER_OBJECT := $(BUILD)/obj/tests/page/write_page.o

$(PAGE_WRITER): $(PAGE_WRITER_OBJECT) $(BUILD)/lib/libsluice.a $(PAGE_PARTS)
	$(call say,LD,$@) $(make-folder) && $(CC) -pthread -o $@ $(filter %.o %.a,$^) $(HOST_LIBS)
-include $(PAGE_WRITER_OBJECT:.o=.d)

# ---- locales in which numbers have no point (tests/locale) ----

LOCALES := $(patsubst tests/locale/%.locale,$(BUILD)/tests/locale/%/LC_NUMERIC,$(wildcard tests/locale/*.locale))

$(BUILD)/tests/unit/host/test_host_print: | $(LOCALES)

# Status 1 says that other categories are missing.
$(LOCALES): $(BUILD)/tests/locale/%/LC_NUMERIC: tests/locale/%.locale tests/locale/charmap | $(READY)
	$(call say,LOCALE,$@) $(make-folder) && { localedef --quiet -c -i $< -f tests/locale/charmap $(@D) || [ $$? = 1 ]; } && \
	    touch $@

# ---- what suites preload into programs (tests/preload) ----

PRELOADS := $(patsubst tests/preload/%.c,$(BUILD)/tests/preload/%.so,$(wildcard tests/preload/*.c))

$(PRELOADS): $(BUILD)/tests/preload/%.so: tests/preload/%.c | $(READY)
	$(call say,LD,$@) $(make-folder) && $(CC) $(LANGUAGE) -O1 -shared -fPIC -o $@ $<

# What `make test` and `make test-rest` choose from. The runner gets when make began, and make's process, whose children's
# processor time is that of the build.
RUN_TESTS = SLUICE_BUILD=$(BUILD) SLUICE_TEST_MAKE="$(MAKE_BEGAN) $$PPID" scripts/run-tests.sh
CHECKS   := $(sort $(wildcard tests/static/check_*.sh))
TEST_RUN := $(CHECKS) $(TESTS) $(FLOW_TESTS) $(sort $(wildcard tests/fuzz/*/test_*.sh tests/install/test_*.sh tests/model/test_*.sh tests/soc/*/test_*.sh tests/suite/*.sh))

TEST_OBJECTS := $(call objects,$(BUILD)/san,$(HAL_SOURCES) $(SOC_SOURCES) $(FIRMWARE_CORE) $(TEST_SOURCES)) \
                $(TEST_HELPERS_unit) $(TEST_HELPERS_soc) $(TEST_HELPERS_fuzz) $(LITMUS_OBJECTS) $(UTS_OBJECTS) $(NATIVE_TEST_OBJECTS) \
                $(NATIVE_TEST_OBJECTS)
-include $(TEST_OBJECTS:.o=.d)

# ---- firmware that goes wrong (tests/suite/strayed.sh): the real one with another service ----

STRAYED         := $(patsubst tests/attack/firmware/%.c,%,$(wildcard tests/attack/firmware/*.c))
STRAYED_FLASHES := $(STRAYED:%=$(BUILD)/firmware/attack/%.flash)
STRAYED_OBJECTS := $(filter-out %/runs/service.o,$(FIRMWARE_OBJECTS))

$(STRAYED:%=$(BUILD)/obj/riscv/tests/attack/firmware/%.o): INCLUDES_firmware += -I tests

$(BUILD)/firmware/attack/%.elf: $(BUILD)/obj/riscv/tests/attack/firmware/%.o $(STRAYED_OBJECTS) linker/firmware.ld \
    $(BUILD)/stamps/firmware-link
	$(call say,LD,$@) $(make-folder) && $(CROSS)gcc $(FIRMWARE_LINK_FLAGS) -o $@ $< $(STRAYED_OBJECTS) $(FIRMWARE_LIBS)

$(BUILD)/firmware/attack/%.flash: $(BUILD)/firmware/attack/%.elf $(MKFLASH)
	$(call say,FLASH,$@) $(MKFLASH) $< $@

.PRECIOUS: $(BUILD)/firmware/attack/%.elf $(BUILD)/obj/riscv/tests/attack/firmware/%.o
-include $(STRAYED:%=$(BUILD)/obj/riscv/tests/attack/firmware/%.d)
