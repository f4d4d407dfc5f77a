/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Cities and tours. */
#include "workloads/common/salesman/cities.h"

#include <assert.h>

#include "sluice/program.h"
#include "workloads/common/random_below.h"

#define CITIES_MAX 256
#define SIDE       1000

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

void cities_make(uint32_t *distance, uint32_t n, uint32_t seed)
{
    uint32_t x[CITIES_MAX];
    uint32_t y[CITIES_MAX];

    assert(n <= CITIES_MAX);
    for (uint32_t i = 0; i < n; i++) {
        x[i] = random_below(&seed, SIDE);
        y[i] = random_below(&seed, SIDE);
        for (uint32_t j = 0; j <= i; j++) {
            distance[i * n + j] = distance[j * n + i] = apart(x[i], x[j]) + apart(y[i], y[j]);
        }
    }
}

bool cities_are_a_tour(const uint32_t *distance, uint32_t n, const uint32_t *tour, uint32_t length)
{
    bool is_visited[CITIES_MAX] = {false};
    uint32_t sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (!sl_app_check(tour[i] < n && !is_visited[tour[i]],
                          "stop %" PRIu32 " of the tour is city %" PRIu32 "%s", i, tour[i],
                          tour[i] < n ? ", again" : "")) {
            return false;
        }
        is_visited[tour[i]] = true;
        sum += distance[tour[i] * n + tour[(i + 1) % n]];
    }
    return sl_app_check(sum == length, "the tour has length %" PRIu32 ", not %" PRIu32, sum,
                        length);
}
