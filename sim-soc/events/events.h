/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What happens in the machine, as one stream of events that observers subscribe to (timeline,
 * profile, matrix, report, latency; observers/).
 *
 * An event is told when it happens, in the order of the machine's own doing, which is not always
 * that of time: an aggregator's core computes ahead, and an event may say that it lies in the
 * future. Observers change nothing that is simulated. Without a subscriber an event costs one
 * branch. */
#ifndef SLUICE_EVENTS_H
#define SLUICE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/access.h"

struct agg_insn;

enum obs_kind {
    OBS_BEGIN,       /* mark: a run begins, at time zero */
    OBS_END,         /* mark: it has ended */
    OBS_GRAPH,       /* firmware says which graph it runs: address */
    OBS_PHASE,       /* firmware enters a phase: phase */
    OBS_FEED,        /* the host's elements are stored, in an open graph: feed */
    OBS_TICK,        /* time has come to what this observer asked for (struct observer) */
    OBS_PROGRAM,     /* firmware has loaded the kernels' program: program */
    OBS_INSTRUCTION, /* the aggregator's next instruction, which its core has not seen, and all
                        before it are finished: insn */
    OBS_EXECUTE,     /* and it takes effect: insn */
    OBS_ISSUE,       /* a wavefront instruction issues: wave, issue */
    OBS_WAIT,        /* a wavefront that holds a context has waited up to now: wave, wait */
    OBS_CALL,        /* one calls a function: wave, call */
    OBS_RETURN,      /* the last lane of such a call returns: wave, address: where to */
    OBS_RESULT,      /* the result of one is in its register: wave, result */
    OBS_LAUNCH,      /* a wavefront takes a context: wave, life */
    OBS_RESTART,     /* one that had yielded has one again: wave, life */
    OBS_YIELD,       /* one begins to give its own up: wave, yield */
    OBS_LEAVE,       /* its context is free, after its end or its yield: wave, leave */
    OBS_STOP,        /* the run ends, or the device is reset, while it has one: wave, leave */
    OBS_MEMORY,      /* a wavefront's memory instruction issues: wave, access, without values and
                        what has failed */
    OBS_ACCESS,      /* an access takes effect: access, and wave where a wavefront makes it */
    OBS_SERVED,      /* a data access, when it is handed in: served */
    OBS_SYNC,        /* synchronization, when it is over: sync, and wave likewise; of the front
                        end's, wave says which packet. What an access itself acquires or releases is
                        said there */
    OBS_KINDS
};

/* A wavefront. */
struct obs_wave {
    uint64_t number; /* counted from the run's begin */
    uint64_t kernel; /* address of the struct sl_kernel */
    uint32_t dispatch;
    uint32_t channel;
    uint32_t context; /* in the compute unit */
    uint32_t group;   /* number of its work-group in the packet, or UINT32_MAX: none */
    uint16_t cu;
};

struct obs_program {
    uint64_t base;
    uint64_t bytes;
};

struct obs_issue {
    uint64_t pc;
    uint64_t lanes;
    uint32_t word;   /* of the instruction */
    uint32_t cycles; /* for which it occupies its SIMD unit */
};

/* Each cycle in which a wavefront holds a context is of one of these, or of an issue. Nothing is
 * told of the time when there is something to say, but of that before it. */
struct obs_wait {
    uint64_t pc; /* where the wavefront is */
    uint64_t cycles;
    uint8_t stall; /* enum sl_stall; SL_STALL_ISSUE of a fetch outside the code, which occupies its
                      SIMD unit, too */
};

struct obs_call {
    uint64_t site; /* address of the instruction */
    uint64_t callee;
    uint64_t back; /* where it returns to */
};

/* What is computed is there when the instruction issues, though others wait for it; what memory or
 * a lock gives, when it takes effect, maybe in several pieces. */
struct obs_result {
    uint64_t pc;
    uint64_t lanes;        /* that have got it */
    const uint64_t *value; /* by lane, while the event is told */
    uint32_t word;         /* of the instruction */
    uint8_t rd;            /* 1 to 63, as in struct sl_insn */
    bool is_late;          /* of a memory instruction or a lock */
};

/* What the front end moves, which is in memory while the event is told. */
enum obs_move {
    OBS_MOVE_NONE,       /* it is another's access */
    OBS_MOVE_PACKET,     /* in: a struct sl_dispatch */
    OBS_MOVE_KERNEL,     /* in: a struct sl_kernel */
    OBS_MOVE_COMPLETION, /* out: a struct sl_completion */
    OBS_MOVE_FAULT,      /* out: a struct sl_fault */
    OBS_MOVE_YIELD       /* out: a struct sl_yield */
};

