/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Task queues (docs/tasks.md): lays them out in shared memory, launches the wavefronts that work on
 * them, and adds up what these have counted. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/load/module.h"
#include "host/run/run.h"

#define OWN_CAPACITY     64
#define GROUP_THRESHOLD  8
#define DEVICE_THRESHOLD 64
#define LINE_BYTES       64

static const char what[] = "task queues";

/* Tasks that an execution begins with, of one function. */
struct first_tasks {
    char *tasks;
    uint32_t count;
};

struct sl_task_queues {
    struct sl_soc *soc;
    struct sl_module *module;
    const char *kernel;
    const void *program;
    struct sl_tasks *shared;
    uint32_t task_bytes;
    uint32_t groups;
    uint32_t block_bytes;
    struct first_tasks first[SL_TASKS_FUNCTIONS];
    struct sl_task_queues *next;
};

static uint64_t in_lines(uint64_t bytes)
{
    return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

static uint32_t power_of_two(uint32_t least)
{
    uint32_t power = 1;
    while (power < least) {
        power *= 2;
    }
    return power;
}

uint32_t sl_tasks_wavefronts(const struct sl_task_queues *tasks)
{
    return tasks->groups * tasks->shared->group_wavefronts;
}

/* ---- options ---- */

static enum sl_status check_range(struct sl_soc *soc, const char *name, uint32_t value,
                                  uint32_t least, uint32_t most)
{
    return value >= least && value <= most
               ? SL_OK
               : sl_soc_fail(soc, SL_ERROR_USAGE,
                             "%s: %s is %" PRIu32 "; from %" PRIu32 " to %" PRIu32 " is possible",
                             what, name, value, least, most);
}

static enum sl_status check_capacity(struct sl_soc *soc, const char *name, uint32_t value)
{
    const enum sl_status status = check_range(soc, name, value, 1, SL_TASKS_CAPACITY);
    return status == SL_OK && (value & (value - 1)) != 0
               ? sl_soc_fail(soc, SL_ERROR_USAGE, "%s: %s is %" PRIu32 ", which is no power of two",
                             what, name, value)
               : status;
}

static enum sl_status check(const struct sl_task_queues *tasks)
{
    struct sl_soc *const soc = tasks->soc;
    const struct sl_tasks *const shared = tasks->shared;
    enum sl_status status = SL_OK;

    if (shared->version >= SL_TASKS_VERSIONS) {
        status = sl_soc_fail(soc, SL_ERROR_USAGE, "%s: there is no version %" PRIu32, what,
                             shared->version);
    }
    if (status == SL_OK && (tasks->task_bytes % 4 != 0 || tasks->task_bytes == 0 ||
                            tasks->task_bytes > 4 * SL_TASKS_WORDS)) {
        status = sl_soc_fail(soc, SL_ERROR_USAGE,
                             "%s: a task of %" PRIu32 " bytes; 4 to %d are possible, a multiple "
                             "of 4",
                             what, tasks->task_bytes, 4 * SL_TASKS_WORDS);
    }
    if (status == SL_OK) {
        status =
            check_range(soc, "the number of functions", shared->functions, 1, SL_TASKS_FUNCTIONS);
    }
    if (status == SL_OK) {
        status = check_range(soc, "the wavefronts of a work-group", shared->group_wavefronts, 1,
                             SL_TASKS_WAVEFRONTS);
    }
    for (int i = SL_TASKS_GROUP; i < SL_TASKS_QUEUES && status == SL_OK; i++) {
        static const char *const names[] = {[SL_TASKS_GROUP] = "the work-groups' threshold",
                                            [SL_TASKS_DEVICE] = "the device's threshold"};
        status = check_range(soc, names[i], shared->threshold[i], 1, SL_TASKS_CAPACITY / 2);
    }
    for (int i = 0; i < SL_TASKS_QUEUES && status == SL_OK; i++) {
        static const char *const names[] = {[SL_TASKS_OWN] = "the wavefronts' capacity",
                                            [SL_TASKS_GROUP] = "the work-groups' capacity",
                                            [SL_TASKS_DEVICE] = "the device's capacity"};
        status = check_capacity(soc, names[i], shared->capacity[i]);
    }
    return status;
}

static uint32_t or_default(uint32_t value, uint32_t otherwise)
{
    return value != 0 ? value : otherwise;
}

/* As many as fit; where a compute unit cannot hold eight of the kernel's wavefronts, work-groups
 * are smaller. */
static void choose_groups(struct sl_task_queues *tasks, const struct sl_tasks_options *options)
{
    struct sl_tasks *const shared = tasks->shared;
    uint32_t room = 0;

    shared->group_wavefronts = or_default(options->group_wavefronts, SL_TASKS_WAVEFRONTS);
    for (;;) {
        const uint32_t group[3] = {shared->group_wavefronts * shared->lanes, 1, 1};
        room = sl_resident_groups(tasks->module, tasks->kernel, group, 0);
        if (room > 0 || options->group_wavefronts != 0 || shared->group_wavefronts == 1) {
            break;
        }
        shared->group_wavefronts /= 2;
    }
    /* What does not fit is for sl_launch_resident() to say. */
    tasks->groups = or_default(options->groups, room > 0 ? room : 1);
}

/* Who sees a queue below its threshold gives it one front, however many others do: so these
 * capacities are never exceeded. */
static void choose_capacities(const struct sl_task_queues *tasks,
                              const struct sl_tasks_options *options)
{
    struct sl_tasks *const shared = tasks->shared;

    shared->threshold[SL_TASKS_GROUP] = or_default(options->group_threshold, GROUP_THRESHOLD);
    shared->threshold[SL_TASKS_DEVICE] = or_default(options->device_threshold, DEVICE_THRESHOLD);
    if (shared->threshold[SL_TASKS_GROUP] > SL_TASKS_CAPACITY / 2 ||
        shared->threshold[SL_TASKS_DEVICE] > SL_TASKS_CAPACITY / 2) {
        return; /* check() says so */
    }
    shared->capacity[SL_TASKS_OWN] = or_default(options->capacity, OWN_CAPACITY);
    shared->capacity[SL_TASKS_GROUP] =
        or_default(options->group_capacity,
                   power_of_two(shared->threshold[SL_TASKS_GROUP] + shared->group_wavefronts));
    shared->capacity[SL_TASKS_DEVICE] =
        or_default(options->device_capacity,
                   power_of_two(shared->threshold[SL_TASKS_DEVICE] + sl_tasks_wavefronts(tasks)));
}

/* ---- memory ---- */

static struct sl_tasks_wavefront *wavefront_of(const struct sl_tasks *shared, uint32_t number)
{
    return (struct sl_tasks_wavefront *)(uintptr_t)shared->wavefronts + number;
}

static struct sl_tasks_shared_queue *group_of(const struct sl_tasks *shared, uint32_t number)
{
    return (struct sl_tasks_shared_queue *)(uintptr_t)shared->groups + number;
}

static uint64_t blocks_of(const struct sl_task_queues *tasks)
{
    const struct sl_tasks *const shared = tasks->shared;
    const uint64_t of_wavefront = shared->capacity[SL_TASKS_OWN] + shared->functions + 1;

    return sl_tasks_wavefronts(tasks) * of_wavefront +
           (uint64_t)tasks->groups * shared->capacity[SL_TASKS_GROUP] +
           shared->capacity[SL_TASKS_DEVICE];
}

static uint64_t allocate(struct sl_soc *soc, uint64_t bytes, enum sl_status *status)
{
    void *const memory = *status == SL_OK ? sl_alloc(soc, bytes, LINE_BYTES) : NULL;
    if (memory == NULL) {
        *status = SL_ERROR_USAGE; /* with sl_alloc()'s message */
    }
    return (uintptr_t)memory;
}

/* Everything but what the queues hold. The places of all of them follow each other. */
static enum sl_status lay_out(struct sl_task_queues *tasks)
{
    struct sl_soc *const soc = tasks->soc;
    struct sl_tasks *const shared = tasks->shared;
    const uint32_t wavefronts = sl_tasks_wavefronts(tasks);
    const uint64_t own_bytes = in_lines(shared->capacity[SL_TASKS_OWN] * sizeof(uint32_t));
    const uint64_t group_bytes = in_lines(shared->capacity[SL_TASKS_GROUP] * sizeof(uint64_t));
    const uint64_t device_bytes = in_lines(shared->capacity[SL_TASKS_DEVICE] * sizeof(uint64_t));
    const uint64_t pool_bytes = blocks_of(tasks) * tasks->block_bytes;
    enum sl_status status = SL_OK;

    if (pool_bytes > UINT32_MAX) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "%s: %" PRIu64 " fronts of %" PRIu32 " bytes, for %" PRIu32
                           " wavefronts, are more than 4 GiB; make capacities smaller",
                           what, blocks_of(tasks), tasks->block_bytes, wavefronts);
    }
    shared->wavefronts =
        allocate(soc, wavefronts * (sizeof(struct sl_tasks_wavefront) + own_bytes), &status);
    shared->groups = allocate(
        soc, tasks->groups * (sizeof(struct sl_tasks_shared_queue) + group_bytes), &status);
    shared->device.places = allocate(soc, device_bytes, &status);
    shared->pool = allocate(soc, pool_bytes, &status);
    if (status != SL_OK) {
        return status;
    }
    for (uint32_t i = 0; i < wavefronts; i++) {
        wavefront_of(shared, i)->places =
            (uintptr_t)wavefront_of(shared, wavefronts) + i * own_bytes;
    }
    for (uint32_t i = 0; i < tasks->groups; i++) {
        group_of(shared, i)->places = (uintptr_t)group_of(shared, tasks->groups) + i * group_bytes;
    }
    return SL_OK;
}

