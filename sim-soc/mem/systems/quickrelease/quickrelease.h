/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `quickrelease` (papers/000 section 4.3; docs/look-up/quickrelease.md): caches for
 * reads and for writes apart, at two levels and, for writes, at a third, in front of the directory,
 * where compute units and aggregator meet.
 *
 *     compute unit   rL1, wL1 with S-FIFO1      (l1.c, l1_messages.c)
 *         | network
 *     L2, in banks   rL2, wL2 with S-FIFO2      (l2.c, l2_messages.c)
 *         | a link for each bank
 *     directory      wL3 with S-FIFO3, then memory: DRAM's bytes   (coherence_point.c,
 * backing_memory.c)
 *
 * All caches hold bytes; DRAM's are the value at the directory. An access is an event at each cache
 * that it visits, in order of simulated time.
 *
 * Order. A line belongs to one bank at each level. What a compute unit sends to a bank comes there
 * in the order in which it left, and so does what a bank sends to the directory: so no read or
 * atomic comes before bytes of its line that were sent ahead of it. Before bytes come to the
 * directory from the L2, their line has left the rL2 and, by a broadcast, all rL1 caches; a read
 * that was under way meanwhile is served to those that have waited for it, but not kept, and nobody
 * who comes later waits for it. So once bytes are in wL3, no cache for reads has old ones, which is
 * why an acquire has nothing to do. */
#ifndef SLUICE_MEM_SYSTEMS_QUICKRELEASE_H
#define SLUICE_MEM_SYSTEMS_QUICKRELEASE_H

#include "mem/cache/access_queue.h"
#include "mem/cache/coherent_caches.h"
#include "mem/cache/mshr_entry.h"
#include "mem/cache/transaction.h"
#include "mem/cache/write_queue.h"
#include "mem/dram/dram_timing.h"
#include "mem/dram/l3.h"
#include "mem/network/network.h"
#include "mem/parts/mem_record.h"
#include "mem/systems/quickrelease/write_cache.h"

extern const struct mem_ops mem_quickrelease;

struct quickrelease;

#define QR_BANKS_MAX 64u
#define QR_EVICTIONS 16u /* lines that may be on their way from a bank to the directory */

/* ---- at a compute unit ---- */

struct qr_l1_line {
    struct mshr_entry fill;
    bool is_written; /* newer bytes are in wL1 */
};

struct qr_l1 {
    struct quickrelease *qr;
    struct cache tags; /* rL1 */
    struct qr_l1_line *lines;
    uint8_t *bytes;
    struct write_cache wl1;                  /* wL1 */
    struct write_queue writes;               /* evictions and atomics, on their way to the L2 */
    uint64_t marked;                         /* end of S-FIFO1 when the latest marker came */
    uint64_t markers_sent;                   /* so many have come, */
    uint64_t markers_done;                   /* and are through */
    struct request_queue coalesced_releases; /* releases that wait for a marker before them */
    uint32_t node;
    uint32_t fills_left;
    uint64_t tag_ps;
    uint64_t hit_ps;
    uint64_t turn_ps[QR_BANKS_MAX]; /* of the latest message to each bank */

    struct access_queue accesses; /* accesses that were handed in */
};

/* ---- at the L2 ---- */

/* Transactions in order. */
struct transaction_queue {
    struct transaction *first;
    struct transaction **end;
};

struct qr_l2_line {
    struct transaction_queue waiting; /* reads that wait for it */
    uint64_t ready_ps;                /* of code: when it is there */
    bool is_under_way;
    bool is_stale;
    bool is_written; /* newer bytes are in wL2 */
    bool is_code;    /* its bytes are not here: of a fetch, which is time alone */
};

/* A bank of the L2, and the one of the directory behind it. */
struct qr_bank {
    struct quickrelease *qr;
    struct calendar port;
    struct transaction_queue stalled; /* came, and wait for room */
    struct event event;               /* of the first of these */
    uint32_t reads;                   /* under way to the directory */
    struct calendar up;               /* the link from the directory */
    uint64_t down_ps;                 /* the link to it is free */
    uint64_t there_ps;                /* when the latest message comes there */
    struct transaction_queue down;    /* messages that go there */
    struct event turn;                /* of the first of these, at the directory */
    uint64_t free_ps;                 /* the directory's bank takes nothing before */
};

struct quickrelease {
    struct mem_system base;
    struct dram dram;
    struct event_queue *event_queue;
    const struct stream *stream;
    struct sim_clock clock; /* of all but the aggregator's caches */
    uint32_t cus;
    uint32_t fills; /* reads and atomics that each may have under way */
    struct qr_l1 *l1s;
    struct transactions transactions; /* of the compute units */
    /* One of these, a read, a write or an atomic, has its turn in its bank of the L2 (l2.c). */
    void (*l2_turn)(struct event *event);
    struct coherent_caches coherent;
    struct interconnect *net;
    struct reservations no_reservations; /* of bytes above the directory, where none is held */
    uint16_t presence_filter[COHERENT_FILTER]; /* lines that rL1 caches have or wait for, by their
                                                  hash */

    /* The L2. */
    struct cache tags; /* rL2 */
    struct qr_l2_line *lines;
    uint8_t *bytes;
    struct write_cache wl2;
    struct write_queue writes; /* evictions and atomics, on their way to the directory */
    struct transactions evictions;
    struct qr_bank *banks;
    uint32_t bank_count;
    uint32_t mshrs; /* reads that a bank may have under way */
    uint64_t stalled_banks;
    uint64_t tag_ps;
    uint64_t hit_ps;
    uint64_t link_ps;  /* latency of the links */
    uint64_t probe_ps; /* of an invalidation, to the farthest compute unit */

