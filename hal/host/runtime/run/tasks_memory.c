/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Task queues in shared memory (docs/know/tasks.md, sluice/tasks.h): where they lie, and what is in
 * them before an execution. */
#include "host/runtime/run/tasks.h"

#include <inttypes.h>
#include <string.h>

#define LINE_BYTES 64

static uint64_t in_lines(uint64_t bytes)
{
    return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

/* ---- memory ---- */

static struct sl_tasks_shared_queue *group_of(const struct sl_tasks *shared, uint32_t number)
{
    return (struct sl_tasks_shared_queue *)(uintptr_t)shared->groups + number;
}

static uint64_t own_bytes_of(const struct sl_tasks *shared)
{
    return in_lines(shared->capacity[SL_TASKS_OWN] * sizeof(uint32_t));
}

static uint64_t group_bytes_of(const struct sl_tasks *shared)
{
    return in_lines(shared->capacity[SL_TASKS_GROUP] * sizeof(uint64_t));
}

static uint64_t blocks_of(const struct sl_task_queues *tasks)
{
    const struct sl_tasks *const kept = &tasks->kept;
    const uint64_t of_wavefront = kept->capacity[SL_TASKS_OWN] + kept->functions + 1;

    return sl_tasks_wavefronts(tasks) * of_wavefront +
           (uint64_t)tasks->groups * kept->capacity[SL_TASKS_GROUP] +
           kept->capacity[SL_TASKS_DEVICE];
}

static uint64_t allocate(struct sl_soc *soc, uint64_t bytes, enum sl_status *status)
{
    void *const memory = *status == SL_OK ? sl_alloc(soc, bytes, LINE_BYTES) : NULL;
    if (memory == NULL && *status == SL_OK) {
        *status = soc->failure; /* with sl_alloc()'s message */
    }
    return (uintptr_t)memory;
}

/* Everything but what the queues hold. The places of all of them follow each other. */
enum sl_status sl_tasks_lay_out(struct sl_task_queues *tasks)
{
    struct sl_soc *const soc = tasks->soc;
    struct sl_tasks *const kept = &tasks->kept;
    const uint32_t wavefronts = sl_tasks_wavefronts(tasks);
    tasks->block_bytes = (uint32_t)in_lines((uint64_t)tasks->task_bytes * kept->lanes);
    const uint64_t own_bytes = own_bytes_of(kept);
    const uint64_t group_bytes = group_bytes_of(kept);
    const uint64_t device_bytes = in_lines(kept->capacity[SL_TASKS_DEVICE] * sizeof(uint64_t));
    const uint64_t pool_bytes = blocks_of(tasks) * tasks->block_bytes;
    enum sl_status status = SL_OK;

    if (pool_bytes > UINT32_MAX) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "%s: %" PRIu64 " fronts of %" PRIu32 " bytes, for %" PRIu32
                           " wavefronts, are more than 4 GiB; make capacities smaller",
                           SL_TASKS_WHAT, blocks_of(tasks), tasks->block_bytes, wavefronts);
    }
    kept->wavefronts =
        allocate(soc, wavefronts * (sizeof(struct sl_tasks_wavefront) + own_bytes), &status);
    kept->groups = allocate(
        soc, tasks->groups * (sizeof(struct sl_tasks_shared_queue) + group_bytes), &status);
    kept->device.places = allocate(soc, device_bytes, &status);
    kept->pool = allocate(soc, pool_bytes, &status);
    if (status != SL_OK) {
        return status;
    }
    *tasks->shared = *kept;
    return SL_OK;
}

/* Blocks one after the other, wherever one belongs. */
static uint32_t next_block(const struct sl_task_queues *tasks, uint32_t *block)
{
    return tasks->block_bytes * (*block)++;
}

static void empty_queue(const struct sl_task_queues *tasks, struct sl_tasks_shared_queue *queue,
                        uint32_t capacity, uint32_t *block)
{
    uint64_t *const places = (uint64_t *)(uintptr_t)queue->places;

    queue->puts = 0;
    queue->taken = 0;
    for (uint32_t i = 0; i < capacity; i++) {
        places[i] = sl_tasks_place(i, next_block(tasks, block));
    }
}

static void empty_wavefront(const struct sl_task_queues *tasks,
                            struct sl_tasks_wavefront *wavefront, uint32_t *block)
{
    const struct sl_tasks *const shared = tasks->shared;
    uint32_t *const places = (uint32_t *)(uintptr_t)wavefront->places;

