/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What keeps lanes apart, as an option of the programs that papers/004 section 6.5 measures. */
#ifndef SLUICE_WORKLOADS_COMMON_LOCKS_H
#define SLUICE_WORKLOADS_COMMON_LOCKS_H

#include <argp.h>
#include <stddef.h>

#include "sluice/config.h"

enum locks_kind {
    LOCKS_ATOMICS, /* exchanges in loops, written for lanes in lock step */
    LOCKS_LOCK,    /* sl_lock() */
    LOCKS_QUEUE,   /* the same, of which memory keeps those that wait (lock.queue=on) */
    LOCKS_TRY,     /* sl_trylock() */
};

/* A line of an argp option table. */
#define LOCKS_OPTION                                                                               \
    {                                                                                              \
        "locks", 'l', "NAME", 0,                                                                   \
            "What keeps lanes apart: atomics, lock, queue or try (default "                        \
            "lock)",                                                                               \
            0                                                                                      \
    }

/* The kind of this name. What is none ends the program with a message that lists the names. */
enum locks_kind locks_kind(const struct argp_state *state, const char *name);

/* Name of a kernel that exists for each kind but LOCKS_QUEUE, which has that of LOCKS_LOCK: `name`
 * with _atomics, _lock or _try behind it. Lives in `out`. */
const char *locks_kernel(const char *name, enum locks_kind kind, char *out, size_t bytes);

/* Gives the machine the queues that LOCKS_QUEUE is about; nothing for the others. */
void locks_configure(struct sl_config *config, enum locks_kind kind);

#endif