static enum sl_status create(struct sl_task_queues *tasks, const struct sl_tasks_options *options)
{
    struct sl_soc *const soc = tasks->soc;
    const int handle = sl_module_kernel(tasks->module, tasks->kernel);

    tasks->shared = sl_alloc(soc, sizeof *tasks->shared, LINE_BYTES);
    if (handle < 0 || tasks->shared == NULL) {
        return SL_ERROR_USAGE;
    }
    tasks->kernel = sl_module_kernel_name(tasks->module, handle); /* lives as long as the module */
    *tasks->shared = (struct sl_tasks){
        .version = options->version,
        .functions = options->functions,
        .lanes = (uint32_t)soc->config.number[SL_CFG_GPU_LANES],
    };
    tasks->task_bytes = options->task_bytes;
    tasks->block_bytes = (uint32_t)in_lines((uint64_t)options->task_bytes * tasks->shared->lanes);
    choose_groups(tasks, options);
    choose_capacities(tasks, options);
    const enum sl_status status = check(tasks);
    return status == SL_OK ? lay_out(tasks) : status;
}

enum sl_status sl_tasks_create(struct sl_module *module, const char *kernel,
                               const struct sl_tasks_options *options, const void *program,
                               struct sl_task_queues **out)
{
    struct sl_soc *const soc = sl_module_soc(module);
    struct sl_task_queues *const tasks = calloc(1, sizeof *tasks);
    *out = NULL;
    if (tasks == NULL) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "out of memory");
    }
    tasks->soc = soc;
    tasks->module = module;
    tasks->kernel = kernel;
    tasks->program = program;
    tasks->next = soc->run->queues;
    soc->run->queues = tasks;
    const enum sl_status status = create(tasks, options);
    if (status != SL_OK) {
        sl_tasks_destroy(tasks);
        return status;
    }
    *out = tasks;
    return SL_OK;
}

