/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Gridding of magnetic resonance images (docs/know/hybrid-programs.md, "hybrid_gridding";
 * papers/003 Table 4.2): samples of k-space that lie anywhere are sorted by the cells of an N x N x
 * N grid, then each point of the grid gathers those that are near. All launches are one run. The
 * kernels are hybrid_gridding_kernel.c. */
#include <math.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/floats.h"
#include "workloads/common/hybrid.h"
#include "workloads/common/launches.h"
#include "workloads/common/random_below.h"
#include "workloads/gridding/samples.h"
#include "workloads/gridding/sort_launches.h"

#define GROUP 128

struct arguments {
    uint32_t n;
    uint32_t sample_count;
    /* In the shared heap. */
    struct sample *samples;
    struct ordered *ordered;
    uint32_t *begin; /* of each cell's samples; behind the last where they end */
    float *grid;     /* real and imaginary part of each point */
    struct sort sort;
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 256, SL_INTO(struct arguments, n)},
    {"samples", 's', SL_NUMBER, 1, 4194304, SL_INTO(struct arguments, sample_count), "Samples"},
    {0},
};

static size_t cell_count(const struct arguments *arguments)
{
    return (size_t)arguments->n * arguments->n * arguments->n;
}

#define FRACTION_BITS 24

/* From 0 up to, but not with, 1. */
static float fraction(uint32_t *random)
{
    return (float)random_below(random, 1u << FRACTION_BITS) / (1 << FRACTION_BITS);
}

/* The mean of two, times the width: most are near the middle, as in k-space. */
static float place(uint32_t *random, uint32_t width)
{
    const uint32_t half = 1u << (FRACTION_BITS - 1);
    const uint32_t sum = random_below(random, half) + random_below(random, half);

    return (float)sum / (1 << FRACTION_BITS) * (float)width;
}

static void fill(const struct arguments *arguments)
{
    uint32_t random = 1;

    for (uint32_t i = 0; i < arguments->sample_count; i++) {
        struct sample *const sample = &arguments->samples[i];
        sample->x = place(&random, arguments->n);
        sample->y = place(&random, arguments->n);
        sample->z = place(&random, arguments->n);
        sample->real = fraction(&random) - 0.5f;
        sample->imaginary = fraction(&random) - 0.5f;
        sample->compensation = fraction(&random) + 0.5f;
    }
}

static uint32_t bits_of(size_t count)
{
    uint32_t bits = 0;

    while ((size_t)1 << bits < count) {
        bits++;
    }
    return bits;
}

static void make(struct sl_soc *soc, struct arguments *arguments)
{
    const size_t cells = cell_count(arguments), count = arguments->sample_count;

    arguments->samples = sl_app_alloc(soc, count * sizeof *arguments->samples, HYBRID_LINE);
    arguments->ordered = sl_app_alloc(soc, count * sizeof *arguments->ordered, HYBRID_LINE);
    arguments->begin = sl_app_alloc(soc, (cells + 1) * sizeof *arguments->begin, HYBRID_LINE);
    arguments->grid = sl_app_alloc(soc, 2 * cells * sizeof *arguments->grid, HYBRID_LINE);
    sort_make(soc, arguments->sample_count, bits_of(cells), &arguments->sort);
    fill(arguments);
}

static void add_gather(struct launches *launches, const struct arguments *arguments)
{
    const uint32_t n = arguments->n;
    const uint32_t groups_x = (n - 1) / TILE_X + 1;
    const uint32_t groups_y = (n - 1) / (TILE_Y * GROUP_TILES_Y) + 1;
    const uint32_t groups_z = (n - 1) / (TILE_Z * GROUP_TILES_Z) + 1;
    const uint32_t items[2] = {groups_x * GRIDDING_GROUP, groups_y * groups_z};
    const uint32_t group[2] = {GRIDDING_GROUP, 1};
    const uint64_t constants[] = {(uintptr_t)arguments->ordered, (uintptr_t)arguments->begin,
                                  (uintptr_t)arguments->grid, n, groups_y};

    launches_add_plane(launches, "gridding_gather", items, group, 0, constants, 5);
}

