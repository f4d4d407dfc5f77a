/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Shortest paths in plain C. */
#ifndef SLUICE_WORKLOADS_COMMON_SEARCH_PLAIN_H
#define SLUICE_WORKLOADS_COMMON_SEARCH_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "workloads/common/search/search.h"

/* Whether the distances of n nodes are those that plain C finds; says on standard error which is
 * the first that is not. */
bool plain_distances_are_equal(const struct search *search, bool has_lengths, uint32_t n);

#endif
