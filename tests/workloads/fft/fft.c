/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fast Fourier transform of N complex floats: one NDRange for all stages that work-groups can make
 * in their LDS, then one for each further stage, all in one run. Its kernels are fft_kernel.c.
 *
 * The transform is checked against plain C in double precision (workloads/common/fourier.h). The
 * error of a twiddle factor is (2 pi + sqrt(2)) u, u = 2^-24: an angle of up to pi that is rounded
 * twice, and a sine and a cosine within one unit in the last place. */
#include <complex.h>

#include "sluice/program.h"
#include "workloads/common/fourier.h"
#include "workloads/common/launches.h"

/* (2 pi + sqrt(2)) 2^-24 */
#define TWIDDLE_ERROR (7.6973988695 * 0x1p-24)

struct arguments {
    uint32_t n;
    uint32_t group;
    uint32_t seed;
    double error; /* of the transform, relative to it */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_POWER_OF_TWO, 2, 1048576, SL_INTO(struct arguments, n)},
    {"group", 'g', SL_POWER_OF_TWO, 1, SL_GROUP_ITEMS, SL_INTO(struct arguments, group),
     "Work-items of a work-group, each with two points", "ITEMS"},
    {"seed", 's', SL_SEED, 0, 0, SL_INTO(struct arguments, seed),
     "Where the input's random numbers start"},
    {0},
};

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n, items = n / 2;
    const uint32_t group = arguments->group < items ? arguments->group : items;
    float complex *const points = sl_app_alloc(soc, 2 * n * sizeof *points, 0);
    float complex *const output = points + n;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    fourier_fill(points, n, arguments->seed);
    const uint64_t constants[] = {(uintptr_t)points, (uintptr_t)output, (uint64_t)__builtin_ctz(n)};
    launches_add(&launches, "fft_first_kernel", items, group, 2 * group * (uint32_t)sizeof *output,
                 constants, 3);
    for (uint32_t half = 2 * group; half < n; half *= 2) {
        const uint64_t stage[] = {(uintptr_t)output, half};
        launches_add(&launches, "fft_stage_kernel", items, group, 0, stage, 2);
    }
    const enum sl_status status = launches_run(&launches);
    if (status == SL_OK) {
        arguments->error = fourier_error(points, output, n);
        sl_app_result("fft(%" PRIu32 ") = %.6g", n, fourier_magnitudes(output, n));
    }
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

    return fourier_is_right(arguments->n, TWIDDLE_ERROR, arguments->error);
}

static const struct sl_app app = {
    .doc = "Transform N complex floats on the simulated accelerator, and check the result.\vThe "
           "result is the sum of all magnitudes.",
    .table = table,
    .arguments = &(struct arguments){.n = 4096, .group = 256, .seed = 1},
    .kernels = "fft.elf",
    .run = run,
    .print = print_error,
    .is_right = is_right,
};
SL_PROGRAM(app)
