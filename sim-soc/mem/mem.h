/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The interface of memory systems (docs/know/design.md, "Memory systems").
 *
 * A requester hands in its accesses one line at a time, with what is known of each, and is told
 * when it has the answer: at once, as a time, or later, by a call, when the answer was *pending*.
 * Accesses of one requester come in the order of their times, but for aggregators, whose cores
 * compute ahead and may be late by one reorder window; they always get a time. Synchronization may
 * be told ahead of its time. A requester's accesses to one line take effect in the order in which
 * they were handed in.
 *
 * Bytes change hands at the serialization point, not before: only there is a value read or written,
 * so that a compare-and-swap that lost a race fails. There are two kinds of systems.
 * - A *coherent* one has a `backdoor`: whoever looks sees the bytes at backdoor + address. Its
 * answers are times, never pending, and requesters move the bytes themselves when the time has
 * come. The exception are locks where it queues them (lock.queue): these pend.
 * - Any other one holds bytes of its own, several values of one address at a time. Answers to
 *   requests with a client are pending: in order of simulated time the client is handed the place
 *   of the bytes, for the duration of a call, and then told of the end.
 * In both, the bytes of DRAM are the value at the point where compute units and aggregator meet:
 * the aggregator's loads and stores are QEMU's own. Its stores are reported.
 *
 * The host's accesses are none of its business, except that notify_write() reports elements of open
 * graphs. A run begins with all caches empty, so that equal runs are equal whatever came before. */
#ifndef SLUICE_MEM_MEM_H
#define SLUICE_MEM_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/event_queue.h"
#include "mem/access.h"
#include "mem/dram.h"
#include "mem/mem_counters.h"
#include "mem/reservation.h"

struct sl_config;

#define MEM_PENDING UINT64_MAX

/* The longest line that a system may have, and the shortest, of which save areas are made. */
#define MEM_LINE_MAX 128u
#define MEM_LINE_MIN SL_CACHE_LINE_BYTES

struct stream;
struct mem_request;

/* Where the bytes of a line are while mem_client.apply() runs, and whose reservations a
 * conditional store there has to look at. */
struct mem_place {
    uint8_t *bytes;                    /* of the whole line */
    struct reservations *reservations; /* there as long as the system is */
};

/* Whom pending answers go to. */
struct mem_client {
    /* The access takes effect now, for these lanes of the request: moves its bytes. May be NULL
     * where none are to be moved. Not called for a MEM_LOCK that its queue has no room for: that is
     * done without. */
    void (*apply)(struct mem_request *request, const struct mem_place *place, uint64_t lanes);
    /* The requester has its answer at a time that is not before the present. Once for each pending
     * answer, after its apply(), and never inside access(), sync() or cancel(). */
    void (*complete)(struct mem_request *request, uint64_t time_ps);
};

/* An access to a line, or, with `sync`, a synchronization. The requester's own until it is done. */
struct mem_request {
    uint64_t time_ps;
    uint64_t address; /* of the line; aggregators and fetches: of the first byte. Of the end of a
                         wavefront: of its private segments, `bytes` long, which are nobody's from
                         then on: what is held of them must not be written any more */
    uint64_t word;    /* of kinds MEM_LOCK and MEM_UNLOCK: the lock's, in that line */
    struct mem_requester from;
    uint8_t kind;  /* enum mem_kind */
    uint8_t space; /* enum mem_space */
    uint8_t scope; /* enum sl_scope: of what is atomic, and of what acquires or releases */
    uint8_t sync;  /* enum mem_sync */
    bool atomic;   /* of compute units, to be performed where all of its scope see it:
                      read-modify-writes, and loads and stores with a scope, ordered or not */
    bool acquire;
    bool release;
    bool needs_global_ack; /* of a store: it is done when it has taken effect where all see it and
                          that is known, where else it might be when it is on its way */
    bool wrote_nothing;    /* apply() says so of an atomic operation that has changed no byte: what
                          writes through need not */
    uint32_t bytes;        /* of the end of a wavefront; else 0 */
    uint16_t lines;        /* that the instruction touches: known before the first one is sent */
    uint16_t operations;   /* lanes' accesses on this one; 0 of what no lane does; where the system
                              needs_byte_masks */
    uint32_t dispatch;     /* id of the wavefront's packet; likewise, and of synchronization */
    uint64_t wave;         /* number of the wavefront; likewise */
    uint64_t lanes;        /* with an access on this line; likewise */
    uint64_t mask[2];      /* bytes of the line that are touched; likewise */
    const struct mem_client *client; /* NULL: of an aggregator, or of a coherent system */

    /* Of compute units' data, for whoever observes: whose it is. */
    uint16_t context; /* the wavefront's, in its compute unit */
    uint64_t pc;      /* address of the instruction */

