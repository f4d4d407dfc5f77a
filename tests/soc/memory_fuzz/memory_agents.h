/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Agents that drive a memory system through mem/mem.h alone: wavefronts of several compute units,
 * and an aggregator, which do at random what programs do, in the order that sim-soc/simt guarantees
 * to memory, on few lines. Each answer is checked against tests/soc/memory_fuzz/memory_reference.h.
 *
 * A line's bytes have their owners: atomic words, locks, bytes that a lock protects, and bytes that
 * whoever likes stores to. Other lines are private segments, and save areas. A run is a sequence of
 * packets, each begun and ended on every compute unit. */
#ifndef SLUICE_TESTS_MEMORY_AGENTS_H
#define SLUICE_TESTS_MEMORY_AGENTS_H

#include "events/events.h"
#include "mem/mem.h"
#include "sluice/config.h"
#include "soc/memory_fuzz/memory_reference.h"

#define AGENTS_CUS       4u
#define AGENTS_WAVES     4u /* of each */
#define AGENTS           (AGENTS_CUS * AGENTS_WAVES)
#define AGENTS_LINES     12u
#define AGENTS_BYTES     (AGENTS_LINES * SL_CACHE_LINE_BYTES)
#define AGENTS_WORDS     32u /* of eight bytes: atomics and locks */
#define AGENTS_LOCKS     8u  /* the first of them */
#define AGENTS_MIXED     24u /* the first that plain stores go to, too */
#define AGENTS_STACKS    24u /* private segments */
#define STACK_LINES      2u
#define STACK_BYTES      (STACK_LINES * SL_CACHE_LINE_BYTES)
#define AGENTS_BASE      0x82000000u
#define AGENTS_STACK     0x82100000u
#define AGENTS_SAVE      0x82200000u
#define AGENTS_CODE      0x82300000u
#define AGENTS_NONE      UINT32_MAX
#define AGENTS_PENDING   8u /* accesses of a wavefront */
#define AGENTS_OWNER_ANY 0xffu
#define OWNER_WORD       0xfeu

/* What is wrong between agents and memory, so that the reference has to notice. */
enum agents_fault {
    FAULT_NONE,
    FAULT_ACQUIRE, /* one of some is not told */
    FAULT_RELEASE,
    FAULT_OLD_LINE, /* a load sees a line that its compute unit saw before */
    FAULT_UPDATE,   /* an atomic's store is lost */
};

struct agents_options {
    const struct mem_ops *ops;   /* NULL: of mem.system */
    const char *const *settings; /* up to NULL */
    bool has_scopes;             /* else all from the work-group up are the device's */
    bool is_transitive;
    enum agents_fault fault;
    uint64_t seed;
};

struct agents;

/* An access. */
struct agents_access {
    struct mem_request request;
    struct agents_access *next; /* of its compute unit's to its line, in order; or free */
    struct agents_access *made; /* of all that were ever made */
    struct agent *agent;
    struct reference_event *event;
    struct event over;
    uint32_t word; /* of an atomic; else AGENTS_NONE */
    uint64_t operand;
    uint64_t old;   /* what an atomic has read */
    bool is_locked; /* bytes of a lock that is held */
    bool is_performed;
    bool reads;

    /* In a private segment: its place in program order, and what it has to find and leave. */
    uint32_t number;
    uint64_t known;
    uint8_t expected[SL_CACHE_LINE_BYTES];
    uint8_t stored[SL_CACHE_LINE_BYTES];
};

enum agent_stage {
    STAGE_ENDED,
    STAGE_ACTS,
    STAGE_DRAINS,  /* waits for its accesses */
    STAGE_SYNCS,   /* has told memory */
    STAGE_ATOMIC,  /* waits for one */
    STAGE_BARRIER, /* waits for the others */
};

/* What an agent is at. */
struct agent_plan {
    uint8_t sync;  /* enum mem_sync; an atomic is a MEM_SYNC_OPERATION */
    uint8_t kind;  /* enum mem_kind, of an atomic */
    uint8_t scope; /* enum sl_scope */
    bool acquire;
    bool release;
    bool ends;
    bool unlocks;  /* behind a fence */
    uint32_t word; /* of an atomic */
    uint64_t operand;
};

struct agent {
    struct agents *agents;
    struct event turn;
    struct event synced;
    struct mem_request sync;
    struct agent_plan plan;
    struct agents_access *atomic; /* that it waits for */
    enum agent_stage stage;
    uint16_t cu;
    uint16_t thread;
    uint32_t slot; /* its save area */
    uint64_t wave;
    uint32_t pending; /* accesses */
    uint32_t pending_reads;
    uint32_t pending_releases;
    uint32_t left; /* things to do */
    uint32_t lock; /* that it has, or wants; else AGENTS_NONE */
    uint32_t held; /* things to do until it gives it back; 0: it wants it */
    uint32_t stack;
    uint32_t stack_accesses;
    uint64_t stack_known[STACK_LINES]; /* stored by accesses that were handed in */
    uint8_t stack_bytes[STACK_BYTES];
    struct agent_byte {
        uint32_t number;
        uint8_t value;
    } stored[STACK_BYTES]; /* by accesses that took effect */
};