struct obs_access {
    struct mem_requester from;
    uint8_t kind;  /* enum mem_kind */
    uint8_t space; /* enum mem_space */
    uint8_t scope; /* enum sl_scope */
    uint8_t bytes; /* of each lane's access; of one in two pieces, both */
    uint8_t move;  /* enum obs_move */
    bool atomic;   /* whether it can be synchronization, as all but plain loads and stores */
    bool acquire;
    bool release;
    bool writes;
    uint64_t place; /* in program order: memory instructions of the wavefront before it */
    uint64_t pc;
    uint64_t lanes;          /* bit 0 alone where no wavefront makes it */
    uint64_t failed;         /* those of them whose sc failed, or whose lock was not got: they write
                                nothing, and neither acquire nor release */
    const uint64_t *address; /* by lane, while the event is told; private ones as in DRAM */
    const uint64_t *value; /* that a wavefront's or the aggregator's store writes, likewise; of all
                              others NULL */
};

struct obs_served {
    struct mem_requester from;
    uint64_t address;
    uint64_t pc;      /* of a compute unit's access: the instruction's address */
    uint16_t context; /* likewise: the wavefront's, in its compute unit */
    uint8_t kind;     /* enum mem_kind */
    uint8_t by;       /* enum hit_level */
};

struct obs_sync {
    struct mem_requester from;
    uint8_t sync;  /* enum mem_sync */
    uint8_t scope; /* enum sl_scope */
    bool acquire;
    bool release;
    uint64_t place; /* as of accesses */
    uint64_t pc;
};

struct obs_feed {
    uint32_t channel;
    uint32_t count;
    uint32_t first;   /* the first one's entry in the control array, which the others follow */
    uint64_t time_ps; /* that the host has named, if it has */
};

struct obs_event {
    uint64_t time_ps;
    enum obs_kind kind;
    struct obs_wave wave;
    union {
        uint64_t address;
        uint64_t phase;
        const struct agg_insn *insn;
        struct obs_program program;
        struct obs_issue issue;
        struct obs_wait wait;
        struct obs_call call;
        struct obs_result result;
        struct {
            uint32_t lanes;     /* in use */
            uint32_t first;     /* of a launch from a channel: its first lane's entry in the control
                                   array, which those of the others follow */
            uint32_t lds_base;  /* the wavefront's LDS, or that of its work-group, in the compute */
            uint32_t lds_bytes; /* unit's */
        } life;
        struct {
            uint64_t resource; /* channel that it waits for */
            uint64_t demand;   /* and elements of it */
        } yield;
        struct {
            uint64_t instructions;      /* issued with this context, */
            uint64_t lane_instructions; /* and those of active lanes */
            uint64_t
                occupied; /* cycles from now on for which the last one occupies its SIMD unit */
        } leave;
        struct obs_access access;
        struct obs_served served;
        struct obs_feed feed;
        struct obs_sync sync;
    };
};

/* ---- observers ---- */

#define STREAM_NEVER UINT64_MAX

struct observer {
    const struct observer_ops *ops;
    uint64_t tick_ps; /* OBS_TICK is told to it at this time of the run. Where it wants any it sets
                         the next one in OBS_BEGIN and OBS_TICK, or else STREAM_NEVER */
};

struct observer_ops {
    const char *name;
    uint32_t wants; /* bits by enum obs_kind */
    void (*event)(struct observer *observer, const struct obs_event *event);
    void (*destroy)(struct observer *observer);
};

#define STREAM_OBSERVERS 16u

_Static_assert(OBS_KINDS <= 32, "a bit for each kind");

struct stream {
    uint32_t wanted; /* bits by enum obs_kind: some observer wants these */
    uint32_t count;
    uint64_t tick_ps; /* the earliest of all observers', or STREAM_NEVER */
    struct observer *observers[STREAM_OBSERVERS];
};

/* Whether to make an event of this kind at all. */
static inline bool probe_enabled(const struct stream *stream, enum obs_kind kind)
{
    return __builtin_expect((stream->wanted >> kind & 1) != 0, 0);
}

/* Tells all that want it. */
void probe_emit(const struct stream *stream, const struct obs_event *event);

/* A run begins: OBS_BEGIN, which says when the first ticks are. */
void stream_begin(struct stream *stream);

/* Time has come to stream.tick_ps: OBS_TICK for those who asked for it. */
void stream_tick(struct stream *stream);

/* From here on, an observer is told; there is room for STREAM_OBSERVERS. */
void stream_subscribe(struct stream *stream, struct observer *observer);

#endif
