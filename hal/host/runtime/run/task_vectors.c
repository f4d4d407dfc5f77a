/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Task vectors (docs/know/trees.md): describes them in shared memory, checks them with names and
 * settings, gives them to the firmware, and takes their results. */
#include "check/tasks/task_vector_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/atomic_file.h"
#include "host/base/text.h"
#include "host/driver/code/module.h"
#include "host/runtime/run/run.h"

#define GROUP_DEFAULT 256
#define STACK_DEFAULT 4096

static const char what[] = "task vector";

struct sl_task_vector {
    struct sl_soc *soc;
    struct sl_trees *shared; /* kernels may write there: */
    struct sl_trees kept;    /* sizes and addresses as they were laid out */
    const char *kernels[2];  /* names */
    struct sl_task_vector *next;
};

static uint32_t launch_count(const struct sl_trees *trees)
{
    return trees->maps > 0 ? 2 : 1;
}

static enum sl_status describe(struct sl_module *module, struct sl_task_vector *trees,
                               unsigned which, const char *kernel, uint32_t group, uint32_t lds)
{
    struct sl_trees *const shared = trees->shared;
    const bool is_of_maps = which == SL_TREES_OF_MAPS;
    const uint32_t items = group > 0 ? group : GROUP_DEFAULT;
    const struct sl_launch_step step = {
        .kernel = kernel,
        .grid = {is_of_maps ? items : shared->capacity, is_of_maps ? shared->capacity : 1, 1},
        .group = {items, 1, 1},
        .lds_bytes = lds,
        .argument_count = SL_TREES_CONSTANTS,
    };
    const int handle = sl_module_kernel(module, kernel);
    if (handle < 0) {
        return SL_ERROR_USAGE;
    }
    trees->kernels[which] = sl_module_kernel_name(module, handle);
    const enum sl_status status =
        sl_launch_describe(module, handle, &step, what, &shared->launch[which]);
    if ((shared->launch[which].kernel.flags & SL_KERNEL_FORKS_AGAIN) != 0) {
        shared->flags |= SL_TREES_FORKS_AGAIN;
    }
    return status;
}

static enum sl_status check(const struct sl_task_vector *trees)
{
    return sl_run_check(trees->soc, SL_HOST_TREES, trees->shared, what);
}

/* In shared memory, as the options say. The rest of what they say is checked when it is there; what
 * would not fit is not asked for. */
static enum sl_status lay_out(struct sl_task_vector *trees, const struct sl_trees_options *options,
                              bool has_maps)
{
    struct sl_soc *const soc = trees->soc;
    struct sl_trees *const shared =
        sl_soc_alloc_own(soc, "the description of a task vector", sizeof *shared);
    if (shared == NULL) {
        return soc->failure; /* with sl_soc_alloc_own()'s message */
    }
    trees->shared = shared;
    *shared = (struct sl_trees){
        .magic = SL_TREES_MAGIC,
        .flags = options->flags,
        .capacity = options->capacity,
        .arguments = options->arguments,
        .functions = options->functions,
        .maps = has_maps ? options->maps : 0,
        .stack_entries = options->stack > 0 ? options->stack : STACK_DEFAULT,
        .function = 1,
        .log_entries = options->log,
        .delay_ps = (uint64_t)soc->config.number[SL_CFG_TREES_HOST_DELAY],
    };
    if (shared->capacity == 0 || shared->capacity > SL_TREES_SLOTS ||
        shared->arguments > SL_TREES_ARGUMENTS || shared->stack_entries > SL_TREES_EPOCHS ||
        shared->log_entries > SL_TREES_LOG) {
        return check(trees);
    }
    void *const vector = sl_soc_alloc_own(soc, "a task vector", sl_trees_vector_bytes(shared));
    void *const stack = vector != NULL ? sl_soc_alloc_own(soc, "a task vector's stack of epochs",
                                                          sl_trees_stack_bytes(shared))
                                       : NULL;
    shared->vector = (uintptr_t)vector;
    shared->stack = (uintptr_t)stack;
    if (stack == NULL) {
        return soc->failure;
    }
    if (shared->log_entries > 0) {
        shared->log =
            (uintptr_t)sl_soc_alloc_own(soc, "a task vector's log", sl_trees_log_bytes(shared));
    }
    return shared->log_entries == 0 || shared->log != 0 ? SL_OK : soc->failure;
}

