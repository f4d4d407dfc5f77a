/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Whether two memory instructions have a place in common. */
#ifndef SLUICE_SIMT_ORDER_OVERLAP_H
#define SLUICE_SIMT_ORDER_OVERLAP_H

#include "simt/cu/mem_op.h"

/* Whether lanes of one access a doubleword that lanes of the other access. */
bool overlap_words(const struct mem_op *a, const struct mem_op *b);

/* Whether a lane of one, which has not been sent, accesses a byte that the same lane of the other
 * does; or both access LDS, which is no lane's own. */
bool overlap_lanes(const struct mem_op *unsent, const struct mem_op *other);

#endif
