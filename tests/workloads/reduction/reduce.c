/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sum of N numbers: an NDRange of one work-item for each, in work-groups that add up in LDS between
 * barriers. Its kernel is reduce_kernel.c. */

#include "sluice/program.h"

struct arguments {
    uint32_t n;
    uint32_t group;
    uint64_t sum; /* the result */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 67108864, SL_INTO(struct arguments, n)},
    {"group", 'g', SL_POWER_OF_TWO, 1, SL_GROUP_ITEMS, SL_INTO(struct arguments, group),
     "Work-items of a work-group", "ITEMS"},
    {0},
};

static uint32_t value_at(uint32_t i)
{
    return (i + 1) * 2654435761u ^ i >> 7;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t grid[3] = {arguments->n, 1, 1};
    const uint32_t group[3] = {arguments->group, 1, 1};

    uint32_t *const values = sl_app_alloc(soc, arguments->n * sizeof *values, 0);
    uint64_t *const result = sl_app_alloc(soc, sizeof *result, 0);
    for (uint32_t i = 0; i < arguments->n; i++) {
        values[i] = value_at(i);
    }
    const uint64_t constants[] = {(uintptr_t)values, (uintptr_t)result};
    enum sl_status status = sl_launch(sl_app_kernels(soc), "reduce_kernel", grid, group,
                                      arguments->group * (uint32_t)sizeof(uint64_t), constants, 2);
    if (status == SL_OK) {
        status = sl_app_wait(soc, NULL);
    }
    if (status == SL_OK) {
        arguments->sum = *result;
        sl_app_result("reduce(%" PRIu32 ") = %" PRIu64, arguments->n, arguments->sum);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    uint64_t right = 0;

    for (uint32_t i = 0; i < arguments->n; i++) {
        right += value_at(i);
    }
    return sl_app_check(arguments->sum == right, "the sum is %" PRIu64, right);
}

static const struct sl_app app = {
    .doc = "Add up N numbers on the simulated accelerator, and check the sum.",
    .table = table,
    .arguments = &(struct arguments){.group = 256},
    .kernels = "reduce.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
