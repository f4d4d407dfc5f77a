/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sum of N numbers of 32 bits, modulo 2^32 (docs/know/quickrelease-programs.md, "qr_reduction"):
 * work-groups add up blocks of them, a second launch blocks of the sums, and so on until there is
 * one, all of them one run. Its kernel is qr_reduction_kernel.c. */
#include "workloads/reduction/qr_reduction.h"

#include "sluice/program.h"
#include "workloads/common/launches.h"

struct arguments {
    uint32_t n;
    uint32_t times;
    uint32_t sum; /* the result */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 67108864, SL_INTO(struct arguments, n)},
    /* Of four launches at most: 2^26 values in blocks of 256. */
    {"times", 't', SL_NUMBER, 1, SL_SEQUENCE_LAUNCHES / 4, SL_INTO(struct arguments, times),
     "How often to add up the numbers"},
    {0},
};

static uint32_t value_at(uint32_t i)
{
    return (i + 1) * 2654435761u ^ i >> 7;
}

static uint32_t blocks_of(uint32_t count)
{
    return (count - 1) / REDUCTION_BLOCK + 1;
}

/* Each level's sums lie behind those of the level before, in whole blocks too, filled up with
 * zeros. Returns where the last one is. */
static uint32_t *note_launches(struct launches *launches, uint32_t *values, uint32_t n,
                               uint32_t *sums)
{
    uint32_t count = n;
    do {
        const uint32_t blocks = blocks_of(count);
        const uint64_t constants[] = {(uintptr_t)values, (uintptr_t)sums};
        launches_add(launches, "reduction_kernel", blocks * REDUCTION_GROUP, REDUCTION_GROUP, 0,
                     constants, 2);
        values = sums;
        sums += blocks_of(blocks) * REDUCTION_BLOCK;
        count = blocks;
    } while (count > 1);
    return values;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    /* In blocks: of each level a 256th of the one below, rounded up, less than twice the first. */
    const size_t blocks = blocks_of(n);
    const size_t sum_blocks = 2 * (size_t)blocks_of(blocks_of(n)) + 1;
    uint32_t *const values = sl_app_alloc(soc, blocks * REDUCTION_BLOCK * sizeof *values, 0);
    uint32_t *const sums = sl_app_alloc(soc, sum_blocks * REDUCTION_BLOCK * sizeof *sums, 0);
    for (uint32_t i = 0; i < n; i++) {
        values[i] = value_at(i);
    }
    const uint32_t *last = NULL;
    for (uint32_t i = 0; i < arguments->times; i++) {
        last = note_launches(&launches, values, n, sums);
    }
    const enum sl_status status = launches_run(&launches);
    if (status == SL_OK) {
        arguments->sum = *last;
        sl_app_result("qr_reduction(%" PRIu32 ") = %" PRIu32, n, arguments->sum);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    uint32_t right = 0;

    for (uint32_t i = 0; i < arguments->n; i++) {
        right += value_at(i);
    }
    return sl_app_check(arguments->sum == right, "the sum is %" PRIu32, right);
}

static const struct sl_app app = {
    .doc = "Add up N numbers on the simulated accelerator in as many launches as leave one sum, "
           "and check it.\vThe result is the sum modulo 2^32.",
    .table = table,
    .arguments = &(struct arguments){.n = 524288, .times = 1},
    .kernels = "qr_reduction.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
