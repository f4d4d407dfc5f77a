/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fast Fourier transform of N complex floats (docs/know/consistency-programs.md, "mttop_fft"): all
 * stages in one launch, none in LDS. Its kernel is mttop_fft_kernel.c.
 *
 * Twiddle factors are a table: sines and cosines in double precision, rounded, so that the error of
 * each factor is u = 2^-24 at most. The bound on the transform's follows from it
 * (workloads/common/fourier.h). */
#include "workloads/fft/mttop_fft.h"

#include <stdlib.h>

#include "sluice/memory_map.h"
#include "sluice/program.h"
#include "workloads/common/fourier.h"
#include "workloads/common/resident.h"

#define LINE_POINTS   (SL_CACHE_LINE_BYTES / sizeof(float complex))
#define TWIDDLE_ERROR 0x1p-24

struct arguments {
    uint32_t n;
    uint32_t groups;
    uint32_t lines; /* left free behind each run of points (mttop_fft.h) */
    uint32_t gap;   /* the same in points */
    double error;   /* of the transform, relative to it */
    /* In the shared heap, input and output in their places. */
    float complex *input;
    float complex
        *twiddles; /* of all stages; the stage that joins blocks of h points has its from h on */
    float complex *output;
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_POWER_OF_TWO, 2, 1048576, SL_INTO(struct arguments, n)},
    {"gap", 'l', SL_NUMBER, 0, 64, SL_INTO(struct arguments, lines),
     "Cache lines left free behind each 4 KiB of points", "LINES"},
    RESIDENT_ROW(struct arguments, groups),
    {0},
};

static void make(struct sl_soc *soc, struct arguments *arguments, const float complex *points)
{
    const uint32_t n = arguments->n;
    const size_t bytes = (point_place(n - 1, arguments->gap) + 1) * sizeof *points;

    arguments->input = sl_app_alloc(soc, bytes, 0);
    arguments->twiddles = sl_app_alloc(soc, n * sizeof *arguments->twiddles, 0);
    arguments->output = sl_app_alloc(soc, bytes, 0);
    for (uint32_t i = 0; i < n; i++) {
        arguments->input[point_place(i, arguments->gap)] = points[i];
    }
    fourier_twiddles(arguments->twiddles, n);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    float complex *const points = sl_app_memory(2 * (size_t)n, sizeof *points); /* and the result */

    arguments->gap = arguments->lines * LINE_POINTS;
    fourier_fill(points, n, 1);
    make(soc, arguments, points);
    const enum sl_status status =
        resident_run(soc, "fft_transform", arguments->groups, n / 2,
                     SL_VALUES(arguments->input, arguments->twiddles, arguments->output,
                               __builtin_ctz(n), arguments->gap));
    if (status == SL_OK) {
        float complex *const result = points + n;
        for (uint32_t i = 0; i < n; i++) {
            result[i] = arguments->output[point_place(i, arguments->gap)];
        }
        arguments->error = fourier_error(points, result, n);
        sl_app_result("mttop_fft(%" PRIu32 ") = %.6g", n, fourier_magnitudes(result, n));
    }
    free(points);
    return status;
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;

    fourier_print_error(arguments->n, TWIDDLE_ERROR, arguments->error);
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return fourier_is_right(arguments->n, TWIDDLE_ERROR, arguments->error);
}

static const struct sl_app app = {
    .doc = "Transform N complex floats on the simulated accelerator, all stages in one launch, and "
           "check the result.\vThe result is the sum of all magnitudes.",
    .table = table,
    .arguments = &(struct arguments){.n = 65536, .lines = 1},
    .kernels = "mttop_fft.elf",
    .run = run,
    .print = print,
    .is_right = is_right,
};
SL_PROGRAM(app)
