/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Records that the simulator writes while a run is on (observed/ring.h), and the files that are
 * made of them on the way:
 *
 *     records.c               trace and samples of a machine, from configuration to files
 *     drain.c                 a thread that reads a ring
 *     sink.c                  a file that is written to for long
 *     instructions.c          instructions as text (trace.file)
 *     wanted.c                which ones: the filters of a trace
 *     samples.c               statistics in intervals, as CSV (sample.file)
 *
 * Depends on load and machine. */
#ifndef SLUICE_HOST_DRAIN_H
#define SLUICE_HOST_DRAIN_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "observed/ring.h"

/* Who gets the records: `take` each in turn, `rest` where there are no more for now. Both return
 * whether to go on; otherwise the ring is closed. They are called on a thread of their own, which
 * gets no signals. */
struct sl_drain_user {
    void *owner;
    bool (*take)(void *owner, const uint64_t *record);
    bool (*rest)(void *owner);
};

struct sl_drain {
    struct sl_ring *ring; /* NULL: not open */
    struct sl_drain_user user;
    pthread_t thread;
    uint64_t read;    /* words, with what came of them */
    uint32_t bell;    /* counted up with `read` */
    uint32_t is_over; /* to end when the ring is empty */
};

/* Begins to read. Returns 0, or an errno. */
int sl_drain_open(struct sl_drain *drain, struct sl_ring *ring, const struct sl_drain_user *user);

/* Waits until all is read that is in the ring now. */
void sl_drain_wait(struct sl_drain *drain);

/* Whether the simulator waits for room in the ring. One that has it, and was stopped meanwhile,
 * does not, though it has not said so yet. */
bool sl_drain_is_awaited(const struct sl_drain *drain);

/* As sl_drain_wait(), of a simulator that has ended; another one takes its place. */
void sl_drain_restart(struct sl_drain *drain);

/* As sl_drain_wait(), and ends the thread. Allowed on a zeroed object. */
void sl_drain_close(struct sl_drain *drain);

#endif
