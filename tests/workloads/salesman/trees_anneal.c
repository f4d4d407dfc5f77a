/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Simulated annealing of a salesman's tour on a task vector: chains of random steps go on
 * independently in each round, from the best of the round before (docs/know/trees.md; papers/000
 * section 5.6.1 names such a program). Its kernel is trees_anneal_kernel.c. Plain C that goes
 * through the chains one after the other has to find the same tour. */
#include "workloads/salesman/trees_anneal.h"

#include <math.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "workloads/common/salesman/cities.h"
#include "workloads/common/trees.h"

#define CITIES_MAX 256

/* As the kernel's SL_TASKS() numbers them: the first task. */
enum { FIRST_ROUND = 1, FUNCTIONS = 4 };

struct arguments {
    struct anneal asked; /* what the command line says */
    struct trees_options trees;
    const struct anneal *anneal; /* the machine's */
    uint32_t length;             /* before the first round */
    uint64_t best;               /* length and, in the lower half, chain */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 65536, SL_INTO(struct arguments, asked.chains)},
    SL_ROWS(struct arguments, trees, trees_rows),
    {"cities", 0, SL_NUMBER, 4, CITIES_MAX, SL_INTO(struct arguments, asked.n), "Cities"},
    {"rounds", 0, SL_NUMBER, 1, 1024, SL_INTO(struct arguments, asked.rounds), "Rounds"},
    {"seed", 's', SL_SEED, 0, 0, SL_INTO(struct arguments, asked.seed), "Of cities and steps"},
    {"steps", 0, SL_NUMBER, 1, 65536, SL_INTO(struct arguments, asked.steps),
     "Steps of a chain in a round"},
    {0},
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

/* In shared memory. */
static const struct anneal *make(struct sl_soc *soc, const struct anneal *asked)
{
    struct anneal *const anneal = sl_app_alloc(soc, sizeof *anneal, 0);
    uint32_t *const distance = sl_app_alloc(soc, sizeof(uint32_t) * asked->n * asked->n, 0);
    uint32_t *const tours = sl_app_alloc(soc, tours_bytes(asked), 0);

    cities_make(distance, asked->n, asked->seed);
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
    uint32_t *const tours = sl_app_memory(1, tours_bytes(&arguments->asked));

    fill(&plain, &arguments->asked, (uint32_t *)(uintptr_t)arguments->anneal->distance, tours);
    const uint64_t best = walk_all(&plain, arguments->length);
    free(tours);
    return sl_app_check(
        best == arguments->best,
        "chain %" PRIu32 " with %" PRIu64 ", should be chain %" PRIu32 " with %" PRIu64,
        (uint32_t)arguments->best, arguments->best >> 32, (uint32_t)best, best >> 32);
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
    return cities_are_a_tour(anneal_distance(anneal), anneal->n, tour,
                             (uint32_t)(arguments->best >> 32));
}

static const struct sl_app app = {
    .doc = "Shorten a tour of cities by simulated annealing, with N chains on a task vector, of "
           "which each round goes on with the best; the result is its length.",
    .table = table,
    .arguments = &(struct arguments){.asked = {.n = 48, .rounds = 16, .steps = 64, .seed = 1}},
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
