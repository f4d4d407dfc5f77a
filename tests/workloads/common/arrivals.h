/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Times at which requests arrive: the same on every host, since only integers and comparisons make
 * them. */
#ifndef SLUICE_WORKLOADS_COMMON_ARRIVALS_H
#define SLUICE_WORKLOADS_COMMON_ARRIVALS_H

#include <stdbool.h>
#include <stdint.h>

struct arrivals {
    bool is_poisson;  /* gaps are exponentially distributed; else they are all the same */
    uint64_t mean_ps; /* of the gaps */
    uint64_t random;  /* the generator's state: any seed */
    uint64_t time_ps; /* of the last arrival */
};

/* The time of the next one. */
uint64_t arrivals_next(struct arrivals *arrivals);

#endif
