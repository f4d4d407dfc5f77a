/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A compute unit: SIMD units, wavefront contexts, LDS, and what it shares with the others.
 *
 * Compute units share nothing that they write but memory and the front end, which they reach
 * through their environment: each counts for itself. */
#ifndef SLUICE_SIMT_UNIT_H
#define SLUICE_SIMT_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/event_queue.h"
#include "events/activity.h"
#include "events/events.h"
#include "mem/mem.h"
#include "simt/unit/protection.h"
#include "simt/unit/shape.h"
#include "simt/unit/unit_counters.h"
#include "simt/unit/wave.h"
#include "sluice/layouts.h"
#include "sluice/machine_layout.h"

#define CU_SIMDS_MAX    8
#define CU_CONTEXTS_MAX 64
#define SIMD_NO_SLOT    UINT32_MAX

struct last_writers;
struct deadlock_detector;
struct lock_stack_ops;
struct mem_instr;
struct line_request;
struct mem_instr_chunk;
struct order_model;
struct pool;
struct simt_scheduler;

/* A SIMD unit: the wavefronts that it holds and when it issues next. */
struct simd {
    struct event issue;
    struct cu *cu;
    uint32_t slots;
    uint32_t resident;
    uint32_t free_registers;
    bool has_changed;    /* wavefronts other than the one that issues were scheduled */
    uint32_t turn;       /* slot that issued last */
    uint32_t last;       /* the same, or SIMD_NO_SLOT where it paused or ended since */
    uint64_t free_cycle; /* the instruction before occupies it until then */
    uint64_t unit_free_cycle[UNIT_COUNT]; /* each execution unit takes its next instruction */
    uint64_t units_free_cycle;            /* the latest of them */
    uint64_t stamps;                      /* given so far */

    /* Per slot: when its next instruction is ready (EVENT_QUEUE_NEVER without a wavefront), that
     * instruction (NULL outside the code) and its execution unit, and the stamp that launches and
     * pauses renew: older is smaller. */
    uint64_t next_cycle[CU_CONTEXTS_MAX] __attribute__((aligned(64)));
    const struct simt_op *next_op[CU_CONTEXTS_MAX];
    uint8_t next_unit[CU_CONTEXTS_MAX];
    uint64_t stamp[CU_CONTEXTS_MAX];
    struct wave *waves[CU_CONTEXTS_MAX];
};

/* What the front end wants to know. */
struct cu_listener {
    void *owner;
    void (*wave_ended)(void *owner, const struct wave *wave);
    /* `wave` still has all of its state; NULL where the fault is none of a wavefront's. */
    void (*faulted)(void *owner, const struct wave *wave, const struct sl_fault *fault);
    /* Its state is saved; it holds its context until yield_release(). */
    void (*wave_yielded)(void *owner, struct wave *wave);
    /* Whether restart contexts can be written, somewhere and some time; NULL: always. */
    bool (*takes_yields)(void *owner);
    /* Whether a wavefront may be launched or restarted though none that is resident ends; NULL:
     * none is. */
    bool (*may_launch)(void *owner);
};

/* What compute units have around them. Of all this they write what `mem`, `pool`, `activity`,
 * `detector` and `last_writers` keep, and nothing else. */
struct cu_environment {
    struct simt_program program;
    struct protection protection; /* of shared memory from its lanes */
    struct dram dram;
    struct sl_layout layout;
    struct cu_listener listener;
    const struct stream *stream;
    struct pool *pool;
    struct activity *activity;
    struct deadlock_detector *detector; /* for deadlocks (simt/deadlock/deadlock.h) */
    struct last_writers *last_writers;  /* likewise (simt/loop_monitor/last_writers.h) */
    /* Lanes of a wavefront have lost so many rounds of a lock in a row that they may be in one. */
    void (*lost_often)(struct wave *wave);
    /* A wavefront begins to wait for locks in queues of memory. */
    void (*queues)(struct wave *wave);

    uint32_t cus;      /* of the machine */
    uint64_t graph;    /* address of the struct sl_graph: tp of every lane */
    uint64_t cas_base; /* the channels' counters: their compare-and-swaps are counted */
    uint64_t cas_limit;
};

/* A packet's wavefronts on a compute unit. */
struct cu_packet {
    uint64_t
        acquired_cycle; /* none of them issues before; EVENT_QUEUE_NEVER while that is not known */
    uint32_t waves;     /* launched here and not ended */
};

struct cu {
    struct cu_shape shape;
    const struct lanes_ops *lanes;
    const struct simt_scheduler *scheduler;
    const struct order_model *order;
    const struct lock_stack_ops *locks; /* what they do to reconvergence stacks */
    const struct cu_environment *env;
    struct mem_system *mem;
    struct event_queue *event_queue;
    struct cu_counters counters;

    uint32_t number;
    uint32_t resident;
    struct extent
        open[NEEDS_COUNT]; /* by enum simt_needs: memory known to be, of the last access */
    uint64_t port_slot;    /* next free slot of the port to memory, shape.lines_per_cycle a cycle */
    uint64_t lds_free_cycle; /* its LDS takes an instruction again */
    uint64_t lds_taken[SL_LDS_BYTES_MAX / SL_LDS_GRANULE / 64]; /* one bit per granule */
    uint8_t *lds;
    struct reservations lds_reservations;

    struct wave *waves;               /* shape.contexts */
    struct workgroup *groups;         /* likewise: those that it keeps track of */
    struct mem_instr *mem_instrs;     /* cu_mem_instrs(): their memory instructions */
    struct mem_instr *free_mem_instr; /* those given back */
    size_t mem_instrs_taken;          /* the others from here on were never in use */
    struct mem_instr_chunk
        *spare_mem_instrs;       /* more of them, for stores that wait in write buffers: */
    size_t mem_instrs_spare;     /* so many, */
    size_t mem_instrs_queued;    /* and so many stores */
    struct line_request *pieces; /* of them, where memory is not coherent: lines each */
    struct line_request *free_line_request; /* likewise */
    size_t pieces_taken;
    struct cu_packet packets[SL_COMPLETION_ENTRIES]; /* by the dispatcher's number of the packet */
    struct simd simds[CU_SIMDS_MAX];
};

static inline struct cu *wave_cu(const struct wave *wave)
{
    return wave->simd->cu;
}

static inline struct cu_packet *wave_packet(const struct wave *wave)
{
    return &wave_cu(wave)->packets[wave->launch.slot % SL_COMPLETION_ENTRIES];
}

/* Whether an access touches the kernel code, which is decoded already: it may not be written. */
static inline bool cu_is_code(const struct cu *cu, uint64_t address, uint64_t bytes)
{
    const uint64_t base = cu->env->program.base;

    return address < base + cu->env->program.bytes && address + bytes > base;
}

/* What observers are told of a wavefront. */
static inline struct obs_wave wave_observed(const struct wave *wave)
{
    return (struct obs_wave){
        .number = wave->number,
        .kernel = wave->launch.kernel,
        .dispatch = wave->launch.dispatch,
        .channel = wave->launch.channel,
        .context = wave->context,
        .group = wave->launch.group != NULL ? group_number(wave->launch.group) : UINT32_MAX,
        .cu = (uint16_t)wave_cu(wave)->number,
    };
}

#endif
