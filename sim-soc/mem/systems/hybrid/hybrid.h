/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `hybrid` (papers/003 chapter 3; docs/look-up/memory-others.md): incoherent L1
 * caches that serve each other's misses, a sharing tracker that knows which could, and an L2 of
 * short lines, in banks with atomic buffers, the point of coherence.
 *
 *     compute unit   L1: lines with bytes               (l1.c, l1_lines.c)
 *         | network                                     (routing.c)
 *     sharing trackers: tags and sharers                (sharing_tracker.c, routing.c)
 *         | network
 *     L2, in banks: tags, atomic buffers, then DRAM     (l2_bank.c, l2.c)
 *
 * The value of memory at the L2 is in DRAM's bytes. An L1 line holds a copy, which other compute
 * units' stores make old: what a load finds in its L1, or another L1 sends it, need not be that
 * value. An access takes effect when it is looked up in its L1 cache and the line is there, when
 * another L1 cache sends the line, or when it has its turn in the L2's banks, and each of these is
 * an event in order of simulated time.
 *
 * Order. Accesses of a compute unit to one line wait while it has a miss of that line under way, so
 * that no store or coherent operation overtakes a load. What they send goes to the tracker's bank,
 * then to the L2's, some by way of an L1 cache that had lost the line, and takes effect there in
 * the order in which it left (inflight_table_perform_ps()): so a load finds all that its compute
 * unit has written. A listed copy has all that has taken effect at the L2: a store drops the entry
 * on its way there, and a line that comes while one is under way, or was under way when one passed,
 * is not listed. */
#ifndef SLUICE_MEM_SYSTEMS_HYBRID_H
#define SLUICE_MEM_SYSTEMS_HYBRID_H

#include "mem/cache/access_queue.h"
#include "mem/cache/coherent_caches.h"
#include "mem/network/network.h"
#include "mem/parts/mem_record.h"
#include "mem/systems/hybrid/hybrid_transaction.h"
#include "mem/systems/hybrid/inflight_table.h"
#include "mem/systems/hybrid/l2.h"
#include "mem/systems/hybrid/sharing_tracker.h"

extern const struct mem_ops mem_hybrid;

struct hybrid;

struct hybrid_l1 {
    struct hybrid *hybrid;
    struct cache tags;
    uint8_t *bytes; /* of each line, all of them valid */
    bool *is_written;
    uint32_t node;                /* in the network: number of the compute unit */
    uint32_t valid_lines;         /* lines that are there */
    struct access_queue accesses; /* accesses that were handed in, and the port that they come by */
    struct calendar other;        /* the port for what comes from elsewhere: lines, others' reads */
    struct hybrid_misses {        /* under way, one of a line at most, in any order */
        uint32_t count;
        uint32_t *line;
        struct hybrid_transaction **transaction;
    } misses;
    struct hybrid_list stores; /* under way, in order */
    uint32_t misses_left;      /* that there may be, with coherent operations */
    uint32_t stores_left;
    uint32_t waves;            /* resident wavefronts */
    uint32_t bypass_threshold; /* an instruction that touches so many allocates none */
};

/* What L1 caches do with what comes back. */
struct hybrid_l1_ops {
    /* The line, or the sectors, of a miss have come. */
    void (*filled)(struct event *event);
    /* A coherent operation's answer has come. */
    void (*answered)(struct event *event);
    /* A store has taken effect at the L2; that is known at a time. */
    void (*stored)(struct hybrid_transaction *transaction, uint64_t done_ps);
};

struct hybrid {
    struct mem_system base;
    struct dram dram;
    struct event_queue *event_queue;
    const struct stream *stream;
    struct sim_clock clock; /* of the compute units, the network, trackers and the L2 */
    uint32_t line_bytes;    /* of the L1 caches */
    uint32_t line_shift;    /* its logarithm, to the base of 2 */
    uint32_t sector_bytes;  /* of the L2's lines */
    uint32_t sector_shift;
    uint32_t all_sectors; /* a bit for each sector of a line */
    uint32_t l1_lines;    /* of a cache */
    uint32_t misses;      /* that a cache may have under way */
    uint32_t stores;
    uint64_t hit_ps;    /* an L1 has its data */
    uint64_t tag_ps;    /* a miss is known */
    uint64_t remote_ps; /* an L1 has what it sends to another */
    bool bypasses;      /* L1 caches, by instructions that contend */
    bool l2_allocates;  /* lines that stay in an L1 */
    bool invalidates;   /* stores and coherent operations drop entries */
    uint32_t cus;
    struct hybrid_l1 *l1s;
    const struct hybrid_l1_ops *l1_ops;
    struct trackers trackers;
    struct inflight_table inflight;
    struct hybrid_l2 l2;
    struct coherent_caches coherent;
    struct interconnect *net;
    uint32_t tracker_node; /* the first; the L2's banks are behind them */
    uint32_t bank_node;
    struct reservations no_reservations; /* of L1 caches' copies: nobody reserves there */
    struct hybrid_transaction *transactions;
    struct hybrid_transaction *free_transactions;
    uint32_t transaction_count;
};

