/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fast Fourier transform of N complex floats (docs/know/consistency-programs.md, "mttop_fft"): all
 * stages in one launch, none in LDS. Its kernel is mttop_fft_kernel.c.
 *
 * Twiddle factors are a table: sines and cosines in double precision, rounded, so that the error of
 * each factor is u = 2^-24 at most. The bound on the transform's follows from it
 * (workloads/common/fourier.h). */
#include "workloads/fft/mttop_fft.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice/memory_map.h"
#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/fourier.h"
#include "workloads/common/resident.h"

#define N_DEFAULT     65536
#define N_MAX         1048576
#define LINES_DEFAULT 1
#define LINES_MAX     64
#define LINE_POINTS   (SL_CACHE_LINE_BYTES / sizeof(float complex))
#define TWIDDLE_ERROR 0x1p-24

struct arguments {
    uint32_t n;
    uint32_t groups;
    uint32_t gap; /* points left free behind each run of them (mttop_fft.h) */
    double error; /* of the transform, relative to it */
    /* In the shared heap, input and output in their places. */
    float complex *input;
    float complex
        *twiddles; /* of all stages; the stage that joins blocks of h points has its from h on */
    float complex *output;
};

static const struct argp_option option_table[] = {
    {"gap", 'l', "LINES", 0, "Cache lines left free behind each 4 KiB of points (default 1)", 0},
    RESIDENT_OPTION('g'),
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'g':
        arguments->groups = resident_groups(state, argument);
        return 0;
    case 'l':
        arguments->gap =
            (uint32_t)(sl_app_number(state, "--gap", argument, 0, LINES_MAX) * LINE_POINTS);
        return 0;
    case ARGP_KEY_ARG:
        (void)sl_app_n(key, argument, state, 2, N_MAX, &arguments->n);
        (void)sl_app_power_of_two(state, "N", argument, 2, N_MAX);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Transform N complex floats on the simulated accelerator, all stages in one launch, and "
           "check the result.\vN is a power of two from 2 to 1048576, 65536 where it is not given. "
           "The result is the sum of all magnitudes.",
};

static bool make(struct sl_soc *soc, struct arguments *arguments, const float complex *points)
{
    const uint32_t n = arguments->n;
    const size_t bytes = (point_place(n - 1, arguments->gap) + 1) * sizeof *points;

    arguments->input = sl_alloc(soc, bytes, 0);
    arguments->twiddles = sl_alloc(soc, n * sizeof *arguments->twiddles, 0);
    arguments->output = sl_alloc(soc, bytes, 0);
    if (arguments->input == NULL || arguments->twiddles == NULL || arguments->output == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        arguments->input[point_place(i, arguments->gap)] = points[i];
    }
    fourier_twiddles(arguments->twiddles, n);
    return true;
}

static enum sl_status transform(struct sl_soc *soc, const struct arguments *arguments)
{
    const uint32_t n = arguments->n;
    const uint64_t constants[] = {(uintptr_t)arguments->input, (uintptr_t)arguments->twiddles,
                                  (uintptr_t)arguments->output, (uint64_t)__builtin_ctz(n),
                                  arguments->gap};

    return resident_run(soc, "mttop_fft.elf", "fft_transform", arguments->groups, n / 2, constants,
                        5);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    float complex *const points = malloc(2 * n * sizeof *points); /* and the result */
    enum sl_status status = SL_ERROR_USAGE;

    if (points == NULL) {
        (void)fprintf(stderr, "mttop_fft: no memory for %" PRIu32 " points\n", n);
        return status;
    }
    fourier_fill(points, n, 1);
    if (make(soc, arguments, points)) {
        status = transform(soc, arguments);
    }
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

static void print_error(const void *input)
{
    const struct arguments *const arguments = input;

    fourier_print_error(arguments->n, TWIDDLE_ERROR, arguments->error);
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return fourier_is_right("mttop_fft", arguments->n, TWIDDLE_ERROR, arguments->error);
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.n = N_DEFAULT, .gap = LINES_DEFAULT * LINE_POINTS};
    const struct sl_app app = {.argp = &argp,
                               .arguments = &arguments,
                               .run = run,
                               .print = print_error,
                               .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
