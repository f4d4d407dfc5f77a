/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Counting synchronization, and where data accesses are served (hal/regs/served.def), and telling
 * who observes. */
#ifndef SLUICE_MEM_NOTE_H
#define SLUICE_MEM_NOTE_H

#include "mem/mem.h"
#include "time/clock.h"

/* The one place that every data access of a compute unit or the aggregator passes with all that is
 * known of it: who made it, what it is and where, where it was served, and when it is done. The
 * clock is that of the compute units. */
void note_access(struct sl_served *served, const struct stream *stream,
                 const struct sim_clock *clock, const struct mem_request *request,
                 enum mem_served where, uint64_t done_ps);

/* A compute unit synchronizes. */
static inline void note_sync(struct sync_counters *counters, const struct mem_request *request)
{
    counters->acquires[request->scope] += request->acquire;
    counters->releases[request->scope] += request->release;
}

#endif
