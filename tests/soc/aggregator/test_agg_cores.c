/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The aggregator's cores against cycles worked out by hand: kernels with one bottleneck each
 * (soc/aggregator/target/core_kernels.S), executed by QEMU with the plugin, in a firmware that
 * marks them.
 *
 * Memory is flat: an instruction
 * line takes 2 cycles, an access to memory 4 (or, for the kernels of misses, 1,000), to a device
 * register
 * 40. All cycles below are of one iteration in the steady state, which is the difference between a
 * run over some iterations and one over twice as many. */
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/check.h"
#include "host/driver/machine/paths.h"
#include "sluice/config.h"
#include "soc/aggregator/core_machine.h"

#define TOLERANCE 0.02

enum core { SIMPLE, STAGES_2, STAGES_5, LIGHT_OOO, OOO_2WAY, OOO_4WAY, CORES };

static const char *const core_names[CORES] = {
    "simple", "2-stage", "5-stage", "2way-light-ooo", "2way-ooo", "4way-ooo",
};

static const char *const kernel_names[CORE_KERNELS] = {
#define CORE_KERNEL(name, iterations) #name,
#include "soc/aggregator/target/core_kernels.def"
#undef CORE_KERNEL
};

static const uint64_t kernel_iterations[CORE_KERNELS] = {
#define CORE_KERNEL(name, iterations) iterations,
#include "soc/aggregator/target/core_kernels.def"
#undef CORE_KERNEL
};

