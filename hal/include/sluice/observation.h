/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the simulator leaves for the host to make a profile or a timeline of.
 *
 * Two files in memory, each there only when it is asked for. The simulator writes while simulated
 * time runs, the host reads when a run has ended; the host writes what is said below to be its own
 * while no run is on. Both sides are of one build and one machine: no layout is kept for others. */
#ifndef SLUICE_OBSERVATION_H
#define SLUICE_OBSERVATION_H

#include <assert.h>
#include <stdint.h>

#include "sluice/memory_map.h"

/* ---- profile: what the aggregator's instructions cost, over all runs ---- */

enum sl_cost {
    SL_COST_PS, /* of aggregator time, whole cycles */
    SL_COST_INSTRUCTIONS,
    SL_COST_L1I_MISSES,
    SL_COST_L1D_MISSES,
    SL_COST_MISPREDICTIONS,
    SL_COST_COUNT,
};

/* One per two bytes of SL_FIRMWARE_BYTES, for the instruction that begins there. A place of
 * firmware code is the number of such an entry. */
struct sl_profile_place {
    uint64_t cost[SL_COST_COUNT];
    uint32_t function; /* the host's: place of its function's first instruction plus one, 0: none */
    uint32_t reserved;
};

/* Calls from one instruction to one function. */
struct sl_profile_call {
    uint32_t site;   /* place of the call, or of the jump that takes the place of one */
    uint32_t callee; /* place of the first instruction */
    uint64_t count;  /* 0: the entry is free */
    uint64_t cost[SL_COST_COUNT]; /* from the callee's first instruction to its return */
    uint64_t reserved;
};

#define SL_PROFILE_CALLS  4096u /* a power of two */
#define SL_PROFILE_PLACES (SL_FIRMWARE_BYTES / 2)

struct sl_profile {
    uint64_t lost_calls; /* that found no room in `calls` or on the simulator's stack of calls */
    uint64_t reserved[7];
    struct sl_profile_call calls[SL_PROFILE_CALLS];
    struct sl_profile_place places[SL_PROFILE_PLACES + 1]; /* the last one: code elsewhere */
};

static_assert(sizeof(struct sl_profile_place) == 48, "profile place");
static_assert(sizeof(struct sl_profile_call) == 64, "profile call");

/* ---- timeline: what happened when, of one run ---- */

enum sl_trace_kind {
    SL_TRACE_PHASE = 1, /* a: enum sl_phase that begins */
    SL_TRACE_LAUNCH,    /* cu, id: wavefront context; a: lanes in use; b: struct sl_kernel */
    SL_TRACE_RESTART,   /* the same, of a wavefront that had yielded */
    SL_TRACE_END,       /* cu, id: the context is free */
    SL_TRACE_YIELD,     /* cu, id; a: channel that it waits for; b: elements that it wants */
    SL_TRACE_CHANNEL,   /* id: channel; a: elements in its data array; b: ready ones of them */
    SL_TRACE_DRAM,      /* a: bytes moved; b: in so many ps, which end here */
};

struct sl_trace_record {
    uint64_t time_ps;
    uint16_t kind; /* enum sl_trace_kind */
    uint16_t cu;
    uint32_t id;
    uint64_t a;
    uint64_t b;
};

struct sl_timeline {
    uint64_t capacity; /* the host's: records that there is room for in this run */
    uint64_t count;
    uint64_t lost;          /* records beyond them */
    uint64_t first_lost_ps; /* time of the first of these */
    uint64_t end_ps;        /* of the run */
    uint64_t reserved[3];
    struct sl_trace_record records[];
};

static_assert(sizeof(struct sl_trace_record) == 32, "trace record");
static_assert(sizeof(struct sl_timeline) == 64, "timeline");

#endif