static inline struct hybrid *hybrid_of(struct mem_system *mem)
{
    return (struct hybrid *)mem;
}

static inline uint64_t hybrid_now_ps(const struct hybrid *hybrid)
{
    return event_queue_now_ps(hybrid->event_queue);
}

static inline uint32_t hybrid_line_of(const struct hybrid *hybrid,
                                      const struct mem_request *request)
{
    return (uint32_t)(request->address >> hybrid->line_shift);
}

/* The bytes of a line at the point of coherence. */
static inline uint8_t *hybrid_memory(const struct hybrid *hybrid, uint32_t line)
{
    return dram_at(&hybrid->dram, (uint64_t)line << hybrid->line_shift);
}

/* Bytes of a store come to the point of coherence. */
static inline void hybrid_write_memory(struct hybrid *hybrid,
                                       const struct hybrid_transaction *transaction)
{
    if (transaction->timing_only) {
        return;
    }
    const uint64_t address = (uint64_t)transaction->line << hybrid->line_shift;
    hybrid_merge(hybrid_memory(hybrid, transaction->line), transaction->bytes, transaction->mask);
    for (unsigned half = 0; half < 2; half++) {
        if (transaction->mask[half] != 0) {
            reservation_write(&hybrid->base.reservations, address + 64 * half);
        }
    }
}

/* The line of the L2 that a sector is. */
static inline uint32_t hybrid_sector_line(const struct hybrid *hybrid, uint32_t line,
                                          uint32_t sector)
{
    return (line << (hybrid->line_shift - hybrid->sector_shift)) + sector;
}

static inline uint8_t *hybrid_l1_bytes(const struct hybrid_l1 *l1, uint32_t index)
{
    return l1->bytes + ((size_t)index << l1->hybrid->line_shift);
}

/* The sectors that bytes of a line are in. */
static inline uint32_t hybrid_sectors_of(const struct hybrid *hybrid, const uint64_t mask[2])
{
    const uint32_t halves = (mask[0] != 0) | (uint32_t)(mask[1] != 0) << 1;

    if (hybrid->sector_bytes > 64) {
        return 1;
    }
    if (hybrid->sector_bytes == 64) {
        return halves;
    }
    return (uint32_t)((uint32_t)mask[0] != 0) | (uint32_t)(mask[0] >> 32 != 0) << 1 |
           (uint32_t)((uint32_t)mask[1] != 0) << 2 | (uint32_t)(mask[1] >> 32 != 0) << 3;
}

/* Operations that are to be done where all of their scope see it. */
static inline bool hybrid_is_atomic(const struct mem_request *request)
{
    return request->atomic || mem_kind_counted(request->kind) == MEM_ATOMIC;
}

/* A free transaction for a line, of which there is one. */
static inline struct hybrid_transaction *hybrid_transaction_get(struct hybrid_l1 *l1, uint32_t line,
                                                                enum hybrid_transaction_kind kind)
{
    struct hybrid_transaction *transaction = l1->hybrid->free_transactions;

    l1->hybrid->free_transactions = transaction->next;
    transaction->l1 = l1;
    transaction->line = line;
    transaction->kind = (uint8_t)kind;
    transaction->perform_ps = 0;
    transaction->no_tracker = false;
    transaction->request = NULL;
    return transaction;
}

static inline void hybrid_transaction_put(struct hybrid_transaction *transaction)
{
    struct hybrid *hybrid = transaction->l1->hybrid;

    transaction->next = hybrid->free_transactions;
    hybrid->free_transactions = transaction;
}

