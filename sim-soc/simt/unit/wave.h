/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A wavefront context: registers of all lanes, reconvergence stack, scoreboard, and what is known
 * of its memory instructions. */
#ifndef SLUICE_SIMT_UNIT_WAVE_H
#define SLUICE_SIMT_UNIT_WAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/event_queue.h"
#include "mem/mem.h"
#include "simt/lanes/lanes.h"
#include "simt/program/program.h"
#include "simt/unit/group.h"
#include "simt/unit/simt_stack.h"
#include "simt/unit/wave_locks.h"
#include "simt/unit/wave_order.h"
#include "simt/unit/wave_stall.h"

struct loop_monitor;
struct mem_instr;
struct simd;
struct wave;

#define WAVE_MEMORY_OPS 32 /* most that gpu.memory_ops may say */

/* fcsr of all lanes, transposed. */
struct fcsr {
    uint64_t flags[5]; /* by bit of fflags: the lanes that have it set */
    uint64_t mode[3];  /* by bit of frm */
};

/* What a wavefront is launched with. */
struct wave_launch {
    uint32_t pc;
    uint32_t channel;
    uint32_t first; /* control-array index of lane 0's element */
    uint32_t index_mask;
    uint32_t count; /* lanes in use, 1 to gpu.lanes */
    uint16_t argument_count;
    uint16_t float_arguments; /* bit i where argument i goes to an f register */
    uint64_t arguments[SL_LAUNCH_ARGUMENTS];
    uint64_t kernel;         /* address of the struct sl_kernel */
    uint64_t limits;         /* of its struct sl_limit; 0 in an NDRange */
    uint32_t limit_count;    /* of these, likewise */
    uint32_t dispatch;       /* id of the packet */
    uint32_t slot;           /* the dispatcher's own number of the packet */
    uint32_t registers;      /* that it takes of its SIMD unit's */
    uint64_t register_mask;  /* which: what a yield saves; 0 for all */
    uint32_t lds_bytes;      /* that it takes for itself; 0 in a work-group, which has them */
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
    WAVE_DRAINING, /* has ended, but requests to memory may be under way */
    WAVE_RELEASING /* and now memory is told of its end */
};

/* A fetch of a line of code. */
struct wave_fetch {
    struct mem_request request;
    struct wave *wave;
};

/* A synchronization (simt/lifecycle/sync.h). */
struct wave_sync {
    struct mem_request request;
    struct event over;
    void (*then)(struct wave *wave, uint64_t cycle);
};

/* A move between a context and its save area: lines go one after the other
 * (simt/context/context_transfer.h).
 */
struct wave_transfer {
    uint8_t kind;     /* enum mem_kind */
    uint32_t lines;   /* so far */
    uint32_t pending; /* of them: their end is not known */
    uint64_t cycle;   /* it begins */
    uint64_t done_cycle;
    void (*finished)(struct wave *wave, uint64_t cycle); /* NULL: there may be more lines */
};

/* Backward branches (simt/deadlock/spin_loop.h). */
struct wave_spin {
    uint64_t mask; /* at the latest one, */
    uint32_t pc;   /* or PC_NONE, */
    uint32_t depth;
    uint32_t left; /* times that it may be taken in a row until somebody looks */
    bool spins;    /* its last round that was watched has changed nothing */
};

/* What every instruction looks at comes first, in few of the host's cache lines. */
struct wave {
    struct simt_stack stack __attribute__((aligned(64)));
    struct simd *simd;
    uint64_t counted_mask; /* the mask that lane_count is of */
    uint32_t lane_count;
    uint32_t slot;              /* in the SIMD unit */
    uint64_t instructions;      /* issued since it took its context, */
    uint64_t lane_instructions; /* and those of its lanes */
    enum wave_state state;
    uint32_t fetched_line; /* code line in the instruction buffer, or PC_NONE */
    uint32_t
        wait_pc; /* of its last pause, or PC_NONE: it has stored since (simt/unit/busy_wait.h) */
    uint64_t issue_not_before;  /* nothing issues before (pause, acquire, fetch): stall.gate */
    uint64_t memory_done_cycle; /* memory instructions whose end is known are done */
    uint64_t
        release_done_cycle; /* and the latest one that releases; EVENT_QUEUE_NEVER: not known */
    uint64_t select_mask;   /* what `select` says */
    uint32_t next_memory_slot;
    uint32_t memory_reads;      /* memory slots whose latest instruction loads: a bit each */
    uint32_t memory_pending;    /* memory instructions whose end is not known */
    uint32_t unissued_releases; /* of them: not handed in yet, as they release */
    uint32_t
        pending_holds; /* other requests whose end is not known and until which nothing issues */
    bool has_float;    /* an f register may be other than zero */
    bool waits_at_barrier;
    bool awaits_packet; /* the acquire of its packet */
    bool order_is_busy; /* anything in `order` is under way */
    uint32_t lds_base;  /* its own LDS, or its work-group's: where it begins in the CU's, */
    uint32_t lds_bytes; /* and what its lanes may access */
    struct fcsr fcsr;
    struct wave_spin spin;
    struct loop_monitor
        *monitor; /* notes what it does to memory; mostly NULL (simt/loop_monitor/loop_monitor.h) */
    struct wave_order order; /* where the consistency model holds instructions back */
    struct wave_stall stall;
    uint64_t ready_cycle[SCOREBOARD_REGISTERS]; /* when a register's pending result is there */
    uint64_t memory_slot[WAVE_MEMORY_OPS]; /* gpu.memory_ops of them: free from this cycle on */
    uint64_t memory_perform_cycle;         /* the latest at which one of these takes effect */
    struct {
        uint64_t perform_cycle;
        uint64_t lines; /* mem_instr.lines */
        bool writes;
        const struct mem_instr *memory; /* until it takes effect */
    } memory_order[WAVE_MEMORY_OPS];
    struct wave_launch launch;

