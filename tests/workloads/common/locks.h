/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What keeps lanes apart, as an option of the programs that papers/004 section 6.5 measures. */
#ifndef SLUICE_WORKLOADS_COMMON_LOCKS_H
#define SLUICE_WORKLOADS_COMMON_LOCKS_H

#include <stddef.h>

#include "sluice/argument.h"
#include "sluice/config.h"

enum locks_kind {
    LOCKS_ATOMICS, /* exchanges in loops, written for lanes in lock step */
    LOCKS_LOCK,    /* sl_lock() */
    LOCKS_QUEUE,   /* the same, of which memory keeps those that wait (lock.queue=on) */
    LOCKS_TRY,     /* sl_trylock() */
};

/* A row of a program's table: --locks; a field of type enum locks_kind. */
#define LOCKS_ROW(type, field)                                                                     \
    {                                                                                              \
        "locks", 'l', SL_CHOICE, 0, 0, SL_INTO(type, field), "What keeps lanes apart",             \
            "atomics|lock|queue|try"                                                               \
    }

/* Name of a kernel that exists for each kind but LOCKS_QUEUE, which has that of LOCKS_LOCK: `name`
 * with _atomics, _lock or _try behind it. Lives in `out`. */
const char *locks_kernel(const char *name, enum locks_kind kind, char *out, size_t bytes);

/* Gives the machine the queues that LOCKS_QUEUE is about; nothing for the others. */
void locks_configure(struct sl_config *config, enum locks_kind kind);

#endif
