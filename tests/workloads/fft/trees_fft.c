/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fast Fourier transform of N complex floats by fork and join on a task vector (papers/000 section
 * 5.6.3; docs/know/trees-programs.md, "Fourier transform"). Its kernel is trees_fft_kernel.c.
 *
 * The transform is checked against plain C in double precision (workloads/common/fourier.h).
 * Twiddle factors are a table: sines and cosines in double precision, rounded, so that the error of
 * each is u = 2^-24 at most. */
#include "workloads/fft/trees_fft.h"

#include <complex.h>

#include "sluice/program.h"
#include "workloads/common/fourier.h"
#include "workloads/common/trees.h"

#define N_MAX         4194304
#define TWIDDLE_ERROR 0x1p-24

/* As the kernel's SL_TASKS() numbers them: the first task. */
enum { TRANSFORM = 1, FUNCTIONS = 2 };

struct arguments {
    uint32_t n;
    uint32_t grain;
    uint64_t seed;
    struct trees_options trees;
    double error; /* of the transform, relative to it */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_POWER_OF_TWO, FFT_BASE, N_MAX, SL_INTO(struct arguments, n)},
    {"grain", 0, SL_POWER_OF_TWO, 1, N_MAX, SL_INTO(struct arguments, grain),
     "Butterflies of a task", "BUTTERFLIES"},
    {"seed", 's', SL_SEED, 0, UINT32_MAX, SL_INTO(struct arguments, seed),
     "Where the input's random numbers start"},
    SL_ROWS(struct arguments, trees, trees_rows),
    {0},
};

/* Slots that a combination takes besides its own, and of them those that stay taken: all but the
 * last epoch's. */
static uint32_t combine_slots(uint32_t tasks, uint32_t *kept)
{
    uint32_t slots = 0;

    *kept = 0;
    for (uint32_t level = 1; level < tasks;) {
        *kept = slots;
        level = tasks / level < FFT_PARTS ? tasks : FFT_PARTS * level;
        slots += level;
    }
    return slots;
}

/* All transforms have slots at once. Then combinations take those of the smallest ones, and what
 * the ones before them have not given back is taken for good. */
static uint32_t slots(uint32_t n, uint32_t grain)
{
    uint32_t transforms = n / FFT_BASE;
    uint32_t most = 2 * transforms - 1;
    uint32_t taken = transforms - 1;

    for (uint32_t half = FFT_BASE; half < n; half *= 2) {
        transforms /= 2;
        uint32_t kept;
        const uint32_t each = combine_slots(fft_tasks(half, grain), &kept);
        const uint32_t wanted = taken + transforms * each;
        most = wanted > most ? wanted : most;
        taken += transforms * kept;
    }
    return most;
}

static enum sl_status run(struct sl_soc *soc, void *data)
{
    struct arguments *const arguments = data;
    const uint32_t n = arguments->n;
    const struct trees_program program = {
        .name = "trees_fft",
        .capacity = slots(n, arguments->grain),
        .arguments = 9,
        .functions = FUNCTIONS,
    };
    struct trees_arguments first = {0};
    float complex *const input = sl_app_alloc(soc, n * sizeof *input, 0);
    float complex *const twiddles = sl_app_alloc(soc, n * sizeof *twiddles, 0);
    float complex *const output = sl_app_alloc(soc, n * sizeof *output, 0);

    fourier_fill(input, n, arguments->seed);
    fourier_twiddles(twiddles, n);
    trees_put_pointer(&first, input);
    trees_put_pointer(&first, output);
    trees_put_pointer(&first, twiddles);
    trees_put_u32(&first, 1);
    trees_put_u32(&first, n);
    trees_put_u32(&first, arguments->grain);
    const enum sl_status status =
        trees_run(soc, &program, &arguments->trees, TRANSFORM, &first, NULL);
    if (status == SL_OK) {
        arguments->error = fourier_error(input, output, n);
        sl_app_result("trees_fft(%" PRIu32 ") = %.6g", n, fourier_magnitudes(output, n));
    }
    return status;
}

static void print_error(const void *data)
{
    const struct arguments *const arguments = data;

    fourier_print_error(arguments->n, TWIDDLE_ERROR, arguments->error);
}

static bool is_right(const void *data)
{
    const struct arguments *const arguments = data;

    return fourier_is_right(arguments->n, TWIDDLE_ERROR, arguments->error);
}

static const struct sl_app app = {
    .doc = "Transform N complex floats by fork and join on a task vector, and check the result.\v"
           "The result is the sum of all magnitudes.",
    .table = table,
    .arguments = &(struct arguments){.grain = 16, .seed = 1},
    .run = run,
    .print = print_error,
    .is_right = is_right,
};
SL_PROGRAM(app)
