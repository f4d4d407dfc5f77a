/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A memory instruction between its issue and its end. All wavefronts of a compute unit take them
 * from one pool, the one given back last first, so that few are in the host's cache. */
#ifndef SLUICE_SIMT_UNIT_MEM_INSTR_H
#define SLUICE_SIMT_UNIT_MEM_INSTR_H

#include "simt/unit/address_range.h"
#include "simt/unit/unit.h"

/* How the addresses of a memory instruction lie (simt.pattern in hal/contract/statistics.def) is
 * enum memory_pattern of simt/unit/unit_counters.h. */

#define MEM_INSTR_LDS (1ull << 63) /* the bit for LDS in mem_instr.lines */

/* What a load looks at of each store in a write buffer is in one of the host's cache lines. */
struct mem_instr {
    struct event event;
    struct wave *wave;
    const struct simt_op *op;
    struct mem_instr *next_free;
    uint64_t lanes;
    uint64_t lds_lanes;     /* of them, those in LDS, */
    uint64_t private_lanes; /* and those in the private aperture */
    uint64_t program_order; /* in program order: memory instructions of the wavefront before it */
    struct mem_instr *next_buffered; /* in the write buffer, where it is a store in there */
    struct mem_range range; /* where there is a write buffer: all that lanes not in LDS access */
    bool is_buffered;
    bool blocks;             /* the wavefront issues nothing before it is done */
    uint64_t split;          /* lanes whose access is in two pieces */
    uint64_t lines;          /* a bit for each line accessed, hashed; MEM_INSTR_LDS for LDS */
    uint64_t done_cycle;     /* the lanes have their results; nothing is left to do */
    uint32_t slot;           /* of the wavefront's memory slots */
    uint32_t pieces;         /* lsu_pending.c: lines whose end is not known, and LDS */
    struct event send;       /* lsu_pending.c: hands in what waited for its release */
    struct mem_request sync; /* lsu_pending.c: that release, or the acquire behind */
    enum memory_pattern pattern;
    uint8_t stall;       /* enum sl_stall: what serves it; of several lines the deepest level */
    lane_vector address; /* in DRAM, after translation of the private aperture; in all LDS */
    lane_vector value;   /* of stores and read-modify-writes; bytes of loads in two pieces */

    /* Of the lanes in `split`: bytes of the first piece, and where the second one is. */
    uint8_t head_bytes[LANES];
    lane_vector tail_address;
};

/* A line that memory has been handed, where its answer is pending: of a memory instruction, or of a
 * move to or from a save area. */
struct line_request {
    struct mem_request request;
    struct wave *wave;
    struct mem_instr *memory; /* NULL: of a move */
    struct line_request *next_free;
    uint64_t heads; /* lanes whose access, or the first piece of it, is on this line */
    uint64_t tails; /* and those whose second piece is */
};

/* The most lines that an instruction touches. */
#define MEM_INSTR_LINES (2 * LANES)

static inline void mem_instr_give(struct cu *cu, struct mem_instr *memory)
{
    memory->next_free = cu->free_mem_instr;
    cu->free_mem_instr = memory;
}

static inline void line_request_give(struct cu *cu, struct line_request *piece)
{
    piece->next_free = cu->free_line_request;
    cu->free_line_request = piece;
}

#endif
