/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Whether two memory instructions have a place in common. */
#ifndef SLUICE_SIMT_ORDERING_ACCESS_OVERLAP_H
#define SLUICE_SIMT_ORDERING_ACCESS_OVERLAP_H

#include "simt/unit/mem_instr.h"

/* Whether lanes of one access a doubleword that lanes of the other access. */
bool overlap_words(const struct mem_instr *a, const struct mem_instr *b);

/* The bytes between the lowest and the highest one that lanes access outside LDS; where none does,
 * MEM_RANGE_NONE. */
struct mem_range overlap_range(const struct mem_instr *memory);

/* Whether a lane of one, which has not been sent, accesses a byte that the same lane of the other
 * does; or both access LDS, which is no lane's own. Of both the range is set. */
bool overlap_lanes(const struct mem_instr *unsent, const struct mem_instr *other);

#endif
