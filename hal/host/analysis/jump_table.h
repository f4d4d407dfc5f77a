/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Targets of indirect jumps through tables: a `switch` that the compiler turned into a table of
 * 32-bit offsets or 64-bit addresses (GCC and Clang, medany and medlow), and tables of labels.
 *
 * The values of registers are followed through one function at a time: constants, and multiples of
 * an index that a comparison, a mask or a narrow load bounds. A jump to what was loaded from
 * read-only data at such a place has the table's entries as its targets. Bounds that only hold
 * across memory (an index that was spilled to the stack) are not found; such a jump counts as one
 * whose targets are not known. */
#ifndef SLUICE_HOST_JUMP_TABLE_H
#define SLUICE_HOST_JUMP_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "host/analysis/decoded.h"

/* An indirect jump whose targets are known. */
struct sl_jump {
    size_t at;
    size_t target_first; /* in sl_jumps.targets */
    size_t target_count; /* different ones inside the function */
    bool leaves;         /* some target is outside the function */
};

struct sl_jumps {
    struct sl_jump *jumps; /* in ascending order */
    size_t count;
    size_t *targets; /* places, ascending for each jump */
    size_t target_count;
};

/* Finds the jumps of a function. Returns 0, or -1 when out of memory; the result is to be freed. */
int sl_jumps_find(const struct sl_decoded *decoded, struct sl_code_range range,
                  struct sl_jumps *jumps);

void sl_jumps_free(struct sl_jumps *jumps);

/* The jump at an instruction, or NULL. */
const struct sl_jump *sl_jumps_at(const struct sl_jumps *jumps, size_t at);

#endif