static void free_host_side(struct sl_task_queues *tasks)
{
    for (int i = 0; i < SL_TASKS_FUNCTIONS; i++) {
        free(tasks->first[i].tasks);
    }
    free(tasks);
}

void sl_tasks_destroy(struct sl_task_queues *tasks)
{
    if (tasks == NULL) {
        return;
    }
    struct sl_task_queues **link = &tasks->soc->run->queues;
    while (*link != tasks) {
        link = &(*link)->next;
    }
    *link = tasks->next;
    if (tasks->shared != NULL) {
        sl_free(tasks->soc, (void *)(uintptr_t)tasks->shared->pool);
        sl_free(tasks->soc, (void *)(uintptr_t)tasks->shared->device.places);
        sl_free(tasks->soc, (void *)(uintptr_t)tasks->shared->groups);
        sl_free(tasks->soc, (void *)(uintptr_t)tasks->shared->wavefronts);
        sl_free(tasks->soc, tasks->shared);
    }
    free_host_side(tasks);
}

void sl_tasks_destroy_all(struct sl_run *run)
{
    while (run->queues != NULL) {
        struct sl_task_queues *const tasks = run->queues;
        run->queues = tasks->next;
        free_host_side(tasks); /* the heap goes with the machine */
    }
}

/* ---- execution ---- */

