/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Reads N MiB from one end to the other, or copies them: the program that is as fast as DRAM is.
 * An NDRange of 64 work-groups, whose work-items go through the array side by side. The result is
 * the sum of the values, of which every second one in a row of four grids is XORed to the one
 * before it, or that of the copy. Its kernels are stream_kernel.c. */

#include "sluice/program.h"

#define GROUP 256u
#define ITEMS (64u * GROUP)

struct arguments {
    uint32_t mebibytes;
    bool copies;
    uint64_t sum;
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 256, SL_INTO(struct arguments, mebibytes)},
    {"copy", 'c', SL_FLAG, 0, 0, SL_INTO(struct arguments, copies),
     "Copy the values instead of adding them up"},
    {0},
};

static uint64_t count_of(const struct arguments *arguments)
{
    return (uint64_t)arguments->mebibytes * SL_MIB(1) / sizeof(uint64_t);
}

static uint64_t value_at(uint64_t i)
{
    return (i + 1) * 0x9e3779b97f4a7c15u;
}

/* The sum that the kernel makes: in rows of the grid, the first with the second one, the third with
 * the fourth. */
static uint64_t sum_of_pairs(uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i += i % ITEMS == ITEMS - 1 ? ITEMS + 1 : 1) {
        sum += value_at(i) ^ value_at(i + ITEMS);
    }
    return sum;
}

static uint64_t sum_of(const uint64_t *values, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint64_t count = count_of(arguments);

    uint64_t *const values = sl_app_alloc(soc, count * sizeof *values, 0);
    uint64_t *const out = sl_app_alloc(soc, (arguments->copies ? count : 1) * sizeof *out, 0);
    for (uint64_t i = 0; i < count; i++) {
        values[i] = value_at(i);
    }
    const enum sl_status status =
        sl_app_launch(soc, arguments->copies ? "stream_copy" : "stream_read", ITEMS, GROUP, 0,
                      SL_VALUES(values, count, out));
    if (status == SL_OK) {
        arguments->sum = arguments->copies ? sum_of(out, count) : *out;
        sl_app_result("stream(%" PRIu32 ") = %" PRIu64, arguments->mebibytes, arguments->sum);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint64_t count = count_of(arguments);
    uint64_t expected = 0;

    if (arguments->copies) {
        for (uint64_t i = 0; i < count; i++) {
            expected += value_at(i);
        }
    } else {
        expected = sum_of_pairs(count);
    }
    return sl_app_check(arguments->sum == expected, "the sum is %" PRIu64, expected);
}

static const struct sl_app app = {
    .doc = "Read or copy N MiB on the simulated accelerator, and check the sum.\vA multiple of 512 "
           "KiB is what the grid reads in a round.",
    .table = table,
    .arguments = &(struct arguments){0},
    .kernels = "stream.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
