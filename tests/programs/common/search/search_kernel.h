/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the kernels that search have in common. */
#ifndef SLUICE_PROGRAMS_SEARCH_KERNEL_H
#define SLUICE_PROGRAMS_SEARCH_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "programs/common/search/search.h"
#include "wave/sluice_wave.h"

/* The length of a path over edge `i` of a node that has this distance. Whether edges have lengths
 * is known when a kernel is compiled. */
static inline uint32_t search_length(const struct search *search, bool has_lengths, uint32_t i,
                                     uint32_t distance)
{
    return distance + (has_lengths ? search->lengths[i] : 1);
}

/* Whether a path of this length is shorter than what is known of a node: it is known then. What a
 * cache holds may be old, and is too long then; the atomic decides. */
static inline bool search_shortens(uint32_t *distance, uint32_t length)
{
    return length < *distance && sl_atomic_min_u32_device(distance, length) > length;
}

#endif
