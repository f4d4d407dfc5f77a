/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Records that the simulator writes while a run is on (recordings/ring.h), and the files that are
 * made of them on the way:
 *
 *     trace.c                 trace and samples of a machine, from configuration to files
 *     ring_reader.c           a thread that reads a ring
 *     output_stream.c         a file that is written to for long
 *     instruction_trace.c     instructions as text (trace.file)
 *     trace_filter.c          which ones: the filters of a trace
 *     sample_table.c          statistics in intervals, as CSV (sample.file)
 *
 * Depends on load and machine. */
#ifndef SLUICE_HOST_OBSERVE_TRACE_RING_READER_H
#define SLUICE_HOST_OBSERVE_TRACE_RING_READER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "recordings/ring.h"

/* Who gets the records: `take` each in turn, `rest` where there are no more for now. Both return
 * whether to go on; otherwise the ring is closed. They are called on a thread of their own, which
 * gets no signals. */
struct sl_ring_reader_user {
    void *owner;
    bool (*take)(void *owner, const uint64_t *record);
    bool (*rest)(void *owner);
};

struct sl_ring_reader {
    struct sl_ring *ring; /* NULL: not open */
    struct sl_ring_reader_user user;
    pthread_t thread;
    uint64_t rested;   /* the ring's head when `rest` was called last */
    uint32_t asked;    /* how often the ring was to be flushed */
    uint32_t answered; /* so many of these times it is */
    uint32_t is_over;  /* to end when the ring is empty */
};

/* Begins to read. Returns 0, or an errno. */
int sl_ring_reader_open(struct sl_ring_reader *drain, struct sl_ring *ring,
                        const struct sl_ring_reader_user *user);

/* Has all be read that is in the ring now, and `rest` be called, even where there is nothing. Does
 * not wait: a file that nobody reads may take any time. */
void sl_ring_reader_flush(struct sl_ring_reader *drain);

/* Whether that is done; true on a zeroed object. */
bool sl_ring_reader_is_flushed(const struct sl_ring_reader *drain);

/* Sleeps for so long, or until it is. */
void sl_ring_reader_sleep(const struct sl_ring_reader *drain, int limit_ms);

/* Whether the simulator waits for room in the ring, which a zeroed object has none of. One that has
 * it, and was stopped meanwhile, does not, though it has not said so yet. */
bool sl_ring_reader_is_awaited(const struct sl_ring_reader *drain);

/* Waits until all is read, without limit, and ends the thread. Allowed on a zeroed object. */
void sl_ring_reader_close(struct sl_ring_reader *drain);

#endif
