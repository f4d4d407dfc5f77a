/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The pools: what was never in use follows what was given back, so that its pages stay untouched.
 */
#include "simt/memory/memory.h"

struct mem_op *mem_op_take(struct cu *cu)
{
    struct mem_op *memory = cu->free_mem_op;

    if (memory != NULL) {
        cu->free_mem_op = memory->next_free;
    } else {
        memory = &cu->mem_ops[cu->mem_ops_taken++];
        memory->event = (struct event){.run = perform_event, .rank = EVENT_MEMORY};
        memory->send = (struct event){.run = deferred_send_event, .rank = EVENT_MEMORY};
    }
    return memory;
}

struct mem_piece *mem_piece_take(struct cu *cu)
{
    struct mem_piece *piece = cu->free_piece;

    if (piece != NULL) {
        cu->free_piece = piece->next_free;
    } else {
        piece = &cu->pieces[cu->pieces_taken++];
    }
    return piece;
}
