/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Histogram of N bytes, as of an image that comes in parts (docs/know/quickrelease-programs.md,
 * "qr_histogram"): of each part, work-groups count blocks, and a second launch adds their counts to
 * the histogram. All launches are one run. Its kernels are qr_histogram_kernel.c. */
#include "workloads/histogram/qr_histogram.h"

#include <string.h>

#include "sluice/program.h"
#include "workloads/common/launches.h"
#include "workloads/common/words.h"

#define BINS HISTOGRAM_BINS

struct arguments {
    uint32_t n;
    uint32_t parts;        /* at most; each but the last is whole blocks */
    uint32_t counts[BINS]; /* the result */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 268435456, SL_INTO(struct arguments, n)},
    {"parts", 'p', SL_NUMBER, 1, SL_SEQUENCE_LAUNCHES / 2, SL_INTO(struct arguments, parts),
     "In how many parts to count"},
    {0},
};

/* The minimum of two random bytes. */
static uint8_t value_at(uint32_t i)
{
    const uint32_t hash = (i ^ i >> 15) * 2654435761u;
    const uint8_t a = (uint8_t)(hash >> 24);
    const uint8_t b = (uint8_t)(hash >> 16);
    return a < b ? a : b;
}

static uint32_t largest(const uint32_t *counts)
{
    uint32_t most = 0;
    for (unsigned bin = 0; bin < BINS; bin++) {
        most = counts[bin] > most ? counts[bin] : most;
    }
    return most;
}

static uint32_t blocks_of(uint32_t count)
{
    return (count - 1) / HISTOGRAM_BLOCK + 1;
}

/* Blocks of a part, where all are together as few as the parts allow. */
static uint32_t blocks_of_part(const struct arguments *arguments)
{
    return (blocks_of(arguments->n) - 1) / arguments->parts + 1;
}

static void note_launches(struct launches *launches, const struct arguments *arguments,
                          const uint8_t *values, uint32_t *sums, uint32_t *bins)
{
    const uint32_t part = blocks_of_part(arguments) * HISTOGRAM_BLOCK;

    for (uint32_t begin = 0; begin < arguments->n; begin += part) {
        const uint32_t left = arguments->n - begin;
        const uint32_t count = left < part ? left : part;
        const uint32_t groups = blocks_of(count);
        const uint64_t to_count[] = {(uintptr_t)(values + begin), count, (uintptr_t)sums};
        const uint64_t to_merge[] = {(uintptr_t)sums, groups, (uintptr_t)bins};
        launches_add(launches, "histogram_count", groups * HISTOGRAM_GROUP, HISTOGRAM_GROUP, 0,
                     to_count, 3);
        launches_add(launches, "histogram_merge", BINS, HISTOGRAM_GROUP, 0, to_merge, 3);
    }
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    uint8_t *const values = sl_app_alloc(soc, blocks_of(n) * (size_t)HISTOGRAM_BLOCK, 0);
    uint32_t *const sums =
        sl_app_alloc(soc, (size_t)blocks_of_part(arguments) * BINS * sizeof *sums, 0);
    uint32_t *const bins = sl_app_alloc(soc, BINS * sizeof *bins, 0);
    for (uint32_t i = 0; i < n; i++) {
        values[i] = value_at(i);
    }
    note_launches(&launches, arguments, values, sums, bins);
    const enum sl_status status = launches_run(&launches);
    if (status == SL_OK) {
        memcpy(arguments->counts, bins, sizeof arguments->counts);
        sl_app_result("qr_histogram(%" PRIu32 ") = %" PRIu32, n, largest(arguments->counts));
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    uint32_t right[BINS] = {0};

    for (uint32_t i = 0; i < arguments->n; i++) {
        right[value_at(i)]++;
    }
    return words_are_equal("count of", arguments->counts, right, BINS);
}

static const struct sl_app app = {
    .doc = "Count how often each byte is among N of them on the simulated accelerator, and check "
           "the counts; the result is the largest one.\vParts are whole blocks of 16384 bytes: few "
           "bytes have fewer parts.",
    .table = table,
    .arguments = &(struct arguments){.n = 2097152, .parts = 4},
    .kernels = "qr_histogram.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
