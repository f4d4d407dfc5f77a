/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Convolution of an image of N x N floats with a filter of 5 x 5
 * (docs/know/consistency-programs.md, "mttop_conv2d"), several times over. Its kernel is
 * mttop_conv2d_kernel.c.
 *
 * The plain C that checks it computes each pixel with the same operations, so that all pixels have
 * to be equal to the last bit. */
#include "workloads/convolution/mttop_conv2d.h"

#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/floats.h"
#include "workloads/common/matrix.h"
#include "workloads/common/resident.h"

struct arguments {
    uint32_t n;
    uint32_t times;
    uint32_t groups;
    /* In the shared heap. */
    float *filter;
    float *images[2]; /* in turn, borders and all */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 2048, SL_INTO(struct arguments, n)},
    {"times", 't', SL_NUMBER, 1, 64, SL_INTO(struct arguments, times), "How often to convolve"},
    RESIDENT_ROW(struct arguments, groups),
    {0},
};

static size_t pitch_of(uint32_t n)
{
    return (size_t)n + 2 * REACH;
}

/* Random pixels within a border of zeros. */
static void fill_image(float *image, uint32_t n)
{
    uint64_t random = 1;

    for (uint32_t row = 0; row < n; row++) {
        matrix_fill(image + (row + REACH) * pitch_of(n) + REACH, n, &random);
    }
}

/* Weights whose absolute values add up to 1 at most, so that pixels do not grow. */
static void fill_filter(float *filter)
{
    uint64_t random = 2;

    matrix_fill(filter, (size_t)SIDE * SIDE, &random);
    for (int i = 0; i < SIDE * SIDE; i++) {
        filter[i] /= SIDE * SIDE;
    }
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    const size_t bytes = pitch_of(n) * pitch_of(n) * sizeof(float);

    arguments->filter = sl_app_alloc(soc, SIDE * SIDE * sizeof(float), 0);
    arguments->images[0] = sl_app_alloc(soc, bytes, 0);
    arguments->images[1] = sl_app_alloc(soc, bytes, 0);
    fill_filter(arguments->filter);
    fill_image(arguments->images[0], n);
    const enum sl_status status =
        resident_run(soc, "conv2d_filter", arguments->groups, n * RESIDENT_GROUP,
                     SL_VALUES(arguments->filter, arguments->images[0], arguments->images[1], n,
                               arguments->times));
    if (status == SL_OK) {
        sl_app_result(
            "mttop_conv2d(%" PRIu32 ") = %.9g", n,
            floats_sum(arguments->images[arguments->times % 2], pitch_of(n) * pitch_of(n)));
    }
    return status;
}

static void convolve_in_plain_c(const float *filter, const float *image, float *other, uint32_t n)
{
    const size_t pitch = pitch_of(n);

    for (uint32_t row = 0; row < n; row++) {
        for (uint32_t column = 0; column < n; column++) {
            const size_t first = row * pitch + column;
            other[first + REACH * pitch + REACH] =
                convolved(filter, image + first, (uint32_t)pitch);
        }
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const size_t count = pitch_of(arguments->n) * pitch_of(arguments->n);
    float *const right = sl_app_memory(2 * count, sizeof *right);
    float *const turn[2] = {right, right + count};

    fill_image(right, arguments->n);
    for (uint32_t time = 0; time < arguments->times; time++) {
        convolve_in_plain_c(arguments->filter, turn[time % 2], turn[(time + 1) % 2], arguments->n);
    }
    const bool is_equal = floats_are_equal("pixel", arguments->images[arguments->times % 2],
                                           turn[arguments->times % 2], count);
    free(right);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Convolve an image of N x N floats with a filter of 5 x 5 on the simulated accelerator, "
           "the result again, and so on, all in one launch, and check all pixels.\vThe result is "
           "the sum of all pixels.",
    .table = table,
    .arguments = &(struct arguments){.n = 384, .times = 2},
    .kernels = "mttop_conv2d.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
