/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Task vectors of programs. */
#include "workloads/common/trees.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>

#include "sluice/program.h"

#define LOG_DEFAULT 65536

const struct sl_argument trees_rows[] = {
    {"capacity", 0, SL_NUMBER, 1, SL_TREES_SLOTS, SL_INTO(struct trees_options, capacity),
     "Slots of the task vector (default: enough)", "SLOTS"},
    {"epochs", 0, SL_OUTPUT, 0, 0, SL_INTO(struct trees_options, epochs),
     "Write an epoch a line to FILE"},
    {"group", 'g', SL_NUMBER, 1, SL_GROUP_ITEMS, SL_INTO(struct trees_options, group),
     "Work-items of a work-group (default 256)", "ITEMS"},
    {"stack", 0, SL_NUMBER, 1, SL_TREES_EPOCHS, SL_INTO(struct trees_options, stack),
     "Epochs that their stack has room for (default 4096)", "EPOCHS"},
    {"words", 0, SL_CHOICE, 0, 0, SL_INTO(struct trees_options, is_apart),
     "Where the three words are that an epoch gives back: together in a line (default), or apart "
     "in three",
     "together|apart"},
    {0},
};

const struct sl_argument trees_map_rows[] = {
    {.rows = trees_rows},
    {"skip-empty", 0, SL_FLAG, 0, 0, SL_INTO(struct trees_options, skips_empty),
     "Run no epochs over slots of maps alone"},
    {0},
};

void trees_put_u32(struct trees_arguments *arguments, uint32_t value)
{
    assert(arguments->count < SL_TREES_ARGUMENTS);
    arguments->piece[arguments->count++] = value;
}

void trees_put_u64(struct trees_arguments *arguments, uint64_t value)
{
    trees_put_u32(arguments, (uint32_t)value);
    trees_put_u32(arguments, (uint32_t)(value >> 32));
}

void trees_put_pointer(struct trees_arguments *arguments, const void *pointer)
{
    trees_put_u64(arguments, (uintptr_t)pointer);
}

enum sl_status trees_create(struct sl_soc *soc, const struct trees_program *program,
                            const struct trees_options *options, struct sl_task_vector **trees)
{
    char file[NAME_MAX];
    struct sl_module *module;
    const uint32_t log = program->log > 0 ? program->log : LOG_DEFAULT;
    const struct sl_trees_options wanted = {
        .capacity = options->capacity > 0 ? options->capacity : program->capacity,
        .arguments = program->arguments,
        .functions = program->functions,
        .maps = program->maps,
        .group = options->group,
        .map_group = options->map_group,
        .lds = program->lds,
        .stack = options->stack,
        .flags = (options->is_apart ? (uint32_t)SL_TREES_APART : 0) |
                 (options->skips_empty ? (uint32_t)SL_TREES_SKIP_EMPTY : 0),
        .log = options->epochs != NULL ? log : 0,
    };

    (void)snprintf(file, sizeof file, "%s.elf", program->name);
    const enum sl_status status = sl_app_load(soc, file, &module);
    return status == SL_OK
               ? sl_trees_create(module, program->name, program->map_kernel, &wanted, trees)
               : status;
}

enum sl_status trees_execute(struct sl_soc *soc, struct sl_task_vector *trees,
                             const struct trees_options *options, uint32_t function,
                             const struct trees_arguments *arguments, uint64_t *result)
{
    enum sl_status status = sl_trees_execute(trees, function, arguments->piece, arguments->count);
    if (status == SL_OK) {
        status = sl_app_wait(soc, NULL);
    }
    if (status == SL_OK && options->epochs != NULL) {
        status = sl_trees_write_log(trees, options->epochs);
    }
    if (status == SL_OK && result != NULL) {
        *result = sl_trees_result(trees);
    }
    return status;
}

enum sl_status trees_run(struct sl_soc *soc, const struct trees_program *program,
                         const struct trees_options *options, uint32_t function,
                         const struct trees_arguments *arguments, uint64_t *result)
{
    struct sl_task_vector *trees;

    const enum sl_status status = trees_create(soc, program, options, &trees);
    return status == SL_OK ? trees_execute(soc, trees, options, function, arguments, result)
                           : status;
}
