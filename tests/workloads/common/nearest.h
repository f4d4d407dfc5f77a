/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Nearest neighbours in plain C. */
#ifndef SLUICE_WORKLOADS_COMMON_NEAREST_H
#define SLUICE_WORKLOADS_COMMON_NEAREST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workloads/common/place.h"

/* The `count` smallest distances, the smallest first; of equal ones the first. Returns how many
 * there are. */
uint32_t nearest_find(const float *distances, uint32_t n, uint32_t count, uint32_t *nearest);

/* Whether the distances of n records from a point have the bits that plain C computes; says on
 * standard error which is the first that has not. */
bool nearest_distances_are_right(const struct place *records, size_t n, struct place point,
                                 const float *distances);

#endif
