/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of trees_anneal.c share: cities, the tours of all chains, and a
 * chain's walk, which the host's check walks too. */
#ifndef SLUICE_WORKLOADS_SALESMAN_TREES_ANNEAL_H
#define SLUICE_WORKLOADS_SALESMAN_TREES_ANNEAL_H

#include <stdint.h>

#include "workloads/common/random_below.h"

#define ANNEAL_LEVELS_LOG2 8
#define ANNEAL_LEVELS      (1u << ANNEAL_LEVELS_LOG2)

struct anneal {
    uint32_t n; /* cities */
    uint32_t chains;
    uint32_t rounds;
    uint32_t steps; /* of a chain in each round */
    uint32_t seed;
    /* Of equally likely levels of -ln(chance), in 1/256. */
    uint32_t minus_log[ANNEAL_LEVELS];
    uint64_t distance; /* address of uint32_t[n][n] */
    uint64_t tours; /* address of uint32_t[2][n][chains]: those of even rounds, and of odd ones */
};

static inline const uint32_t *anneal_distance(const struct anneal *anneal)
{
    return (const uint32_t *)(uintptr_t)anneal->distance;
}

/* A chain's tour at the beginning of a round, whose cities are `chains` words apart: those of
 * neighbouring chains are neighbours. */
static inline uint32_t *anneal_tour(const struct anneal *anneal, uint32_t round, uint32_t chain)
{
    uint32_t *const tours = (uint32_t *)(uintptr_t)anneal->tours;

    return tours + (uint64_t)(round % 2) * anneal->n * anneal->chains + chain;
}

/* Neighbouring numbers, as of chains, to ones without a relation. */
static inline uint32_t anneal_mix(uint32_t number)
{
    number = (number ^ number >> 16) * 0x45d9f3bu;
    return number ^ number >> 16;
}

/* By how much a step may make a tour longer in the mean, in 1/256: half as much every fourth round.
 */
static inline uint32_t anneal_temperature(uint32_t round)
{
    const uint32_t halvings = round / 4;

    return halvings < 32 ? (7 - round % 4) * (100u * 256 / 8) >> halvings : 0;
}

/* How much longer a tour is whose part from stop `i` to stop `j` is turned round; 0 < i < j < n. */
static inline int32_t anneal_change(const struct anneal *anneal, const uint32_t *tour, uint32_t i,
                                    uint32_t j)
{
    const uint32_t n = anneal->n;
    const uint32_t *const distance = anneal_distance(anneal);
    const uint32_t before = tour[(i - 1) * anneal->chains] * n;
    const uint32_t first = tour[i * anneal->chains];
    const uint32_t last = tour[j * anneal->chains];
    const uint32_t behind = tour[(j + 1 < n ? j + 1 : 0) * anneal->chains];

    return (int32_t)(distance[before + last] + distance[first * n + behind] -
                     distance[before + first] - distance[last * n + behind]);
}

static inline void anneal_turn(const struct anneal *anneal, uint32_t *tour, uint32_t i, uint32_t j)
{
    for (; i < j; i++, j--) {
        const uint32_t city = tour[i * anneal->chains];
        tour[i * anneal->chains] = tour[j * anneal->chains];
        tour[j * anneal->chains] = city;
    }
}

/* A chain's steps of a round: from the tour of chain `from` at its beginning, whose length is
 * `length`, to the chain's own at its end, whose length is returned. */
static inline uint32_t anneal_walk(const struct anneal *anneal, uint32_t round, uint32_t chain,
                                   uint32_t from, uint32_t length)
{
    const uint32_t *const start = anneal_tour(anneal, round, from);
    uint32_t *const tour = anneal_tour(anneal, round + 1, chain);
    uint32_t state = anneal_mix((anneal->seed * anneal->rounds + round) * anneal->chains + chain);

    for (uint32_t stop = 0; stop < anneal->n; stop++) {
        tour[stop * anneal->chains] = start[stop * anneal->chains];
    }
    for (uint32_t step = 0; step < anneal->steps; step++) {
        const uint32_t j = 2 + random_below(&state, anneal->n - 2);
        const uint32_t i = 1 + random_below(&state, j - 1);
        const uint32_t level = random_below(&state, ANNEAL_LEVELS);
        const int32_t change = anneal_change(anneal, tour, i, j);
        const int64_t limit = (int64_t)anneal_temperature(round) * anneal->minus_log[level];
        if ((int64_t)change * 65536 <= limit) {
            anneal_turn(anneal, tour, i, j);
            length += (uint32_t)change;
        }
    }
    return length;
}

#endif
