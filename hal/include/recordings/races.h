/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the simulator leaves for the host to tell of races (docs/do/find-races.md): a file in
 * memory, like those of recordings/observation.h. */
#ifndef SLUICE_RECORDINGS_RACES_H
#define SLUICE_RECORDINGS_RACES_H

#include <assert.h>
#include <stdint.h>

/* What would have ordered the two. */
enum sl_race_lacks {
    SL_RACE_LACKS_RELEASE,       /* the earlier one's thread has not released since */
    SL_RACE_LACKS_ACQUIRE,       /* the later one's thread has not acquired since */
    SL_RACE_LACKS_RELEASE_SCOPE, /* released, at scopes that do not hold both */
    SL_RACE_LACKS_ACQUIRE_SCOPE, /* acquired likewise */
    SL_RACE_LACKS_ONE_SCOPE,     /* two scopes for one variable, or for release and acquire */
    SL_RACE_LACKS_CHAIN,         /* ordered along a chain of several scopes */
    SL_RACE_LACKS_PAIR,          /* release and acquire do not meet in one word */
    SL_RACE_LACKS_LANES,         /* no release and acquire between lanes of one wavefront */
    SL_RACE_LACKS
};

#define SL_RACE_AGGREGATOR 1u /* made by the aggregator: of the rest, time and address are said */
#define SL_RACE_SYNC       2u /* a synchronization operation */
#define SL_RACE_READS      4u
#define SL_RACE_WRITES     8u

#define SL_RACE_NO_GROUP UINT32_MAX

struct sl_race_side {
    uint64_t pc;
    uint64_t kernel; /* address of the struct sl_kernel */
    uint64_t wavefront;
    uint64_t lanes;
    uint64_t time_ps;
    uint64_t place;    /* in program order: memory instructions of the wavefront before it */
    uint32_t group;    /* number of its work-group in the packet, or SL_RACE_NO_GROUP */
    uint32_t dispatch; /* number of the packet */
    uint16_t cu;
    uint8_t flags;
    uint8_t scope; /* enum sl_scope, of synchronization */
    uint32_t reserved;
};

/* Two instructions that race: the first time in full, and how often. */
struct sl_race {
    uint64_t count;
    uint64_t address; /* of the word, for the first of the lanes; in LDS, in the compute unit's */
    uint8_t is_lds;
    uint8_t is_synchronization; /* both are, and of different scopes */
    uint8_t lacks;              /* enum sl_race_lacks */
    uint8_t holds;              /* enum sl_scope: the smallest that holds both */
    uint8_t released; /* bits by enum sl_scope: where the earlier side's thread has since */
    uint8_t acquired; /* likewise the later one's */
    uint16_t reserved;
    struct sl_race_side earlier;
    struct sl_race_side later;
};

#define SL_RACES_MAX 4096u /* a power of two */

/* Of one run. */
struct sl_races {
    uint64_t count;
    uint64_t lost;          /* races of further pairs, which found no room */
    uint64_t out_of_memory; /* not 0: from some time on nothing was looked for */
    uint64_t reserved;
    struct sl_race races[SL_RACES_MAX];
};

static_assert(sizeof(struct sl_race_side) == 64, "race side");
static_assert(sizeof(struct sl_race) == 152, "race");

#endif
