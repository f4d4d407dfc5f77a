/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A wavefront context: registers of all lanes, reconvergence stack, scoreboard, and the memory
 * instructions under way. */
#ifndef SLUICE_SIMT_WAVE_H
#define SLUICE_SIMT_WAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "obs/stream/counters.h"
#include "simt/code/program.h"
#include "simt/cu/group.h"
#include "simt/cu/stack.h"
#include "simt/lanes/lanes.h"
#include "time/wheel.h"

struct simd;
struct wave;

#define WAVE_MEMORY_OPS 32 /* most that gpu.memory_ops may say */

/* fcsr of all lanes, transposed. */
struct fcsr {
    uint64_t flags[5]; /* by bit of fflags: the lanes that have it set */
    uint64_t mode[3];  /* by bit of frm */
};

/* A memory instruction between its issue and its serialization point. All wavefronts take them
 * from one pool, the one given back last first, so that few are in the host's cache. */
#define MEM_OP_LDS (1ull << 63)

struct mem_op {
    struct event event;
    struct wave *wave;
    const struct simt_op *op;
    struct mem_op *next_free;
    uint64_t lanes;
    uint64_t done_cycle; /* the lanes have their results; nothing is left to do */
    uint64_t lines;      /* a bit for each line accessed, hashed; MEM_OP_LDS for LDS */
    uint64_t split;      /* lanes whose access is in two pieces */
    uint8_t *linear;     /* address a is at linear + a; or NULL: at bytes[lane] */
    enum memory_pattern pattern;
    lane_vector address; /* in DRAM, after translation of the private aperture */
    lane_vector value;   /* of stores and read-modify-writes */
    uint8_t *bytes[LANES];

    /* Of the lanes in `split`: bytes of the first piece, and where the second one is. */
    uint8_t head_bytes[LANES];
    lane_vector tail_address;
    uint8_t *tail[LANES];
};

static inline uint8_t *mem_op_bytes(const struct mem_op *memory, uint64_t lane)
{
    return memory->linear != NULL ? memory->linear + memory->address[lane] : memory->bytes[lane];
}

/* What a wavefront is launched with. */
struct wave_launch {
    uint32_t pc;
    uint32_t channel;
    uint32_t first; /* control-array index of lane 0's element */
    uint32_t index_mask;
    uint32_t count; /* lanes in use, 1 to gpu.lanes */
    uint32_t argument_count;
    uint64_t arguments[SL_LAUNCH_ARGUMENTS];
    uint64_t kernel;         /* address of the struct sl_kernel */
    uint64_t limits;         /* of its struct sl_limit; 0 in an NDRange */
    uint32_t limit_count;    /* of these, likewise */
    uint32_t dispatch;       /* id of the packet */
    uint32_t slot;           /* the dispatcher's own number of the packet */
    uint32_t registers;      /* that it takes of its SIMD unit's */
    uint64_t register_mask;  /* which: what a yield saves; 0 for all */
    struct workgroup *group; /* of an NDRange, or NULL: launched from a channel */
    uint32_t group_wave;     /* number in the group */
    uint32_t group_slot;     /* its place in the group's table of wavefronts */
    uint32_t delay_cycles;   /* from now to its start */
    uint64_t mask;           /* of a group: lanes in use; else they are the first `count` */
};

enum wave_state {
    WAVE_FREE, /* the context is free */
    WAVE_RUNNING,
    WAVE_YIELDING, /* its state is being saved, or its restart context waits for the ring */
    WAVE_DRAINING  /* has ended, but memory instructions are under way */
};

/* What every instruction looks at comes first, in few of the host's cache lines. */
struct wave {
    struct simt_stack stack __attribute__((aligned(64)));
    struct simd *simd;
    uint64_t counted_mask; /* the mask that lane_count is of */
    uint32_t lane_count;
    uint32_t slot; /* in the SIMD unit */
    enum wave_state state;
    uint32_t fetched_line;      /* code line in the instruction buffer, or PC_NONE */
    uint64_t gate_cycle;        /* nothing issues before (pause, acquire, fetch) */
    uint64_t memory_done_cycle; /* every memory instruction issued so far is done */
    uint64_t select_mask;       /* what `select` says */
    uint32_t next_memory_slot;
    bool has_float; /* an f register may be other than zero */
    bool waits_at_barrier;
    struct fcsr fcsr;
    uint64_t ready_cycle[SCOREBOARD_REGISTERS]; /* when a register's pending result is there */
    uint64_t memory_slot[WAVE_MEMORY_OPS]; /* gpu.memory_ops of them: free from this cycle on */
    uint64_t memory_perform_cycle;         /* the latest at which one of these takes effect */
    struct {
        uint64_t perform_cycle;
        uint64_t lines; /* mem_op.lines */
        bool writes;
    } memory_order[WAVE_MEMORY_OPS];
    struct wave_launch launch;

    lane_vector x[WAVE_REGISTERS]; /* f0 is x[SL_F_REGISTERS] */
    lane_vector select;            /* select_mask, as one word per lane */

    uint32_t context;           /* in the compute unit */
    uint64_t number;            /* counted from the graph's start */
    uint64_t program;           /* number of the last one launched: simt_program.number */
    uint64_t private_base;      /* of its lanes' private segments, in DRAM */
    uint64_t yield_resource;    /* of the yield that it executes: channel */
    uint64_t yield_demand;      /* and elements */
    uint32_t yield_bytes;       /* saved */
    struct wave *next_yielding; /* the front end's: waits for the ring after this one */
    uint64_t fault_value[2];    /* value0 and value1 of a barrier's fault */
    struct event end;           /* its last memory instruction is done: the context is free */

    /* Reservations of lr, per lane; granule epochs (mem/reservation.h) at that time. */
    uint64_t reserved; /* lanes that hold one */
    lane_vector reserved_address;
    uint32_t reserved_epoch[LANES];
};

/* The lanes that execute now. */
static inline uint64_t wave_mask(const struct wave *wave)
{
    return wave->stack.entries[wave->stack.depth - 1].mask;
}

#endif
