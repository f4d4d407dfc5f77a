/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Divergent control flow in compiled C kernels: each lane's result against the same C on the host,
 * what reconverges where, the stack's spilling, and the faults that control flow can end in. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "host/driver/code/elf.h"
#include "simt/gpu.h"
#include "sluice/codes.h"
#include "sluice/config.h"
#include "soc/common/kernel_file.h"
#include "soc/simt/control_cases.h"

#define LANES_IN_USE 64
#define OUT          (SL_HEAP_BASE + 0x100)

struct machine {
    struct sl_config config;
    struct sl_layout layout;
    struct dram dram;
    struct cu_counters counters;
    struct gpu *gpu;
    struct sl_elf elf;
    uint32_t ended;
    struct sl_fault fault;
};

static void on_end(void *owner, const struct wave *wave)
{
    (void)wave;
    ((struct machine *)owner)->ended++;
}

static void on_fault(void *owner, const struct wave *wave, const struct sl_fault *fault)
{
    (void)wave;
    ((struct machine *)owner)->fault = *fault;
}

static void load(struct machine *m)
{
    kernel_file_open(&m->elf, "control.elf", &m->dram);
    *(struct sl_program *)dram_at(&m->dram, SL_HEAP_BASE) =
        kernel_file_analyse(&m->elf, &m->dram, SL_HEAP_BASE + 0x1000);
    assert_int_equal(gpu_load_program(m->gpu, SL_HEAP_BASE), 0);
}

static struct machine *machine_create(const char *setting)
{
    const char *const settings[] = {"gpu.cus=1", "gpu.stack=16KiB", setting, NULL};
    struct machine *m = calloc(1, sizeof *m);
    assert_non_null(m);
    fixture_configure(&m->config, NULL, settings);
    m->gpu = fixture_create(&m->config, &m->layout, &m->dram);
    m->gpu->env.listener =
        (struct cu_listener){.owner = m, .wave_ended = on_end, .faulted = on_fault};
    load(m);
    fixture_begin(m->gpu);
    return m;
}

static void machine_destroy(struct machine *m)
{
    fixture_destroy(m->gpu);
    sl_elf_close(&m->elf);
    free(m);
}

static const uint64_t *run(struct machine *m, const char *kernel, uint64_t argument)
{
    struct wave_launch launch = {
        .pc = kernel_file_entry(&m->elf, kernel),
        .index_mask = UINT32_MAX,
        .count = LANES_IN_USE,
        .argument_count = 2,
        .arguments = {OUT, argument},
    };
    memset(dram_at(&m->dram, OUT), 0xee, LANES_IN_USE * sizeof(uint64_t));
    fixture_clear_counters(m->gpu);
    cu_launch(&m->gpu->cus[0], &launch);
    uint64_t begin = m->gpu->event_queue->now;
    for (uint64_t cycle = 0; m->ended == 0 && cycle < 10000000; cycle += 1000) {
        fixture_run(m->gpu, begin + cycle);
    }
    m->ended = 0;
    m->counters = gpu_counters(m->gpu);
    return (const uint64_t *)dram_at(&m->dram, OUT);
}

static void check_case(const char *setting, unsigned number)
{
    struct machine *m = machine_create(setting);
    const uint64_t *out = run(m, "control_run", number);

    assert_int_equal(m->fault.code, 0);
    for (uint64_t lane = 0; lane < LANES_IN_USE; lane++) {
        if (out[lane] != control_case(number, lane)) {
            fail_msg("case %u, lane %llu: 0x%llx, not 0x%llx", number, (unsigned long long)lane,
                     (unsigned long long)out[lane], (unsigned long long)control_case(number, lane));
        }
    }
    machine_destroy(m);
}

TEST(test_cases)
{
    for (unsigned number = 0; number < CONTROL_CASES; number++) {
        check_case("gpu.divergence_depth=32", number);
        check_case("gpu.divergence_depth=4", number);
    }
}

