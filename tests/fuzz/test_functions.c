/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Compiled C: the functions of functions.def, at three levels of optimization, with and without
 * compressed instructions, each lane with its own input. Lanes on the compute units' model must end
 * with the same result, saved registers and flags as in qemu-riscv64; the result must be the host's
 * own, where C says what it is. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "fuzz/functions.h"
#include "fuzz/generate.h"
#include "fuzz/lanes.h"
#include "host/driver/code/elf.h"
#include "sluice/memory_map.h"

#define STACK_BYTES_MAX 8192

static const struct {
    const char *name;
    uint64_t (*native)(uint64_t input);
    bool is_compared;
} functions[] = {
#define FUNCTION(name, compared) {#name, name, compared},
#include "fuzz/functions.def"
#undef FUNCTION
};

#define COUNT (sizeof functions / sizeof functions[0])
#define SLOTS (COUNT * FUZZ_LANES)

static struct fuzz_wave waves[COUNT];
static struct exchange_lane model[SLOTS];
static struct exchange_lane reference[SLOTS];
static uint64_t inputs[SLOTS];

static void open_program(struct sl_elf *elf, const char *name)
{
    const char *build = getenv("SLUICE_BUILD");
    char path[512];
    char error[512];
    (void)snprintf(path, sizeof path, "%s/fuzz/%s.elf", build == NULL ? "build" : build, name);
    if (sl_elf_open(elf, path, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
}

static uint64_t address_of(const struct sl_elf *elf, const char *name)
{
    for (size_t i = 0; i < elf->function_count; i++) {
        if (strcmp(elf->functions[i].name, name) == 0) {
            return elf->functions[i].address;
        }
    }
    fail_msg("%s has no function %s", elf->path, name);
    return 0;
}

static void make_lanes(const struct sl_elf *elf, uint64_t seed, uint64_t stack_bytes,
                       struct exchange_lane *lanes)
{
    struct generator g = {.state = seed};
    memset(lanes, 0, SLOTS * sizeof *lanes);
    for (size_t f = 0; f < COUNT; f++) {
        waves[f] = (struct fuzz_wave){address_of(elf, functions[f].name), UINT64_MAX};
        for (size_t lane = 0; lane < FUZZ_LANES; lane++) {
            size_t slot = f * FUZZ_LANES + lane;
            uint64_t input = generate_random(&g);
            inputs[slot] = lane % 4 == 0 ? input >> lane : lane < 6 ? lane : input;
            lanes[slot].x[2] = SL_PRIVATE_BASE + stack_bytes;
            lanes[slot].x[10] = inputs[slot];
        }
    }
}

static void differs(const struct sl_elf *elf, size_t slot, const char *what, unsigned number,
                    uint64_t is, uint64_t should)
{
    fail_msg("%s: %s(0x%016" PRIx64 "), lane %zu: %s%u is 0x%016" PRIx64
             ", should be 0x%016" PRIx64,
             elf->path, functions[slot / FUZZ_LANES].name, inputs[slot], slot % FUZZ_LANES, what,
             number, is, should);
}

/* Registers that are dead are overwritten all the time: results and flags stay what they were. */
static void compare_overwritten(const struct sl_elf *elf)
{
    for (size_t slot = 0; slot < SLOTS; slot++) {
        if (model[slot].x[10] != reference[slot].x[10]) {
            differs(elf, slot, "without dead registers: x", 10, model[slot].x[10],
                    reference[slot].x[10]);
        }
        if (model[slot].fcsr != reference[slot].fcsr) {
            differs(elf, slot, "without dead registers: fcsr", 0, model[slot].fcsr,
                    reference[slot].fcsr);
        }
    }
}

/* What a function leaves: its result, and what is the caller's, s0 to s11, fs0 to fs11 and sp. The
 * other registers may have what stood on the stack before. */
static void compare(const struct sl_elf *elf)
{
    static const uint8_t kept[] = {8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27};
    static const uint8_t own[] = {2, 10};
    for (size_t slot = 0; slot < SLOTS; slot++) {
        for (unsigned i = 0; i < sizeof own; i++) {
            if (model[slot].x[own[i]] != reference[slot].x[own[i]]) {
                differs(elf, slot, "x", own[i], model[slot].x[own[i]], reference[slot].x[own[i]]);
            }
        }
        for (unsigned i = 0; i < sizeof kept; i++) {
            unsigned r = kept[i];
            if (model[slot].x[r] != reference[slot].x[r]) {
                differs(elf, slot, "x", r, model[slot].x[r], reference[slot].x[r]);
            }
            if (model[slot].f[r] != reference[slot].f[r]) {
                differs(elf, slot, "f", r, model[slot].f[r], reference[slot].f[r]);
            }
        }
        if (model[slot].fcsr != reference[slot].fcsr) {
            differs(elf, slot, "fcsr", 0, model[slot].fcsr, reference[slot].fcsr);
        }
        if (functions[slot / FUZZ_LANES].is_compared) {
            uint64_t native = functions[slot / FUZZ_LANES].native(inputs[slot]);
            if (model[slot].x[10] != native) {
                differs(elf, slot, "on the host: x", 10, model[slot].x[10], native);
            }
        }
    }
}

static void run_program(void **state)
{
    /* Optimized code, the C library's own too, has to do with the stack that lanes have by default.
     */
    const uint64_t stack_bytes = strstr(*state, "O0") != NULL ? STACK_BYTES_MAX : 1024;
    char stack[32];
    (void)snprintf(stack, sizeof stack, "gpu.stack=%" PRIu64, stack_bytes);
    const char *const settings[] = {"dram.size=64MiB", "gpu.cus=1", "gpu.contexts=8", stack, NULL};
    struct fuzz_machine *machine = fuzz_machine_create(settings);
    struct fuzz_segment segments[SL_ELF_SEGMENTS_MAX + 1];
    struct sl_elf elf;
    open_program(&elf, *state);

    /* Code first, then what else there is, then a stack, which is there for QEMU only. */
    size_t count = 1;
    for (size_t i = 0; i < elf.segment_count; i++) {
        const struct sl_elf_segment *segment = &elf.segments[i];
        segments[i == elf.code ? 0 : count++] = (struct fuzz_segment){
            segment->address, segment->bytes, segment->data, segment->file_bytes};
    }
    segments[count++] = (struct fuzz_segment){SL_PRIVATE_BASE, STACK_BYTES_MAX, NULL, 0};
    struct sl_function *ranges = calloc(elf.function_count, sizeof *ranges);
    assert_non_null(ranges);
    for (size_t i = 0; i < elf.function_count; i++) {
        ranges[i] = (struct sl_function){elf.functions[i].address, elf.functions[i].bytes};
    }
    struct fuzz_batch batch = {
        .segments = segments,
        .segment_count = count,
        .functions = ranges,
        .function_count = elf.function_count,
        .waves = waves,
        .wave_count = COUNT,
        .kept = 1u << 10,
    };
    unsigned seeds = getenv("SLUICE_TEST_LONG") != NULL ? 8 : 1;
    for (unsigned seed = 1; seed <= seeds; seed++) {
        make_lanes(&elf, seed, stack_bytes, model);
        memcpy(reference, model, sizeof reference);
        fuzz_run_on_model(machine, seed % fuzz_variants(), &batch, model);
        fuzz_run_in_qemu(&batch, reference);
        compare(&elf);
        make_lanes(&elf, seed, stack_bytes, model);
        batch.overwrite_cycles = 10 + seed;
        fuzz_run_on_model(machine, seed % fuzz_variants(), &batch, model);
        batch.overwrite_cycles = 0;
        compare_overwritten(&elf);
    }
    printf("# %s: %" PRIu64 " dead registers overwritten\n", elf.path, fuzz_overwritten(machine));
    assert_true(fuzz_overwritten(machine) > 0);
    free(ranges);
    sl_elf_close(&elf);
    fuzz_machine_destroy(machine);
}

TEST_CASE(run_program, "functions-O0", "functions-O0");
TEST_CASE(run_program, "functions-O2", "functions-O2");
TEST_CASE(run_program, "functions-O3", "functions-O3");
TEST_CASE(run_program, "functions-O0c", "functions-O0c");
TEST_CASE(run_program, "functions-O2c", "functions-O2c");
TEST_CASE(run_program, "functions-O3c", "functions-O3c");
