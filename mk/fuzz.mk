# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What reads input from outside (tests/fuzz/input): a part of the program of tests/fuzz, and, where clang and its runtime are,
# each a program of libFuzzer, build/fuzz/input/NAME.

FUZZ_CC      ?= clang
FUZZ_READERS := $(filter-out files,$(basename $(notdir $(wildcard tests/fuzz/input/*.c))))
FUZZ_TOOL    := $(filter-out %/main.c,$(wildcard scripts/tools/sluice/*.c scripts/tools/sluice/*/*.c))
FUZZ_INCLUDES = -I. -Iscripts/tools/sluice

# ---- seeds: a file of kernels with debug information, and the code in it ----

SEED_LEVELS := Oz O2 Ozc
SEEDS       := $(SEED_LEVELS:%=$(BUILD)/fuzz/seeds/elf/%) $(SEED_LEVELS:%=$(BUILD)/fuzz/seeds/dwarf/%) \
               $(SEED_LEVELS:%=$(BUILD)/fuzz/seeds/code/%)

# Small: segments without the zeros of pages between them, debug information without segments.
$(BUILD)/fuzz/seed.ld: linker/kernel.ld | $(READY)
	$(call say,LD,$@) $(make-folder) && sed 's/ALIGN(4096)/ALIGN(16)/' $< >$@
$(SEED_LEVELS:%=$(BUILD)/fuzz/seed-%.elf): $(BUILD)/fuzz/seed-%.elf: tests/fuzz/input/target/seed.c $(BUILD)/fuzz/seed.ld | $(READY)
	$(call say,KERNEL,$@) $(CROSS)gcc -march=rv64imafd$(if $(findstring c,$*),c) -mabi=lp64d -mcmodel=medany \
	    -$(subst z,s,$(*:c=)) -g $(LANGUAGE) -ffreestanding -nostdlib -T $(BUILD)/fuzz/seed.ld \
	    -Wl,--no-relax,-z,max-page-size=16 $< -o $@
$(BUILD)/fuzz/seeds/elf/%: $(BUILD)/fuzz/seed-%.elf
	$(call say,SEED,$@) $(make-folder) && $(CROSS)objcopy --strip-debug $< $@
$(BUILD)/fuzz/seeds/dwarf/%: $(BUILD)/fuzz/seed-%.elf
	$(call say,SEED,$@) $(make-folder) && $(CROSS)objcopy --only-keep-debug $< $@
$(BUILD)/fuzz/seeds/code/%: $(BUILD)/fuzz/seed-%.elf
	$(call say,SEED,$@) $(make-folder) && $(CROSS)objcopy -O binary -j .text $< $@

# ---- without libFuzzer: tests/fuzz/test_input.c ----

FUZZ_TOOL_ARCHIVE := $(BUILD)/san/libsluice-tool.a
$(eval $(call archive,$(FUZZ_TOOL_ARCHIVE),$(FUZZ_TOOL:%.c=$(BUILD)/san/%.o)))

$(FUZZ_READERS:%=$(BUILD)/san/tests/fuzz/input/%.o): INCLUDES_tests += $(FUZZ_INCLUDES)
$(BUILD)/tests/fuzz/fuzz: $(BUILD)/san/tests/fuzz/input/files.o $(FUZZ_READERS:%=$(BUILD)/san/tests/fuzz/input/%.o) \
    $(FUZZ_TOOL_ARCHIVE)
$(BUILD)/tests/fuzz/fuzz: TEST_ARCHIVES += $(FUZZ_TOOL_ARCHIVE)
$(BUILD)/tests/fuzz/fuzz: TEST_LIBS += -lxxhash -ljq
$(BUILD)/tests/fuzz/test_input: | $(SEEDS)
-include $(FUZZ_TOOL:%.c=$(BUILD)/san/%.d) $(FUZZ_READERS:%=$(BUILD)/san/tests/fuzz/input/%.d)

# ---- with libFuzzer ----

FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZER_FLAGS  := -std=gnu11 -Wall -Wextra $(WERROR) -O1 -g1 -fno-omit-frame-pointer -pthread $(FUZZ_SANITIZE) -DSL_LANES_ONLY_BASE
# Debian's packages clang and libclang-rt-14-dev; each call of make looks, so that no compiler is asked.
HAS_FUZZER    := $(and $(wildcard /usr/bin/$(FUZZ_CC)),$(wildcard /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*))
FUZZERS       := $(if $(HAS_FUZZER),$(FUZZ_READERS:%=$(BUILD)/fuzz/input/%))
$(eval $(call stamp,fuzzers,$(FUZZ_CC) $(INCLUDES_tests) $(FUZZER_FLAGS)))

$(BUILD)/fuzz/obj/%.o: %.c $(BUILD)/stamps/fuzzers | $(READY)
	$(call say,CC,$< (libFuzzer)) $(make-folder) && $(FUZZ_CC) $(includes) $(FUZZER_FLAGS) -fsanitize=fuzzer-no-link \
	    $(DEPENDENCIES) -c $< -o $@
$(BUILD)/fuzz/obj/tests/fuzz/input/%.o: INCLUDES_tests += $(FUZZ_INCLUDES)

FUZZ_ARCHIVE := $(BUILD)/fuzz/obj/libsluice.a
FUZZ_SOURCES := $(HAL_SOURCES) $(FUZZ_TOOL) tests/fuzz/input/files.c
$(eval $(call archive,$(FUZZ_ARCHIVE),$(FUZZ_SOURCES:%.c=$(BUILD)/fuzz/obj/%.o)))

$(FUZZERS): $(BUILD)/fuzz/input/%: tests/fuzz/input/libfuzzer/entry.c $(BUILD)/fuzz/obj/tests/fuzz/input/%.o $(FUZZ_ARCHIVE)
	$(call say,LD,$@) $(make-folder) && $(FUZZ_CC) $(INCLUDES_tests) $(FUZZER_FLAGS) -fsanitize=fuzzer -DFUZZ_TARGET=input_$* \
	    -o $@ $(filter %.c %.o %.a,$^) $(TOOL_LIBS)
-include $(FUZZ_SOURCES:%.c=$(BUILD)/fuzz/obj/%.d) $(FUZZ_READERS:%=$(BUILD)/fuzz/obj/tests/fuzz/input/%.d)

FUZZ_SECONDS ?= 120