enum sl_status sl_trees_create(struct sl_module *module, const char *kernel, const char *map_kernel,
                               const struct sl_trees_options *options, struct sl_task_vector **out)
{
    SL_HOLD(sl_module_soc(module));
    struct sl_soc *const soc = sl_module_soc(module);
    struct sl_task_vector *const trees = calloc(1, sizeof *trees);
    *out = NULL;
    if (trees == NULL) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "out of memory");
    }
    trees->soc = soc;
    trees->next = soc->run->vectors;
    soc->run->vectors = trees;
    enum sl_status status = SL_OK;
    if ((map_kernel == NULL) != (options->maps == 0)) {
        status = sl_soc_fail(soc, SL_ERROR_USAGE,
                             "%s: %u functions of maps, and %s kernel for them: give both or none",
                             what, options->maps, map_kernel == NULL ? "no" : "a");
    }
    if (status == SL_OK) {
        status = lay_out(trees, options, map_kernel != NULL);
    }
    if (trees->shared != NULL) {
        trees->kept = *trees->shared;
    }
    if (status == SL_OK) {
        status = describe(module, trees, SL_TREES_OF_EPOCHS, kernel, options->group, options->lds);
    }
    if (status == SL_OK && map_kernel != NULL) {
        status = describe(module, trees, SL_TREES_OF_MAPS, map_kernel, options->map_group, 0);
    }
    if (status == SL_OK) {
        status = check(trees);
    }
    if (status != SL_OK) {
        sl_trees_destroy(trees);
        return status;
    }
    *out = trees;
    return SL_OK;
}

void sl_trees_destroy(struct sl_task_vector *trees)
{
    if (trees == NULL) {
        return;
    }
    SL_HOLD(trees->soc);
    struct sl_run *const run = trees->soc->run;
    struct sl_task_vector **link = &run->vectors;
    while (*link != trees) {
        link = &(*link)->next;
    }
    *link = trees->next;
    if (trees->shared != NULL) {
        if (run->trees == trees) {
            run->trees = NULL;
            run->launched.count = 0;
        }
        sl_free(trees->soc, (void *)(uintptr_t)trees->kept.vector);
        sl_free(trees->soc, (void *)(uintptr_t)trees->kept.stack);
        sl_free(trees->soc, (void *)(uintptr_t)trees->kept.log);
        sl_free(trees->soc, trees->shared);
    }
    free(trees);
}

void sl_trees_destroy_all(struct sl_run *run)
{
    while (run->vectors != NULL) {
        struct sl_task_vector *const trees = run->vectors;
        run->vectors = trees->next;
        free(trees); /* the heap goes with the machine */
    }
}

static uint32_t *argument(const struct sl_task_vector *trees, uint32_t number)
{
    const struct sl_trees *const kept = &trees->kept;
    return (uint32_t *)(uintptr_t)kept->vector + (1 + (size_t)number) * kept->capacity;
}

enum sl_status sl_trees_execute(struct sl_task_vector *trees, uint32_t function,
                                const uint32_t *arguments, unsigned count)
{
    SL_HOLD(trees->soc);
    struct sl_trees *const shared = trees->shared;
    struct sl_soc *const soc = trees->soc;
    struct sl_run *const run = soc->run;
    if (sl_run_check_idle(soc, what) != SL_OK) {
        return SL_ERROR_USAGE;
    }
    if (count > trees->kept.arguments) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "%s: %u arguments of 4 bytes for the first task; a task has %u", what,
                           count, trees->kept.arguments);
    }
    shared->function = function;
    const enum sl_status status = check(trees);
    if (status != SL_OK) {
        return status;
    }
    for (uint32_t i = 0; i < count; i++) {
        *argument(trees, i) = arguments[i];
    }
    run->trees = trees;
    run->launched.launches = shared->launch;
    run->launched.count = launch_count(&trees->kept);
    for (uint32_t i = 0; i < run->launched.count; i++) {
        run->launched.kernels[i] = trees->kernels[i];
    }
    return sl_run_start(soc, &sl_kind_trees, (uintptr_t)shared);
}

uint64_t sl_trees_result(const struct sl_task_vector *trees)
{
    const uint64_t low = *argument(trees, 0);
    return trees->kept.arguments > 1 ? (uint64_t)*argument(trees, 1) << 32 | low : low;
}

