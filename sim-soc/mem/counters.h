/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a memory system counts while a graph runs. Systems without some part leave its counters at
 * zero. */
#ifndef SLUICE_MEM_COUNTERS_H
#define SLUICE_MEM_COUNTERS_H

#include <stdint.h>

#include "sluice/served.h"

/* The kinds of L1 caches, each counted as one. */
enum l1_kind { L1D, L1I, AGG_L1D, AGG_L1I, FRONT_L1D, L1_KINDS };

/* Where an access found what it needed (hal/regs/served.def). */
enum mem_served {
    SERVED_L1 = SL_SERVED_PLACE_OWN_L1,
    SERVED_MERGED = SL_SERVED_PLACE_MERGED,
    SERVED_UPGRADE = SL_SERVED_PLACE_UPGRADED,
    SERVED_OTHER_L1 = SL_SERVED_PLACE_OTHER_L1,
    SERVED_L2 = SL_SERVED_PLACE_L2,
    SERVED_DRAM = SL_SERVED_PLACE_DRAM,
    MEM_SERVED_COUNT = SL_SERVED_PLACES
};

struct l1_counters {
    uint64_t accesses;
    uint64_t served[MEM_SERVED_COUNT]; /* SERVED_L1 are hits, all others misses */
    uint64_t replays;
    uint64_t evictions;
    uint64_t write_backs;
    uint64_t supplied;      /* lines sent to other L1 caches */
    uint64_t invalidations; /* lines lost to a writer elsewhere */
    uint64_t recalls;       /* lines lost because the L2 replaced them */
    uint64_t bytes_in;
    uint64_t bytes_out;
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
};

struct mem_counters {
    struct l1_counters l1[L1_KINDS];
    struct l2_counters l2;
    uint64_t dram_reads;
    uint64_t dram_writes;
    uint64_t dram_busy_ps; /* of all channels */
    uint32_t dram_channels;

    struct sl_served served; /* data accesses, not fetches */
};

#endif
