/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the files of memory system `moesi` know of each other; tests look inside through it.
 *
 * A request is resolved whole when it is handed in. Its state changes, in the L1 caches and in the
 * directory, are made in the order of the calls; its times come from reserving resources (calendars
 * that know gaps) along the way that its messages take. Effects of that, against hardware:
 * - Transactions on one line are ordered by their issue, not by their arrival at the directory. The
 *   two differ where a later request has the shorter way, by one request latency at most, or where
 *   a requester hands in accesses ahead of time, as for the lines of one instruction.
 * - A cache keeps a line until the accesses to it that were handed in already are done. It holds an
 *   invalidation back as long, by as much as those were ahead.
 * Neither changes values: the permissions of an access hold at its perform_ps. */
#ifndef SLUICE_MEM_SYSTEMS_MOESI_H
#define SLUICE_MEM_SYSTEMS_MOESI_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/dram/dram_timing.h"
#include "mem/dram/l3.h"
#include "mem/mem.h"
#include "mem/network/network.h"
#include "mem/parts/banks.h"
#include "mem/parts/cache.h"
#include "mem/parts/calendar.h"
#include "mem/parts/l1_shapes.h"
#include "mem/parts/miss_causes.h"
#include "mem/parts/mshr_slots.h"
#include "mem/systems/moesi/protocol.h"

/* L1 data caches of compute units and the instruction caches of theirs, the aggregator's two, and
 * the front end's. */
#define MOESI_L1S_MAX      128u
#define MOESI_HOLDER_WORDS ((MOESI_L1S_MAX + 63) / 64)
#define MOESI_NO_OWNER     UINT8_MAX

/* A line of an L1 cache. Its state is what the directory knows; permissions that a transaction took
 * away stay until the message is here: old_state holds before until_ps. */
struct l1_line {
    uint64_t ready_ps; /* its data, or the permission, arrive */
    uint64_t last_ps;  /* latest access that takes effect; not before ready_ps */
    uint64_t until_ps;
    uint32_t l2_index; /* its place in the L2, which is inclusive */
    uint8_t state;
    uint8_t old_state;
};

struct l1 {
    struct cache tags;
    struct l1_line *lines;
    struct calendar port;
    struct mshrs mshrs;
    uint64_t tag_ps; /* a miss is known */
    uint64_t latency_ps;
    uint32_t node;     /* in the network, and among the holders of a line */
    uint32_t buffered; /* index of the line that the aggregator's fetch hit last, or CACHE_NONE */
    struct l1_counters *counters;
    const struct sim_clock *clock;
    struct miss_causes causes; /* of the aggregator's data cache */
};

/* A line of the L2, with its directory entry. */
struct l2_line {
    uint64_t holders[MOESI_HOLDER_WORDS]; /* L1 caches, the owner among them */
    uint64_t blocked_until_ps;            /* the next request to it waits until then */
    uint8_t state;
    uint8_t owner;
    bool is_dirty; /* against DRAM */
};

/* Lines that the L2 replaces are on their way out for a while; requests to them wait that long.
 * They are hashed onto times: two lines that share one can make a request wait without need. */
#define MOESI_LEAVING 4096u

/* What an L1 cache answers to the directory's message. */
struct l1_answer {
    uint64_t time_ps; /* leaves the cache */
    enum message message;
};

struct moesi {
    struct mem_system base;
    const struct stream *stream;
    uint32_t cus;
    struct sim_clock cu_clock;
    struct sim_clock agg_clock;
    uint64_t now_ps; /* time of the request in hand */

    uint32_t l1_count;
    struct l1 *l1s;
    struct l1_numbers numbers; /* of these */
    /* A message of the directory (FORWARD_GETS to RECALL) about a line that an L1 cache has. */
    struct l1_answer (*snoop)(struct moesi *moesi, uint32_t node, uint32_t line,
                              enum l1_event event, uint64_t time_ps);

    struct cache l2_tags;
    struct l2_line *l2_lines;
    uint64_t eviction_done_ps[MOESI_LEAVING];
    struct banks banks;
    struct mshrs mshrs; /* of all banks together; count 0: no limit */
    uint64_t l2_tag_ps;
    uint64_t l2_latency_ps;

    struct interconnect *net;
    struct dram_timing timing;
    struct l3 l3; /* and DRAM behind it */
    struct protocol_coverage coverage;
};

/* The L1 cache of a requester. */
static inline struct l1 *moesi_l1(struct moesi *moesi, struct mem_requester from)
{
    return &moesi->l1s[l1_number(&moesi->numbers, from)];
}

extern const struct mem_ops mem_moesi;

/* What came of an access to an L1 cache. */
struct l1_result {
    uint64_t perform_ps;
    uint64_t done_ps;
    enum hit_level served;
};

/* l1.c: an access (LOAD, FETCH or STORE) at a time. */
struct l1_result l1_access(struct moesi *moesi, struct l1 *l1, uint32_t line, enum l1_event event,
                           uint64_t time_ps);

/* l1.c: the snoop of struct moesi. */
struct l1_answer l1_snoop(struct moesi *moesi, uint32_t node, uint32_t line, enum l1_event event,
                          uint64_t time_ps);

/* What a request to the directory gave. */
struct directory_answer {
    uint64_t ready_ps; /* data and acknowledgements are all there */
    uint32_t l2_index;
    enum l1_event grant;
    enum hit_level served;
};

/* directory.c: a request (GETS, FETCH, GETX, UPGRADE) that leaves an L1 cache at a time. */
struct directory_answer directory_request(struct moesi *moesi, uint32_t node, uint32_t line,
                                          enum message message, uint64_t time_ps);

/* directory.c: an eviction (PUTS, PUTE, PUTO, PUTM) of the line at a place of the L2, which leaves
 * an L1 cache at a time. */
void directory_put(struct moesi *moesi, uint32_t node, uint32_t l2_index, enum message message,
                   uint64_t time_ps);

#endif
