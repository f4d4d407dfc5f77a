/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Clusters of N points by Lloyd's k-means (docs/quickrelease-programs.md, "qr_kmeans"): a launch
 * gives each point to the nearest centre, the next moves each centre to the mean of its points;
 * both repeat until no point changes its cluster, or rounds are over. Its kernels are
 * qr_kmeans_kernel.c.
 *
 * The plain C that checks it adds up in the same order, so that all centres have to be equal to the
 * last bit. */
#include "programs/qr_kmeans.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/sluice.h"
#include "programs/common/floats.h"
#include "programs/common/launches.h"
#include "programs/common/matrix.h"
#include "programs/common/options.h"
#include "programs/common/program.h"
#include "programs/common/report.h"
#include "programs/common/words.h"

#define N_DEFAULT        8192
#define N_MAX            262144
#define FEATURES_DEFAULT 16
#define FEATURES_MAX     64
#define CLUSTERS_DEFAULT 5
#define CLUSTERS_MAX     64
#define ROUNDS_DEFAULT   4
#define ROUNDS_MAX       1000
#define NO_CLUSTER       UINT32_MAX

struct arguments {
    uint32_t n;
    uint32_t features;
    uint32_t clusters;
    uint32_t rounds;
    const struct clustering *all; /* the machine's */
};

static const struct argp_option option_table[] = {
    {"features", 'f', "NUMBER", 0, "Coordinates of a point, 1 to 64 (default 16)", 0},
    {"clusters", 'k', "NUMBER", 0, "Clusters, 1 to 64 and N (default 5, or N)", 0},
    {"rounds", 'r', "NUMBER", 0, "Rounds at most, 1 to 1000 (default 4)", 0},
    {0},
};

static uint32_t number(const struct argp_state *state, const char *what, const char *text,
                       uint32_t most)
{
    return (uint32_t)options_number(state, what, text, 1, most);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'f':
        arguments->features = number(state, "--features", argument, FEATURES_MAX);
        return 0;
    case 'k':
        arguments->clusters = number(state, "--clusters", argument, CLUSTERS_MAX);
        return 0;
    case 'r':
        arguments->rounds = number(state, "--rounds", argument, ROUNDS_MAX);
        return 0;
    case ARGP_KEY_NO_ARGS:
        return 0;
    case ARGP_KEY_END:
        if (arguments->clusters > arguments->n) {
            argp_error(state, "--clusters: %" PRIu32 " are more than the %" PRIu32 " points",
                       arguments->clusters, arguments->n);
        }
        if (arguments->clusters == 0) {
            arguments->clusters = arguments->n < CLUSTERS_DEFAULT ? arguments->n : CLUSTERS_DEFAULT;
        }
        return 0;
    default:
        return options_n(key, argument, state, 1, N_MAX, &arguments->n);
    }
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
static struct clustering *make(struct sl_soc *soc, const struct arguments *arguments)
{
    const size_t n = arguments->n, features = arguments->features;
    const size_t centres = arguments->clusters * features;
    struct clustering *const all = sl_alloc(soc, sizeof *all, 0);
    float *const given = sl_alloc(soc, n * features * sizeof *given, 0);
    float *const feature = sl_alloc(soc, n * features * sizeof *feature, 0);
    float *const centre = sl_alloc(soc, centres * sizeof *centre, 0);
    uint32_t *const membership = sl_alloc(soc, n * sizeof *membership, 0);
    uint64_t random = 1;

    if (all == NULL || given == NULL || feature == NULL || centre == NULL || membership == NULL) {
        return NULL;
    }
    matrix_fill(given, n * features, &random);
    memcpy(centre, given, centres * sizeof *centre);
    for (size_t i = 0; i < n; i++) {
        membership[i] = NO_CLUSTER;
    }
    *all = (struct clustering){.points = arguments->n,
                               .features = arguments->features,
                               .clusters = arguments->clusters,
                               .given = given,
                               .feature = feature,
                               .centre = centre,
                               .membership = membership,
                               .rounds = arguments->rounds};
    return all;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n, centres = arguments->clusters * arguments->features;
    struct launches launches = {.soc = soc, .first = 1, .last = 3};

