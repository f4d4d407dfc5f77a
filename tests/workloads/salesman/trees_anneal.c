/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Simulated annealing of a salesman's tour on a task vector: chains of random steps go on
 * independently in each round, from the best of the round before (docs/know/trees.md; papers/000
 * section 5.6.1 names such a program). Its kernel is trees_anneal_kernel.c. Plain C that goes
 * through the chains one after the other has to find the same tour. */
#include "workloads/salesman/trees_anneal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/salesman/cities.h"
#include "workloads/common/trees.h"

#define N_MAX      65536
#define CITIES_MIN 4
#define CITIES_MAX 256
#define ROUNDS_MAX 1024
#define STEPS_MAX  65536

/* As the kernel's SL_TASKS() numbers them: the first task. */
enum { FIRST_ROUND = 1, FUNCTIONS = 4 };

struct arguments {
    struct anneal asked; /* what the command line says */
    struct trees_options trees;
    const struct anneal *anneal; /* the machine's */
    uint32_t length;             /* before the first round */
    uint64_t best;               /* length and, in the lower half, chain */
};

enum { OPTION_CITIES = 256, OPTION_ROUNDS, OPTION_STEPS };

static const struct argp_option option_table[] = {
    TREES_OPTIONS,
    {"cities", OPTION_CITIES, "NUMBER", 0, "Cities, 4 to 256 (default 48)", 0},
    {"rounds", OPTION_ROUNDS, "NUMBER", 0, "Rounds, 1 to 1024 (default 16)", 0},
    {"seed", 's', "SEED", 0, "Of cities and steps (default 1)", 0},
    {"steps", OPTION_STEPS, "NUMBER", 0, "Steps of a chain in a round, 1 to 65536 (default 64)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    struct anneal *const asked = &arguments->asked;
    switch (key) {
    case OPTION_CITIES:
        asked->n = (uint32_t)sl_app_number(state, "--cities", argument, CITIES_MIN, CITIES_MAX);
        return 0;
    case OPTION_ROUNDS:
        asked->rounds = (uint32_t)sl_app_number(state, "--rounds", argument, 1, ROUNDS_MAX);
        return 0;
    case OPTION_STEPS:
        asked->steps = (uint32_t)sl_app_number(state, "--steps", argument, 1, STEPS_MAX);
        return 0;
    case 's':
        asked->seed = (uint32_t)sl_app_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    default:
        return trees_parse_n(key, argument, state, &arguments->trees, 1, N_MAX, &asked->chains);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "N",
    .doc = "Shorten a tour of cities by simulated annealing, with N chains on a task vector, of "
           "which each round goes on with the best; the result is its length.\vN is from 1 to "
           "65536.",
};

static uint64_t tours_bytes(const struct anneal *anneal)
{
    return 2 * sizeof(uint32_t) * anneal->n * (uint64_t)anneal->chains;
}

/* With a tour for chain 0: all cities by their numbers. */
static void fill(struct anneal *anneal, const struct anneal *asked, uint32_t *distance,
                 uint32_t *tours)
{
    *anneal = *asked;
    anneal->distance = (uintptr_t)distance;
    anneal->tours = (uintptr_t)tours;
    for (uint32_t i = 0; i < ANNEAL_LEVELS; i++) {
        anneal->minus_log[i] = (uint32_t)lround(-256 * log((i + 0.5) / ANNEAL_LEVELS));
    }
    for (uint32_t stop = 0; stop < anneal->n; stop++) {
        tours[stop * anneal->chains] = stop;
    }
}

/* In shared memory. NULL where it has no room, with the library's message. */
static const struct anneal *make(struct sl_soc *soc, const struct anneal *asked)
{
    const uint32_t n = asked->n;
    struct anneal *const anneal = sl_alloc(soc, sizeof *anneal, 0);
    uint32_t *const distance = anneal != NULL ? sl_alloc(soc, sizeof(uint32_t) * n * n, 0) : NULL;
    uint32_t *const tours = distance != NULL ? sl_alloc(soc, tours_bytes(asked), 0) : NULL;
    if (tours == NULL) {
        return NULL;
    }
    cities_make(distance, n, asked->seed);
    fill(anneal, asked, distance, tours);
    return anneal;
}

static uint32_t length_by_numbers(const struct anneal *anneal)
{
    uint32_t length = 0;
    for (uint32_t i = 0; i < anneal->n; i++) {
        length += anneal_distance(anneal)[i * anneal->n + (i + 1) % anneal->n];
    }
    return length;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const struct anneal *const asked = &arguments->asked;
    /* The tree of a round has fewer nodes than twice its leaves; the first one of each round stays,
     * since next_round forks again. */
    const struct trees_program program = {
        .name = "trees_anneal",
        .capacity = 1 + asked->rounds + 2 * asked->chains,
        .arguments = 7,
        .functions = FUNCTIONS,
    };
    struct trees_arguments first = {0};

    arguments->anneal = make(soc, asked);
    if (arguments->anneal == NULL) {
        return SL_ERROR_USAGE;
    }
    arguments->length = length_by_numbers(arguments->anneal);
    trees_put_pointer(&first, arguments->anneal);
    trees_put_u32(&first, arguments->length);
    const enum sl_status status =
        trees_run(soc, &program, &arguments->trees, FIRST_ROUND, &first, &arguments->best);
    if (status == SL_OK) {
        sl_app_result("trees_anneal(%" PRIu32 ") = %" PRIu64, asked->chains, arguments->best >> 32);
    }
    return status;
}

/* All rounds of `anneal`, one chain after the other, from a tour of this length. */
static uint64_t walk_all(const struct anneal *anneal, uint32_t length)
{
    uint64_t best = (uint64_t)length << 32;
    for (uint32_t round = 0; round < anneal->rounds; round++) {
        const uint64_t from = best;
        best = UINT64_MAX;
        for (uint32_t chain = 0; chain < anneal->chains; chain++) {
            const uint32_t walked =
                anneal_walk(anneal, round, chain, (uint32_t)from, (uint32_t)(from >> 32));
            const uint64_t score = (uint64_t)walked << 32 | chain;
            best = score < best ? score : best;
        }
    }
    return best;
}

static bool is_best(const struct arguments *arguments)
{
    struct anneal plain;
    uint32_t *const tours = calloc(1, tours_bytes(&arguments->asked));
    if (tours == NULL) {
        (void)fprintf(stderr, "trees_anneal: out of memory for the check\n");
        return false;
    }
    fill(&plain, &arguments->asked, (uint32_t *)(uintptr_t)arguments->anneal->distance, tours);
    const uint64_t best = walk_all(&plain, arguments->length);
    free(tours);
    if (best != arguments->best) {
        (void)fprintf(stderr,
                      "trees_anneal: wrong: chain %" PRIu32 " with %" PRIu64
                      ", should be chain %" PRIu32 " with %" PRIu64 "\n",
                      (uint32_t)arguments->best, arguments->best >> 32, (uint32_t)best, best >> 32);
    }
    return best == arguments->best;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct anneal *const anneal = arguments->anneal;
    uint32_t tour[CITIES_MAX];

    if (!is_best(arguments)) {
        return false;
    }
    for (uint32_t stop = 0; stop < anneal->n; stop++) {
        tour[stop] =
            anneal_tour(anneal, anneal->rounds, (uint32_t)arguments->best)[stop * anneal->chains];
    }
    return cities_are_a_tour("trees_anneal", anneal_distance(anneal), anneal->n, tour,
                             (uint32_t)(arguments->best >> 32));
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.asked = {.n = 48, .rounds = 16, .steps = 64, .seed = 1}};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
