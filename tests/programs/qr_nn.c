/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Nearest neighbours (docs/quickrelease-programs.md, "qr_nn"): the distances of N records from a
 * point on the accelerator, and the K nearest of them on the host. Further points are launches of
 * the same run. Its kernel is qr_nn_kernel.c.
 *
 * The plain C that checks it makes the same operations, so that all distances have to be equal to
 * the last bit. */
#include "programs/qr_nn.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/sluice.h"
#include "programs/common/float_argument.h"
#include "programs/common/floats.h"
#include "programs/common/launches.h"
#include "programs/common/matrix.h"
#include "programs/common/options.h"
#include "programs/common/program.h"
#include "programs/common/report.h"

#define N_DEFAULT       262144
#define N_MAX           4194304
#define NEAREST_DEFAULT 10
#define NEAREST_MAX     64
#define POINTS_MAX      16
#define GROUP           256

struct arguments {
    uint32_t n;
    uint32_t nearest;
    uint32_t points;
    struct place *records;
    struct place point[POINTS_MAX];
    float *distances; /* n for each point */
};

static const struct argp_option option_table[] = {
    {"nearest", 'k', "NUMBER", 0, "Records to find, 1 to 64 (default 10)", 0},
    {"points", 'p', "NUMBER", 0, "Points to find them for, 1 to 16 (default 1)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'k':
        arguments->nearest = (uint32_t)options_number(state, "--nearest", argument, 1, NEAREST_MAX);
        return 0;
    case 'p':
        arguments->points = (uint32_t)options_number(state, "--points", argument, 1, POINTS_MAX);
        return 0;
    case ARGP_KEY_NO_ARGS:
        return 0;
    default:
        return options_n(key, argument, state, 1, N_MAX, &arguments->n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Find the nearest of N records on the simulated accelerator, and check all distances.\v"
           "N is from 1 to 4194304, 262144 where it is not given. The result is the number of the "
           "record that is nearest to the first point.",
};

static bool make(struct sl_soc *soc, struct arguments *arguments)
{
    const size_t n = arguments->n;
    uint64_t random = 1;

    arguments->records = sl_alloc(soc, n * sizeof *arguments->records, 0);
    arguments->distances = sl_alloc(soc, n * arguments->points * sizeof(float), 0);
    if (arguments->records == NULL || arguments->distances == NULL) {
        return false;
    }
    matrix_fill(&arguments->records->latitude, 2 * n, &random);
    matrix_fill(&arguments->point[0].latitude, 2 * (size_t)POINTS_MAX, &random);
    return true;
}

/* The `count` smallest distances, the smallest first; of equal ones the first. Returns how many
 * there are. */
static uint32_t find_nearest(const float *distances, uint32_t n, uint32_t count, uint32_t *nearest)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = found;
        if (found < count) {
            found++;
        } else if (distances[i] < distances[nearest[count - 1]]) {
            place = count - 1;
        } else {
            continue;
        }
        for (; place > 0 && distances[i] < distances[nearest[place - 1]]; place--) {
            nearest[place] = nearest[place - 1];
        }
        nearest[place] = i;
    }
    return found;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct launches launches = {.soc = soc};
    uint32_t nearest[NEAREST_MAX];

    enum sl_status status = program_load(soc, "qr_nn.elf", &launches.module);
    if (status != SL_OK) {
        return status;
    }
    if (!make(soc, arguments)) {
        return SL_ERROR_USAGE;
    }
    for (uint32_t i = 0; i < arguments->points; i++) {
        float *const distances = arguments->distances + (size_t)i * arguments->n;
        const uint64_t constants[] = {(uintptr_t)arguments->records, (uintptr_t)distances,
                                      float_to_argument(arguments->point[i].latitude),
                                      float_to_argument(arguments->point[i].longitude)};
        launches_add(&launches, "nn_distances", arguments->n, GROUP, 0, constants, 4);
    }
    status = launches_run(&launches);
    if (status == SL_OK) {
        (void)find_nearest(arguments->distances, arguments->n, arguments->nearest, nearest);
        report_result("qr_nn(%" PRIu32 ") = %" PRIu32, arguments->n, nearest[0]);
    }
    return status;
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;
    uint32_t nearest[NEAREST_MAX];

    for (uint32_t p = 0; p < arguments->points; p++) {
        const float *const distances = arguments->distances + (size_t)p * arguments->n;
        const uint32_t found = find_nearest(distances, arguments->n, arguments->nearest, nearest);
        for (uint32_t i = 0; i < found; i++) {
            (void)printf("# point %" PRIu32 ", neighbour %" PRIu32 "   record %" PRIu32
                         " at a distance of %.6f\n",
                         p, i + 1, nearest[i], (double)distances[nearest[i]]);
        }
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const size_t count = (size_t)arguments->n * arguments->points;
    float *const right = malloc(count * sizeof *right);

    if (right == NULL) {
        (void)fprintf(stderr, "qr_nn: no memory for %zu distances\n", count);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct place *const record = &arguments->records[i % arguments->n];
        const struct place *const point = &arguments->point[i / arguments->n];
        const float down = record->latitude - point->latitude;
        const float across = record->longitude - point->longitude;
        right[i] = sqrtf(fmaf(down, down, across * across));
    }
    const bool is_equal = floats_are_equal("qr_nn", "distance", arguments->distances, right, count);
    free(right);
    return is_equal;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.n = N_DEFAULT, .nearest = NEAREST_DEFAULT, .points = 1};
    const struct program program = {
        .argp = &argp, .arguments = &arguments, .run = run, .print = print, .is_right = is_right};

    return program_main(&program, argc, argv);
}