    enum sl_status status = program_load(soc, "qr_kmeans.elf", &launches.module);
    if (status != SL_OK) {
        return status;
    }
    const struct clustering *const all = make(soc, arguments);
    if (all == NULL) {
        return SL_ERROR_USAGE;
    }
    const uint64_t constants[] = {(uintptr_t)all};
    launches_add(&launches, "kmeans_transpose", n, GROUP, 0, constants, 1);
    launches_add(&launches, "kmeans_assign", n, GROUP, 0, constants, 1);
    launches_add(&launches, "kmeans_centres", centres * GROUP, GROUP, 0, constants, 1);
    launches_add(&launches, "kmeans_decide", 1, 1, 0, constants, 1);
    launches.word = &all->is_unfinished;
    status = launches_run(&launches);
    if (status == SL_OK) {
        arguments->all = all;
        report_result("qr_kmeans(%" PRIu32 ") = %.9g", n, floats_sum(all->centre, centres));
    }
    return status;
}

static void print(const void *input)
{
    const struct arguments *const arguments = input;
    (void)printf("# rounds                 %" PRIu32 "\n",
                 arguments->rounds - arguments->all->rounds);
}

/* Returns how many points changed their cluster. */
static uint32_t assign_in_plain_c(const struct clustering *all, const float *centre,
                                  uint32_t *membership)
{
    uint32_t moved = 0;
    for (uint32_t i = 0; i < all->points; i++) {
        const float *const point = all->given + (size_t)i * all->features;
        float least = INFINITY;
        uint32_t nearest = 0;
        for (uint32_t c = 0; c < all->clusters; c++) {
            float distance = 0;
            for (uint32_t f = 0; f < all->features; f++) {
                const float apart = point[f] - centre[c * all->features + f];
                distance = fmaf(apart, apart, distance);
            }
            if (distance < least) {
                least = distance;
                nearest = c;
            }
        }
        moved += membership[i] != nearest;
        membership[i] = nearest;
    }
    return moved;
}

/* The mean of a feature of a cluster's points, added up as the work-group does it; or what the
 * centre was. */
static float mean_in_plain_c(const struct clustering *all, const uint32_t *membership,
                             uint32_t cluster, uint32_t feature, float before)
{
    float sums[GROUP] = {0};
    uint32_t count = 0;

    for (uint32_t i = 0; i < all->points; i++) {
        if (membership[i] == cluster) {
            sums[i % GROUP] += all->given[(size_t)i * all->features + feature];
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

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct clustering *const all = arguments->all;
    const size_t centres = (size_t)all->clusters * all->features;
    float *const centre = malloc(centres * sizeof *centre);
    uint32_t *const membership = malloc(all->points * sizeof *membership);
    bool is_equal = centre != NULL && membership != NULL;

    if (!is_equal) {
        (void)fprintf(stderr, "qr_kmeans: no memory for %" PRIu32 " points\n", all->points);
    } else {
        uint32_t rounds = arguments->rounds, moved = 1;
        memcpy(centre, all->given, centres * sizeof *centre);
        memset(membership, 0xff, all->points * sizeof *membership); /* NO_CLUSTER */
        for (; rounds > 0 && moved > 0; rounds--) {
            moved = assign_in_plain_c(all, centre, membership);
            for (uint32_t i = 0; i < centres; i++) {
                centre[i] = mean_in_plain_c(all, membership, i / all->features, i % all->features,
                                            centre[i]);
            }
        }
        is_equal = words_are_equal("qr_kmeans", "cluster of point", all->membership, membership,
                                   all->points) &&
                   floats_are_equal("qr_kmeans", "coordinate", all->centre, centre, centres) &&
                   words_are_equal("qr_kmeans", "number of rounds left", &all->rounds, &rounds, 1);
    }
    free(centre);
    free(membership);
    return is_equal;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {
        .n = N_DEFAULT, .features = FEATURES_DEFAULT, .rounds = ROUNDS_DEFAULT};
    const struct program program = {
        .argp = &argp, .arguments = &arguments, .run = run, .print = print, .is_right = is_right};

    return program_main(&program, argc, argv);
}
