/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Clusters of N points by Lloyd's k-means (docs/know/quickrelease-programs.md, "qr_kmeans"): a
 * launch gives each point to the nearest centre, the next moves each centre to the mean of its
 * points; both repeat until no point changes its cluster, or rounds are over. Its kernels are
 * qr_kmeans_kernel.c.
 *
 * The plain C that checks it adds up in the same order, so that all centres have to be equal to the
 * last bit. */
#include "workloads/kmeans/qr_kmeans.h"

#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/common/clusters.h"
#include "workloads/common/floats.h"
#include "workloads/common/launches.h"
#include "workloads/common/matrix.h"
#include "workloads/common/words.h"

struct arguments {
    struct clusters_choice asked;
    /* In the shared heap. */
    float *given;         /* the features of a point side by side */
    float *kept;          /* the points of a feature side by side */
    float *centre;        /* the features of a cluster side by side */
    uint32_t *membership; /* the cluster of each point */
    struct rounds *state;
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 262144, SL_INTO(struct arguments, asked.n)},
    SL_ROWS(struct arguments, asked, clusters_table),
    {0},
};

/* The first points are the first centres. */
static void make(struct sl_soc *soc, struct arguments *arguments)
{
    const size_t n = arguments->asked.n, features = arguments->asked.features;
    const size_t centres = arguments->asked.clusters * features;
    uint64_t random = 1;

    arguments->given = sl_app_alloc(soc, n * features * sizeof(float), 0);
    arguments->kept = sl_app_alloc(soc, n * features * sizeof(float), 0);
    arguments->centre = sl_app_alloc(soc, centres * sizeof(float), 0);
    arguments->membership = sl_app_alloc(soc, n * sizeof(uint32_t), 0);
    arguments->state = sl_app_alloc(soc, sizeof *arguments->state, 0);
    matrix_fill(arguments->given, n * features, &random);
    memcpy(arguments->centre, arguments->given, centres * sizeof(float));
    memset(arguments->membership, 0xff, n * sizeof(uint32_t)); /* no cluster */
    arguments->state->left = arguments->asked.rounds;
}

static enum sl_status launch(struct launches *launches, const struct arguments *a)
{
    const uint32_t n = a->asked.n, features = a->asked.features, clusters = a->asked.clusters;

    launches_add_values(launches, "kmeans_transpose", n, GROUP, 0,
                        SL_VALUES(a->given, a->kept, n, features));
    launches_add_values(
        launches, "kmeans_assign", n, GROUP, 0,
        SL_VALUES(a->kept, a->centre, a->membership, n, features, clusters, a->state));
    launches_add_values(launches, "kmeans_centres", clusters * features * GROUP, GROUP, 0,
                        SL_VALUES(a->kept, a->centre, a->membership, n, features));
    launches_add_values(launches, "kmeans_decide", 1, 1, 0, SL_VALUES(a->state));
    launches->first = 1;
    launches->last = 3;
    launches->word = &a->state->is_unfinished;
    return launches_run(launches);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const size_t coordinates = (size_t)arguments->asked.clusters * arguments->asked.features;
    struct launches launches = {.soc = soc, .module = sl_app_kernels(soc)};

    make(soc, arguments);
    const enum sl_status status = launch(&launches, arguments);
    if (status == SL_OK) {
        sl_app_result("qr_kmeans(%" PRIu32 ") = %.9g", arguments->asked.n,
                      floats_sum(arguments->centre, coordinates));
    }
    return status;
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;

    sl_app_row("rounds", "%" PRIu32, arguments->asked.rounds - arguments->state->left);
}

/* The mean of a feature of a cluster's points, added up as the work-group does it; or what the
 * centre was. */
static float mean_in_plain_c(const struct arguments *arguments, const uint32_t *membership,
                             uint32_t cluster, uint32_t feature, float before)
{
    float sums[GROUP] = {0};
    uint32_t count = 0;

    for (uint32_t i = 0; i < arguments->asked.n; i++) {
        if (membership[i] == cluster) {
            sums[i % GROUP] += arguments->given[(size_t)i * arguments->asked.features + feature];
            count++;
        }
    }
    for (uint32_t stride = GROUP / 2; stride > 0; stride /= 2) {
        for (uint32_t item = 0; item < stride; item++) {
            sums[item] += sums[item + stride];
        }
    }
    return count > 0 ? sums[0] / (float)count : before;
}

/* Returns how many rounds are left. */
static uint32_t cluster_in_plain_c(const struct arguments *arguments, float *centre,
                                   uint32_t *membership)
{
    const uint32_t features = arguments->asked.features,
                   coordinates = arguments->asked.clusters * features;
    const struct clusters clusters = {arguments->given, arguments->asked.n, features,
                                      arguments->asked.clusters};
    uint32_t left = arguments->asked.rounds, moved = 1;

    memcpy(centre, arguments->given, coordinates * sizeof *centre);
    memset(membership, 0xff, arguments->asked.n * sizeof *membership);
    for (; left > 0 && moved > 0; left--) {
        moved = clusters_assign(&clusters, centre, membership);
        for (uint32_t i = 0; i < coordinates; i++) {
            centre[i] =
                mean_in_plain_c(arguments, membership, i / features, i % features, centre[i]);
        }
    }
    return left;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const size_t n = arguments->asked.n;
    const size_t coordinates = (size_t)arguments->asked.clusters * arguments->asked.features;
    float *const centre = sl_app_memory(coordinates, sizeof *centre);
    uint32_t *const membership = sl_app_memory(n, sizeof *membership);

    const uint32_t left = cluster_in_plain_c(arguments, centre, membership);
    const bool is_equal =
        words_are_equal("cluster of point", arguments->membership, membership, n) &&
        floats_are_equal("coordinate", arguments->centre, centre, coordinates) &&
        words_are_equal("number of rounds left", &arguments->state->left, &left, 1);
    free(centre);
    free(membership);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Find clusters of N random points on the simulated accelerator, and check all centres "
           "and memberships.\vThe result is the sum of the centres' coordinates.",
    .table = table,
    .arguments = &(struct arguments){.asked = CLUSTERS_CHOICE(8192)},
    .kernels = "qr_kmeans.elf",
    .check = clusters_check,
    .run = run,
    .print = print,
    .is_right = is_right,
};
SL_PROGRAM(app)
