/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Exclusive prefix sum of N integers, in place. Work-groups scan blocks of the values, then blocks
 * of the blocks' sums, and so on until one block is left; then each level's sums are added to the
 * blocks of the level below. Every level is a launch of its own, all of them one run. The kernels
 * are scan_kernel.c. */

#include "sluice/program.h"
#include "workloads/common/launches.h"

#define LEVELS_MAX 26 /* 2^25 values in blocks of 2, and the last sum */

/* Level 0 has the values, each other level the sums of the blocks below it. The last one has one.
 */
struct levels {
    unsigned count;
    uint32_t items[LEVELS_MAX];
    uint64_t *values[LEVELS_MAX];
};

struct arguments {
    uint32_t n;
    uint32_t group;
    struct levels levels; /* of the machine */
    uint64_t total;       /* the result */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 33554432, SL_INTO(struct arguments, n)},
    {"group", 'g', SL_NUMBER, 2, SL_GROUP_ITEMS, SL_INTO(struct arguments, group),
     "Work-items of a work-group", "ITEMS"},
    {0},
};

static uint32_t value_at(uint32_t i)
{
    return (i + 1) * 2654435761u ^ i >> 7;
}

static void allocate(struct sl_soc *soc, struct arguments *arguments)
{
    struct levels *const levels = &arguments->levels;
    uint32_t items = arguments->n;
    for (bool is_last = false; !is_last; items = (items - 1) / arguments->group + 1) {
        is_last = items == 1 && levels->count > 0;
        levels->items[levels->count] = items;
        levels->values[levels->count++] = sl_app_alloc(soc, items * sizeof(uint64_t), 0);
    }
}

/* 8 bytes for each wavefront of a work-group. */
static uint32_t lds_bytes(struct sl_soc *soc, uint32_t group)
{
    const uint32_t lanes = (uint32_t)sl_soc_config(soc)->number[SL_CFG_GPU_LANES];
    return ((group - 1) / lanes + 1) * (uint32_t)sizeof(uint64_t);
}

static enum sl_status scan(struct sl_soc *soc, uint32_t group, const struct levels *levels)
{
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    for (unsigned level = 0; level + 1 < levels->count; level++) {
        const uint64_t constants[] = {(uintptr_t)levels->values[level],
                                      (uintptr_t)levels->values[level + 1]};
        launches_add(&launches, "scan_blocks", levels->items[level], group, lds_bytes(soc, group),
                     constants, 2);
    }
    /* The last level is the sum of all, the one below it a single block. */
    for (unsigned level = levels->count - 2; level > 0; level--) {
        const uint64_t constants[] = {(uintptr_t)levels->values[level - 1],
                                      (uintptr_t)levels->values[level]};
        launches_add(&launches, "scan_add_blocks", levels->items[level - 1], group, 0, constants,
                     2);
    }
    return launches_run(&launches);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const struct levels *const levels = &arguments->levels;

    allocate(soc, arguments);
    for (uint32_t i = 0; i < arguments->n; i++) {
        levels->values[0][i] = value_at(i);
    }
    const enum sl_status status = scan(soc, arguments->group, levels);
    if (status == SL_OK) {
        arguments->total = levels->values[levels->count - 1][0];
        sl_app_result("scan(%" PRIu32 ") = %" PRIu64, arguments->n, arguments->total);
    }
    return status;
}

/* Whether all sums are right, in plain C; says which is the first that is not. */
static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint64_t *const scanned = arguments->levels.values[0];
    uint64_t sum = 0;

    for (uint32_t i = 0; i < arguments->n; i++) {
        if (!sl_app_check(scanned[i] == sum,
                          "the sum before value %" PRIu32 " is %" PRIu64 ", not %" PRIu64, i, sum,
                          scanned[i])) {
            return false;
        }
        sum += value_at(i);
    }
    return sl_app_check(arguments->total == sum, "the sum of all is %" PRIu64 ", not %" PRIu64, sum,
                        arguments->total);
}

static const struct sl_app app = {
    .doc = "Compute the exclusive prefix sum of N integers on the simulated accelerator, and check "
           "it; the result is the sum of all.",
    .table = table,
    .arguments = &(struct arguments){.group = 256},
    .kernels = "scan.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