enum sl_status sl_tasks_add(struct sl_task_queues *tasks, uint32_t function, const void *first,
                            uint32_t count)
{
    if (function >= tasks->shared->functions) {
        return sl_soc_fail(tasks->soc, SL_ERROR_USAGE,
                           "%s: no function %" PRIu32 "; there are %" PRIu32 ", numbered from 0",
                           what, function, tasks->shared->functions);
    }
    struct first_tasks *const of = &tasks->first[function];
    const size_t before = (size_t)of->count * tasks->task_bytes;
    const size_t more = (size_t)count * tasks->task_bytes;
    char *const grown = count > 0 ? realloc(of->tasks, before + more) : of->tasks;
    if (count == 0) {
        return SL_OK;
    }
    if (grown == NULL) {
        return sl_soc_fail(tasks->soc, SL_ERROR_MACHINE, "out of memory");
    }
    memcpy(grown + before, first, more);
    of->tasks = grown;
    of->count += count;
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

    queue->bounds = 0;
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

static void empty(const struct sl_task_queues *tasks)
{
    struct sl_tasks *const shared = tasks->shared;
    uint32_t block = 0;

    shared->outstanding = 0;
    empty_queue(tasks, &shared->device, shared->capacity[SL_TASKS_DEVICE], &block);
    for (uint32_t i = 0; i < tasks->groups; i++) {
        empty_queue(tasks, group_of(shared, i), shared->capacity[SL_TASKS_GROUP], &block);
    }
    for (uint32_t i = 0; i < sl_tasks_wavefronts(tasks); i++) {
        empty_wavefront(tasks, wavefront_of(shared, i), &block);
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

/* Full fronts go to the device's queue, what is left to the first wavefront, to collect on. */
static enum sl_status place_first(const struct sl_task_queues *tasks)
{
    struct sl_tasks *const shared = tasks->shared;
    struct sl_tasks_wavefront *const first = wavefront_of(shared, 0);
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
                           what, fronts, shared->capacity[SL_TASKS_DEVICE]);
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
    shared->device.bounds = sl_tasks_bounds(tail, 0);
    return SL_OK;
}

enum sl_status sl_tasks_execute(struct sl_task_queues *tasks)
{
    const struct sl_tasks *const shared = tasks->shared;
    const uint32_t group[3] = {shared->group_wavefronts * shared->lanes, 1, 1};
    const uint32_t grid[3] = {tasks->groups * group[0], 1, 1};
    const uint64_t arguments[] = {(uintptr_t)shared, (uintptr_t)tasks->program};

    if (sl_run_check_idle(tasks->soc, what) != SL_OK) {
        return SL_ERROR_USAGE;
    }
    empty(tasks);
    const enum sl_status status = place_first(tasks);
    return status == SL_OK
               ? sl_launch_resident(tasks->module, tasks->kernel, grid, group, 0, arguments, 2)
               : status;
}

/* ---- results ---- */

uint64_t sl_tasks_count(const struct sl_task_queues *tasks, enum sl_tasks_count count)
{
    uint64_t result = 0;

    for (uint32_t i = 0; i < sl_tasks_wavefronts(tasks); i++) {
        const uint64_t one = wavefront_of(tasks->shared, i)->counts[count];
        if (count < SL_TASKS_MAX_OWN) {
            result += one;
        } else {
            result = one > result ? one : result;
        }
    }
    return result;
}

const struct sl_tasks *sl_tasks_shared(const struct sl_task_queues *tasks)
{
    return tasks->shared;
}
