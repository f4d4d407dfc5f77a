/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Shortest paths in plain C. */
#ifndef SLUICE_PROGRAMS_SEARCH_PLAIN_H
#define SLUICE_PROGRAMS_SEARCH_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "programs/common/search/search.h"

/* Whether the distances of n nodes are those that plain C finds; says on standard error which is
 * the first that is not. */
bool plain_distances_are_equal(const char *program, const struct search *search, uint32_t n);

#endif
