/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A memory system that queues locks, driven request by request. */
#ifndef SLUICE_TESTS_LOCK_BENCH_H
#define SLUICE_TESTS_LOCK_BENCH_H

#include "soc/memory/memory_bench.h"

#define LOCK_BENCH_STEPS 64u

/* A request of a lane, and what became of it. */
struct lock_bench_step {
    struct mem_request request;
    struct memory_bench *mem;
    int id;              /* of the lane */
    uint64_t perform_ps; /* 0: not, or not yet */
    uint64_t done_ps;    /* likewise */
    int32_t old;         /* what it found in the word */
};

struct lock_bench {
    struct memory_bench *mem;
    uint32_t count;
    struct lock_bench_step step[LOCK_BENCH_STEPS];
};

/* `settings` up to NULL. The first words of memory, from MEMORY_BASE on, are free locks. */
struct lock_bench *lock_bench_create(const char *const *settings);
void lock_bench_destroy(struct lock_bench *bench);

/* A lane of compute unit 0 wants a lock, or gives it back, at a time up to which all runs. */
struct lock_bench_step *lock_bench_lock(struct lock_bench *bench, uint32_t lock, int id,
                                        uint64_t time_ps);
struct lock_bench_step *lock_bench_unlock(struct lock_bench *bench, uint32_t lock, int id,
                                          uint64_t time_ps);

/* All that happens up to a time. */
void lock_bench_run(struct lock_bench *bench, uint64_t time_ps);

int32_t *lock_bench_word(const struct lock_bench *bench, uint32_t lock);

#endif