static void set(struct sl_config *config, const char *key, const char *value)
{
    char setting[256];
    char error[512];

    (void)snprintf(setting, sizeof setting, "%s=%s", key, value);
    if (sl_config_set(config, setting, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
}

/* Runs all kernels on a core, in memory system `system`; flat's latency is what is given. */
static void measure(enum core core, const char *system, const char *memory_latency,
                    struct core_measurements *out)
{
    static struct sl_config config;
    char build[PATH_MAX];
    char error[PATH_MAX + 1024];

    sl_config_init(&config);
    set(&config, "agg.core", core_names[core]);
    set(&config, "mem.system", system);
    set(&config, "flat.agg", memory_latency);
    set(&config, "dram.size", "64MiB");
    set(&config, "gpu.cus", "1");
    assert_int_equal(sl_path_beside_program("../..", build, sizeof build), 0);
    if (core_machine_run(&config, build, NULL, out, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
}

/* Of all cores with a hit's latency of memory, with a miss's, and with caches. */
static struct core_measurements hits[CORES];
static struct core_measurements slow[CORES];
static struct core_measurements cached[CORES];

static int measure_all(void **state)
{
    (void)state;
    for (enum core core = 0; core < CORES; core++) {
        measure(core, "flat", "2ns", &hits[core]);
        measure(core, "flat", "500ns", &slow[core]);
        measure(core, "moesi", "2ns", &cached[core]);
    }
    return 0;
}

/* ---- kernels ---- */

static const struct core_measurement *runs_of(enum core_kernel kernel, enum core core)
{
    bool is_slow = kernel == CORE_KERNEL_misses || kernel == CORE_KERNEL_misses_apart;
    return (is_slow ? slow : hits)[core].kernel[kernel];
}

/* Cycles of an iteration in the steady state. */
static double cycles_between(enum core_kernel kernel, const struct core_measurement runs[2])
{
    return (double)(runs[1].cycles - runs[0].cycles) / (double)kernel_iterations[kernel];
}

static double cycles_of(enum core_kernel kernel, enum core core)
{
    return cycles_between(kernel, runs_of(kernel, core));
}

static void expect(enum core_kernel kernel, enum core core, double expected)
{
    double cycles = cycles_of(kernel, core);

    print_message("# %-18s %-15s %10.2f cycles, worked out %10.2f\n", kernel_names[kernel],
                  core_names[core], cycles, expected);
    if (fabs(cycles - expected) > TOLERANCE * expected) {
        fail_msg("%s on %s: %.3f cycles an iteration, not %.3f", kernel_names[kernel],
                 core_names[core], cycles, expected);
    }
}

static void expect_all(enum core_kernel kernel, const double expected[CORES])
{
    for (enum core core = 0; core < CORES; core++) {
        expect(kernel, core, expected[core]);
    }
    /* What a larger core is for. */
    assert_true(cycles_of(kernel, OOO_4WAY) <= cycles_of(kernel, OOO_2WAY));
    assert_true(cycles_of(kernel, OOO_2WAY) <= cycles_of(kernel, LIGHT_OOO));
    assert_true(cycles_of(kernel, LIGHT_OOO) <= cycles_of(kernel, SIMPLE));
}

/* On all kernels, the rules that cycles are worked out with.
 * simple: an instruction is 2 cycles of fetch, in the second of which it executes (multiplication 2
 * more, division 19), and its access.
 * In order, a new instruction line costs a cycle, since a cycle of its two is not hidden; so does
 * one behind a taken branch. From a taken branch to the next instruction it is 2 cycles on 2-stage,
 * and 1 on 5-stage where it is predicted, 3 and 2 to another line. While one waits to be issued,
 * 2-stage fetches the next one, and 5-stage the next two: a new line behind that costs nothing.
 * Out of order, a line that is not in the fetch buffer costs a cycle of fetch, which is hidden
 * where something else is slower. An instruction renamed at r is issued at r + 2 or later; its
 * issue queue entry is given away again a cycle after that or, of loads and stores, a cycle after
 * they are complete: what is not waited for holds it for 3 cycles, a store for 4, a load that hits
 * for 8. What is renamed with an entry of the reorder buffer is 3 cycles behind the commit of what
 * had it before. */

/* simple: 64 x 2. In order: 63 cycles up to the branch, 3 new lines, the branch's 3 or 2. Out of
 * order: 62 cycles, the chain of adds; light: two issue queue entries, of which each is held for 3
 * cycles: 64 x 3 / 2. */
TEST(test_dependent_adds)
{
    expect_all(CORE_KERNEL_dependent_adds, (double[]){128, 69, 68, 96, 62, 62});
}

/* Bounded by fetch: 64 instructions in 4 lines, each of which costs a cycle on top, 2 or 4 a cycle.
 * Light: as above. */
TEST(test_independent_adds)
{
    expect_all(CORE_KERNEL_independent_adds, (double[]){128, 69, 68, 96, 36, 20});
}

/* simple: 30 x 4 + 2 x 2. All others wait 3 cycles for each product. In order, behind the last
 * multiplication at t, the counter and the branch go at t + 1 and t + 2, and the first one of the
 * next iteration, in another line, at t + 5 on 2-stage, 2 cycles late, and at t + 4 on 5-stage. */
TEST(test_dependent_muls)
{
    expect_all(CORE_KERNEL_dependent_muls, (double[]){124, 92, 91, 90, 90, 90});
}

/* simple: 14 x 4 + 2 x 2. In order: 15 cycles up to the branch, and its 2 or 1; multiplications are
 * pipelined. Out of order: 2way fetches 16 instructions in 8 cycles, 4way in 4, but has two
 * multipliers: 7. Light: 16 x 3 / 2. */
TEST(test_independent_muls)
{
    expect_all(CORE_KERNEL_independent_muls, (double[]){60, 17, 16, 24, 8, 7});
}

/* simple: 14 x 21 + 2 x 2. In order: 14 x 20, the divider is never idle. Out of order: neither are
 * two of them. */
TEST(test_independent_divs)
{
    expect_all(CORE_KERNEL_independent_divs, (double[]){298, 280, 280, 140, 140, 140});
}

/* simple: 14 x 6 + 2 x 2. 2-stage: 14 x 5, 1 and 2. 5-stage: one a cycle. Out of order: as many as
 * are fetched; light: 14 loads that hold an entry for 8 cycles and two others for 3: (112 + 6) / 2.
 */
TEST(test_loads)
{
    expect_all(CORE_KERNEL_loads, (double[]){88, 73, 16, 59, 8, 4});
}

/* simple: 30 x 6 + 2 x 2. 2-stage: 30 x 5, 1 and 3 for counter and branch. The others: 30 x 5,
 * which is a cycle for the address and 4 for the access. Light: where the last but one is issued at
 * s and complete at s + 5, the counter is renamed at s + 6 and issued at s + 8, and the branch has
 * its entry from s + 9 to s + 12; the last one is issued at s + 5 and its entry given away at s +
 * 11 to the first one of the next iteration, which is issued at s + 13 in place of s + 10. */
TEST(test_load_chain)
{
    expect_all(CORE_KERNEL_load_chain, (double[]){184, 154, 150, 153, 150, 150});
}

/* simple: 16 x 6 + 2 x 2. 2-stage: 16 x 5, 1 and 3; the new line is fetched during an access.
 * 5-stage: a store has one of the queue's 4 entries for 6 cycles, so that the last one goes 3 x 6 +
 * 3 cycles after the first one; the counter, whose line is fetched behind it, 2 cycles later, and 1
 * and 2. Out of order, bounded by fetch: 18 instructions in two lines, 8 + 1 or 4 + 1 cycles and
 * one more for each line; the cache takes as many stores a cycle. Light: 16 that hold an entry for
 * 4 cycles and two for 3: (64 + 6) / 2. */
TEST(test_stores)
{
    expect_all(CORE_KERNEL_stores, (double[]){100, 84, 26, 35, 11, 7});
}

/* simple: 18 x 2. 2-stage, which predicts nothing: a call and a return to another line take 3
 * cycles each, 8 others a cycle each and the last branch, within the line, 2: 4 x 6 + 8 + 1 + 2.
 * 5-stage predicts them: 4 x 4 + 8 + 1 + 1. Out of order, bounded by fetch: a call ends a cycle's
 * fetch, so does a return, and each costs a cycle for the other's line: 4 x 4, and the last add,
 * the counter and the branch 2 cycles or 1. Light: 18 x 3 / 2. */
TEST(test_calls)
{
    expect_all(CORE_KERNEL_calls, (double[]){36, 35, 26, 27, 18, 17});
}

/* A branch on a random bit: half of the iterations have 9 instructions, half 8. M are the
 * mispredictions, which the statistics count; on pipelined cores with a predictor they have to be
 * near half of the iterations. All is in one line. Per iteration and misprediction:
 * simple: 8.5 x 2.
 * 2-stage: 8 + 2 where the bit is 1, 5 + 2 + 1 + 2 where it is 0 and the branch is taken: 10.
 * 5-stage: 8.5. A wrong branch at t has its successor at t + 3 in place of t + 1: 2 for each.
 * Out of order the branch is renamed at d + 2 when the iteration's first instruction is at d, is
 * executed in d + 4, and what is behind it is fetched at d + 5 + 3, and renamed 2 cycles later in
 * place of d + 3: 7 for each. 2way: 5 cycles of fetch where the bit is 1, 4 where it is 0: 4.5.
 * 4way: the chain through the shift register is 4 cycles, fetch 3; what follows the wrong branch
 * when j iterations were predicted since the last restart is renamed 4(j + 1) + 6 cycles after
 * that. Light: the entries take turns, so that instructions are renamed 1 and 2 cycles after
 * another, 1.5 x 8.5; and 8 cycles after another where a branch is wrong, in place of 1 or 2. But
 * the first two behind it are renamed together, a cycle earlier than in turns, which they take
 * again for an instruction that waits for its operand: where the wrong branch comes as the second
 * of them, it has gained half a cycle on the average of 1.5. So it is 6.5 or 6. */
TEST(test_random_branches)
{
    static const double cycles[CORES] = {17, 10, 8.5, 12.75, 4.5, 4};
    static const double each[CORES] = {0, 0, 2, 6.25, 7, 6};
    const double iterations = (double)kernel_iterations[CORE_KERNEL_random_branches];
    double expected[CORES];

    for (enum core core = 0; core < CORES; core++) {
        const struct core_measurement *runs = runs_of(CORE_KERNEL_random_branches, core);
        double wrong = (double)(runs[1].mispredictions - runs[0].mispredictions) / iterations;
        if (each[core] != 0 && (wrong < 0.45 || wrong > 0.55)) {
            fail_msg("%s: %.3f of random branches mispredicted", core_names[core], wrong);
        }
        expected[core] = cycles[core] + each[core] * wrong;
    }
    expect_all(CORE_KERNEL_random_branches, expected);
}

/* 30 independent misses of 1,000 cycles. simple: 30 x 1,002 + 3 x 2. 2-stage: 30 x 1,001, a cycle
 * for each of two adds and for the branch's line, and its 3. 5-stage, 2way and 4way: as many at a
 * time as there are MSHRs, 2, 8 and 16. Light: as many as there are issue queue entries, which each
 * holds for 1,004 cycles; the three others for 3: (30 x 1,004 + 9) / 2. */
TEST(test_misses)
{
    expect_all(CORE_KERNEL_misses, (double[]){30066, 30036, 15000, 15064.5, 3750, 1875});
}

/* 4 misses, 16 instructions apart. simple: 4 x 1,002 + 60 x 2. 2-stage: 4 x 1,001, 59 others, 3 new
 * lines, the branch's 3. 5-stage: 2 MSHRs. Out of order, the reorder buffer holds 4 of them, or 8;
 * each is renamed 3 cycles after the one so far before it commits, and commits 1,003 cycles later.
 * That of light, 8 instructions, holds one, at r: the 8th instruction behind it is renamed at r +
 * 1,006, and with two issue queue entries the next miss 4 x 3 cycles later. */
TEST(test_misses_apart)
{
    expect_all(CORE_KERNEL_misses_apart,
               (double[]){4 * 1002 + 120, 4 * 1001 + 65, 2000, 4 * 1018, 1006, 503});
}

/* simple: 10 x (6 + 6 + 2) + 2 x 2. 2-stage: 10 x (5 + 5 + 1), 1 and 3. Out of order and 5-stage: a
 * store's data is there a cycle after it is issued, the load's address a cycle later, its value
 * another one, and the add takes one: 10 x 4; on 5-stage, 3 for counter and branch, whose target is
 * in another line. Light: a store that is renamed at r is complete at r + 3, and the load at r + 5;
 * the add has the store's entry at r + 4 and is issued at r + 6; the next store has the load's
 * entry at r + 6 and is issued when the add is complete: 10 x 6, and 2 x 3 / 2. */
TEST(test_forwarding)
{
    expect_all(CORE_KERNEL_forwarding, (double[]){144, 114, 43, 63, 40, 40});
}

/* simple: 4 x (2 + 42 + 2) + 2 x 2. The others: a fence takes a cycle when it is the oldest, the
 * load behind it a cycle for its address, then 40. Out of order the second fence begins in the
 * cycle in which the load commits, and the first fence of the next read in the cycle in which that
 * commits: 43, and, where only two instructions commit per cycle, one more for counter and branch.
 * Light: the first fence of the next read and its load have the entries of the load and the second
 * fence a cycle after both are complete, at t, and it begins at t + 2: 45, and behind counter and
 * branch, which have these entries first, 48. In order one instruction commits per cycle, so that
 * each fence begins a cycle later: 45, and 2 for counter and branch. */
TEST(test_device_reads)
{
    expect_all(CORE_KERNEL_device_reads, (double[]){188, 182, 182, 183, 173, 172});
}

/* What a larger core is for, with caches too: on every kernel, some of whose misses are in the L2
 * and some in DRAM. */
TEST(test_order_with_caches)
{
    static const enum core order[] = {OOO_4WAY, OOO_2WAY, LIGHT_OOO, SIMPLE};

    for (enum core_kernel kernel = 0; kernel < CORE_KERNELS; kernel++) {
        double least = 0;
        for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
            double cycles = cycles_between(kernel, cached[order[i]].kernel[kernel]);
            print_message("# %-18s %-15s %10.2f cycles with caches\n", kernel_names[kernel],
                          core_names[order[i]], cycles);
            if (cycles < least) {
                fail_msg("%s: %s is slower than a larger core", kernel_names[kernel],
                         core_names[order[i - 1]]);
            }
            least = cycles;
        }
    }
}

/* The same program gives the same figures. */
TEST(test_deterministic)
{
    static struct core_measurements again;

    measure(OOO_2WAY, "flat", "2ns", &again);
    assert_memory_equal(&again, &hits[OOO_2WAY], sizeof again);
}

TEST_GROUP(measure_all, NULL);
