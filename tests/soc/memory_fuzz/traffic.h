/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random traffic of compute units, each with several wavefronts, and an aggregator on few lines,
 * through mem/mem.h alone; every answer is checked against soc/memory_fuzz/versions.h.
 *
 * Loads and stores touch some words of a line, those with a scope and atomics too, LR and SC one;
 * they say at random how many lines their instruction touches. Wavefronts are launched, end, yield
 * and restart; acquires, releases and fences of all scopes come while accesses of the same compute
 * unit are under way. What is behind an acquire is what is handed in when that is over. A run is a
 * sequence of phases: packets that begin and end on every compute unit, as the front end tells. */
#ifndef SLUICE_TESTS_TRAFFIC_H
#define SLUICE_TESTS_TRAFFIC_H

#include "events/events.h"
#include "mem/mem.h"
#include "sluice/config.h"
#include "soc/memory_fuzz/versions.h"

#define TRAFFIC_CUS        16u
#define TRAFFIC_AGGREGATOR 16u /* among authors */
#define TRAFFIC_PENDING    12u /* accesses of a compute unit */
#define TRAFFIC_WAVES      16u /* of it */
#define TRAFFIC_BASE       0x82000000u
#define TRAFFIC_STACK      0x82100000u
#define TRAFFIC_CODE       0x82200000u
#define TRAFFIC_PHASE      2000u /* accesses */

/* What is wrong between requesters and memory, so that the reference has to notice. */
enum traffic_fault {
    TRAFFIC_RIGHT,
    TRAFFIC_UNTOLD,     /* some acquires are not told */
    TRAFFIC_LOST,       /* some stores write nothing */
    TRAFFIC_INCOHERENT, /* some loads with a scope are plain ones for memory */
};

struct traffic_options {
    const char *const *settings; /* up to NULL */
    enum traffic_fault fault;
    uint64_t seed;
};

struct traffic;

/* Of LR and SC. */
enum traffic_step { TRAFFIC_NEITHER, TRAFFIC_RESERVES, TRAFFIC_IS_CONDITIONAL };

struct traffic_access {
    struct mem_request request;
    struct traffic *traffic;
    struct traffic_access *next; /* of those that are free */
    struct traffic_access *made; /* of all */
    struct event over;
    struct versions_load load;
    uint32_t left; /* words that it writes, and that memory does not have */
    enum traffic_step step;
    bool is_coherent;
    bool is_performed;
    bool is_old;                         /* some of what it has found */
    uint8_t known[VERSIONS_LINE_BYTES];  /* the compute unit's own versions, by word */
    uint8_t stores[VERSIONS_LINE_BYTES]; /* versions that it makes; 0: none */
};

/* What a lane of a compute unit has reserved. */
struct traffic_reservation {
    struct reservations *in; /* NULL: nothing */
    uint32_t at;             /* word */
    uint32_t epoch;
    uint32_t changed; /* how often its line had, then */
};

enum traffic_stage {
    TRAFFIC_BEGINS, /* its packet's acquire is not over */
    TRAFFIC_ACTS,
    TRAFFIC_ENDS, /* its packet's last release is told */
    TRAFFIC_ENDED
};

struct traffic_unit {
    struct traffic *traffic;
    struct event turn;
    struct event synced;
    struct mem_request sync;
    uint16_t cu;
    enum traffic_stage stage;
    bool is_syncing;
    uint32_t waves;   /* that are resident */
    uint32_t yielded; /* that are to restart */
    uint32_t pending; /* accesses */
    uint32_t number;  /* of the latest access */
    uint64_t time_ps; /* its time */
    struct traffic_reservation reserved;
    uint32_t acquired; /* changes of memory when it acquired */
    uint32_t told;     /* when it told of an acquire that is not over */
};

struct traffic {
    struct traffic_options options;
    struct sl_config config;
    struct dram dram;
    struct event_queue event_queue;
    struct stream stream;
    struct mem_system *mem;
    struct versions *versions;
    uint64_t random;
    uint64_t digest;   /* of all answers, with their times */
    uint32_t in_call;  /* memory has not returned */
    bool is_over;      /* settled */
    uint64_t accesses; /* of compute units' data, handed in */
    uint64_t phase_end;
    uint32_t loads;       /* to a store, on the average */
    uint64_t conditional; /* stores that succeeded */
    uint64_t old_loads;   /* that returned some old bytes */
    uint64_t coherent_loads;
    uint64_t operations; /* lanes', of what has a scope and atomics */
    struct traffic_unit unit[TRAFFIC_CUS];
    struct event aggregator;
    uint32_t aggregator_number;
    struct mem_request step;
    struct event stepped;
    bool is_stepping;
    struct traffic_access *free;
    struct traffic_access *made;
};

static inline uint64_t traffic_now_ps(const struct traffic *traffic)
{
    return event_queue_now_ps(&traffic->event_queue);
}

/* A number below a limit. */
uint32_t traffic_random(struct traffic *traffic, uint32_t limit);

/* ---- soc/memory_fuzz/traffic.c ---- */

struct traffic *traffic_create(const struct traffic_options *options);
void traffic_destroy(struct traffic *traffic);

/* Phases, until so many accesses were handed in, or something has failed; nothing is under way
 * then. */
void traffic_run(struct traffic *traffic, uint64_t accesses);

/* Some of another phase, in whose middle the run ends. */
void traffic_settle(struct traffic *traffic);

/* The same machine begins from the start, with other random numbers. */
void traffic_begin(struct traffic *traffic, uint64_t seed);

/* ---- soc/memory_fuzz/traffic_accesses.c ---- */

/* Hands in an access of whatever kind; of one with a scope, one that acquires or releases. */
void traffic_access_plain(struct traffic_unit *unit);
void traffic_access_coherent(struct traffic_unit *unit, bool acquires, bool releases);
void traffic_fetch(struct traffic_unit *unit);

/* Hands in an LR, or an SC of the word that was reserved. */
void traffic_access_reserved(struct traffic_unit *unit);

/* The aggregator loads or stores a word. */
void traffic_aggregate(struct traffic *traffic);

/* What a compute unit would see of some words now. */
void traffic_peek(struct traffic_unit *unit);

/* ---- soc/memory_fuzz/traffic_reserved.c ---- */

/* An LR or SC takes effect on a word. */
void traffic_reserve(struct traffic_access *access, struct reservations *reservations, uint32_t at);
void traffic_store_conditionally(struct traffic_access *access, struct reservations *reservations,
                                 uint32_t at, uint8_t *bytes);

/* The compute unit gives up what it has reserved. */
void traffic_give_up(struct traffic_unit *unit);

/* ---- soc/memory_fuzz/traffic_units.c ---- */

/* The compute unit's turn; its synchronization is over. */
void traffic_turn(struct event *event);
void traffic_synced(struct event *event);
void traffic_wake(struct traffic_unit *unit);

/* It begins its part of a packet. */
void traffic_begin_packet(struct traffic_unit *unit);

/* An access that acquires has its answer. */
void traffic_acquire(struct traffic_unit *unit, enum mem_sync sync, unsigned scope,
                     uint64_t time_ps);

#endif
