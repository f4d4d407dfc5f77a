/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What models with a write buffer ask of the stores in it. */
#include "simt/ordering/consistency_model.h"

const struct mem_instr *order_youngest_of(const struct wave *wave, uint64_t lanes)
{
    const struct mem_instr *found = wave->order.youngest;

    if (found == NULL || (found->lanes & lanes) != 0) {
        return found;
    }
    found = NULL;
    for (const struct mem_instr *m = wave->order.oldest; m != NULL; m = m->next_buffered) {
        found = (m->lanes & lanes) != 0 ? m : found;
    }
    return found;
}

const struct mem_instr *order_youngest_release(const struct wave *wave)
{
    const struct mem_instr *found = NULL;

    for (const struct mem_instr *m = wave->order.oldest; m != NULL; m = m->next_buffered) {
        found = m->op->release ? m : found;
    }
    return found;
}

const struct mem_instr *order_younger(const struct mem_instr *a, const struct mem_instr *b)
{
    if (a == NULL || b == NULL) {
        return a != NULL ? a : b;
    }
    return a->program_order > b->program_order ? a : b;
}
