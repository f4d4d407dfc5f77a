/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Whether the accelerator makes progress: a wavefront begins, ends, yields or is restarted, a lock
 * is taken, the host's elements come, memory has yet to answer a wavefront, or a round of some
 * wavefront's loop changes a register or a byte (simt/deadlock/progress_search.c). Where nothing of
 * that happens for gpu.progress_limit cycles, the run is ended; and likewise where a wavefront
 * executes as many instructions in a loop while no byte changes but of stacks (docs/do/debug.md,
 * "The limit without progress").
 *
 * It is looked at PROGRESS_LOOKS times within the limit; loops only in the second half of it, so
 * that runs which begin and end wavefronts pay nothing for that. */
#ifndef SLUICE_SOC_PROGRESS_WATCHDOG_H
#define SLUICE_SOC_PROGRESS_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include "dispatcher/dispatcher.h"
#include "observers/feed_counters.h"

#define PROGRESS_LOOKS 8u
#define PROGRESS_NEVER UINT64_MAX

enum progress_finding {
    PROGRESS_MADE,
    PROGRESS_NONE,  /* no progress: the limit is reached */
    PROGRESS_COUNTS /* a loop changes registers and private segments alone, for too long */
};

/* The machine at a look. */
struct progress_mark {
    uint64_t deeds;    /* wavefronts begun, yielded and restarted, locks, messages */
    uint32_t resident; /* wavefronts */
    uint64_t firmware; /* its instructions in the run */
};

struct progress {
    uint64_t limit_cycles; /* 0: none */
    uint64_t period_ps;
    uint64_t look_ps;          /* the next look, or PROGRESS_NEVER */
    uint32_t quiet;            /* looks in a row that have seen no deeds */
    struct progress_mark last; /* the last one that has seen some, */
    uint64_t effect_ps;        /* or that memory has changed */
};

void progress_init(struct progress *progress, uint64_t limit_cycles, uint64_t cycle_ps);

/* Nobody looks any more; from a time on somebody does. */
void progress_stop(struct progress *progress);
void progress_start(struct progress *progress, uint64_t now_ps);

/* The next look is due; firmware has executed so many instructions in the run. `waits`: for a time
 * that the host has named, which counts as progress. */
enum progress_finding progress_look(struct progress *progress, struct gpu *gpu,
                                    const struct host_store_counters *feed, uint64_t firmware,
                                    bool waits, uint64_t now_ps);

#endif