    wavefront->bounds = 0;
    for (uint32_t i = 0; i < shared->capacity[SL_TASKS_OWN]; i++) {
        places[i] = next_block(tasks, block);
    }
    for (uint32_t i = 0; i < shared->functions; i++) {
        wavefront->pending[i] = next_block(tasks, block);
        wavefront->tasks[i] = 0;
    }
    wavefront->spare = next_block(tasks, block);
    memset(wavefront->counts, 0, sizeof wavefront->counts);
}

/* Where the places of each wavefront's and each work-group's queue are. */
static void place_queues(const struct sl_task_queues *tasks)
{
    const struct sl_tasks *const kept = &tasks->kept;
    const uint32_t wavefronts = sl_tasks_wavefronts(tasks);

    for (uint32_t i = 0; i < wavefronts; i++) {
        sl_tasks_wavefront_of(kept, i)->places =
            (uintptr_t)sl_tasks_wavefront_of(kept, wavefronts) + i * own_bytes_of(kept);
    }
    for (uint32_t i = 0; i < tasks->groups; i++) {
        group_of(kept, i)->places =
            (uintptr_t)group_of(kept, tasks->groups) + i * group_bytes_of(kept);
    }
}

/* All as it was laid out, whatever an execution has left. */
static void empty(const struct sl_task_queues *tasks)
{
    struct sl_tasks *const shared = tasks->shared;
    uint32_t block = 0;

    *shared = tasks->kept;
    place_queues(tasks);
    shared->outstanding = 0;
    empty_queue(tasks, &shared->device, shared->capacity[SL_TASKS_DEVICE], &block);
    for (uint32_t i = 0; i < tasks->groups; i++) {
        empty_queue(tasks, group_of(shared, i), shared->capacity[SL_TASKS_GROUP], &block);
    }
    for (uint32_t i = 0; i < sl_tasks_wavefronts(tasks); i++) {
        empty_wavefront(tasks, sl_tasks_wavefront_of(shared, i), &block);
    }
}

/* Up to a front of tasks, from C's array of structures to a structure of arrays. */
static void fill(const struct sl_task_queues *tasks, uint32_t entry, const char *from,
                 uint32_t count)
{
    char *const block = (char *)(uintptr_t)tasks->shared->pool + (entry & ~SL_TASKS_FUNCTION_MASK);
    const uint32_t lanes = tasks->shared->lanes;

    for (uint32_t lane = 0; lane < count; lane++) {
        for (uint32_t word = 0; word < tasks->task_bytes / 4; word++) {
            memcpy(block + 4 * ((size_t)word * lanes + lane),
                   from + (size_t)lane * tasks->task_bytes + 4 * (size_t)word, 4);
        }
    }
}

static enum sl_status place_first(const struct sl_task_queues *tasks)
{
    struct sl_tasks *const shared = tasks->shared;
    struct sl_tasks_wavefront *const first = sl_tasks_wavefront_of(shared, 0);
    uint64_t *const places = (uint64_t *)(uintptr_t)shared->device.places;
    const uint32_t lanes = shared->lanes;
    uint64_t fronts = 0;
    uint32_t tail = 0;

    for (uint32_t f = 0; f < shared->functions; f++) {
        fronts += tasks->first[f].count / lanes;
    }
    if (fronts > shared->capacity[SL_TASKS_DEVICE]) {
        return sl_soc_fail(tasks->soc, SL_ERROR_USAGE,
                           "%s: the tasks to begin with fill %" PRIu64
                           " fronts, and the device's queue has a capacity of %" PRIu32
                           "; make it larger",
                           SL_TASKS_WHAT, fronts, shared->capacity[SL_TASKS_DEVICE]);
    }
    for (uint32_t f = 0; f < shared->functions; f++) {
        const struct first_tasks *const of = &tasks->first[f];
        const char *from = of->tasks;
        uint32_t left = of->count;
        for (; left >= lanes; left -= lanes, from += (size_t)lanes * tasks->task_bytes, tail++) {
            const uint32_t entry = (uint32_t)places[tail] | f;
            fill(tasks, entry, from, lanes);
            places[tail] = sl_tasks_place(tail + 1, entry);
        }
        fill(tasks, first->pending[f], from, left);
        first->tasks[f] = left;
        shared->outstanding += of->count;
    }
    shared->device.puts = sl_tasks_puts(tail, tail);
    return SL_OK;
}

enum sl_status sl_tasks_fill(const struct sl_task_queues *tasks)
{
    empty(tasks);
    return place_first(tasks);
}