    /* Set by the memory system, of data accesses and of the aggregator's fetches, when it knows: 1
     * + enum hit_level. Systems that
     * do not tell levels leave it. */
    uint8_t hit_level;

    /* The memory system's own, from the call that handed it in until it is done. */
    struct {
        struct mem_request *next; /* in whatever it waits in */
        uint64_t number;
        uint64_t time_ps;
    } priv;
};

_Static_assert(8 * sizeof(((struct mem_request *)NULL)->mask) == MEM_LINE_MAX,
               "a bit for each byte");

struct mem_answer {
    uint64_t perform_ps; /* serialization point, not before the request's time; or MEM_PENDING */
    uint64_t done_ps;    /* the requester has data or acknowledgement; not before perform_ps */
};

struct mem_system;

/* What a system is made of. */
struct mem_parts {
    const struct sl_config *config;
    const struct dram *dram;
    struct event_queue *event_queue; /* for its own events */
    const struct stream *stream;     /* who observes */
};

struct mem_ops {
    const char *name;
    /* NULL when out of memory. */
    struct mem_system *(*create)(const struct mem_parts *parts);
    void (*destroy)(struct mem_system *mem);

    /* A run begins at time zero: empties all caches, frees all resources, clears the counters. */
    void (*reset)(struct mem_system *mem);

    /* The run ends, or the device is reset: brings all bytes to DRAM, in no time, and gives no more
     * answers. NULL where nothing is ever held back. */
    void (*drain)(struct mem_system *mem);

    struct mem_answer (*access)(struct mem_system *mem, struct mem_request *request);

    /* Synchronization: returns when it is over, which is not before the request's time, or
     * MEM_PENDING. What acquires or releases at a scope does so for the whole compute unit; at that
     * of the wavefront there is nothing to do, since its accesses to one address keep their order.
     * NULL: it takes no time and nothing takes notice. A system with a backdoor has none. */
    uint64_t (*sync)(struct mem_system *mem, struct mem_request *request);

    /* Takes back a MEM_LOCK whose answer is pending: its client hears no more of it. It is told of
     * one whose wavefront ends meanwhile; a MEM_UNLOCK always comes to its end by itself. After
     * drain() there is nothing to take back, and nothing is done. NULL: locks are not queued. */
    void (*cancel)(struct mem_system *mem, struct mem_request *request);

    /* An aggregator has stored to memory; the bytes are in DRAM. NULL: nothing takes notice. */
    void (*notify_write)(struct mem_system *mem, uint64_t address, uint32_t bytes);

    /* What a requester would see now; for tests and debugging. NULL: the bytes of DRAM. */
    void (*functional_read)(const struct mem_system *mem, struct mem_requester from,
                            uint64_t address, void *bytes, size_t count);
};

struct mem_system {
    const struct mem_ops *ops;
    uint8_t *backdoor;     /* of a coherent system: address a is at backdoor + a; else NULL */
    uint32_t line_bytes;   /* a power of two from MEM_LINE_MIN to MEM_LINE_MAX */
    bool needs_byte_masks; /* requests say which bytes and lanes; else these fields are not set */
    bool queues_locks; /* answers to MEM_LOCK and MEM_UNLOCK are pending, in spite of a backdoor */
    struct reservations reservations; /* of the bytes of DRAM */
    struct mem_counters counters;
};

/* The bits of a word that are below a place, which may be behind the word. */
static inline uint64_t mem_bits_below(uint64_t place)
{
    return place < 64 ? (1ull << place) - 1 : UINT64_MAX;
}

/* Sets the bits of `count` bytes of a line, from one on. */
static inline void mem_mask_touch(uint64_t mask[2], uint64_t first, uint64_t count)
{
    const uint64_t end = first + count;

    mask[0] |= mem_bits_below(end) & ~mem_bits_below(first);
    if (end > 64) {
        mask[1] |= mem_bits_below(end - 64) & ~mem_bits_below(first < 64 ? 0 : first - 64);
    }
}

/* Notes that a request touches `count` bytes of its line, from an address on. */
static inline void mem_request_touch(struct mem_request *request, uint64_t address, uint64_t count)
{
    mem_mask_touch(request->mask, address - request->address, count);
}

/* How many of the bytes from an address up to another, `end`, are in the address's line. */
static inline uint64_t mem_line_rest(const struct mem_system *mem, uint64_t address, uint64_t end)
{
    const uint64_t next = (address | (mem->line_bytes - 1)) + 1;

    return (next < end ? next : end) - address;
}

/* Where address 0 would be in this process if DRAM went down to it: the backdoor of systems in
 * which DRAM's bytes are everyone's value. */
static inline uint8_t *mem_dram_backdoor(const struct dram *dram)
{
    return (uint8_t *)((uintptr_t)dram->bytes - SL_DRAM_BASE);
}

#endif