struct agents {
    struct sl_config config;
    struct agents_options options;
    struct dram dram;
    struct event_queue event_queue;
    struct stream stream;
    struct mem_system *mem;
    struct reference *reference;
    uint64_t random;
    uint64_t waves;
    uint32_t telling;  /* calls of memory that have not returned */
    uint64_t accesses; /* handed in */
    uint64_t ended;    /* accesses that are over */
    uint64_t told;     /* synchronizations */
    uint64_t locked;   /* times that a lock was taken */
    uint64_t data;     /* accesses of compute units that memory counts */
    bool is_over;      /* settled */

    struct agent agent[AGENTS];
    struct agents_unit {
        uint64_t last_ps;
        uint32_t live;
        uint32_t arrived;
        bool wants_barrier;
        struct reference_order barrier;
        struct agents_access *first[AGENTS_LINES + AGENTS_STACKS * STACK_LINES][3][5];
        uint8_t seen[AGENTS_BYTES];
    } unit[AGENTS_CUS];

    struct event aggregator;
    uint16_t aggregator_thread;
    uint32_t aggregator_lock;
    uint32_t aggregator_held;

    uint8_t owner[AGENTS_BYTES]; /* of a byte: its lock, AGENTS_OWNER_ANY, or that of a word */
    struct agents_word {
        uint32_t at;
        uint8_t scope;
        uint16_t cu;   /* whose work-groups it is for, where the scope is theirs */
        bool is_mixed; /* plain stores go there too: no order of all updates */
        uint64_t value;
        struct reference_order published;
    } word[AGENTS_WORDS];
    uint32_t free_stack[AGENTS_STACKS];
    uint32_t free_stacks;
    uint8_t saved[AGENTS][SL_CACHE_LINE_BYTES];
    struct agents_access *free;
    struct agents_access *made;

    char failure[256]; /* the first one */
};

static inline uint64_t agents_now_ps(const struct agents *agents)
{
    return event_queue_now_ps(&agents->event_queue);
}

static inline struct agents_unit *agents_unit_of(struct agent *agent)
{
    return &agent->agents->unit[agent->cu];
}

/* A number below a limit. */
uint32_t agents_random(struct agents *agents, uint32_t limit);

/* Notes a failure, if it is the first. */
void agents_fail(struct agents *agents, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- soc/memory_fuzz/memory_agents.c ---- */

struct agents *agents_create(const struct agents_options *options);
void agents_destroy(struct agents *agents);

/* Packets, until so many accesses were handed in, or something has failed. */
void agents_run(struct agents *agents, uint64_t accesses);

/* One more packet, in whose middle the run ends. */
void agents_settle(struct agents *agents);

/* ---- soc/memory_fuzz/memory_choices.c ---- */

/* The agent's turn. */
void agents_turn(struct event *event);

/* It has a turn soon, if it has not already. */
void agents_wake(struct agent *agent);

/* A word among some that a compute unit may use; AGENTS_NONE: the aggregator. */
uint32_t agents_random_word(struct agents *agents, uint32_t first, uint32_t end, uint32_t cu);

/* ---- soc/memory_fuzz/memory_sync.c ---- */

/* A wavefront begins, as a thread of the reference with a private segment. */
void agents_begin_wave(struct agent *agent);

/* It begins something that needs others to be over. */
void agents_begin(struct agent *agent, struct agent_plan plan);

/* Others are over: perhaps enough of them. */
void agents_proceed(struct agent *agent);

/* An acquire has the answer at a time; it is over when memory has been told. */
void agents_acquire(struct agents_access *access, uint64_t time_ps);

/* An access is over; memory is in step with an agent. */
void agents_access_over(struct event *event);
void agents_synced(struct event *event);

/* ---- soc/memory_fuzz/memory_accesses.c ---- */

struct agents_access *agents_make(struct agent *agent, enum mem_kind kind, uint64_t address,
                                  uint64_t mask);
void agents_send(struct agents_access *access);

/* Bytes of a line, from which those of an owner can be taken. */
uint64_t agents_random_mask(struct agents *agents);
uint64_t agents_owned_by(const struct agents *agents, uint32_t line, uint32_t owner);

/* Loads or stores: of whatever bytes of all, or only those of a lock; of the private segment; of
 * what the hardware keeps of a wavefront; of code. */
void agents_access_shared(struct agent *agent, uint32_t owner);
void agents_access_private(struct agent *agent);
void agents_access_saved(struct agent *agent, bool is_store);
void agents_fetch(struct agent *agent);

/* ---- soc/memory_fuzz/memory_effects.c: what accesses do to bytes ---- */

extern const struct mem_client agents_data_client;
extern const struct mem_client agents_plain_client; /* moves nothing */

/* Hands an access of a compute unit in; it is over when the event `over` comes. */
void agents_hand_in(struct agents_access *access);

/* The aggregator loads, or stores, bytes of a line; an atomic on a word. Returns what was there. */
void agents_aggregate(struct agents *agents, uint32_t line, uint64_t mask, bool is_store,
                      bool is_exact);
uint64_t agents_aggregate_word(struct agents *agents, uint32_t word, enum mem_kind kind,
                               uint64_t operand);

/* All that is written is in DRAM; that of private segments may be elsewhere. */
void agents_check_dram(struct agents *agents);
void agents_check_private(struct agents *agents);

#endif
