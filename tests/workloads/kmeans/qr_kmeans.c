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

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/clusters.h"
#include "workloads/common/floats.h"
#include "workloads/common/launches.h"
#include "workloads/common/matrix.h"
#include "workloads/common/words.h"

#define N_DEFAULT 8192
#define N_MAX     262144

struct arguments {
    struct clusters_choice asked;
    /* In the shared heap. */
    float *given;         /* the features of a point side by side */
    float *kept;          /* the points of a feature side by side */
    float *centre;        /* the features of a cluster side by side */
    uint32_t *membership; /* the cluster of each point */
    struct rounds *state;
};

static const struct argp_option option_table[] = {
    CLUSTERS_OPTIONS,
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    return clusters_parse(key, argument, state, N_MAX, &arguments->asked);
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Find clusters of N random points on the simulated accelerator, and check all centres "
           "and memberships.\vN is from 1 to 262144, 8192 where it is not given. The result is the "
           "sum of the centres' coordinates.",
};

/* The first points are the first centres. */
static bool make(struct sl_soc *soc, struct arguments *arguments)
{
    const size_t n = arguments->asked.n, features = arguments->asked.features;
    const size_t centres = arguments->asked.clusters * features;
    uint64_t random = 1;

    arguments->given = sl_alloc(soc, n * features * sizeof(float), 0);
    arguments->kept = sl_alloc(soc, n * features * sizeof(float), 0);
    arguments->centre = sl_alloc(soc, centres * sizeof(float), 0);
    arguments->membership = sl_alloc(soc, n * sizeof(uint32_t), 0);
    arguments->state = sl_alloc(soc, sizeof *arguments->state, 0);
    if (arguments->given == NULL || arguments->kept == NULL || arguments->centre == NULL ||
        arguments->membership == NULL || arguments->state == NULL) {
        return false;
    }
    matrix_fill(arguments->given, n * features, &random);
    memcpy(arguments->centre, arguments->given, centres * sizeof(float));
    memset(arguments->membership, 0xff, n * sizeof(uint32_t)); /* no cluster */
    arguments->state->left = arguments->asked.rounds;
    return true;
}

static enum sl_status launch(struct launches *launches, const struct arguments *arguments)
{
    const uint32_t n = arguments->asked.n, features = arguments->asked.features;
    const uint32_t clusters = arguments->asked.clusters;
    const uint64_t given = (uintptr_t)arguments->given, kept = (uintptr_t)arguments->kept;
    const uint64_t centre = (uintptr_t)arguments->centre, state = (uintptr_t)arguments->state;
    const uint64_t membership = (uintptr_t)arguments->membership;
    const uint64_t transpose[] = {given, kept, n, features};
    const uint64_t assign[] = {kept, centre, membership, n, features, clusters, state};
    const uint64_t centres[] = {kept, centre, membership, n, features};
    const uint64_t decide[] = {state};

    launches_add(launches, "kmeans_transpose", n, GROUP, 0, transpose, 4);
    launches_add(launches, "kmeans_assign", n, GROUP, 0, assign, 7);
    launches_add(launches, "kmeans_centres", clusters * features * GROUP, GROUP, 0, centres, 5);
    launches_add(launches, "kmeans_decide", 1, 1, 0, decide, 1);
    launches->first = 1;
    launches->last = 3;
    launches->word = &arguments->state->is_unfinished;
    return launches_run(launches);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const size_t coordinates = (size_t)arguments->asked.clusters * arguments->asked.features;
    struct launches launches = {.soc = soc};

    enum sl_status status = sl_app_load(soc, "qr_kmeans.elf", &launches.module);
    if (status != SL_OK) {
        return status;
    }
    if (!make(soc, arguments)) {
        return SL_ERROR_USAGE;
    }
    status = launch(&launches, arguments);
    if (status == SL_OK) {
        sl_app_result("qr_kmeans(%" PRIu32 ") = %.9g", arguments->asked.n,
                      floats_sum(arguments->centre, coordinates));
    }
    return status;
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;
    (void)printf("# rounds                 %" PRIu32 "\n",
                 arguments->asked.rounds - arguments->state->left);
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
    float *const centre = malloc(coordinates * sizeof *centre);
    uint32_t *const membership = malloc(n * sizeof *membership);
    bool is_equal = false;

    if (centre == NULL || membership == NULL) {
        (void)fprintf(stderr, "qr_kmeans: no memory for %zu points\n", n);
    } else {
        const uint32_t left = cluster_in_plain_c(arguments, centre, membership);
        is_equal =
            words_are_equal("qr_kmeans", "cluster of point", arguments->membership, membership,
                            n) &&
            floats_are_equal("qr_kmeans", "coordinate", arguments->centre, centre, coordinates) &&
            words_are_equal("qr_kmeans", "number of rounds left", &arguments->state->left, &left,
                            1);
    }
    free(centre);
    free(membership);
    return is_equal;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.asked = CLUSTERS_CHOICE(N_DEFAULT)};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .print = print, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
