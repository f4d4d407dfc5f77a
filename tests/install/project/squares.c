/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A program of a user's, outside the source tree: the sum of the first N squares, which an atomic
 * operation of each work-item adds up. */

#include <sluice/program.h>

struct arguments {
    uint32_t n;
    uint64_t sum;
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 100000, SL_INTO(struct arguments, n)},
    {0},
};

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t grid[3] = {arguments->n, 1, 1};
    const uint32_t group[3] = {64, 1, 1};
    uint64_t *const sum = sl_app_alloc(soc, sizeof *sum, 0);
    const uint64_t constants[] = {(uintptr_t)sum};

    enum sl_status status =
        sl_launch(sl_app_kernels(soc), "add_squares", grid, group, 0, constants, 1);
    if (status == SL_OK) {
        status = sl_app_wait(soc, NULL);
    }
    if (status == SL_OK) {
        arguments->sum = *sum;
        sl_app_result("squares(%" PRIu32 ") = %" PRIu64, arguments->n, arguments->sum);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint64_t n = arguments->n;
    const uint64_t right = (n - 1) * n * (2 * n - 1) / 6;

    return sl_app_check(arguments->sum == right, "the sum is %" PRIu64, right);
}

static const struct sl_app app = {
    .doc = "Add up N squares.",
    .table = table,
    .arguments = &(struct arguments){0},
    .kernels = "squares.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
