/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of trees_tsp.c share. */
#ifndef SLUICE_WORKLOADS_SALESMAN_TREES_TSP_H
#define SLUICE_WORKLOADS_SALESMAN_TREES_TSP_H

#include <stdint.h>

#define TSP_CITIES 16 /* a tour is 4 bits for each */

/* A tour that begins in city 0: the city of stop i is in bits 4i to 4i + 3. */
static inline uint32_t tsp_city(uint64_t tour, uint32_t stop)
{
    return tour >> 4 * stop & 15;
}

/* A tour with one more stop. */
static inline uint64_t tsp_go_on(uint64_t tour, uint32_t stop, uint32_t city)
{
    return tour | (uint64_t)city << 4 * stop;
}

struct tsp {
    uint32_t n;
    /* The shortest tour that is known when all with fewer than `stops` stops have been looked at.
     * So what a task leaves out does not depend on which tasks ran before it in its own epoch. */
    uint32_t bound[TSP_CITIES + 2];
    uint32_t distance[]; /* n x n */
};

#endif
