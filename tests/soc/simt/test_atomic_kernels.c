/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Atomics of C kernels (tests/probes/routines/atomics_kernel.c): lanes of one wavefront in their
 * order, once each; LR and SC of any number of lanes make progress; and a wait that pauses lets the
 * wavefront that it waits for go on, under every scheduling policy.
 *
 * Why LR and SC cannot livelock: an SC fails only when its line (or one that shares its epoch
 * counter) was written since the LR, and while reservations are all that is at work, what writes is
 * an SC that succeeded. So of any set of lanes that are between LR and SC, the first SC to take
 * effect succeeds. Lanes that are done leave the loop and wait for the others without being needed
 * by them. */
#include "common/check.h"
#include "soc/common/bare_machine.h"

static struct bare_machine *create(const char *const *settings)
{
    struct bare_machine *m = bare_create(settings);
    bare_load_kernels(m, "atomics.elf");
    return m;
}

TEST(test_order)
{
    struct bare_machine *m = create(NULL);
    uint64_t place = bare_take(m, 8, 64);
    uint64_t before = bare_take(m, 64 * 8, 64);
    const uint64_t *values = bare_at(m, before);
    bare_launch(m, 0, "atomics_add", 64, place, before);
    bare_run(m, 10000);
    for (uint64_t lane = 0; lane < 64; lane++) {
        assert_int_equal(values[lane], lane * (lane + 1) / 2);
    }
    assert_int_equal(*(uint64_t *)bare_at(m, place), 64 * 65 / 2);
    bare_launch(m, 0, "atomics_swap", 64, place, before);
    bare_run(m, 10000);
    for (uint64_t lane = 0; lane < 64; lane++) {
        assert_int_equal(values[lane], lane == 0 ? 64 * 65 / 2 : lane);
    }
    assert_int_equal(m->faults, 0);
    bare_destroy(m);
}

TEST(test_order_masked)
{
    struct bare_machine *m = create(NULL);
    uint64_t place = bare_take(m, 4, 64);
    uint64_t before = bare_take(m, 64 * 8, 64);
    const uint64_t *values = bare_at(m, before);
    bare_launch(m, 0, "atomics_odd", 64, place, before);
    bare_run(m, 10000);
    for (uint64_t lane = 0; lane < 64; lane++) {
        /* 1 + 3 + ... up to lane - 2 is a square */
        uint64_t half = lane / 2;
        assert_int_equal(values[lane], lane % 2 != 0 ? half * half : 0);
    }
    assert_int_equal(*(uint32_t *)bare_at(m, place), 32 * 32);
    bare_destroy(m);
}

/* Floating-point additions of the lanes in their order: the first round leaves 64 x 63 / 2 in both
 * sums, the second one gives what was there before each lane. */
TEST(test_float)
{
    struct bare_machine *m = create(NULL);
    const uint64_t sum = bare_take(m, 16, 64);
    const uint64_t before = bare_take(m, 64 * 8, 64);
    bare_launch(m, 0, "atomics_float", 64, sum, before);
    bare_run(m, 10000);
    assert_int_equal(m->faults, 0);
    for (unsigned lane = 0; lane < 64; lane++) {
        const double is = ((const double *)bare_at(m, before))[lane];
        assert_true(is == 2 * (2016 + lane * (lane - 1.0) / 2));
    }
    assert_true(*(const double *)bare_at(m, sum) == 2 * 2016);
    assert_true(*(const float *)bare_at(m, sum + 8) == 2 * 2016);
    bare_destroy(m);
}

/* `waves` wavefronts on each of `cus` compute units; all increments arrive. */
static void reserve(const char *const *settings, uint32_t cus, uint32_t waves, uint64_t count,
                    uint64_t times, uint64_t share)
{
    struct bare_machine *m = create(settings);
    uint64_t counters = bare_take(m, count * 64, 64);
    for (uint32_t i = 0; i < cus * waves; i++) {
        bare_launch(m, i % cus, "atomics_reserve", 64, counters, share << 63 | times << 16 | count);
    }
    bare_run(m, 20000000);
    assert_int_equal(m->faults, 0);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        sum += ((uint64_t *)bare_at(m, counters))[i * (share != 0 ? 1 : 8)];
    }
    assert_int_equal(sum, 64ull * times * cus * waves);
    bare_destroy(m);
}

TEST(test_reservations)
{
    static const char *const one[] = {"gpu.cus=1", NULL};
    static const char *const four[] = {"gpu.cus=4", NULL};
    static const char *const greedy[] = {"gpu.cus=4", "gpu.scheduler=greedy_oldest", NULL};
    reserve(one, 1, 1, 1, 4, 0);   /* all lanes on one address */
    reserve(one, 1, 1, 3, 4, 0);   /* on few */
    reserve(one, 1, 1, 8, 4, 1);   /* on one line, false sharing */
    reserve(one, 1, 1, 64, 16, 0); /* each on its own: no retries */
    reserve(one, 1, 8, 1, 1, 0);   /* across wavefronts */
    reserve(four, 4, 4, 1, 1, 0);  /* and compute units */
    reserve(four, 4, 4, 5, 2, 1);
    reserve(greedy, 4, 4, 1, 1, 0);
    reserve(greedy, 4, 10, 3, 1, 0);
}

/* Of 64 lanes that take a reservation on one address together, one SC succeeds each round. */
TEST(test_one_succeeds)
{
    struct bare_machine *m = create(NULL);
    uint64_t counter = bare_take(m, 64, 64);
    m->gpu->env.cas_base = counter;
    m->gpu->env.cas_limit = counter + 64;
    bare_launch(m, 0, "atomics_reserve", 64, counter, 1ull << 16 | 1);
    bare_run(m, 100000);
    assert_int_equal(*(uint64_t *)bare_at(m, counter), 64);
    assert_int_equal(m->counters.cas_attempts, 64 * 65 / 2);
    assert_int_equal(m->counters.cas_failures, 64 * 63 / 2);
    bare_destroy(m);
}

/* The wavefront that sets the flag shares its SIMD unit with waiting ones that are all older, more
 * than enough to keep it busy, or all younger; they stand back for as little as can be set. */
static void wait_for(const char *scheduler, const char *pause, uint32_t worker)
{
    const char *const settings[] = {"gpu.simds=1", scheduler, pause, NULL};
    struct bare_machine *m = create(settings);
    uint64_t flag = bare_take(m, 64, 64);
    for (uint32_t i = 0; i < 40; i++) {
        bare_launch(m, 0, "atomics_wait", 64, flag, i == worker ? 200 : 0);
    }
    bare_run(m, 3000000);
    assert_int_equal(m->faults, 0);
    assert_int_equal(*(uint32_t *)bare_at(m, flag), 1);
    bare_destroy(m);
}

TEST(test_waits)
{
    static const char *const schedulers[] = {"gpu.scheduler=round_robin",
                                             "gpu.scheduler=greedy_oldest"};
    for (unsigned i = 0; i < 2; i++) {
        wait_for(schedulers[i], "gpu.pause_cycles=1", 39);
        wait_for(schedulers[i], "gpu.pause_cycles=1", 20);
        wait_for(schedulers[i], "gpu.pause_cycles=1", 0);
        wait_for(schedulers[i], "gpu.pause_cycles=16", 39);
    }
}
