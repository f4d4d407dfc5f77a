/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Cities of travelling salesmen, and their tours. */
#ifndef SLUICE_WORKLOADS_COMMON_SALESMAN_CITIES_H
#define SLUICE_WORKLOADS_COMMON_SALESMAN_CITIES_H

#include <stdbool.h>
#include <stdint.h>

/* Distances between `n` cities at random places of a square of 1000 x 1000, along its sides, as an
 * array of n x n. */
void cities_make(uint32_t *distance, uint32_t n, uint32_t seed);

/* Whether `tour` visits each city once, and has this length with the way back; says on standard
 * error what is wrong. */
bool cities_are_a_tour(const uint32_t *distance, uint32_t n, const uint32_t *tour, uint32_t length);

#endif