/* The first store to a line among a transaction and those behind it, which an L1 cache has under
 * way; or NULL. */
static inline const struct hybrid_transaction *
hybrid_store_to(const struct hybrid_transaction *transaction, uint32_t line)
{
    while (transaction != NULL && transaction->line != line) {
        transaction = transaction->next;
    }
    return transaction;
}

/* The transaction is an event at a time. */
static inline void hybrid_transaction_at(struct hybrid_transaction *transaction, uint64_t time_ps,
                                         void (*run)(struct event *event))
{
    transaction->event = (struct event){.run = run, .rank = EVENT_MEMORY};
    event_queue_insert_at(transaction->l1->hybrid->event_queue, &transaction->event, time_ps);
}

static inline uint32_t hybrid_bank_node(const struct hybrid *hybrid, uint32_t sector_line)
{
    return hybrid->bank_node + hybrid_l2_bank(&hybrid->l2, sector_line);
}

/* A message with `bytes` of data, or none, leaves a node at a time. Returns when it is there. */
static inline uint64_t hybrid_send(struct hybrid *hybrid, uint32_t from, uint32_t to,
                                   uint32_t bytes, enum mem_leg leg, uint64_t time_ps)
{
    hybrid->base.counters.network_bytes[leg] += MEM_PROBE_BYTES + bytes;
    return hybrid->net->ops->send(hybrid->net, from, to, interconnect_parts(hybrid->net, bytes),
                                  time_ps, hybrid_now_ps(hybrid));
}

/* What a miss asked for comes to its L1 cache at a time. */
static inline void hybrid_arrive(struct hybrid_transaction *transaction, uint64_t time_ps)
{
    struct hybrid_l1 *l1 = transaction->l1;
    const uint64_t turn_ps = transaction->allocates
                                 ? calendar_take(&l1->other, time_ps, hybrid_now_ps(l1->hybrid))
                                 : time_ps;

    hybrid_transaction_at(transaction, turn_ps, l1->hybrid->l1_ops->filled);
}

/* A data access has found what it needed, and is done at a time. */
static inline void hybrid_record(struct hybrid *hybrid, struct mem_request *request,
                                 enum hit_level served, uint64_t done_ps)
{
    mem_record(&hybrid->base.counters.served, hybrid->stream, &hybrid->clock, request, served,
               done_ps);
}

/* ---- l1.c ---- */

extern const struct hybrid_l1_ops hybrid_l1_ops;

bool hybrid_l1_create(struct hybrid_l1 *l1, struct hybrid *hybrid, uint32_t node,
                      const struct sl_config *config);
void hybrid_l1_destroy(struct hybrid_l1 *l1);
void hybrid_l1_reset(struct hybrid_l1 *l1);

/* ---- l1_lines.c ---- */

/* The line of a miss stays, and may be listed. */
void hybrid_l1_keep(struct hybrid_l1 *l1, const struct hybrid_transaction *transaction);

/* The line is not there any more; nobody is told. */
void hybrid_l1_lose(struct hybrid_l1 *l1, uint32_t index);

/* All lines go, and from the tracker's lists; those under way are for those that wait for them
 * already. */
void hybrid_l1_empty(struct hybrid_l1 *l1);

/* So many wavefronts more are resident. */
void hybrid_l1_reside(struct hybrid_l1 *l1, int32_t waves);

/* ---- routing.c ---- */

/* A transaction leaves its L1 cache at a time. */
void hybrid_leave(struct hybrid_transaction *transaction, uint64_t time_ps);

/* Messages of an L1 cache to its tracker, that it has lost a line, or has it. Left out: their time;
 * they take network and bank, and count at once. */
void hybrid_report(struct hybrid_l1 *l1, uint32_t line);
void hybrid_mark(struct hybrid_l1 *l1, const struct hybrid_transaction *transaction);

/* ---- l2_bank.c ---- */

/* A line is written, or operated on: no L1 cache is listed for it any more, nor will be for what is
 * under way. */
void hybrid_drop_entry(struct hybrid *hybrid, uint32_t line);

/* A transaction takes effect at the L2. */
void hybrid_bank_turn(struct event *event);

/* The aggregator's coherent operation. */
struct mem_answer hybrid_aggregate(struct hybrid *hybrid, struct mem_request *request);

extern const struct coherence_point hybrid_coherence_point;

#endif
