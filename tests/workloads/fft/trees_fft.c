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
#include <inttypes.h>
#include <stdbool.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/fourier.h"
#include "workloads/common/trees.h"

#define N_MAX         4194304
#define GRAIN_DEFAULT 16
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

enum { KEY_GRAIN = 256 };

static const struct argp_option option_table[] = {
    {"grain", KEY_GRAIN, "BUTTERFLIES", 0, "Butterflies of a task, a power of two (default 16)", 0},
    {"seed", 's', "NUMBER", 0, "Where the input's random numbers start (default 1)", 0},
    TREES_OPTIONS,
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case KEY_GRAIN:
        arguments->grain = sl_app_power_of_two(state, "--grain", argument, 1, N_MAX);
        return 0;
    case 's':
        arguments->seed = sl_app_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    case ARGP_KEY_ARG:
        (void)sl_app_n(key, argument, state, FFT_BASE, N_MAX, &arguments->n);
        (void)sl_app_power_of_two(state, "N", argument, FFT_BASE, N_MAX);
        return 0;
    case ARGP_KEY_NO_ARGS:
        return sl_app_n(key, argument, state, FFT_BASE, N_MAX, &arguments->n);
    default:
        return trees_parse(key, argument, state, &arguments->trees);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "N",
    .doc = "Transform N complex floats by fork and join on a task vector, and check the result.\v"
           "N is a power of two from 8 to 4194304. The result is the sum of all magnitudes.",
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

static bool make(struct sl_soc *soc, const struct arguments *arguments, float complex **input,
                 float complex **twiddles, float complex **output)
{
    const uint32_t n = arguments->n;

    *input = sl_alloc(soc, n * sizeof **input, 0);
    *twiddles = *input != NULL ? sl_alloc(soc, n * sizeof **twiddles, 0) : NULL;
    *output = *twiddles != NULL ? sl_alloc(soc, n * sizeof **output, 0) : NULL;
    if (*output == NULL) {
        return false;
    }
    fourier_fill(*input, n, arguments->seed);
    fourier_twiddles(*twiddles, n);
    return true;
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
    float complex *input, *twiddles, *output;

    if (!make(soc, arguments, &input, &twiddles, &output)) {
        return SL_ERROR_USAGE;
    }
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

    return fourier_is_right("trees_fft", arguments->n, TWIDDLE_ERROR, arguments->error);
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.grain = GRAIN_DEFAULT, .seed = 1};
    const struct sl_app app = {.argp = &argp,
                               .arguments = &arguments,
                               .run = run,
                               .print = print_error,
                               .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
