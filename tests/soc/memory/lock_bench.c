/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* One request after the other; what takes effect is what the instructions do. */
#include "soc/memory/lock_bench.h"

#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "sluice/lock.h"

struct lock_bench *lock_bench_create(const char *const *settings)
{
    struct lock_bench *bench = calloc(1, sizeof *bench);

    assert_non_null(bench);
    bench->mem = memory_create(settings);
    for (uint32_t lock = 0; lock < LOCK_BENCH_STEPS; lock++) {
        *lock_bench_word(bench, lock) = SL_LOCK_FREE;
    }
    return bench;
}

void lock_bench_destroy(struct lock_bench *bench)
{
    memory_destroy(bench->mem);
    free(bench);
}

int32_t *lock_bench_word(const struct lock_bench *bench, uint32_t lock)
{
    return dram_at(&bench->mem->dram, MEMORY_BASE + (uint64_t)lock * sizeof(sl_lock_t));
}

void lock_bench_run(struct lock_bench *bench, uint64_t time_ps)
{
    event_queue_run(&bench->mem->event_queue, time_ps);
}

static void perform(struct mem_request *request, const struct mem_place *place, uint64_t lanes)
{
    struct lock_bench_step *step = (struct lock_bench_step *)request;
    int32_t *word = (int32_t *)(void *)(place->bytes + (request->word - request->address));

    assert_int_equal(lanes, request->lanes);
    assert_int_equal(step->perform_ps + step->done_ps, 0);
    step->perform_ps = event_queue_now_ps(&step->mem->event_queue);
    step->old = *word;
    if (request->kind == MEM_UNLOCK) {
        *word = SL_LOCK_FREE;
    } else if (*word == SL_LOCK_FREE) {
        *word = step->id;
    }
}

static void done(struct mem_request *request, uint64_t time_ps)
{
    struct lock_bench_step *step = (struct lock_bench_step *)request;

    assert_int_equal(step->done_ps, 0);
    assert_true(time_ps >= event_queue_now_ps(&step->mem->event_queue));
    step->done_ps = time_ps;
}

static const struct mem_client client = {perform, done};

static struct lock_bench_step *begin(struct lock_bench *bench, enum mem_kind kind, uint32_t lock,
                                     int id, uint64_t time_ps)
{
    struct lock_bench_step *step = &bench->step[bench->count++];
    const uint64_t word = MEMORY_BASE + (uint64_t)lock * sizeof(sl_lock_t);

    assert_true(bench->count <= LOCK_BENCH_STEPS);
    lock_bench_run(bench, time_ps);
    *step = (struct lock_bench_step){
        .request = {.time_ps = time_ps,
                    .address = word & ~(uint64_t)(SL_CACHE_LINE_BYTES - 1),
                    .word = word,
                    .from = {MEM_CU, 0},
                    .kind = (uint8_t)kind,
                    .atomic = true,
                    .lines = 1,
                    .lanes = 1ull << id % 64,
                    .client = &client},
        .mem = bench->mem,
        .id = id,
    };
    const struct mem_answer answer = bench->mem->mem->ops->access(bench->mem->mem, &step->request);
    assert_int_equal(answer.done_ps, MEM_PENDING);
    assert_int_equal(step->done_ps, 0);
    return step;
}

struct lock_bench_step *lock_bench_lock(struct lock_bench *bench, uint32_t lock, int id,
                                        uint64_t time_ps)
{
    return begin(bench, MEM_LOCK, lock, id, time_ps);
}

struct lock_bench_step *lock_bench_unlock(struct lock_bench *bench, uint32_t lock, int id,
                                          uint64_t time_ps)
{
    return begin(bench, MEM_UNLOCK, lock, id, time_ps);
}
