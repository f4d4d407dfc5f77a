/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Histogram of images of N pixels, whose bins count up to 255 (docs/know/hybrid-programs.md,
 * "hybrid_histo"): of each image four launches find the extremes, the bin of each pixel, the
 * counts, and what these make of the histogram. All launches are one run. Its kernels are
 * hybrid_histo_kernel.c. */
#include "workloads/histogram/hybrid_histo.h"

#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/hybrid.h"
#include "workloads/common/keys.h"
#include "workloads/common/launches.h"
#include "workloads/common/words.h"

struct arguments {
    uint32_t n;
    uint32_t bins;
    uint32_t images;
    uint32_t *pixels; /* of one image after the other */
    uint8_t *histogram;
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 16777216, SL_INTO(struct arguments, n)},
    {"bins", 'b', SL_NUMBER, 1, 16777216, SL_INTO(struct arguments, bins), "Bins of the histogram"},
    {"images", 'i', SL_NUMBER, 1, SL_SEQUENCE_LAUNCHES / 4, SL_INTO(struct arguments, images),
     "Images to count"},
    {0},
};

/* Half of the pixels are anywhere from 0 to 2^24, with most in the middle; the others near one
 * value, in a 512th of that. */
static uint32_t value_at(uint32_t i)
{
    const struct keys random = {0, KEYS_RANDOM, 1};
    const uint32_t a = keys_at(&random, 2 * i), b = keys_at(&random, 2 * i + 1);
    const uint32_t bell = (a >> 10) + (b >> 10) + (a >> 4 & 0x3fffff) + (b >> 4 & 0x3fffff);

    return (a ^ b) & 1 ? bell : 0x500000 + (bell >> 9);
}

static void note_image(struct launches *launches, const struct arguments *arguments,
                       const uint32_t *image, struct extremes *extremes, uint32_t *bin_of,
                       uint32_t *counts)
{
    const uint32_t n = arguments->n, bins = arguments->bins;
    const uint32_t slices = (n - 1) / HISTO_SLICE + 1;
    const uint32_t range_bins = (bins - 1) / HISTO_RANGES + 1;
    const uint32_t grid[] = {HISTO_RANGES * HISTO_GROUP, slices}, group[] = {HISTO_GROUP, 1};
    const uint64_t prescan[] = {(uintptr_t)image, n, (uintptr_t)extremes};
    const uint64_t inter[] = {(uintptr_t)image, n, (uintptr_t)extremes, bins, (uintptr_t)bin_of};
    const uint64_t count[] = {(uintptr_t)bin_of, n, range_bins, (uintptr_t)arguments->histogram,
                              (uintptr_t)counts};
    const uint64_t final[] = {(uintptr_t)counts, (uintptr_t)arguments->histogram};

    launches_add(launches, "histo_prescan", slices * HISTO_GROUP, HISTO_GROUP, 0, prescan, 3);
    launches_add(launches, "histo_inter", slices * HISTO_GROUP, HISTO_GROUP, 0, inter, 5);
    launches_add_plane(launches, "histo_main", grid, group, 0, count, 5);
    launches_add(launches, "histo_final", bins, HISTO_GROUP, 0, final, 2);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    arguments->pixels =
        sl_app_alloc(soc, (size_t)arguments->images * n * sizeof(uint32_t), HYBRID_LINE);
    arguments->histogram = sl_app_alloc(soc, arguments->bins, HYBRID_LINE);
    struct extremes *const extremes =
        sl_app_alloc(soc, arguments->images * sizeof *extremes, HYBRID_LINE);
    uint32_t *const bin_of = sl_app_alloc(soc, n * sizeof *bin_of, HYBRID_LINE);
    uint32_t *const counts = sl_app_alloc(soc, arguments->bins * sizeof *counts, HYBRID_LINE);
    for (uint32_t image = 0; image < arguments->images; image++) {
        uint32_t *const pixels = arguments->pixels + (size_t)image * n;
        for (uint32_t i = 0; i < n; i++) {
            pixels[i] = value_at(image * n + i);
        }
        extremes[image].least = UINT32_MAX;
        note_image(&launches, arguments, pixels, &extremes[image], bin_of, counts);
    }
    const enum sl_status status = launches_run(&launches);
    if (status == SL_OK) {
        uint64_t sum = 0;
        for (uint32_t bin = 0; bin < arguments->bins; bin++) {
            sum += arguments->histogram[bin];
        }
        sl_app_result("hybrid_histo(%" PRIu32 ") = %" PRIu64, n, sum);
    }
    return status;
}

/* Counts an image in plain C. */
static void count_image(const uint32_t *pixels, uint32_t n, uint64_t bins, uint32_t *histogram)
{
    uint32_t least = UINT32_MAX, greatest = 0;

    for (uint32_t i = 0; i < n; i++) {
        least = pixels[i] < least ? pixels[i] : least;
        greatest = pixels[i] > greatest ? pixels[i] : greatest;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *const bin =
            &histogram[histo_bin(pixels[i], least, (uint64_t)greatest - least + 1, bins)];
        *bin += *bin < HISTO_MOST;
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    uint32_t *const right = sl_app_memory(2 * (size_t)arguments->bins, sizeof *right);
    uint32_t *const is = right + arguments->bins;

    for (uint32_t image = 0; image < arguments->images; image++) {
        count_image(arguments->pixels + (size_t)image * arguments->n, arguments->n, arguments->bins,
                    right);
    }
    for (uint32_t bin = 0; bin < arguments->bins; bin++) {
        is[bin] = arguments->histogram[bin];
    }
    const bool is_equal = words_are_equal("bin", is, right, arguments->bins);
    free(right);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Count into a large histogram the values of images of N pixels each, from their least "
           "to their greatest, on the simulated accelerator, and check all bins, which count up "
           "to 255.\vThe result is the sum of all bins.",
    .table = table,
    .arguments = &(struct arguments){.n = 524288, .bins = 524288, .images = 4},
    .kernels = "hybrid_histo.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