static void add_launches(struct launches *launches, const struct arguments *arguments)
{
    const uint32_t count = arguments->sample_count;
    const struct sort *const sort = &arguments->sort;
    const uint64_t sorted = (uintptr_t)sort_result(sort);
    const uint64_t to_bin[] = {(uintptr_t)arguments->samples, arguments->n,
                               (uintptr_t)sort->entries[0]};
    const uint64_t to_order[] = {(uintptr_t)arguments->samples, sorted,
                                 (uintptr_t)arguments->ordered};
    const uint64_t to_begin[] = {sorted, count, cell_count(arguments), (uintptr_t)arguments->begin};

    launches_add(launches, "gridding_bin", count, GROUP, 0, to_bin, 3);
    sort_add_launches(launches, sort);
    launches_add(launches, "gridding_order", count, GROUP, 0, to_order, 3);
    launches_add(launches, "gridding_begin", count + 1, GROUP, 0, to_begin, 4);
    add_gather(launches, arguments);
}

static double mean_magnitude(const struct arguments *arguments)
{
    const size_t cells = cell_count(arguments);
    double sum = 0;

    for (size_t i = 0; i < cells; i++) {
        sum += hypot((double)arguments->grid[2 * i], (double)arguments->grid[2 * i + 1]);
    }
    return sum / (double)cells;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    make(soc, arguments);
    add_launches(&launches, arguments);
    const enum sl_status status = launches_run(&launches);
    if (status == SL_OK) {
        sl_app_result("hybrid_gridding(%" PRIu32 ") = %.7g", arguments->n,
                      mean_magnitude(arguments));
    }
    return status;
}

/* The window's power series, until its terms no longer count. */
static double window(double t)
{
    double sum = 0, term = 1;

    for (int k = 1; term > 1e-12; k++) {
        sum += term;
        term *= t * (double)WINDOW_QUARTER_SQUARE / (k * k);
    }
    return sum;
}

/* Scatters a sample to the points of its cell's corners, of which some are near enough. */
static void scatter(const struct sample *sample, uint32_t n, double *grid)
{
    const double compensation = (double)sample->compensation;

    for (uint32_t corner = 0; corner < 8; corner++) {
        const uint32_t x = (uint32_t)sample->x + corner % 2;
        const uint32_t y = (uint32_t)sample->y + corner / 2 % 2;
        const uint32_t z = (uint32_t)sample->z + corner / 4;
        const float square =
            distance_square(sample->x - (float)x, sample->y - (float)y, sample->z - (float)z);
        if (x < n && y < n && z < n && square < 1) {
            double *const value = grid + 2 * (((size_t)z * n + y) * n + x);
            const double weight = window(1 - (double)square);
            value[0] += weight * compensation * (double)sample->real;
            value[1] += weight * compensation * (double)sample->imaginary;
        }
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const size_t floats = 2 * cell_count(arguments);
    double *const wanted = sl_app_memory(floats, sizeof *wanted);

    for (uint32_t i = 0; i < arguments->sample_count; i++) {
        scatter(&arguments->samples[i], arguments->n, wanted);
    }
    const bool is_near =
        floats_are_near("part of a point", arguments->grid, wanted, floats, HYBRID_TOLERANCE);
    free(wanted);
    return is_near;
}

static const struct sl_app app = {
    .doc = "Put samples that lie anywhere in k-space onto a grid of N x N x N points, on the "
           "simulated accelerator, and check all points.\vThe result is the mean magnitude of all "
           "points.",
    .table = table,
    .arguments = &(struct arguments){.n = 64, .sample_count = 98304},
    .kernels = "hybrid_gridding.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
