/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Clusters of N points by Lloyd's k-means (docs/know/consistency-programs.md, "mttop_kmeans"): all
 * rounds in one launch, until no point changes its cluster, or rounds are over. Its kernel is
 * mttop_kmeans_kernel.c.
 *
 * Sums are exact, so that all centres have to be equal to those of plain C to the last bit. */
#include "workloads/kmeans/mttop_kmeans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/common/clusters.h"
#include "workloads/common/floats.h"
#include "workloads/common/matrix.h"
#include "workloads/common/resident.h"
#include "workloads/common/words.h"

struct arguments {
    struct clusters_choice asked;
    uint32_t groups;
    struct clustering *all; /* in the shared heap, as is what it points to */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, N_MAX, SL_INTO(struct arguments, asked.n)},
    SL_ROWS(struct arguments, asked, clusters_table),
    RESIDENT_ROW(struct arguments, groups),
    {0},
};

static void allocate(struct sl_soc *soc, struct clustering *all)
{
    const size_t coordinates = (size_t)all->clusters * all->features;

    all->points = sl_app_alloc(soc, (size_t)all->n * all->features * sizeof *all->points, 0);
    all->centres = sl_app_alloc(soc, coordinates * sizeof *all->centres, 0);
    all->membership = sl_app_alloc(soc, all->n * sizeof *all->membership, 0);
    for (int i = 0; i < 2; i++) {
        struct round *const round = &all->turns[i];
        round->sums = sl_app_alloc(soc, coordinates * sizeof *round->sums, 0);
        round->counts = sl_app_alloc(soc, all->clusters * sizeof *round->counts, 0);
        round->moved = sl_app_alloc(soc, sizeof *round->moved, 0);
    }
}

/* Turns points round: the features of each, side by side. */
static void gather(const struct clustering *all, uint32_t points, float *gathered)
{
    for (size_t i = 0; i < points; i++) {
        for (size_t f = 0; f < all->features; f++) {
            gathered[i * all->features + f] = all->points[f * all->n + i];
        }
    }
}

/* The first points are the first centres. */
static void fill(struct clustering *all)
{
    const size_t count = (size_t)all->n * all->features;
    uint64_t random = 1;

    matrix_fill(all->points, count, &random);
    for (size_t i = 0; i < count; i++) {
        all->points[i] = rintf(all->points[i] / QUANTUM) * QUANTUM;
    }
    gather(all, all->clusters, all->centres);
    memset(all->membership, 0xff, all->n * sizeof *all->membership); /* no cluster */
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const struct clusters_choice *const asked = &arguments->asked;
    struct clustering *const all = sl_app_alloc(soc, sizeof *all, 0);

    all->n = asked->n;
    all->features = asked->features;
    all->clusters = asked->clusters;
    all->rounds = asked->rounds;
    allocate(soc, all);
    fill(all);
    arguments->all = all;
    const enum sl_status status =
        resident_run(soc, "kmeans_rounds", arguments->groups, all->n, SL_VALUES(all));
    if (status == SL_OK) {
        sl_app_result("mttop_kmeans(%" PRIu32 ") = %.9g", all->n,
                      floats_sum(all->centres, (size_t)all->clusters * all->features));
    }
    return status;
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;

    sl_app_row("rounds", "%" PRIu32, arguments->all->made);
}

/* The means of clusters' features; clusters without points stay where they are. */
static void move_in_plain_c(const struct arguments *arguments, const float *points,
                            const uint32_t *membership, float *centres)
{
    for (uint32_t c = 0; c < arguments->asked.clusters; c++) {
        for (uint32_t f = 0; f < arguments->asked.features; f++) {
            float sum = 0;
            uint32_t count = 0;
            for (size_t i = 0; i < arguments->asked.n; i++) {
                sum += membership[i] == c ? points[i * arguments->asked.features + f] : 0;
                count += membership[i] == c;
            }
            if (count > 0) {
                centres[c * arguments->asked.features + f] = sum / (float)count;
            }
        }
    }
}

/* Returns the number of rounds. */
static uint32_t cluster_in_plain_c(const struct arguments *arguments, const float *points,
                                   float *centres, uint32_t *membership)
{
    const struct clusters clusters = {points, arguments->asked.n, arguments->asked.features,
                                      arguments->asked.clusters};
    uint32_t made = 0, moved = 1;

    memcpy(centres, points,
           (size_t)arguments->asked.clusters * arguments->asked.features * sizeof *centres);
    memset(membership, 0xff, arguments->asked.n * sizeof *membership);
    for (; moved > 0 && made < arguments->asked.rounds; made++) {
        moved = clusters_assign(&clusters, centres, membership);
        move_in_plain_c(arguments, points, membership, centres);
    }
    return made;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct clustering *const all = arguments->all;
    const size_t coordinates = (size_t)all->clusters * all->features;
    float *const points = sl_app_memory((size_t)all->n * all->features, sizeof *points);
    float *const centres = sl_app_memory(coordinates, sizeof *centres);
    uint32_t *const membership = sl_app_memory(all->n, sizeof *membership);

    gather(all, all->n, points);
    const uint32_t made = cluster_in_plain_c(arguments, points, centres, membership);
    const bool is_equal =
        words_are_equal("cluster of point", all->membership, membership, all->n) &&
        floats_are_equal("coordinate", all->centres, centres, coordinates) &&
        words_are_equal("number of rounds", &all->made, &made, 1);
    free(points);
    free(centres);
    free(membership);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Find clusters of N random points on the simulated accelerator, all rounds in one "
           "launch, and check all centres and memberships.\vThe result is the sum of the centres' "
           "coordinates.",
    .table = table,
    /* Features are 513 cache lines apart: not all in one set of a cache. */
    .arguments = &(struct arguments){.asked = CLUSTERS_CHOICE(8208)},
    .kernels = "mttop_kmeans.elf",
    .check = clusters_check,
    .run = run,
    .print = print,
    .is_right = is_right,
};
SL_PROGRAM(app)