    lane_vector x[WAVE_REGISTERS]; /* f0 is x[SL_F_REGISTERS] */
    lane_vector select;            /* select_mask, as one word per lane */

    uint32_t context;            /* in the compute unit */
    uint32_t block;              /* of the wavefront state pool */
    uint64_t number;             /* counted from the run's begin */
    uint64_t program;            /* number of the last one launched: simt_program.number */
    uint64_t private_base;       /* of its lanes' private segments, in DRAM */
    uint64_t publish_wait_since; /* it waits for its turn to publish since then; 0: it does not */
    uint64_t memory_count;       /* memory instructions issued: the next one's place in order */
    uint64_t yield_resource;     /* of the yield that it executes: channel */
    uint64_t yield_demand;       /* and elements */
    uint32_t yield_bytes;        /* saved */
    struct wave *next_yielding;  /* the front end's: waits for the ring after this one */
    uint64_t fault_value[2];     /* value0 and value1 of a barrier's fault, or a lock's */
    uint64_t end_cycle;          /* of its last instruction */
    uint32_t idle_instructions[LANES + 1]; /* instructions since that pause, by the number of active
                                              lanes */
    struct event end; /* its last memory instruction is done: the context is free */

    /* Reservations of lr, per lane: whose, where, and granule epochs (mem/reservation.h) at that
     * time. */
    uint64_t reserved; /* lanes that hold one */
    struct reservations *reserved_in[LANES];
    lane_vector reserved_address;
    uint32_t reserved_epoch[LANES];

    /* For memory systems whose answers can be pending. */
    struct wave_fetch fetch[2];    /* of the line of its next instruction, and the line behind */
    struct wave_sync sync;         /* that is under way */
    struct wave_transfer transfer; /* likewise */

    struct wave_locks locks; /* large, and untouched where there are none */

    uint8_t padding[64]; /* for what is asserted here */
};

/* Wavefronts lie in an array, and what each instruction looks at is at the same place of each: an
 * odd number of the host's cache lines apart, these places use all sets of its caches. */
_Static_assert(sizeof(struct wave) % 128 == 64, "wavefronts are an odd number of lines");

/* The lanes that hold a lock, of either kind. */
static inline uint64_t wave_lock_holders(const struct wave *wave)
{
    return wave->locks.holders | wave->locks.triers;
}

/* The lanes that execute now. */
static inline uint64_t wave_mask(const struct wave *wave)
{
    return wave->stack.entries[wave->stack.depth - 1].mask;
}

/* Their number; masks change less often than instructions issue. */
static inline uint32_t wave_lane_count(struct wave *wave)
{
    uint64_t mask = wave_mask(wave);

    if (wave->counted_mask != mask) {
        wave->counted_mask = mask;
        wave->lane_count = (uint32_t)__builtin_popcountll(mask);
    }
    return wave->lane_count;
}

/* Continues behind an instruction. */
static inline void wave_next(struct wave *wave, const struct simt_op *op)
{
    simt_stack_top(&wave->stack)->pc += op->bytes;
    simt_stack_reconverge(&wave->stack);
}

/* Lanes that it was launched with. */
static inline uint32_t wave_lanes(const struct wave *wave)
{
    return wave->launch.group != NULL ? (uint32_t)__builtin_popcountll(wave->launch.mask)
                                      : wave->launch.count;
}

#endif