    /* The directory. */
    struct write_cache wl3;
    struct mshrs buffer; /* lines on their way to DRAM */
    uint64_t written_ps; /* when DRAM has all of them */
    struct dram_timing timing;
    struct l3 l3;
};

static inline struct quickrelease *quickrelease_of(struct mem_system *mem)
{
    return (struct quickrelease *)mem;
}

static inline uint64_t qr_now_ps(const struct quickrelease *qr)
{
    return event_queue_now_ps(qr->event_queue);
}

static inline uint8_t *qr_memory(const struct quickrelease *qr, uint32_t line)
{
    return dram_at(&qr->dram, (uint64_t)line * LINE_BYTES);
}

static inline struct qr_bank *qr_bank(struct quickrelease *qr, uint32_t line)
{
    return &qr->banks[line & (qr->bank_count - 1)];
}

static inline uint32_t qr_bank_node(const struct quickrelease *qr, uint32_t line)
{
    return qr->cus + qr->coherent.count + (line & (qr->bank_count - 1));
}

static inline uint16_t *qr_presence(struct quickrelease *qr, uint32_t line)
{
    return &qr->presence_filter[(line ^ line >> 12) % COHERENT_FILTER];
}

static inline void transaction_queue_reset(struct transaction_queue *queue)
{
    queue->first = NULL;
    queue->end = &queue->first;
}

static inline void transaction_queue_put(struct transaction_queue *queue,
                                         struct transaction *transaction)
{
    transaction->queue_next = NULL;
    *queue->end = transaction;
    queue->end = &transaction->queue_next;
}

static inline struct transaction *transaction_queue_take(struct transaction_queue *queue)
{
    struct transaction *transaction = queue->first;

    queue->first = transaction->queue_next;
    if (queue->first == NULL) {
        queue->end = &queue->first;
    }
    return transaction;
}

/* Whether an answer will do for one who wants bytes of its line. */
static inline bool qr_answers(const struct transaction *answer, uint64_t mask, bool is_strict)
{
    return answer->full_line || (!is_strict && (mask & ~answer->valid) == 0);
}

/* A read takes effect on bytes that are memory's now, where it is strict. */
static inline void qr_perform_read(struct quickrelease *qr, struct transaction *transaction)
{
    struct mem_request *request = transaction->request;
    const struct mem_place place = {transaction->bytes, &qr->base.reservations};

    if (request != NULL && request->client->apply != NULL) {
        request->client->apply(request, &place, request->lanes);
    }
}

/* A data access has found what it needed, and is done at a time. */
static inline void qr_record(struct quickrelease *qr, struct mem_request *request,
                             enum hit_level served, uint64_t done_ps)
{
    mem_record(&qr->base.counters.served, qr->stream, &qr->clock, request, served, done_ps);
}

/* ---- backing_memory.c ---- */

/* Memory is read, or written, at a time. Returns when that is over. */
uint64_t qr_read_memory(struct quickrelease *qr, uint32_t line, uint64_t time_ps);
uint64_t qr_write_memory(struct quickrelease *qr, uint32_t line, uint64_t time_ps);

/* Whether bytes of a line are those of the directory: DRAM's, with those of wL3 over them. */
bool qr_is_current(const struct quickrelease *qr, uint32_t line, const uint8_t *bytes,
                   uint64_t mask);

/* ---- l1.c ---- */

bool qr_l1_create(struct qr_l1 *l1, struct quickrelease *qr, uint32_t node,
                  const struct sl_config *config);
void qr_l1_destroy(struct qr_l1 *l1);
void qr_l1_reset(struct qr_l1 *l1);

/* An answer to a transaction that it sent has come. */
void qr_l1_filled(struct event *event);
void qr_l1_answered(struct event *event);

/* A line leaves rL1; where it is under way, it is not kept. */
void qr_l1_snoop_invalidate(struct qr_l1 *l1, uint32_t line);

/* The L2 has taken a message: there is room, and a release may go on. */
void qr_l1_resume(struct qr_l1 *l1);

/* ---- l2.c ---- */

bool qr_l2_create(struct quickrelease *qr, const struct sl_config *config);
void qr_l2_destroy(struct quickrelease *qr);
void qr_l2_reset(struct quickrelease *qr);

/* An answer of the directory has come. */
void qr_l2_filled(struct event *event);

/* A line leaves rL2, and all rL1 caches at once or in time. */
void qr_l2_drop(struct quickrelease *qr, uint32_t line);
void qr_drop_shared(struct quickrelease *qr, uint32_t line);

/* The directory has taken a message. */
void qr_l2_resume(struct quickrelease *qr);

/* An instruction is fetched through the L2 at a time. Returns when it leaves. */
uint64_t qr_l2_fetch(struct quickrelease *qr, uint32_t line, uint64_t time_ps,
                     enum hit_level *served);

/* ---- coherence_point.c ---- */

bool qr_directory_create(struct quickrelease *qr, const struct sl_config *config);
void qr_directory_destroy(struct quickrelease *qr);
void qr_directory_reset(struct quickrelease *qr);

extern const struct coherence_point qr_coherence_point;

#endif
