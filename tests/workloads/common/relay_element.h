/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host and kernel of the relay graph (relay.h) share. */
#ifndef SLUICE_WORKLOADS_COMMON_RELAY_ELEMENT_H
#define SLUICE_WORKLOADS_COMMON_RELAY_ELEMENT_H

#include <stdint.h>

/* A runner has rounds to go; what it carries along adds its value to the sum and ends. */
struct relay_element {
    uint32_t rounds;
    uint32_t value;
};

struct relay_result {
    uint64_t sum;      /* of the values of all elements without rounds */
    uint64_t elements; /* consumed */
    uint64_t in_slack; /* of those, elements whose offset is the channel's width or more */
};

/* Value of the element that a runner with `rounds` to go puts in at place `i` of its fan-out. */
static inline uint32_t relay_value(uint32_t rounds, uint32_t i)
{
    return rounds * 31 + i;
}

#endif
