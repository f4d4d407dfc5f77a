/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fast Fourier transform of N complex floats: one NDRange for all stages that work-groups can make
 * in their LDS, then one for each further stage, all in one run. Its kernels are fft_kernel.c.
 *
 * The transform is checked against plain C in double precision: by the definition where N is small,
 * a recursive transform beyond. The error, as Euclidean norm relative to the result's, has to be
 * within the bound that N. Higham proves (Accuracy and Stability of Numerical Algorithms, second
 * edition, theorem 24.2) for radix 2: k eta / (1 - k eta) with k = log2(N), eta = mu + 4 u (sqrt(2)
 * + mu), u = 2^-24 and mu the error of the twiddle factors. Here mu is (2 pi + sqrt(2)) u: an angle
 * of up to pi that is rounded twice, and a sine and a cosine within one unit in the last place. */
#include <complex.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/sluice.h"
#include "programs/common/launches.h"
#include "programs/common/options.h"
#include "programs/common/program.h"
#include "programs/common/report.h"

#define N_DEFAULT     4096
#define N_MAX         1048576
#define GROUP_DEFAULT 256
#define DIRECT_MAX    2048 /* points that are checked by the definition */

static const double pi = 3.14159265358979323846;

struct arguments {
    uint32_t n;
    uint32_t group;
    uint64_t seed;
    double error; /* of the transform, relative to it */
    bool is_right;
};

struct transform {
    float complex *input;
    float complex *output;
};

static const struct argp_option option_table[] = {
    {"group", 'g', "ITEMS", 0,
     "Work-items of a work-group, each with two points; a power of two (default 256)", 0},
    {"seed", 's', "NUMBER", 0, "Where the input's random numbers start (default 1)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'g':
        arguments->group = options_power_of_two(state, "--group", argument, 1, SL_GROUP_ITEMS);
        return 0;
    case 's':
        arguments->seed = options_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    case ARGP_KEY_ARG:
        (void)options_n(key, argument, state, 2, N_MAX, &arguments->n);
        (void)options_power_of_two(state, "N", argument, 2, N_MAX);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Transform N complex floats on the simulated accelerator, and check the result.\vN is a "
           "power of two from 2 to 1048576, 4096 where it is not given. The result is the sum of "
           "all magnitudes.",
};

/* Real and imaginary parts from -1 to 1. */
static void fill(float complex *points, uint32_t n, uint64_t state)
{
    for (uint32_t i = 0; i < n; i++) {
        float part[2];
        for (int p = 0; p < 2; p++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            part[p] = (float)(int32_t)(state >> 32) * 0x1p-31f;
        }
        points[i] = part[0] + part[1] * I;
    }
}

static void by_definition(const float complex *input, double complex *output, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        double complex sum = 0;
        for (uint32_t j = 0; j < n; j++) {
            const double angle = -2 * pi * (double)(j * k % n) / n;
            sum += input[j] * (cos(angle) + sin(angle) * I);
        }
        output[k] = sum;
    }
}

/* Of every `step`th point of the input: evens, odds, then pairs of them. */
static void by_recursion(const float complex *input, double complex *output, uint32_t n,
                         uint32_t step)
{
    if (n == 1) {
        output[0] = input[0];
        return;
    }
    const uint32_t half = n / 2;
    by_recursion(input, output, half, 2 * step);
    by_recursion(input + step, output + half, half, 2 * step);
    for (uint32_t i = 0; i < half; i++) {
        const double angle = -pi * (double)i / half;
        const double complex even = output[i];
        const double complex odd = output[i + half] * (cos(angle) + sin(angle) * I);
        output[i] = even + odd;
        output[i + half] = even - odd;
    }
}

static double error_bound(uint32_t n)
{
    const double u = 0x1p-24;
    const double mu = (2 * pi + sqrt(2)) * u;
    const double k_eta = __builtin_ctz(n) * (mu + 4 * u * (sqrt(2) + mu));
    return k_eta / (1 - k_eta);
}

/* Adds up the magnitudes, too. */
static bool check(const struct transform *transform, uint32_t n, double *sum, double *error)
{
    double complex *const wanted = malloc(n * sizeof *wanted);
    double difference = 0, norm = 0;
    *sum = 0;
    *error = INFINITY;
    if (wanted == NULL) {
        (void)fprintf(stderr, "fft: no memory for %" PRIu32 " points\n", n);
        return false;
    }
    if (n <= DIRECT_MAX) {
        by_definition(transform->input, wanted, n);
    } else {
        by_recursion(transform->input, wanted, n, 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        const double complex off = (double complex)transform->output[i] - wanted[i];
        difference += creal(off) * creal(off) + cimag(off) * cimag(off);
        norm += creal(wanted[i]) * creal(wanted[i]) + cimag(wanted[i]) * cimag(wanted[i]);
        *sum += cabs((double complex)transform->output[i]);
    }
    free(wanted);
    *error = sqrt(difference / norm);
    if (!(*error <= error_bound(n))) {
        (void)fprintf(stderr, "fft: wrong: the relative error is %.3g, should be %.3g at most\n",
                      *error, error_bound(n));
        return false;
    }
    return true;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n, items = n / 2;
    const uint32_t group = arguments->group < items ? arguments->group : items;
    struct transform transform;
    struct sl_module *module;
    double sum;

    enum sl_status status = program_load(soc, "fft.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    transform.input = sl_alloc(soc, 2 * n * sizeof *transform.input, 0);
    if (transform.input == NULL) {
        return SL_ERROR_USAGE;
    }
    transform.output = transform.input + n;
    fill(transform.input, n, arguments->seed);
    const uint64_t constants[] = {(uintptr_t)transform.input, (uintptr_t)transform.output,
                                  (uint64_t)__builtin_ctz(n)};
    struct launches launches = {.soc = soc, .module = module};
    launches_add(&launches, "fft_first_kernel", items, group,
                 2 * group * (uint32_t)sizeof *transform.output, constants, 3);
    for (uint32_t half = 2 * group; half < n; half *= 2) {
        const uint64_t stage[] = {(uintptr_t)transform.output, half};
        launches_add(&launches, "fft_stage_kernel", items, group, 0, stage, 2);
    }
    status = launches_run(&launches);
    if (status == SL_OK) {
        arguments->is_right = check(&transform, n, &sum, &arguments->error);
        report_result("fft(%" PRIu32 ") = %.6g", n, sum);
    }
    return status;
}

static void print_error(const void *input)
{
    const struct arguments *const arguments = input;

    (void)printf("# %-22s %.3g, at most %.3g\n", "relative error", arguments->error,
                 error_bound(arguments->n));
}

static bool is_right(const void *input)
{
    return ((const struct arguments *)input)->is_right;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.n = N_DEFAULT, .group = GROUP_DEFAULT, .seed = 1};
    const struct program program = {.argp = &argp,
                                    .arguments = &arguments,
                                    .run = run,
                                    .print = print_error,
                                    .is_right = is_right};

    return program_main(&program, argc, argv);
}
