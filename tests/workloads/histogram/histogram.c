/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Histogram of N bytes, whose low values are more frequent: an NDRange of as many work-groups as
 * the machine holds at once; each counts its share in LDS. Its kernel is histogram_kernel.c. */
#include <string.h>

#include "sluice/program.h"

#define BINS       256
#define GROUP      256
#define GROUPS_MAX 64

struct arguments {
    uint32_t n;
    uint32_t yield_every;  /* 0: never */
    uint32_t counts[BINS]; /* the result */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 268435456, SL_INTO(struct arguments, n)},
    {"yield-every", 'y', SL_NUMBER, 1, BINS, SL_INTO(struct arguments, yield_every),
     "Yield at values that are multiples of K (default: never)", "K"},
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

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n;

    uint8_t *const values = sl_app_alloc(soc, n, 0);
    uint32_t *const bins = sl_app_alloc(soc, BINS * sizeof *bins, 0);
    for (uint32_t i = 0; i < n; i++) {
        values[i] = value_at(i);
    }
    const uint32_t most = GROUP * GROUPS_MAX;
    const uint32_t grid[3] = {n < most ? n : most, 1, 1};
    const uint32_t group[3] = {GROUP, 1, 1};
    const uint64_t constants[] = {(uintptr_t)values, n, (uintptr_t)bins, arguments->yield_every};
    enum sl_status status =
        sl_launch(sl_app_kernels(soc), "histogram_kernel", grid, group, 0, constants, 4);
    if (status == SL_OK) {
        status = sl_app_wait(soc, NULL);
    }
    if (status == SL_OK) {
        memcpy(arguments->counts, bins, sizeof arguments->counts);
        sl_app_result("histogram(%" PRIu32 ") = %" PRIu32, n, largest(arguments->counts));
    }
    return status;
}

/* Whether the counts are right; says which is not. */
static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint32_t *const counts = arguments->counts;
    uint32_t expected[BINS] = {0};

    for (uint32_t i = 0; i < arguments->n; i++) {
        expected[value_at(i)]++;
    }
    for (unsigned bin = 0; bin < BINS; bin++) {
        if (!sl_app_check(counts[bin] == expected[bin],
                          "%" PRIu32 " bytes of value %u, not %" PRIu32, expected[bin], bin,
                          counts[bin])) {
            return false;
        }
    }
    return true;
}

static const struct sl_app app = {
    .doc = "Count how often each byte is among N of them on the simulated accelerator, and check "
           "the counts; the result is the largest one.",
    .table = table,
    .arguments = &(struct arguments){0},
    .kernels = "histogram.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
