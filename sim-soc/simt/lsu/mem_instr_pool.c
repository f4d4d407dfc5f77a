/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The pools: what was never in use follows what was given back, so that its pages stay untouched.
 */
#include "simt/lsu/lsu.h"
#include "simt/unit/pages.h"

#define CHUNK 64

struct mem_instr_chunk {
    struct mem_instr_chunk *next;
    struct mem_instr ops[CHUNK];
};

size_t cu_mem_instrs(const struct cu *cu)
{
    return (size_t)cu->shape.contexts * (cu->shape.memory_ops + 2);
}

/* Whoever inserts one of its events sets what it runs. */
static void begin(struct mem_instr *memory)
{
    memory->event = (struct event){.rank = EVENT_MEMORY};
    memory->send = (struct event){.rank = EVENT_MEMORY};
}

bool mem_instr_reserve(struct cu *cu)
{
    if (cu->mem_instrs_queued < cu->mem_instrs_spare) {
        return true;
    }
    struct mem_instr_chunk *chunk = pages_allocate(sizeof(*chunk));
    if (chunk == NULL) {
        return false;
    }
    chunk->next = cu->spare_mem_instrs;
    cu->spare_mem_instrs = chunk;
    cu->mem_instrs_spare += CHUNK;
    for (unsigned i = 0; i < CHUNK; i++) {
        begin(&chunk->ops[i]);
        mem_instr_give(cu, &chunk->ops[i]);
    }
    return true;
}

void mem_instr_trim(struct cu *cu)
{
    while (cu->spare_mem_instrs != NULL) {
        struct mem_instr_chunk *chunk = cu->spare_mem_instrs;
        cu->spare_mem_instrs = chunk->next;
        pages_free(chunk, sizeof(*chunk));
    }
    cu->mem_instrs_spare = 0;
    cu->mem_instrs_queued = 0;
}

struct mem_instr *mem_instr_take(struct cu *cu)
{
    struct mem_instr *memory = cu->free_mem_instr;

    if (memory != NULL) {
        cu->free_mem_instr = memory->next_free;
    } else {
        memory = &cu->mem_instrs[cu->mem_instrs_taken++];
        begin(memory);
    }
    return memory;
}

struct line_request *line_request_take(struct cu *cu)
{
    struct line_request *piece = cu->free_line_request;

    if (piece != NULL) {
        cu->free_line_request = piece->next_free;
    } else {
        piece = &cu->pieces[cu->pieces_taken++];
    }
    return piece;
}
