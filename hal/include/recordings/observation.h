/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the simulator leaves for the host to make a profile, a timeline or a report of.
 *
 * Files in memory, each there only when it is asked for. The simulator writes while simulated
 * time runs, the host reads when a run has ended; the host writes what is said below to be its own
 * while no run is on. Both sides are of one build and one machine: no layout is kept for others. */
#ifndef SLUICE_RECORDINGS_OBSERVATION_H
#define SLUICE_RECORDINGS_OBSERVATION_H

#include <assert.h>
#include <stdint.h>

#include "recordings/cycle_stack.h"
#include "sluice/codes.h"
#include "sluice/limits.h"
#include "sluice/memory_map.h"
#include "sluice/served.h"

/* ---- profile: what the aggregator's instructions cost, over all runs ---- */

enum sl_cost {
    SL_COST_INSTRUCTIONS,
    SL_COST_L1I_MISSES,
    SL_COST_L1D_MISSES,
    SL_COST_MISPREDICTIONS,
    SL_COST_STACK, /* and up: the aggregator's cycles, by class of its cycle stack */
    SL_COST_COUNT = SL_COST_STACK + SL_STACK_CLASSES
};

/* All cycles: each is of one class. */
static inline uint64_t sl_cost_cycles(const uint64_t cost[SL_COST_COUNT])
{
    uint64_t cycles = 0;
    for (unsigned i = SL_COST_STACK; i < SL_COST_COUNT; i++) {
        cycles += cost[i];
    }
    return cycles;
}

/* One per two bytes of SL_FIRMWARE_BYTES, for the instruction that begins there. A place of
 * firmware code is the number of such an entry. */
struct sl_profile_place {
    uint32_t function; /* the host's: place of its function's first instruction plus one, 0: none */
    uint32_t reserved;
    uint64_t cost[SL_COST_COUNT];
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

static_assert(sizeof(struct sl_profile_place) == 8 + 8 * SL_COST_COUNT, "profile place");
static_assert(sizeof(struct sl_profile_call) == 24 + 8 * SL_COST_COUNT, "profile call");

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

/* ---- report: how much of what when, of all runs behind each other ----
 *
 * Time is divided into bins of one length. Where it outgrows them, each two become one, and their
 * length doubles: from the first doubling on at least half of them are in use. A bin has sums, so
 * that nothing is lost when two are added. */

#define SL_REPORT_BINS     512u /* even */
#define SL_REPORT_FIRST_PS 16384u
#define SL_REPORT_KERNELS  SL_SEQUENCE_LAUNCHES
#define SL_REPORT_CUS      SL_SERVED_AGGREGATOR

/* Where the elements are that a channel holds, that is, from their reservation to their
 * deallocation: each is in one of these. */
enum sl_report_state {
    SL_REPORT_WAITING,    /* reserved, not published */
    SL_REPORT_READY,      /* published; no wavefront has been launched for it, though a packet may
                             have been dispatched that waits for a context */
    SL_REPORT_DISPATCHED, /* launched, until its wavefront ends, also while that has yielded */
    SL_REPORT_FINISHED,   /* not deallocated */
    SL_REPORT_STATES
};

/* Times are in ps. */
enum sl_report_series {
    SL_REPORT_PHASE, /* and up, by enum sl_phase: the aggregator's time in it */
    SL_REPORT_ACTIVE = SL_REPORT_PHASE + SL_PHASE_COUNT, /* the time split of the GPU */
    SL_REPORT_STALLED,
    SL_REPORT_BLOCKED,
    SL_REPORT_L1D_ACCESSES,
    SL_REPORT_L1D_HITS,
    SL_REPORT_AGG_L1D_ACCESSES,
    SL_REPORT_AGG_L1D_HITS,
    SL_REPORT_L2_ACCESSES,
    SL_REPORT_L2_HITS,
    SL_REPORT_DRAM_READS,  /* lines */
    SL_REPORT_DRAM_WRITES, /* lines */
    SL_REPORT_DRAM_BUSY,   /* time, of all channels */
    SL_REPORT_RESIDENT,    /* and up, by CU: wavefronts that hold a context x time */
    SL_REPORT_CHANNEL =
        SL_REPORT_RESIDENT + SL_REPORT_CUS, /* and up, by channel and
                                               enum sl_report_state: elements x time */
    SL_REPORT_SERIES = SL_REPORT_CHANNEL + SL_GRAPH_CHANNELS * SL_REPORT_STATES
};

/* What a kernel did in the last run. */
struct sl_report_kernel {
    uint64_t kernel; /* address of the struct sl_kernel */
    uint64_t wavefronts;
    uint64_t elements;          /* or work-items */
    uint64_t wave_instructions; /* of wavefronts that have given up their context, as all do */
    uint64_t lane_instructions; /* but in a run that ends early; likewise */
    uint64_t resident_ps;       /* of its wavefronts, added up */
    uint64_t yields;
    uint64_t restarts;
};

/* The aggregator's cycles by phase of the firmware and class of the cycle stack: all of them, and
 * those without a wavefront. */
struct sl_report_stack {
    uint64_t all[SL_PHASE_COUNT][SL_STACK_CLASSES];
    uint64_t blocked[SL_PHASE_COUNT][SL_STACK_CLASSES];
};

struct sl_report {
    uint64_t bin_ps; /* 0 before the first run */
    uint64_t end_ps; /* of all runs so far */
    uint64_t run_ps; /* of the last one */
    uint64_t cus;
    uint64_t channels;     /* the most of a run */
    uint64_t run_channels; /* of the last one */
    uint64_t kernel_count; /* of the last run; what found no room below is not counted */
    uint64_t reserved;
    struct sl_report_stack stack; /* of all runs that have ended */
    struct sl_report_kernel kernels[SL_REPORT_KERNELS];
    uint64_t series[SL_REPORT_SERIES][SL_REPORT_BINS];
};

static_assert(sizeof(struct sl_report_kernel) == 64, "report kernel");
static_assert(SL_REPORT_BINS % 2 == 0, "two bins become one");

#endif
