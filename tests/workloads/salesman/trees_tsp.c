/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The travelling salesman by branch and bound on a task vector (docs/know/trees.md; papers/000
 * section 5.6.1 has one of its programs do it). Its kernel is trees_tsp_kernel.c. Held and Karp's
 * dynamic programming checks it. */
#include "workloads/salesman/trees_tsp.h"

#include <stdlib.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/common/salesman/cities.h"
#include "workloads/common/trees.h"

/* As the kernel's SL_TASKS() numbers them: the first task. */
enum { VISIT = 1, FUNCTIONS = 2 };

struct arguments {
    uint32_t n;
    uint32_t seed;
    struct trees_options trees;
    struct tsp *tsp; /* the machine's */
    uint32_t tour[TSP_CITIES];
    uint32_t length;
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 2, TSP_CITIES, SL_INTO(struct arguments, n)},
    SL_ROWS(struct arguments, trees, trees_rows),
    {"seed", 's', SL_SEED, 0, 0, SL_INTO(struct arguments, seed), "Of the places of the cities"},
    {0},
};

static struct tsp *make(struct sl_soc *soc, uint32_t n, uint32_t seed)
{
    struct tsp *const tsp = sl_app_alloc(soc, sizeof *tsp + sizeof(uint32_t) * n * n, 0);

    tsp->n = n;
    memset(tsp->bound, 0xff, sizeof tsp->bound);
    cities_make(tsp->distance, n, seed);
    return tsp;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    const struct trees_program program = {
        .name = "trees_tsp", .capacity = 1u << 18, .arguments = 7, .functions = FUNCTIONS};
    struct trees_arguments first = {0};
    uint64_t tour;

    arguments->tsp = make(soc, n, arguments->seed);
    trees_put_pointer(&first, arguments->tsp);
    trees_put_u64(&first, 0);
    trees_put_u32(&first, (1u << n) - 2);
    trees_put_u32(&first, 0);
    trees_put_u32(&first, 1);
    const enum sl_status status = trees_run(soc, &program, &arguments->trees, VISIT, &first, &tour);
    if (status != SL_OK) {
        return status;
    }
    for (uint32_t i = 0; i < n; i++) {
        arguments->tour[i] = tsp_city(tour, i);
        arguments->length +=
            arguments->tsp->distance[tsp_city(tour, i) * n + tsp_city(tour, (i + 1) % n)];
    }
    sl_app_result("trees_tsp(%" PRIu32 ") = %" PRIu32, n, arguments->length);
    return SL_OK;
}

/* From city 0 through all of a set to one of it: the least length for each set and end, in an array
 * of sets x n, and for larger sets out of smaller ones. */
static uint32_t noncoherent_karp(const uint32_t *distance, uint32_t n, uint32_t *length)
{
    const uint32_t all = (1u << n) - 2;
    uint32_t least = UINT32_MAX;

    for (uint32_t set = 2; set <= all; set += 2) {
        for (uint32_t end = 1; end < n; end++) {
            const uint32_t before = set & ~(1u << end);
            uint32_t *const place = &length[(size_t)set * n + end];
            *place = before == 0 ? distance[end] : UINT32_MAX;
            for (uint32_t city = 1; city < n && before != set; city++) {
                if ((before >> city & 1) != 0) {
                    const uint32_t there =
                        length[(size_t)before * n + city] + distance[city * n + end];
                    *place = there < *place ? there : *place;
                }
            }
            if (set == all && *place + distance[end * n] < least) {
                least = *place + distance[end * n];
            }
        }
    }
    return least;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint32_t *const distance = arguments->tsp->distance;
    const uint32_t n = arguments->n;
    uint32_t *const length = sl_app_memory((size_t)n << n, sizeof *length);
    const uint32_t least = noncoherent_karp(distance, n, length);

    free(length);
    return sl_app_check(arguments->length == least, "%" PRIu32 ", the shortest tour has %" PRIu32,
                        arguments->length, least) &&
           cities_are_a_tour(distance, n, arguments->tour, arguments->length);
}

static const struct sl_app app = {
    .doc = "Find the shortest tour of N cities by branch and bound, with fork and join on a task "
           "vector; the result is its length.\vHow many slots it takes depends on the cities: by "
           "default there are 262144.",
    .table = table,
    .arguments = &(struct arguments){.seed = 1},
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
