/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the kernels that search have in common. */
#ifndef SLUICE_PROGRAMS_SEARCH_KERNEL_H
#define SLUICE_PROGRAMS_SEARCH_KERNEL_H

#include "programs/common/search/search.h"
#include "wave/sluice_wave.h"

/* Whether a path of this length is shorter than what is known of a node: it is known then. What a
 * cache holds may be old, and is too long then; the atomic decides. */
static inline bool search_shortens(uint32_t *distance, uint32_t length)
{
    return length < *distance && sl_atomic_min_u32_device(distance, length) > length;
}

#endif
