/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory systems in which compute units and aggregator meet at the L2: L1 caches that hold bytes of
 * their own, banks of one L2 for all, behind it an L3 cache on the memory's side, if there is one,
 * and DRAM. The aggregator, instruction caches and the front end have caches that are kept
 * coherent.
 *
 * The value of memory at the L2 is in DRAM's bytes, so the L2 has tags alone. An access takes
 * effect when it is looked up in its L1 cache, when its line is there, or when it takes its slot of
 * the L2's bank, and each of these is an event in order of simulated time. What is between them,
 * the network, banks, DRAM, is reserved ahead, in calendars (parts/calendar.h).
 *
 * Systems are made of this by a policy: writethrough/ and scoped/. */
#ifndef SLUICE_MEM_SYSTEMS_NONCOHERENT_H
#define SLUICE_MEM_SYSTEMS_NONCOHERENT_H

#include "mem/cache/coherent_caches.h"
#include "mem/cache/transaction.h"
#include "mem/network/network.h"
#include "mem/parts/mem_record.h"
#include "mem/systems/noncoherent/l2.h"

struct noncoherent;
struct noncoherent_l1;

/* Where an access is done. */
enum service_level {
    SERVICE_L1,    /* in the L1 cache, which keeps the line */
    SERVICE_BELOW, /* further down */
};

struct noncoherent_policy {
    const struct mem_ops *ops;
    bool combines; /* L1 caches combine writes; else they write through */
    /* Where an access of a compute unit is done. */
    enum service_level (*where)(const struct mem_request *request);
    /* A release's bytes are at the L2 at a time. Returns when it is over; NULL: then. */
    uint64_t (*released)(struct noncoherent *system, const struct mem_request *request,
                         uint64_t time_ps);
};

struct noncoherent {
    struct mem_system base;
    const struct noncoherent_policy *policy;
    struct dram dram;
    struct event_queue *event_queue;
    const struct stream *stream;
    struct sim_clock clock; /* of the compute units, the network and the L2 */
    uint32_t cus;
    struct noncoherent_l1 *l1s; /* of the compute units (l1.h) */
    struct noncoherent_l2 l2;
    struct coherent_caches coherent;
    struct interconnect *net;
    struct transactions transactions;
    uint32_t walk;     /* tags that a flush looks at per cycle */
    bool by_wavefront; /* scoped.flush */
};

/* A machine of these parts; NULL when out of memory. */
struct mem_system *noncoherent_create(const struct mem_parts *parts,
                                      const struct noncoherent_policy *policy);

/* Of struct mem_ops, the same for all policies. */
void noncoherent_destroy(struct mem_system *mem);
void noncoherent_begin(struct mem_system *mem);
void noncoherent_settle(struct mem_system *mem);
struct mem_answer noncoherent_access(struct mem_system *mem, struct mem_request *request);
void noncoherent_peek(const struct mem_system *mem, struct mem_requester from, uint64_t address,
                      void *bytes, size_t count);

static inline struct noncoherent *noncoherent_of(struct mem_system *mem)
{
    return (struct noncoherent *)mem;
}

/* The bytes of a line at the point of coherence. */
static inline uint8_t *noncoherent_memory(const struct noncoherent *system, uint32_t line)
{
    return dram_at(&system->dram, (uint64_t)line * LINE_BYTES);
}

/* Bytes come to the point of coherence. */
static inline void noncoherent_write_memory(struct noncoherent *system,
                                            const struct transaction *transaction)
{
    if (!transaction->timing_only) {
        line_bytes_merge(noncoherent_memory(system, transaction->line), transaction->bytes,
                         transaction->mask);
        reservation_write(&system->base.reservations, (uint64_t)transaction->line * LINE_BYTES);
    }
}

/* A data access has found what it needed, and is done at a time. */
static inline void noncoherent_record(struct noncoherent *system, struct mem_request *request,
                                      enum hit_level served, uint64_t done_ps)
{
    mem_record(&system->base.counters.served, system->stream, &system->clock, request, served,
               done_ps);
}

/* ---- l2_arrivals.c ---- */

/* Transactions leave an L1 cache at a time: a line is asked for, an access is to be done below,
 * bytes are written; the last returns when they come to the L2. */
void noncoherent_send_fill(struct noncoherent_l1 *l1, struct transaction *transaction,
                           uint64_t time_ps);
void noncoherent_send_below(struct noncoherent_l1 *l1, struct transaction *transaction,
                            uint64_t time_ps);
uint64_t noncoherent_send_write(struct noncoherent_l1 *l1, struct transaction *transaction,
                                uint64_t time_ps);

/* The release waits for what its compute unit has written so far, and for a time. Returns when that
 * is over, or MEM_PENDING: then its client is told. */
uint64_t noncoherent_release(struct noncoherent_l1 *l1, struct mem_request *request,
                             uint64_t time_ps);

extern const struct coherence_point noncoherent_coherence_point;

#endif
