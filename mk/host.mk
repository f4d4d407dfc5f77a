# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Host side: libsluice.a (host library), sim-soc.o (the accelerator), the QEMU plugin, the host programs and
# the tools. All of it is position-independent, because the plugin takes objects of both libraries.

HOST_OPTIONS := -O2 -g -fPIC -fvisibility=hidden -pthread
HOST_FLAGS := $(LANGUAGE) $(HOST_OPTIONS)
HOST_LIBS  := -Wl,--as-needed -lelf -ldw -linih -ljansson -lpthread -lm

# ---- sources ----

HAL_SOURCES     := $(wildcard hal/host/*/*.c hal/host/*/*/*.c hal/config/*.c hal/isa/*.c hal/check/*/*.c)
SOC_SOURCES     := $(filter-out sim-soc/qemu/% sim-soc/native/%,$(wildcard sim-soc/*/*.c sim-soc/*/*/*.c sim-soc/*/*/*/*.c))
PLUGIN_SOURCES  := $(wildcard sim-soc/qemu/*.c)
NATIVE_SOURCES  := $(wildcard sim-soc/native/*.c)
# A source of these folders that has a main() is a host program, NAME_kernel.c has kernels, and what else is in a folder is
# linked to all programs of it.
PROGRAM_FOLDERS := tests/litmus $(filter-out %/common,$(wildcard tests/workloads/* tests/probes/*))
FOLDER_SOURCES  := $(filter-out %_kernel.c,$(wildcard $(PROGRAM_FOLDERS:%=%/*.c)))
PROGRAM_SOURCES := $(shell grep -lE '^(int main|SL_PROGRAM)\b' $(FOLDER_SOURCES))
PART_SOURCES    := $(filter-out $(PROGRAM_SOURCES),$(FOLDER_SOURCES))
# Programs in C++; none where no compiler is, which nothing else needs.
CXX_SOURCES     := $(if $(shell command -v $(CXX)),$(filter-out %_kernel.cc,$(wildcard $(PROGRAM_FOLDERS:%=%/*.cc))))
COMMON_SOURCES  := $(wildcard tests/workloads/common/*.c tests/workloads/common/*/*.c)

# ---- the code that executes lanes: one object per vector extension, chosen at run time ----

LANES_SOURCES := sim-soc/simt/lanes/lanes_exec.c sim-soc/simt/lanes/float_exec.c sim-soc/simt/lanes/float_exact.c
ifneq ($(filter x86_64 x86_64-%,$(shell $(CC) -dumpmachine 2>/dev/null || uname -m)),)
LANES_VARIANTS := base avx2 avx512
else
LANES_VARIANTS := base
HOST_FLAGS += -DSL_LANES_ONLY_BASE
endif
LANES_FLAGS_base   := -DSL_LANES_VARIANT=base
LANES_FLAGS_avx2   := -DSL_LANES_VARIANT=avx2 -mavx2 -mfma
LANES_FLAGS_avx512 := -DSL_LANES_VARIANT=avx512 -mavx512f -mavx512dq -mavx512bw -mavx512vl \
                      -mfma -mprefer-vector-width=512

# Floating point on lanes: rounding mode and exception flags are run-time state, every operation is in the
# source because its flags are wanted, and square roots and conversions are single instructions.
LANES_OWN_FLAGS := -frounding-math -ftrapping-math -ffp-contract=off -fno-math-errno

# $(call objects,prefix,sources): a source of the lanes stands for all its variants.
objects = $(patsubst %.c,$(1)/%.o,$(filter-out $(LANES_SOURCES),$(2))) \
          $(foreach s,$(filter $(LANES_SOURCES),$(2)),$(LANES_VARIANTS:%=$(1)/$(s:.c=).%.o))

# ---- objects ----

# The simulator is small files whose functions call each other in every cycle: GCC optimizes it as a whole, once, when it
# makes one object of it. What executes lanes is called through tables, and keeps its own flags.
WHOLE := $(if $(findstring clang,$(CC)),,-flto=auto)
whole  = $(if $(filter $(SOC_SOURCES) $(NATIVE_SOURCES),$<),$(WHOLE))

LANES_FLAGS := $(LANES_OWN_FLAGS) $(foreach v,$(LANES_VARIANTS),$(LANES_FLAGS_$v))
$(eval $(call stamp,host,$(CC) $(INCLUDES_tests) $(HOST_FLAGS) $(LANES_FLAGS)))

$(BUILD)/obj/%.o: %.c $(BUILD)/stamps/host | $(READY)
	$(call say,CC,$<) $(make-folder) && $(CC) $(includes) $(HOST_FLAGS) $(whole) $(DEPENDENCIES) -c $< -o $@

define lanes-rule
$(BUILD)/obj/%.$(1).o: %.c $(BUILD)/stamps/host | $(READY)
	$$(call say,CC,$$< ($(1))) $$(make-folder) && $(CC) $$(includes) $(HOST_FLAGS) -O3 \
	    $(LANES_OWN_FLAGS) $(LANES_FLAGS_$(1)) $$(DEPENDENCIES) -c $$< -o $$@
endef
$(foreach v,$(LANES_VARIANTS),$(eval $(call lanes-rule,$v)))

# ---- the contract id: what firmware, plugin and host library have to agree on, as a number. The file stays as it is where
# only sentences changed; `checked` is younger than the tables then ----

CONTRACT_ID := $(BUILD)/contract/id
contract-flag = -DSL_CONTRACT_ID=0x$$(cat $(CONTRACT_ID))
CONTRACT_OBJECTS := $(addsuffix /hal/config/contract_id.o,$(addprefix $(BUILD)/,obj san fuzz/obj))

$(CONTRACT_ID): %/id: %/checked ;
$(CONTRACT_ID:id=checked): scripts/contract-id.sh $(wildcard hal/contract/*.def) hal/include/sluice/limits.h \
    hal/include/sluice/memory_map.h | $(READY)
	$(call say,ID,$(CONTRACT_ID)) $(make-folder) && CC='$(CC)' scripts/contract-id.sh >$@.new && \
	    { cmp -s $@.new $(CONTRACT_ID) || cp $@.new $(CONTRACT_ID); } && mv $@.new $@
$(CONTRACT_OBJECTS): private INCLUDES_hal += $(contract-flag)
$(CONTRACT_OBJECTS): $(CONTRACT_ID)

# ---- libraries ----

LIBRARIES := $(BUILD)/lib/libsluice.a
$(eval $(call archive,$(BUILD)/lib/libsluice.a,$(call objects,$(BUILD)/obj,$(HAL_SOURCES))))

SIMULATOR         := $(BUILD)/obj/sim-soc.o
SIMULATOR_OBJECTS := $(call objects,$(BUILD)/obj,$(SOC_SOURCES))
$(eval $(call stamp,simulator,$(WHOLE) $(SIMULATOR_OBJECTS)))

$(SIMULATOR): $(SIMULATOR_OBJECTS) $(BUILD)/stamps/simulator
	$(call say,LD,$@) $(CC) -r -O2 -g -fPIC $(WHOLE) $(if $(findstring -flto,$(WHOLE)),-flinker-output=nolto-rel) -o $@ $(filter %.o,$^)

# For programs outside this tree, and our own: what the public headers declare, and nothing else.
SHARED_LIBRARY := $(BUILD)/lib/libsluice.so.$(VERSION)
SHARED_NAMES   := $(BUILD)/lib/libsluice.so.$(ABI) $(BUILD)/lib/libsluice.so
$(eval $(call stamp,shared-library,$(VERSION) $(HOST_LIBS)))

$(SHARED_LIBRARY): $(BUILD)/lib/libsluice.a $(BUILD)/stamps/shared-library
	$(call say,LD,$@) $(CC) -shared -pthread -Wl,-soname,libsluice.so.$(ABI) -Wl,-z,defs -o $@ \
	    -Wl,--whole-archive $< -Wl,--no-whole-archive $(HOST_LIBS)
$(SHARED_NAMES): $(SHARED_LIBRARY)
	$(call say,LINK,$@) ln -sf $(<F) $@
LIBRARIES += $(SHARED_LIBRARY) $(SHARED_NAMES)

# What an installation has for pkg-config (scripts/install.sh), for programs that are built against this tree.
PKGCONFIG := $(BUILD)/lib/pkgconfig/sluice.pc
$(eval $(call stamp,pkgconfig,$(CURDIR) $(VERSION)))

$(PKGCONFIG): mk/host.mk $(BUILD)/stamps/pkgconfig
	$(call say,PC,$@) $(make-folder) && printf '%s\n' 'root=$(CURDIR)' 'libdir=$${pcfiledir}/..' '' 'Name: sluice' \
	    'Description: the host library of Sluice, not installed' 'Version: $(VERSION)' \
	    'Cflags: -I$${root}/hal/include -I$${root}/hal' 'Libs: -L$${libdir} -Wl,-rpath,$${libdir} -lsluice' >$@
LIBRARIES += $(PKGCONFIG)

.PHONY: libraries
libraries: $(LIBRARIES) # for tests/recipe/build.sh

# ---- the plugin: QEMU resolves its own symbols when it loads it ----

PLUGIN     := $(BUILD)/lib/sluice-plugin.so
PLUGIN_HAL := $(call objects,$(BUILD)/obj,$(filter hal/config/% hal/isa/% hal/check/%,$(HAL_SOURCES)))
PLUGIN_OBJECTS := $(PLUGIN_SOURCES:%.c=$(BUILD)/obj/%.o) $(PLUGIN_HAL)
$(eval $(call stamp,plugin,$(PLUGIN_OBJECTS)))

$(PLUGIN): $(PLUGIN_OBJECTS) $(SIMULATOR) $(BUILD)/stamps/plugin
	$(call say,LD,$@) $(make-folder) && $(CC) -shared -fPIC -O2 -g -pthread -o $@ $(filter %.o,$^) $(HOST_LIBS)

# ---- the native engine: runs the plugin in QEMU's place, and exports what that resolves ----

NATIVE         := $(BUILD)/lib/sluice-native
NATIVE_OBJECTS := $(NATIVE_SOURCES:%.c=$(BUILD)/obj/%.o) $(call objects,$(BUILD)/obj,$(filter hal/isa/%,$(HAL_SOURCES)))
$(eval $(call stamp,native,$(NATIVE_OBJECTS) $(WHOLE)))

$(NATIVE): $(NATIVE_OBJECTS) $(BUILD)/stamps/native
	$(call say,LD,$@) $(make-folder) && $(CC) -O2 -g $(WHOLE) -pthread -rdynamic -o $@ $(filter %.o,$^) -ldl

# ---- host programs ----

program       = $(addprefix $(BUILD)/bin/,$(basename $(notdir $(1))))
C_PROGRAMS   := $(call program,$(PROGRAM_SOURCES))
CXX_PROGRAMS := $(call program,$(CXX_SOURCES))
PROGRAMS     := $(C_PROGRAMS) $(CXX_PROGRAMS)
COMMON_OBJECTS := $(COMMON_SOURCES:%.c=$(BUILD)/obj/%.o)

# They are linked as those of users are, and find the library relative to themselves, here and where it is installed;
# but for some that look at its inner parts.
INSIDE_PROGRAMS := $(BUILD)/bin/badgraph $(BUILD)/bin/litmus
PROGRAM_RPATH   := -Wl,-rpath,'$$ORIGIN/../lib'

$(filter-out $(INSIDE_PROGRAMS),$(C_PROGRAMS)): $(COMMON_OBJECTS) $(SHARED_NAMES) $(BUILD)/stamps/programs
	$(call say,LD,$@) $(make-folder) && $(CC) -pthread -o $@ $(filter %.o,$^) -L$(BUILD)/lib -lsluice \
	    $(PROGRAM_RPATH) $(HOST_LIBS)
$(INSIDE_PROGRAMS): $(COMMON_OBJECTS) $(BUILD)/lib/libsluice.a $(BUILD)/stamps/programs
	$(call say,LD,$@) $(make-folder) && $(CC) -pthread -o $@ $(filter %.o,$^) \
	    -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(HOST_LIBS)

$(eval $(call stamp,programs,$(COMMON_OBJECTS) $(INSIDE_PROGRAMS) $(HOST_LIBS)))

# As users build theirs: of the others here, nothing but the headers.
$(eval $(call stamp,host-cxx,$(CXX) $(INCLUDES_tests) $(LANGUAGE_CXX) $(HOST_OPTIONS)))
$(CXX_SOURCES:%.cc=$(BUILD)/obj/%.o): $(BUILD)/obj/%.o: %.cc $(BUILD)/stamps/host-cxx | $(READY)
	$(call say,CXX,$<) $(make-folder) && $(CXX) $(includes) $(LANGUAGE_CXX) $(HOST_OPTIONS) $(DEPENDENCIES) -c $< -o $@
$(CXX_PROGRAMS): $(SHARED_NAMES) $(BUILD)/stamps/programs
	$(call say,LD,$@) $(make-folder) && $(CXX) -pthread -o $@ $(filter %.o,$^) -L$(BUILD)/lib -lsluice \
	    $(PROGRAM_RPATH) $(HOST_LIBS)

# litmus has the accelerator in itself, for runs without QEMU.
$(BUILD)/bin/litmus: $(SIMULATOR)

parts = $(filter $(dir $(1))%,$(PART_SOURCES))
$(foreach s,$(PROGRAM_SOURCES),$(eval $(call program,$s): $(patsubst %.c,$(BUILD)/obj/%.o,$s $(call parts,$s))))
$(foreach s,$(CXX_SOURCES),$(eval $(call program,$s): $(s:%.cc=$(BUILD)/obj/%.o)))

# ---- lines of code of the programs that the core paper's Table 4 compares ----

LINES          := $(BUILD)/share/lines.json
LINES_PROGRAMS := strassen matmul matmul:matmul_blocked queens nqueens nqueens:nqueens_nqu
LINES_SOURCES  := $(wildcard $(foreach p,$(subst :, ,$(LINES_PROGRAMS)),tests/workloads/*/$p.c \
                  tests/workloads/*/$p_kernel.c) tests/workloads/*/*.h tests/workloads/common/*.c)
$(eval $(call stamp,lines,$(LINES_PROGRAMS)))

$(LINES): tests/bench/lines.sh $(LINES_SOURCES) $(BUILD)/stamps/lines | $(READY)
	$(call say,LINES,$@) $(make-folder) && CROSS=$(CROSS) tests/bench/lines.sh $(LINES_PROGRAMS) >$@

HOST_SOURCES := $(HAL_SOURCES) $(SOC_SOURCES) $(PLUGIN_SOURCES) $(NATIVE_SOURCES) $(PROGRAM_SOURCES) $(PART_SOURCES) $(COMMON_SOURCES)
HOST_OBJECTS := $(call objects,$(BUILD)/obj,$(HOST_SOURCES))
-include $(HOST_OBJECTS:.o=.d) $(CXX_SOURCES:%.cc=$(BUILD)/obj/%.d)

# ---- pages (hal/host/observe/report/page.h): what they are made of, where programs look for it ----

PAGE_SOURCES := $(wildcard scripts/page/*)
PAGE_PARTS   := $(PAGE_SOURCES:scripts/page/%=$(BUILD)/share/page/%)

$(PAGE_PARTS): $(BUILD)/share/page/%: scripts/page/%
	$(call say,PAGE,$@) $(make-folder) && cp $< $@

# ---- what an installation has, too, in the same place from the programs (hal/config/install_paths.h) ----

SHARED := $(addprefix $(BUILD)/share/,configs panels project templates) $(BUILD)/bin/sluice-kernel-cc

$(BUILD)/share/configs:        sim-soc/configs
$(BUILD)/share/panels:         scripts/panels
$(BUILD)/share/project:        scripts/project
$(BUILD)/share/templates:      scripts/templates
$(BUILD)/bin/sluice-kernel-cc: scripts/sluice-kernel-cc
$(SHARED):
	$(call say,LINK,$@) $(make-folder) && ln -sfnr $< $@

# ---- tools: scripts/tools/NAME/*.c, and those of folders in it, make bin/NAME ----

TOOL_NAMES := $(notdir $(wildcard scripts/tools/*))
TOOLS      := $(TOOL_NAMES:%=$(BUILD)/bin/%)
TOOL_LIBS  := $(HOST_LIBS) -lz -lxxhash -ljq
tool-objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard scripts/tools/$(1)/*.c scripts/tools/$(1)/*/*.c))

