/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fast Fourier transform of N complex floats: one NDRange for all stages that work-groups can make
 * in their LDS, then one for each further stage, all in one run. Its kernels are fft_kernel.c.
 *
 * The transform is checked against plain C in double precision (workloads/common/fourier.h). The
 * error of a twiddle factor is (2 pi + sqrt(2)) u, u = 2^-24: an angle of up to pi that is rounded
 * twice, and a sine and a cosine within one unit in the last place. */
#include <complex.h>
#include <inttypes.h>
#include <stdbool.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/fourier.h"
#include "workloads/common/launches.h"

#define N_DEFAULT     4096
#define N_MAX         1048576
#define GROUP_DEFAULT 256

/* (2 pi + sqrt(2)) 2^-24 */
#define TWIDDLE_ERROR (7.6973988695 * 0x1p-24)

struct arguments {
    uint32_t n;
    uint32_t group;
    uint64_t seed;
    double error; /* of the transform, relative to it */
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
        arguments->group = sl_app_power_of_two(state, "--group", argument, 1, SL_GROUP_ITEMS);
        return 0;
    case 's':
        arguments->seed = sl_app_number(state, "--seed", argument, 0, UINT32_MAX);
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
    .doc = "Transform N complex floats on the simulated accelerator, and check the result.\vN is a "
           "power of two from 2 to 1048576, 4096 where it is not given. The result is the sum of "
           "all magnitudes.",
};

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n, items = n / 2;
    const uint32_t group = arguments->group < items ? arguments->group : items;
    struct transform transform;
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "fft.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    transform.input = sl_alloc(soc, 2 * n * sizeof *transform.input, 0);
    if (transform.input == NULL) {
        return SL_ERROR_USAGE;
    }
    transform.output = transform.input + n;
    fourier_fill(transform.input, n, arguments->seed);
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
        arguments->error = fourier_error(transform.input, transform.output, n);
        sl_app_result("fft(%" PRIu32 ") = %.6g", n, fourier_magnitudes(transform.output, n));
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

    return fourier_is_right("fft", arguments->n, TWIDDLE_ERROR, arguments->error);
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.n = N_DEFAULT, .group = GROUP_DEFAULT, .seed = 1};
    const struct sl_app app = {.argp = &argp,
                               .arguments = &arguments,
                               .run = run,
                               .print = print_error,
                               .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
