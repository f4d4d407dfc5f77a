/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Limits of time for a process that may have to wait for a processor: what it waits does not
 * count, so that a machine with much else to do misses no limit. Elapsed is its processor time, or
 * the wall time without those waits, whichever is more: one that sleeps is at the limit after that
 * time, one that goes round in itself after that much processor time. Where the system does not
 * tell of the waits (/proc/PID/schedstat), it is the wall time. */
#ifndef SLUICE_HOST_DRIVER_MACHINE_CPU_TIME_LIMIT_H
#define SLUICE_HOST_DRIVER_MACHINE_CPU_TIME_LIMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What threads have had of the processors, together. */
struct sl_effort {
    int64_t ran_ns;
    int64_t waited_ns;
    bool is_ready; /* one of them runs or waits now; what it waits now is not in waited_ns yet */
};

/* Adds what a line of schedstat says ("ran waited slices"). Returns false where it is none. */
bool sl_effort_add_line(struct sl_effort *effort, const char *line);

/* Adds a process with its threads and descendants; one thread of this process. Nothing where there
 * is none. */
void sl_effort_add_tree(struct sl_effort *effort, pid_t pid);
void sl_effort_add_thread(struct sl_effort *effort, pid_t thread);

struct sl_cpu_limit {
    int64_t begin_ms; /* as sl_wall_ms() */
    struct sl_effort begin;
    int64_t seen_ns; /* ran and waited, at the last look behind the limit; -1: none yet */
};

void sl_cpu_limit_begin(struct sl_cpu_limit *patience, int64_t now_ms,
                        const struct sl_effort *effort);

/* How long there is to wait, in ms, until it is worth asking again; not more than 0 at the limit.
 * Behind the limit, one that is ready and has not had a processor since the last look is asked
 * again: how long it has waited is known when it gets one. */
#define SL_CPU_LIMIT_LOOK_MS 20
int64_t sl_cpu_limit_left_ms(struct sl_cpu_limit *patience, int64_t now_ms,
                             const struct sl_effort *effort, int64_t limit_ms);

#endif
