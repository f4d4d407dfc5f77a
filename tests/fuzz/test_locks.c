/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Lock fuzzer: random kernels with locks (locks.h) on random machines: 1 to 8 compute units, lanes
 * 8, 32 or 64, each memory system, locks in queues and not, each back-off. Sections lie in loops,
 * in arms in and out of line, in called functions and in each other, are left by breaks and by
 * several unlocks, and meet behind two locks. Each section adds to what its lock protects by plain
 * loads and stores; the result has to be that of plain C, lane after lane, and no lane may meet
 * another one inside. Locks are taken in the order of their addresses, at whatever depth: no run
 * may end in a deadlock. In other kernels the order is random: a run is right or ends with the
 * fault DEADLOCK, and then the words in memory show lanes that wait for each other.
 *
 * 300 kernels, 100 of random order; 10,000 and 2,000 with SLUICE_TEST_LONG. SLUICE_FUZZ_SEED=n runs
 * one alone. */
#include <stdio.h>
#include <stdlib.h>

#include "common/check.h"
#include "fuzz/locks_machine.h"

/* Seeds of kernels whose locks are in no order. */
#define UNORDERED 1000000000u

#define MUTANT_SEEDS 100 /* of which one at least has to go wrong */

struct sums {
    uint64_t kernels;
    uint64_t deadlocks;
    uint64_t acquired;
    uint64_t tried;
    uint64_t failed;
    uint64_t refused;
    uint64_t rotations;
};

static bool one(uint64_t seed, struct sums *sums)
{
    struct lock_run outcome;

    if (!lock_kernel_try(seed, seed < UNORDERED, MUTANT_NONE, &outcome)) {
        return false;
    }
    if (outcome.wrong[0] != '\0') {
        fail_msg("seed %llu (%s; SLUICE_FUZZ_SEED=%llu runs it alone): %s",
                 (unsigned long long)seed, outcome.machine, (unsigned long long)seed,
                 outcome.wrong);
    }
    sums->kernels++;
    sums->deadlocks += outcome.is_deadlock;
    sums->acquired += outcome.acquired;
    sums->tried += outcome.tried;
    sums->failed += outcome.failed;
    sums->refused += outcome.refused;
    sums->rotations += outcome.rotations;
    return true;
}

static struct sums run_some(uint64_t first, uint64_t count)
{
    const char *only = getenv("SLUICE_FUZZ_SEED");
    struct sums sums = {.kernels = 0};

    if (only != NULL) {
        const uint64_t seed = strtoull(only, NULL, 0);
        if ((seed < UNORDERED) == (first < UNORDERED)) {
            assert_true(one(seed, &sums));
        }
        return sums;
    }
    uint64_t seed = first;
    while (sums.kernels < count) {
        (void)one(seed++, &sums);
    }
    assert_true(seed - first < 2 * count); /* most are short enough */
    printf("# %llu kernels: %llu locks acquired, %llu tried, %llu rounds of lanes failed, "
           "%llu refused, %llu rotations, %llu deadlocks\n",
           (unsigned long long)sums.kernels, (unsigned long long)sums.acquired,
           (unsigned long long)sums.tried, (unsigned long long)sums.failed,
           (unsigned long long)sums.refused, (unsigned long long)sums.rotations,
           (unsigned long long)sums.deadlocks);
    assert_true(sums.acquired > 0 && sums.tried > 0 && sums.failed > 0 && sums.rotations > 0);
    return sums;
}

TEST(test_ordered)
{
    const struct sums sums = run_some(1, getenv("SLUICE_TEST_LONG") == NULL ? 300 : 10000);

    assert_int_equal(sums.deadlocks, 0);
}

TEST(test_unordered)
{
    const struct sums sums = run_some(UNORDERED, getenv("SLUICE_TEST_LONG") == NULL ? 100 : 2000);

    if (getenv("SLUICE_FUZZ_SEED") == NULL) {
        assert_true(sums.deadlocks > 0 && sums.deadlocks < sums.kernels);
    }
}

/* Kernels that are right above are not on a machine without a rule of locks. */
TEST(test_mutants)
{
    static const char *const names[MUTANTS] = {
        [MUTANT_NO_ROTATION] = "no rotation",
        [MUTANT_INNERMOST_ROTATION] = "innermost rotation",
        [MUTANT_PLAIN_BRANCHES] = "plain reconvergence of branches around locks",
        [MUTANT_NO_ACQUIRE] = "no acquire",
        [MUTANT_NO_RELEASE] = "no release",
    };

    if (getenv("SLUICE_FUZZ_SEED") != NULL) {
        skip();
    }
    for (enum lock_mutant mutant = MUTANT_NONE + 1; mutant < MUTANTS; mutant++) {
        struct lock_run outcome = {.wrong = ""};
        uint64_t seed = 0;
        while (outcome.wrong[0] == '\0') {
            assert_true(seed++ < MUTANT_SEEDS);
            (void)lock_kernel_try(seed, true, mutant, &outcome);
        }
        printf("# with %s seed %llu goes wrong: %s\n", names[mutant], (unsigned long long)seed,
               outcome.wrong);
    }
}