/* papers/004 section 2.2.3: without call entries lanes above 4 would return 3. */
TEST(test_example2)
{
    struct machine *m = machine_create("gpu.divergence_depth=32");
    const uint64_t *out = run(m, "control_run", 0);
    for (unsigned lane = 0; lane < LANES_IN_USE; lane++) {
        assert_int_equal(out[lane], lane > 4 ? 4 : 2);
    }
    assert_int_equal(m->counters.unreconverged_branches, 0);
    machine_destroy(m);
}

/* A switch is branches, each of which has a reconvergence point; a jump through a table of labels
 * has none. */
TEST(test_tables)
{
    struct machine *m = machine_create("gpu.divergence_depth=32");
    (void)run(m, "control_run", 1);
    assert_true(m->counters.divergent_branches > 20);
    assert_int_equal(m->counters.unreconverged_branches, 0);
    (void)run(m, "control_run", 7);
    assert_true(m->counters.unreconverged_branches > 0);
    machine_destroy(m);
}

TEST(test_early)
{
    struct machine *m = machine_create("gpu.divergence_depth=32");
    const uint64_t *out = run(m, "control_early", 0);
    assert_int_equal(m->fault.code, 0);
    for (unsigned lane = 0; lane < LANES_IN_USE; lane++) {
        assert_int_equal(out[lane], lane % 10);
    }
    machine_destroy(m);
}

/* Lane n is n calls deep. At the deepest the stack holds the kernel's call entry and, for each
 * call, a call entry, one that waits behind it, and one that waits for the branch. */
TEST(test_spill)
{
    struct machine *m = machine_create("gpu.divergence_depth=32");
    const uint64_t *out = run(m, "control_deep", 1);
    assert_int_equal(m->fault.code, 0);
    for (uint64_t lane = 0; lane < LANES_IN_USE; lane++) {
        assert_int_equal(out[lane], lane * (lane + 1) / 2);
    }
    assert_true(m->counters.stack_depth_max > 63 * 2);
    assert_true(m->counters.stack_spills >= (m->counters.stack_depth_max - 32) / 4);
    assert_true(m->counters.stack_fills > 0);
    uint64_t with_spilling = m->gpu->event_queue->now;
    machine_destroy(m);

    m = machine_create("gpu.divergence_depth=512");
    out = run(m, "control_deep", 1);
    assert_int_equal(out[63], 63 * 64 / 2);
    assert_int_equal(m->counters.stack_spills, 0);
    assert_int_equal(m->counters.stack_fills, 0);
    assert_true(m->gpu->event_queue->now <= with_spilling);
    machine_destroy(m);
}

/* Hardware and save area full: a fault, and the machine goes on with the next. */
TEST(test_depth)
{
    struct machine *m = machine_create("gpu.divergence_spill=8");
    (void)run(m, "control_deep", 1);
    assert_int_equal(m->fault.code, SL_FAULT_DIVERGENCE_DEPTH);
    m->fault.code = 0;
    const uint64_t *out = run(m, "control_early", 0);
    assert_int_equal(m->fault.code, 0);
    assert_int_equal(out[63], 3);
    machine_destroy(m);
}

TEST(test_trap)
{
    struct machine *m = machine_create("gpu.divergence_depth=32");
    (void)run(m, "control_trap", 0);
    assert_int_equal(m->fault.code, SL_FAULT_TRAP);
    assert_int_equal(m->fault.lanes, 0x2020202020202020);
    assert_int_equal(m->fault.value0, 5);
    machine_destroy(m);
}

/* The lanes that loop are named. */
TEST(test_endless)
{
    struct machine *m = machine_create("gpu.divergence_depth=32");
    (void)run(m, "control_endless", 0);
    assert_int_equal(m->fault.code, SL_FAULT_DEADLOCK);
    assert_int_equal(m->fault.address, 0);
    assert_int_equal(m->fault.holder_state, SL_HOLDER_LOOPS);
    assert_int_equal(m->fault.lanes, 0xffffffff00000000);
    machine_destroy(m);
}

TEST(test_astray)
{
    struct machine *m = machine_create("gpu.divergence_depth=32");
    (void)run(m, "control_astray", 0);
    assert_int_equal(m->fault.code, SL_FAULT_RETURN);
    assert_int_equal(m->fault.lanes, 0xaaaaaaaaaaaaaaaa);
    machine_destroy(m);
}
