/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a memory system counts while a graph runs. Systems without some part leave its counters at
 * zero. */
#ifndef SLUICE_MEM_MEM_COUNTERS_H
#define SLUICE_MEM_MEM_COUNTERS_H

#include <stdint.h>

#include "sluice/served.h"

/* The kinds of L1 caches, each counted as one. */
enum l1_kind { L1D, L1I, AGG_L1D, AGG_L1I, FRONT_L1D, L1_KINDS };

/* Where an access found what it needed (hal/contract/served.def). */
enum hit_level {
    HIT_L1 = SL_SERVED_PLACE_OWN_L1,
    HIT_MERGED = SL_SERVED_PLACE_MERGED,
    HIT_UPGRADE = SL_SERVED_PLACE_UPGRADED,
    HIT_OTHER_L1 = SL_SERVED_PLACE_OTHER_L1,
    HIT_L2 = SL_SERVED_PLACE_L2,
    HIT_DRAM = SL_SERVED_PLACE_DRAM,
    HIT_LEVELS = SL_SERVED_PLACES
};

/* Why a cache lacked a line that it missed (mem/parts/miss_causes.h). */
enum miss_cause { MISS_COLD, MISS_CAPACITY, MISS_COHERENCE, MISS_RECALL, MISS_CAUSES };

/* What a message without data to a cache counts, its header. Our choice. */
#define MEM_PROBE_BYTES 8u

struct l1_counters {
    uint64_t accesses;
    uint64_t served[HIT_LEVELS];  /* HIT_L1 are hits, all others misses */
    uint64_t causes[MISS_CAUSES]; /* of misses that brought a line; of AGG_L1D */
    uint64_t replays;
    uint64_t mshrs_max; /* held at once, of one cache */
    uint64_t evictions;
    uint64_t write_backs;
    uint64_t supplied;      /* lines sent to other L1 caches */
    uint64_t invalidations; /* lines lost to a writer elsewhere */
    uint64_t recalls;       /* lines lost because the L2 replaced them */
    uint64_t bytes_in;
    uint64_t bytes_out;
    uint64_t read_hits;             /* hits that are loads */
    uint64_t read_after_write_hits; /* those on lines that were written here */
    uint64_t bytes_in_data;         /* of messages to the cache: lines or parts of them */
    uint64_t bytes_in_probes;       /* and headers of invalidations, forwards and recalls */
    uint64_t bypassed;              /* accesses of instructions that allocate nothing */
    uint64_t fills;                 /* lines that came, from wherever */
    uint64_t updates;               /* hits that wrote into their line */
};

struct l2_counters {
    uint64_t accesses; /* requests of L1 caches */
    uint64_t hits;     /* the L2 has the line: data or the way to its owner */
    uint64_t misses;
    uint64_t evictions;
    uint64_t write_backs; /* of evicted lines to DRAM */
    uint64_t l1_bytes_in;
    uint64_t l1_bytes_out;
    uint64_t dram_bytes_in;
    uint64_t dram_bytes_out;
    uint64_t atomic_buffer_hits; /* lanes' operations whose line an atomic buffer had */
    uint64_t atomic_buffer_misses;
    uint64_t line_reads; /* of the array of data */
    uint64_t line_writes;
};

/* Sharing trackers (papers/003 section 3.2). */
struct tracker_counters {
    uint64_t lookups;   /* load misses that asked */
    uint64_t hits;      /* those to which another L1 sent the line */
    uint64_t lost;      /* listed L1s that were asked in vain */
    uint64_t marks;     /* L1s that were listed */
    uint64_t drops;     /* entries dropped by stores and coherent operations */
    uint64_t reports;   /* evictions that were told */
    uint64_t evictions; /* entries replaced */
};

/* The legs that a message between caches goes. */
enum mem_leg { MEM_LEG_L1_TRACKER, MEM_LEG_TRACKER_L2, MEM_LEG_L1_L2, MEM_LEG_L1_L1, MEM_LEGS };

/* A write-combining cache. bytes_in = bytes_out + bytes_combined + bytes_dropped once the run has
 * settled. */
struct write_cache_counters {
    uint64_t writes;    /* of bytes into it: stores, or evictions from above */
    uint64_t combined;  /* those of them that found the line there */
    uint64_t reads;     /* looked up by loads */
    uint64_t read_hits; /* had all bytes */
    uint64_t partial;   /* had some of them: sent down first */
    uint64_t evictions; /* lines sent down */
    uint64_t bytes_in;
    uint64_t bytes_out;
    uint64_t bytes_combined; /* overwritten while dirty */
    uint64_t bytes_dropped;  /* of the stacks of wavefronts that have ended */
};

/* A synchronization FIFO. */
struct fifo_counters {
    uint64_t enqueued;
    uint64_t full;     /* an entry had to leave because there was no room */
    uint64_t released; /* markers that came to the head */
    uint64_t stale;    /* entries whose line had gone when they came to the head */
};

/* The L3 on the side of memory. */
struct l3_counters {
    uint64_t accesses; /* reads; writes are none */
    uint64_t hits;
    uint64_t misses;
    uint64_t evictions;
    uint64_t write_backs; /* of evicted lines to DRAM */
    uint64_t bytes_in;    /* written by what is above */
    uint64_t bytes_out;   /* read by it */
};

/* What passes between the caches of the compute units and the directory. */
struct directory_counters {
    uint64_t bytes_in; /* towards memory */
    uint64_t bytes_out;
};

#define MEM_WRITE_CACHES 3u
#define MEM_SCOPES       4u /* of enum sl_scope */

struct sync_counters {
    uint64_t acquires[MEM_SCOPES];
    uint64_t releases[MEM_SCOPES];
    uint64_t release_wait_ps;
    uint64_t flushed_lines;
    uint64_t invalidated_lines;
    uint64_t stale_reads; /* loads with other bytes than the point of coherence has */
};

/* A record in a queue of a lock: {lane id, next} (papers/004 section 5.2.1). */
#define MEM_LOCK_RECORD_BYTES 8u

struct lock_counters {
    uint64_t records; /* ever made */
    uint64_t records_max;
};

struct mem_counters {
    struct l1_counters l1[L1_KINDS];
    struct l2_counters l2;
    struct write_cache_counters wl[MEM_WRITE_CACHES];
    struct fifo_counters sfifo[MEM_WRITE_CACHES];
    struct directory_counters directory;
    struct l3_counters l3;
    struct sync_counters sync;
    struct lock_counters lock;
    struct tracker_counters tracker;
    uint64_t network_bytes[MEM_LEGS]; /* data and headers of MEM_PROBE_BYTES */
    uint64_t dram_reads;              /* lines of dram_line_bytes */
    uint64_t dram_writes;
    uint64_t dram_busy_ps;  /* of all channels */
    uint64_t dram_row_hits; /* reads and writes of rows that were open */
    uint32_t dram_channels;
    uint32_t dram_line_bytes;

    struct sl_served served; /* data accesses, not fetches */
};

#endif
