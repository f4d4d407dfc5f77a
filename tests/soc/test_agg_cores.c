/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The aggregator's cores against cycles worked out by hand: kernels with one bottleneck each
 * (target/core_kernels.S), executed by QEMU with the plugin, in a firmware that marks them.
 *
 * Memory is flat: an instruction
 * line takes 2 cycles, an access to memory 4 (or, for the kernels of misses, 1,000), to a device
 * register
 * 40. All cycles below are of one iteration in the steady state, which is the difference between a
 * run over some iterations and one over twice as many. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "host/machine/path.h"
#include "soc/core_machine.h"

#define TOLERANCE 0.02

enum core { SIMPLE, STAGES_2, STAGES_5, LIGHT_OOO, OOO_2WAY, OOO_4WAY, CORES };

static const char *const core_names[CORES] = {
    "simple", "2-stage", "5-stage", "2way-light-ooo", "2way-ooo", "4way-ooo",
};

static const char *const kernel_names[CORE_KERNELS] = {
#define CORE_KERNEL(name, iterations) #name,
#include "soc/target/core_kernels.def"
#undef CORE_KERNEL
};

static const uint64_t kernel_iterations[CORE_KERNELS] = {
#define CORE_KERNEL(name, iterations) iterations,
#include "soc/target/core_kernels.def"
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

/* Runs all kernels on a core. */
static void measure(enum core core, const char *memory_latency, struct core_measurements *out)
{
    static struct sl_config config;
    char build[PATH_MAX];
    char error[PATH_MAX + 1024];

    sl_config_init(&config);
    set(&config, "agg.core", core_names[core]);
    set(&config, "mem.system", "flat");
    set(&config, "flat.agg", memory_latency);
    set(&config, "dram.size", "64MiB");
    set(&config, "gpu.cus", "1");
    assert_int_equal(sl_path_beside_program("../..", build, sizeof build), 0);
    if (core_machine_run(&config, build, NULL, out, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
}

/* Of all cores with a hit's latency of memory, and with a miss's. */
static struct core_measurements hits[CORES];
static struct core_measurements slow[CORES];

static int measure_all(void **state)
{
    (void)state;
    for (enum core core = 0; core < CORES; core++) {
        measure(core, "2ns", &hits[core]);
        measure(core, "500ns", &slow[core]);
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
static double cycles_of(enum core_kernel kernel, enum core core)
{
    const struct core_measurement *runs = runs_of(kernel, core);
    return (double)(runs[1].cycles - runs[0].cycles) / (double)kernel_iterations[kernel];
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

/* On all kernels. simple: an instruction is 2 cycles of fetch, 1 of execution (multiplication 3,
 * division 20), and its access. In order, a new instruction line costs a cycle, which its second
 * cycle of latency is not hidden; so does the line behind a taken branch, and the branch on 2-stage
 * costs one more until it is executed, on 5-stage nothing where it is predicted. So from a taken
 * branch to the next instruction it is 3 cycles on 2-stage and 2 on 5-stage. While 2-stage waits
 * for an access, it fetches what is next: a new line behind one costs nothing. */

/* simple: 64 x 3. In order: 63 cycles up to the branch, 3 new lines, the branch's 3 or 2. Out of
 * order: 62 cycles, the chain of adds; with an issue queue of 2, the last add and the counter's
 * leave it at t and t, the branch at t + 1, and the first add of the next iteration, renamed at t +
 * 1, at t + 2: it loses a cycle. */
static void test_dependent_adds(void **state)
{
    (void)state;
    expect_all(CORE_KERNEL_dependent_adds, (double[]){192, 69, 68, 63, 62, 62});
}

/* Bounded by the width: 64 instructions, 2 or 4 a cycle. Light: the branch waits a cycle in the
 * issue queue for the counter, so that the first add is renamed alone, and so is the last one of
 * its line: 9 cycles for the first line, 8 for each of the others. */
static void test_independent_adds(void **state)
{
    (void)state;
    expect_all(CORE_KERNEL_independent_adds, (double[]){192, 69, 68, 33, 32, 16});
}

/* simple: 30 x 5 + 2 x 3. All others wait 3 cycles for each product. In order, behind the last
 * multiplication at t, the counter and the branch go at t + 1 and t + 2, and the first one of the
 * next iteration at t + 5 on 2-stage, 2 cycles late, and at t + 4 on 5-stage. */
static void test_dependent_muls(void **state)
{
    (void)state;
    expect_all(CORE_KERNEL_dependent_muls, (double[]){156, 92, 91, 90, 90, 90});
}

/* simple: 14 x 22 + 2 x 3; all others: 14 x 20, the divider is never idle. */
static void test_independent_divs(void **state)
{
    (void)state;
    expect_all(CORE_KERNEL_independent_divs, (double[]){314, 280, 280, 280, 280, 280});
}

/* simple: 30 x 7 + 2 x 3. 2-stage: 30 x 5, 1 and 3 for counter and branch. The others: 30 x 5,
 * which is a cycle for the address and 4 for the access. */
static void test_load_chain(void **state)
{
    (void)state;
    expect_all(CORE_KERNEL_load_chain, (double[]){216, 154, 150, 150, 150, 150});
}

/* A branch on a random bit: half of the iterations have 9 instructions, half 8. M are the
 * mispredictions, which the statistics count; on pipelined cores with a predictor they have to be
 * near half of the iterations. Per iteration and misprediction:
 * simple: 8.5 x 3.
 * 2-stage: 8 + 3 where the bit is 1, 5 + 3 + 1 + 3 where it is 0 and the branch is taken: 11.5.
 * 5-stage: 8 + 2, or 5 + 2 + 1 + 2: 10. A wrong branch at t has its successor at t + 4 in place of
 * t + 1 or t + 2: 2.5 for each.
 * Out of order the branch is renamed at d + 2 when the iteration's first instruction is at d, is
 * executed in d + 3, and what is behind it is renamed at d + 4 + 8 in place of d + 3: 9 for each.
 * 2way: 5 cycles of fetch where the bit is 1, 4 where it is 0: 4.5. 4way: the chain through the
 * shift register is 4 cycles, fetch 3; the wrong branch is resolved 4j + 3 cycles after the
 * last restart when j iterations were predicted since, and so is what follows, 4(j + 1) + 8 in all.
 * Light: an instruction that waits in the issue queue delays the branch and what follows by a
 * cycle: 5.5 and 9. */
static void test_random_branches(void **state)
{
    static const double cycles[CORES] = {25.5, 11.5, 10, 5.5, 4.5, 4};
    static const double each[CORES] = {0, 0, 2.5, 9, 9, 8};
    const double iterations = (double)kernel_iterations[CORE_KERNEL_random_branches];
    double expected[CORES];

    (void)state;
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

/* 30 independent misses of 1,000 cycles. simple: 30 x 1,003 + 3 x 3. 2-stage: 30 x 1,001, a cycle
 * for each of two adds and for the branch's line, and its 3. The others: as many at a time as
 * there are MSHRs, 2, 4, 8 and 16. */
static void test_misses(void **state)
{
    (void)state;
    expect_all(CORE_KERNEL_misses, (double[]){30099, 30036, 15000, 7500, 3750, 1875});
}

/* 4 misses, 16 instructions apart. simple: 4 x 1,003 + 60 x 3. 2-stage: 4 x 1,001, 59 others, 3 new
 * lines, the branch's 3. 5-stage: 2 MSHRs. Out of order, the reorder buffer holds 4 of them, or 8;
 * each is renamed when the one so far before it commits, and commits 1,002 cycles later. That of
 * light, 8 instructions, holds one: the 8th instruction behind it is renamed in the cycle of its
 * commit, and from there to the next miss 8 more commit, two a cycle: 1,006. */
static void test_misses_apart(void **state)
{
    (void)state;
    expect_all(CORE_KERNEL_misses_apart,
               (double[]){4 * 1003 + 180, 4 * 1001 + 65, 2000, 4 * 1006, 1002, 501});
}

/* simple: 10 x (7 + 7 + 3) + 6. 2-stage: 10 x (5 + 5 + 1), 1 and 3. Out of order: a
 * store's data is there a cycle after it is issued, the load has it a cycle later, the add takes
 * one: 10 x 3. 5-stage: the load's address is there a cycle after the store's data, and so
 * everything: 10 x 4, one for the new line in front of a load, 3 for counter and branch. */
static void test_forwarding(void **state)
{
    (void)state;
    expect_all(CORE_KERNEL_forwarding, (double[]){176, 114, 44, 30, 30, 30});
}

/* simple: 4 x (3 + 43 + 3) + 6. The others: a fence takes a cycle when it is the oldest, the load
 * behind it a cycle for its address, then 40. Out of order the second fence begins in the cycle in
 * which the load commits, and the first fence of the next read in the cycle in which that commits:
 * 43, and, where only two instructions commit per cycle, one more for counter and branch. In order
 * one instruction commits per cycle, so that each fence begins a cycle later: 45, and 3 or 2 for
 * counter and branch. */
static void test_device_reads(void **state)
{
    (void)state;
    expect_all(CORE_KERNEL_device_reads, (double[]){202, 183, 182, 173, 173, 172});
}

/* The same program gives the same figures. */
static void test_deterministic(void **state)
{
    static struct core_measurements again;

    (void)state;
    measure(OOO_2WAY, "2ns", &again);
    assert_memory_equal(&again, &hits[OOO_2WAY], sizeof again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependent_adds), cmocka_unit_test(test_independent_adds),
        cmocka_unit_test(test_dependent_muls), cmocka_unit_test(test_independent_divs),
        cmocka_unit_test(test_load_chain),     cmocka_unit_test(test_random_branches),
        cmocka_unit_test(test_misses),         cmocka_unit_test(test_misses_apart),
        cmocka_unit_test(test_forwarding),     cmocka_unit_test(test_device_reads),
        cmocka_unit_test(test_deterministic),
    };
    return cmocka_run_group_tests(tests, measure_all, NULL);
}
