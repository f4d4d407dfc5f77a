/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Runs a kernel with locks (locks.h) on compute units of a random shape, without QEMU, and looks
 * whether its result is that of plain C. */
#ifndef SLUICE_TESTS_LOCKS_MACHINE_H
#define SLUICE_TESTS_LOCKS_MACHINE_H

#include "fuzz/locks.h"
#include "host/driver/code/analysis.h"

/* What became of a run. */
struct lock_run {
    bool is_deadlock;
    uint64_t cycles;
    uint64_t acquired; /* by plain C's count, but for those that were tried */
    uint64_t tried;    /* that were acquired */
    uint64_t rotations;
    uint64_t failed;
    uint64_t refused;
    char machine[320]; /* its settings */
    char wrong[256];   /* what is wrong with the run, or empty */
};

/* What a machine does otherwise: that it goes wrong with these shows what the test is worth. */
enum lock_mutant {
    MUTANT_NONE,
    MUTANT_NO_ROTATION,
    MUTANT_INNERMOST_ROTATION,
    MUTANT_PLAIN_BRANCHES, /* reconverge at post-dominators, also where locks lie before those */
    MUTANT_NO_ACQUIRE,     /* by locks */
    MUTANT_NO_RELEASE,     /* by unlocks */
    MUTANTS
};

/* Runs a seed's kernel on the seed's machine. What is wrong: another result than in plain C, lanes
 * that meet in a section, a run that does not end, a deadlock where locks are ordered, and one
 * without a circle of lanes that wait for each other where they are not. Returns false where the
 * kernel is too long to try. */
bool lock_kernel_try(uint64_t seed, bool is_ordered, enum lock_mutant mutant,
                     struct lock_run *outcome);

/* ---- locks_mutants.c ---- */

struct gpu;

/* Changes compute units or their memory system, for good. */
void lock_mutate_gpu(enum lock_mutant mutant, struct gpu *gpu);

/* Changes the reconvergence table of code. */
void lock_mutate_table(enum lock_mutant mutant, const struct sl_code *code, uint32_t *table);

#endif
