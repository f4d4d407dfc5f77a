/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Chance, from a seed: splitmix64 (docs/know/papers.md, "Other literature"). */
#ifndef SLUICE_LITMUS_RANDOM_H
#define SLUICE_LITMUS_RANDOM_H

#include <stdint.h>

/* From 0 to limit - 1. */
static inline uint32_t litmus_random_below(uint64_t *state, uint32_t limit)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t mixed = *state;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((mixed ^ mixed >> 31) >> 32) % limit;
}

#endif
