/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The words in which accesses to memory are spoken of: who makes one, what it does, and what lies
 * where it goes. */
#ifndef SLUICE_MEM_ACCESS_H
#define SLUICE_MEM_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

enum mem_kind {
    MEM_LOAD,
    MEM_STORE,
    MEM_ATOMIC,
    MEM_FETCH,
    MEM_LOCK,  /* of one lane, which wants a lock: a compare-and-swap, that can queue in memory */
    MEM_UNLOCK /* and which gives it back: an exchange */
};

static inline bool mem_kind_is_lock(uint8_t kind)
{
    return kind == MEM_LOCK || kind == MEM_UNLOCK;
}

/* What data accesses count as: locks are atomics like others. */
static inline enum mem_kind mem_kind_counted(uint8_t kind)
{
    return mem_kind_is_lock(kind) ? MEM_ATOMIC : (enum mem_kind)kind;
}

enum mem_space {
    MEM_SHARED,  /* shared memory: the kernels' program, the heap, firmware's structures */
    MEM_PRIVATE, /* stacks of lanes */
    MEM_SAVE,    /* save areas: what the hardware keeps of wavefronts, which no lane can name */
    MEM_LDS      /* below no cache: memory systems never see it, observers do */
};

enum mem_requester_kind {
    MEM_CU,       /* data of a compute unit */
    MEM_CU_CODE,  /* its instructions */
    MEM_AGG,      /* data of an aggregator */
    MEM_AGG_CODE, /* its instructions */
    MEM_FRONT,    /* the device's front end */
    MEM_REQUESTER_KINDS
};

struct mem_requester {
    uint16_t kind;  /* enum mem_requester_kind */
    uint16_t index; /* among those of its kind */
};

/* What a wavefront or the front end does that other parts of the machine may have to take notice
 * of. Whether it acquires, releases, or both, is said beside it. */
enum mem_sync {
    MEM_SYNC_OPERATION, /* an atomic, load or store that acquires or releases */
    MEM_SYNC_FENCE,     /* acquires, releases, or both, at any scope */
    MEM_SYNC_BARRIER,   /* arrives at one (releases), goes on behind it (acquires) */
    MEM_SYNC_PACKET,    /* first wavefront of a packet on a compute unit (acquires), end of the last
                           one there (releases) */
    MEM_SYNC_LAUNCH,    /* of any other wavefront, which begins when that acquire is over, too */
    MEM_SYNC_END,       /* of any other one */
    MEM_SYNC_YIELD,     /* its state is about to be saved (releases) */
    MEM_SYNC_RESTART,   /* acquires */
    MEM_SYNC_STEP,      /* of the front end: all wavefronts of a packet have ended */
};

#endif
