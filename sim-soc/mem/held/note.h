/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Counting where data accesses are served (hal/regs/served.def), and telling who observes. */
#ifndef SLUICE_MEM_HELD_NOTE_H
#define SLUICE_MEM_HELD_NOTE_H

#include "mem/mem.h"
#include "time/clock.h"

/* An access of a compute unit or the aggregator has found what it needed, and takes so long; the
 * clock is that of the compute units. */
void note_access(struct mem_counters *counters, const struct stream *stream,
                 const struct sim_clock *clock, const struct mem_request *request,
                 enum mem_served where, uint64_t latency_ps);

#endif
