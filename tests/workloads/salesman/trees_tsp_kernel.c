/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of trees_tsp.c. A task has the first stops of a tour; it forks one for each city to go
 * on to, unless no tour that goes on there can be as short as one that is known. Tasks of one epoch
 * have equally many stops, so that each epoch has a bound of its own. */
#include "sluice/wave/trees.h"
#include "workloads/salesman/trees_tsp.h"

/* Longer than any tour. */
#define NO_TOUR UINT32_MAX

SL_TASKS(trees_tsp, visit, choose)

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* From a city to the nearest one of a set, which has another one than it. */
static uint32_t nearest(const struct tsp *tsp, uint32_t from, uint32_t cities, uint32_t *where)
{
    const uint32_t *const distance = &tsp->distance[from * tsp->n];
    uint32_t least = NO_TOUR;

    for (uint32_t city = 0; city < tsp->n; city++) {
        if (city != from && (cities >> city & 1) != 0 && distance[city] < least) {
            least = distance[city];
            *where = city;
        }
    }
    return least;
}

/* The length of the tour that goes to the nearest city from each one. */
static uint32_t greedy(const struct tsp *tsp, uint32_t last, uint32_t open, uint32_t length)
{
    uint32_t city = last;

    while (open != 0) {
        length += nearest(tsp, city, open, &city);
        open &= ~(1u << city);
    }
    return length + tsp->distance[city * tsp->n];
}

/* No tour is shorter: each open city, and the last one, is left for another one that is open, or
 * for city 0. */
static uint32_t least_length(const struct tsp *tsp, uint32_t last, uint32_t open, uint32_t length)
{
    uint32_t where;

    for (uint32_t city = 0; city < tsp->n; city++) {
        if (city == last || (open >> city & 1) != 0) {
            length += nearest(tsp, city, city == last && open != 0 ? open : open | 1, &where);
        }
    }
    return length;
}

/* Cities to go on to. */
static uint32_t worth(const struct tsp *tsp, uint32_t last, uint32_t open, uint32_t length,
                      uint32_t bound)
{
    uint32_t cities = 0;

    for (uint32_t city = 0; city < tsp->n; city++) {
        if ((open >> city & 1) != 0 &&
            least_length(tsp, city, open & ~(1u << city),
                         length + tsp->distance[last * tsp->n + city]) <= bound) {
            cities |= 1u << city;
        }
    }
    return cities;
}

static uint32_t count_of(uint32_t cities)
{
    uint32_t count = 0;

    for (; cities != 0; cities &= cities - 1) {
        count++;
    }
    return count;
}

/* A tour and, behind it, its length. */
static void emit(uint64_t tour, uint32_t length)
{
    sl_emit_u64(tour);
    sl_task_set_u32(sl_task_slot(), 2, length);
}

/* The shortest; of equal ones that with the least number, whichever was found first. */
SL_TASK(choose, uint32_t, first, uint32_t, count)
{
    uint64_t tour = UINT64_MAX;
    uint32_t least = NO_TOUR;

    for (uint32_t i = 0; i < count; i++) {
        const uint64_t of_child = sl_task_u64(first + i, 0);
        const uint32_t length = sl_task_u32(first + i, 2);
        if (length < least || (length == least && of_child < tour)) {
            least = length;
            tour = of_child;
        }
    }
    emit(tour, least);
}

SL_TASK(visit, struct tsp *, tsp, uint64_t, tour, uint32_t, open, uint32_t, length, uint32_t, stops)
{
    const uint32_t last = tsp_city(tour, stops - 1);

    if (open == 0) {
        emit(tour, length + tsp->distance[last * tsp->n]);
        return;
    }
    const uint32_t bound = lesser(tsp->bound[stops], greedy(tsp, last, open, length));
    (void)sl_atomic_min_u32_device(&tsp->bound[stops + 1], bound);
    const uint32_t cities = worth(tsp, last, open, length, bound);
    const uint32_t count = count_of(cities);
    if (count == 0) {
        emit(UINT64_MAX, NO_TOUR);
        return;
    }
    const unsigned first = sl_fork(sl_task_visit, count);
    unsigned slot = first;
    for (uint32_t city = 0; city < tsp->n; city++) {
        if ((cities >> city & 1) != 0) {
            sl_task_set_u64(slot, 0, (uintptr_t)tsp);
            sl_task_set_u64(slot, 2, tsp_go_on(tour, stops, city));
            sl_task_set_u32(slot, 4, open & ~(1u << city));
            sl_task_set_u32(slot, 5, length + tsp->distance[last * tsp->n + city]);
            sl_task_set_u32(slot, 6, stops + 1);
            slot++;
        }
    }
    sl_join_choose(first, count);
}
