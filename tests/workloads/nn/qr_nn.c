/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Nearest neighbours (docs/know/quickrelease-programs.md, "qr_nn"): the distances of N records from
 * a point on the accelerator, and the K nearest of them on the host. Further points are launches of
 * the same run. Its kernel is qr_nn_kernel.c.
 *
 * The plain C that checks it makes the same operations, so that all distances have to be equal to
 * the last bit. */
#include <stdio.h>

#include "sluice/program.h"
#include "workloads/common/launches.h"
#include "workloads/common/matrix.h"
#include "workloads/common/nearest.h"

#define NEAREST_MAX 64
#define POINTS_MAX  16
#define GROUP       256

struct arguments {
    uint32_t n;
    uint32_t nearest;
    uint32_t points;
    struct place *records;
    struct place point[POINTS_MAX];
    float *distances; /* n for each point */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 4194304, SL_INTO(struct arguments, n)},
    {"nearest", 'k', SL_NUMBER, 1, NEAREST_MAX, SL_INTO(struct arguments, nearest),
     "Records to find"},
    {"points", 'p', SL_NUMBER, 1, POINTS_MAX, SL_INTO(struct arguments, points),
     "Points to find them for"},
    {0},
};

static void make(struct sl_soc *soc, struct arguments *arguments)
{
    const size_t n = arguments->n;
    uint64_t random = 1;

    arguments->records = sl_app_alloc(soc, n * sizeof *arguments->records, 0);
    arguments->distances = sl_app_alloc(soc, n * arguments->points * sizeof(float), 0);
    matrix_fill(&arguments->records->latitude, 2 * n, &random);
    matrix_fill(&arguments->point[0].latitude, 2 * (size_t)POINTS_MAX, &random);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};
    uint32_t nearest[NEAREST_MAX];

    make(soc, arguments);
    for (uint32_t i = 0; i < arguments->points; i++) {
        float *const distances = arguments->distances + (size_t)i * arguments->n;
        launches_add_values(&launches, "nn_distances", arguments->n, GROUP, 0,
                            SL_VALUES(arguments->records, distances, arguments->point[i].latitude,
                                      arguments->point[i].longitude));
    }
    const enum sl_status status = launches_run(&launches);
    if (status == SL_OK) {
        (void)nearest_find(arguments->distances, arguments->n, arguments->nearest, nearest);
        sl_app_result("qr_nn(%" PRIu32 ") = %" PRIu32, arguments->n, nearest[0]);
    }
    return status;
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;
    uint32_t nearest[NEAREST_MAX];

    for (uint32_t p = 0; p < arguments->points; p++) {
        const float *const distances = arguments->distances + (size_t)p * arguments->n;
        const uint32_t found = nearest_find(distances, arguments->n, arguments->nearest, nearest);
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
    const size_t n = arguments->n;
    bool is_right = true;

    for (uint32_t p = 0; is_right && p < arguments->points; p++) {
        is_right = nearest_distances_are_right(arguments->records, n, arguments->point[p],
                                               arguments->distances + p * n);
    }
    return is_right;
}

static const struct sl_app app = {
    .doc = "Find the nearest of N records on the simulated accelerator, and check all distances.\v"
           "The result is the number of the record that is nearest to the first point.",
    .table = table,
    .arguments = &(struct arguments){.n = 262144, .nearest = 10, .points = 1},
    .kernels = "qr_nn.elf",
    .run = run,
    .print = print,
    .is_right = is_right,
};
SL_PROGRAM(app)