static void print_log(const struct sl_task_vector *trees, FILE *file)
{
    const struct sl_trees_log *const log = (const struct sl_trees_log *)(uintptr_t)trees->kept.log;
    const uint64_t epochs = trees->shared->epochs;
    const uint64_t entries = trees->kept.log_entries;

    (void)fprintf(file, "# epoch first end old_next_free next_free joined maps depth\n");
    for (uint64_t i = 0; i < epochs && i < entries; i++) {
        (void)fprintf(file, "%u %u %u %u %u %u %u %u\n", log[i].epoch, log[i].first, log[i].end,
                      log[i].old_next_free, log[i].next_free, log[i].joined, log[i].maps,
                      log[i].depth);
    }
    if (epochs > entries) {
        (void)fprintf(file, "# %" PRIu64 " more, for which the log had no room\n",
                      epochs - entries);
    }
}

enum sl_status sl_trees_write_log(const struct sl_task_vector *trees, const char *path)
{
    struct sl_output output;
    if (trees->kept.log_entries == 0) {
        return sl_soc_fail(trees->soc, SL_ERROR_USAGE,
                           "%s: it keeps no log of epochs; say in its options for how many", what);
    }
    if (sl_output_open(&output, path) == 0) {
        print_log(trees, output.file);
    }
    const int reason = sl_output_close(&output, 0);
    return reason == 0
               ? SL_OK
               : sl_soc_fail(trees->soc,
                             sl_target_is_of_name(reason) ? SL_ERROR_USAGE : SL_ERROR_MACHINE,
                             "epochs file '%s': %s", path, strerror(reason));
}

struct sl_trees *sl_trees_shared(const struct sl_task_vector *trees)
{
    return trees->shared;
}

/* Its vector, and of its description what kernels count in (sluice/wave/trees.h). */
static void add_ranges(struct sl_soc *soc, struct sl_protection *table)
{
    if (soc->run->trees == NULL) {
        return;
    }
    const struct sl_trees *const trees = &soc->run->trees->kept;
    const uint64_t base = (uintptr_t)soc->run->trees->shared;
    const uint64_t counts =
        base + offsetof(struct sl_trees, next_free) / SL_RANGE_GRAIN * SL_RANGE_GRAIN;
    const uint64_t results = base + offsetof(struct sl_trees, epochs);
    const uint64_t vector_bytes =
        (sl_trees_vector_bytes(trees) + SL_RANGE_GRAIN - 1) / SL_RANGE_GRAIN * SL_RANGE_GRAIN;
    const uint32_t both = (uint32_t)SL_ACCESS_READ | (uint32_t)SL_ACCESS_WRITE;
    sl_protection_add(table, base, counts, SL_ACCESS_READ, SL_RANGE_TREES);
    sl_protection_add(table, counts, results, both, SL_RANGE_TREES);
    sl_protection_add(table, results, base + sizeof *trees, SL_ACCESS_READ, SL_RANGE_TREES);
    sl_protection_add(table, trees->vector, trees->vector + vector_bytes, both, SL_RANGE_TREES);
}

static void add_statistics(struct sl_soc *soc, uint64_t *statistics)
{
    const struct sl_run *const run = soc->run;
    if (run->trees == NULL) {
        return;
    }
    const struct sl_trees *const shared = run->trees->shared;
    const struct sl_trees *const kept = &run->trees->kept;
    statistics[SL_STAT_TREES_EPOCHS] = shared->epochs;
    statistics[SL_STAT_TREES_EMPTY_EPOCHS] = shared->empty_epochs;
    statistics[SL_STAT_TREES_FORKS] = shared->forks;
    statistics[SL_STAT_TREES_FORK_ATOMICS] = shared->next_free >> 32;
    statistics[SL_STAT_TREES_LANES] = shared->lanes;
    statistics[SL_STAT_TREES_MAPS] = shared->mapped;
    statistics[SL_STAT_TREES_SLOTS_MAX] = shared->slots_max;
    statistics[SL_STAT_TREES_BYTES] =
        sl_trees_vector_bytes(kept) + sl_trees_stack_bytes(kept) + sizeof *kept;
}

/* "; epoch 3, after 17 others" */
static void append_epoch(const struct sl_launched *launched, const struct sl_message_agg *message,
                         char *out, size_t bytes)
{
    (void)launched;
    sl_text_append(out, bytes, "; epoch %" PRIu64 ", after %" PRIu64 " others",
                   message->argument[6], message->argument[7]);
}

const struct sl_run_kind sl_kind_trees = {
    .type = SL_HOST_TREES,
    .name = what,
    .add_ranges = add_ranges,
    .add_statistics = add_statistics,
    .append_position = append_epoch,
};

enum sl_status sl_soc_trees_unchecked(struct sl_soc *soc, uint64_t trees_address)
{
    SL_HOLD(soc);
    return sl_run_start_unchecked(soc, &sl_kind_trees, trees_address);
}
