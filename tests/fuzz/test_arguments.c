/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Constant arguments: what a kernel finds in registers, placed by its prototype and launched over
 * an NDRange, is what compiled C calls it with in qemu-riscv64. Prototypes are random, of all types
 * that a kernel can be given, up to as many as it can be. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "fuzz/arguments.h"
#include "fuzz/lanes.h"
#include "host/driver/code/debug_lines.h"
#include "host/driver/code/kernel_arguments.h"
#include "host/driver/code/prototype.h"
#include "sluice/memory_map.h"
#include "soc/common/ndrange_machine.h"

#define KERNELS     96
#define REGISTERS   8 /* of each kind */
#define STACK_BYTES 4096

struct run {
    struct ndrange_machine *machine;
    Dwarf *lines;
    struct sl_prototype prototypes[KERNELS];
    struct fuzz_wave waves[KERNELS];
};

static struct exchange_lane reference[KERNELS * FUZZ_LANES];

static uint64_t function(const struct run *run, const char *kind, unsigned number)
{
    char name[32];
    (void)snprintf(name, sizeof name, "%s_%u", kind, number);
    return ndrange_function(run->machine, name);
}

/* ---- qemu-riscv64 ---- */

static void call_in_qemu(struct run *run)
{
    const struct sl_elf *elf = &run->machine->elf;
    struct fuzz_segment segments[SL_ELF_SEGMENTS_MAX + 2] = {
        {ARGUMENTS_SEEN, (uint64_t)KERNELS * ARGUMENTS_SEEN_BYTES, NULL, 0},
        {SL_PRIVATE_BASE, STACK_BYTES, NULL, 0},
    };
    for (size_t i = 0; i < elf->segment_count; i++) {
        const struct sl_elf_segment *const from = &elf->segments[i];
        segments[2 + i] =
            (struct fuzz_segment){from->address, from->bytes, from->data, from->file_bytes};
    }
    const struct fuzz_batch batch = {
        .segments = segments,
        .segment_count = 2 + elf->segment_count,
        .waves = run->waves,
        .wave_count = KERNELS,
    };
    for (unsigned k = 0; k < KERNELS; k++) {
        struct exchange_lane *const lane = &reference[k * FUZZ_LANES];
        run->waves[k] = (struct fuzz_wave){function(run, "call", k), 1};
        lane->x[2] = SL_PRIVATE_BASE + STACK_BYTES;
        lane->scratch_address = ARGUMENTS_SEEN + (uint64_t)k * ARGUMENTS_SEEN_BYTES;
    }
    fuzz_run_in_qemu(&batch, reference);
}

/* ---- the machine ---- */

/* The value of an integer parameter, converted as the cast in arguments.awk does. */
static struct sl_value integer(const struct sl_parameter *parameter, uint64_t bits)
{
    const unsigned unused = 64 - 8 * (unsigned)parameter->bytes;

    if (parameter->is_bool) {
        return SL_VALUE((bool)(bits != 0));
    }
    return parameter->is_signed ? SL_VALUE((int64_t)(bits << unused) >> unused)
                                : SL_VALUE(bits << unused >> unused);
}

static struct sl_value value_for(const struct sl_parameter *parameter, unsigned k, unsigned i)
{
    const uint64_t bits = ARGUMENT_BITS(k, i);

    switch (parameter->kind) {
    case SL_PARAMETER_POINTER:
        return SL_VALUE((void *)(uintptr_t)bits);
    case SL_PARAMETER_FLOAT:
    case SL_PARAMETER_DOUBLE:
        return (parameter->kind == SL_PARAMETER_FLOAT) == ((k + i) % 2 == 0)
                   ? SL_VALUE((float)ARGUMENT_REAL(k, i))
                   : SL_VALUE(ARGUMENT_REAL(k, i));
    default:
        return integer(parameter, bits);
    }
}

static void launch(const struct run *run, unsigned k)
{
    static const uint32_t one[3] = {1, 1, 1};
    const struct sl_prototype *const prototype = &run->prototypes[k];
    struct sl_arguments given = {.count = prototype->count};
    struct sl_kernel placed = {0};
    char error[512];

    for (unsigned i = 0; i < prototype->count; i++) {
        given.value[i] = value_for(&prototype->parameter[i], k, i);
    }
    if (sl_arguments_place(prototype, &given, &placed, error, sizeof error) != 0) {
        fail_msg("kernel_%u: %s", k, error);
    }
    struct ndrange_kernel kernel = {
        .entry = function(run, "kernel", k),
        .registers = 16,
        .argument_count = placed.argument_count,
        .float_arguments = placed.float_arguments,
    };
    memcpy(kernel.argument, placed.argument, sizeof kernel.argument);
    ndrange_dispatch(run->machine, &kernel, one, one, 0);
    (void)ndrange_run(run->machine);
}

/* Registers that have arguments; what is in others is nobody's. */
static void compare(const struct run *run, unsigned k, unsigned kinds[2])
{
    const uint64_t *const seen =
        ndrange_at(run->machine, reference[k * FUZZ_LANES].scratch_address);
    const uint64_t *const wanted = reference[k * FUZZ_LANES].scratch;
    const struct sl_prototype *const prototype = &run->prototypes[k];
    unsigned used[2] = {0, 0};

    for (unsigned i = 0; i < prototype->count; i++) {
        const enum sl_parameter_kind kind = prototype->parameter[i].kind;
        const bool is_real = kind == SL_PARAMETER_FLOAT || kind == SL_PARAMETER_DOUBLE;
        const unsigned at = used[is_real]++ + (is_real ? REGISTERS : 0);
        if (seen[at] != wanted[at]) {
            char list[1024] = "";
            sl_prototype_append(prototype, list, sizeof list);
            fail_msg("kernel_%u(%s), argument %u: %sa%u is 0x%016" PRIx64
                     ", compiled C has 0x%016" PRIx64,
                     k, list, i, is_real ? "f" : "", at % REGISTERS, seen[at], wanted[at]);
        }
        kinds[is_real]++;
    }
}

TEST(prototypes)
{
    static const char *const settings[] = {"dram.size=64MiB", "gpu.cus=1", NULL};
    static struct run run;
    unsigned kinds[2] = {0, 0};

    run.machine = ndrange_create(settings);
    ndrange_load(run.machine, "../fuzz/arguments.elf");
    run.lines = sl_debug_lines_open(run.machine->elf.elf);
    assert_non_null(run.lines);
    call_in_qemu(&run);
    for (unsigned k = 0; k < KERNELS; k++) {
        run.prototypes[k] = sl_prototype_at(run.lines, function(&run, "kernel", k));
        assert_true(run.prototypes[k].is_known);
        launch(&run, k);
        compare(&run, k, kinds);
    }
    assert_int_equal(ndrange_faults(run.machine), 0);
    assert_int_equal(ndrange_completions(run.machine), KERNELS);
    printf("# %u integers and addresses, %u floating-point numbers\n", kinds[0], kinds[1]);
    assert_true(kinds[0] > KERNELS && kinds[1] > KERNELS);
    sl_debug_lines_close(run.lines);
    ndrange_destroy(run.machine);
}
