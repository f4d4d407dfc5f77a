/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sum of N numbers of 32 bits, modulo 2^32 (docs/know/quickrelease-programs.md, "qr_reduction"):
 * work-groups add up blocks of them, a second launch blocks of the sums, and so on until there is
 * one, all of them one run. Its kernel is qr_reduction_kernel.c. */
#include "workloads/reduction/qr_reduction.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/launches.h"

#define N_DEFAULT 524288
#define N_MAX     67108864
#define TIMES_MAX 64 /* of four launches at most: 2^26 values in blocks of 256 */

struct arguments {
    uint32_t n;
    uint32_t times;
    uint32_t sum; /* the result */
};

static const struct argp_option option_table[] = {
    {"times", 't', "NUMBER", 0, "How often to add up the numbers, 1 to 64 (default 1)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 't':
        arguments->times = (uint32_t)sl_app_number(state, "--times", argument, 1, TIMES_MAX);
        return 0;
    default:
        return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc =
        "Add up N numbers on the simulated accelerator in as many launches as leave one sum, and "
        "check it.\vN is from 1 to 67108864, 524288 where it is not given. The result is the sum "
        "modulo 2^32.",
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
    struct launches launches = {.soc = soc};

    enum sl_status status = sl_app_load(soc, "qr_reduction.elf", &launches.module);
    if (status != SL_OK) {
        return status;
    }
    /* In blocks: of each level a 256th of the one below, rounded up, less than twice the first. */
    const size_t blocks = blocks_of(n);
    const size_t sum_blocks = 2 * (size_t)blocks_of(blocks_of(n)) + 1;
    uint32_t *const values = sl_alloc(soc, blocks * REDUCTION_BLOCK * sizeof *values, 0);
    uint32_t *const sums = sl_alloc(soc, sum_blocks * REDUCTION_BLOCK * sizeof *sums, 0);
    if (values == NULL || sums == NULL) {
        return SL_ERROR_USAGE;
    }
    for (uint32_t i = 0; i < n; i++) {
        values[i] = value_at(i);
    }
    const uint32_t *last = NULL;
    for (uint32_t i = 0; i < arguments->times; i++) {
        last = note_launches(&launches, values, n, sums);
    }
    status = launches_run(&launches);
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
    if (arguments->sum != right) {
        (void)fprintf(stderr, "qr_reduction: wrong: the sum is %" PRIu32 "\n", right);
    }
    return arguments->sum == right;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.n = N_DEFAULT, .times = 1};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