# These do without the host library, whose changes therefore make no new flash image and no new library for kernels.
ALONE := mkflash kernel-entries

define tool-rule
$(call stamp,tool-$(1),$(call tool-objects,$(1)) $(TOOL_LIBS))
$(BUILD)/bin/$(1): $(call tool-objects,$(1)) $(if $(filter $(ALONE),$(1)),,$(BUILD)/lib/libsluice.a) \
    $(BUILD)/stamps/tool-$(1)
	$$(call say,LD,$$@) $$(make-folder) && $(CC) -pthread -o $$@ $$(filter %.o %.a,$$^) $(TOOL_LIBS)
-include $(patsubst %.o,%.d,$(call tool-objects,$(1)))
endef
$(foreach tool,$(TOOL_NAMES),$(eval $(call tool-rule,$(tool))))

# But for how files are written, the numbers in them, and how images are read.
$(BUILD)/bin/mkflash: $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out %/text.c %/utf8.c,$(wildcard hal/host/base/*.c)) hal/config/number.c)

# scripts/sluice-kernel-cc compiles through the first, and calls the second after linking.
ENTRIES     := $(BUILD)/bin/kernel-entries
CONVERGENCE := $(BUILD)/bin/check-convergence
MKFLASH     := $(BUILD)/bin/mkflash

# ---- the plugin of the cross compiler, which it loads to compile kernels: C++, as the compiler's own headers are ----

KERNEL_PLUGIN         := $(BUILD)/lib/sluice-kernel-plugin.so
KERNEL_PLUGIN_SOURCES := $(wildcard scripts/kernel-plugin/*.cc)
KERNEL_PLUGIN_OBJECTS := $(KERNEL_PLUGIN_SOURCES:%.cc=$(BUILD)/obj/%.o)
KERNEL_PLUGIN_FLAGS   := $(LANGUAGE_CXX) -O2 -g -fPIC -fno-rtti -fno-exceptions
$(eval $(call stamp,kernel-plugin,$(CXX) $(CROSS)gcc $(KERNEL_PLUGIN_FLAGS) $(KERNEL_PLUGIN_OBJECTS)))

$(KERNEL_PLUGIN_OBJECTS): $(BUILD)/obj/%.o: %.cc $(BUILD)/stamps/kernel-plugin | $(READY)
	$(call say,CXX,$<) $(make-folder) && $(CXX) -isystem "$$($(CROSS)gcc -print-file-name=plugin)/include" \
	    $(KERNEL_PLUGIN_FLAGS) $(DEPENDENCIES) -c $< -o $@
$(KERNEL_PLUGIN): $(KERNEL_PLUGIN_OBJECTS)
	$(call say,LD,$@) $(make-folder) && $(CXX) -shared -o $@ $^
-include $(KERNEL_PLUGIN_OBJECTS:.o=.d)

# Generated pages of docs/look-up: `docgen NAME` prints NAME.md from tables.
DOCGEN       := $(BUILD)/bin/docgen
DOCGEN_PAGES := registers statistics configuration errors
