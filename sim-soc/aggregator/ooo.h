/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The out-of-order core model's state, for tests that look at its times. */
#ifndef SLUICE_AGGREGATOR_OOO_H
#define SLUICE_AGGREGATOR_OOO_H

#include "aggregator/issue_units.h"
#include "aggregator/pipeline.h"

#define OOO_WINDOW_MAX 1024
#define OOO_QUEUE_MAX  256

/* Entries that are taken and given back in program order: the cycle in which each is free. */
struct ooo_ring {
    uint32_t entries;
    uint32_t next;
    uint64_t freed[OOO_WINDOW_MAX];
};

/* The issue queue: when the entries of those in it are free, in the order of these times. */
struct ooo_issue_queue {
    uint32_t entries;
    uint32_t count;
    uint32_t first;
    uint64_t leaves[OOO_QUEUE_MAX];
};

struct ooo {
    struct pipeline pipeline;
    struct slots rename;
    struct ooo_ring window; /* the reorder buffer */
    struct ooo_ring registers;
    struct ooo_ring loads;
    struct ooo_issue_queue queue;
    struct units units;
    uint32_t need[AGG_CLASS_COUNT];
    uint32_t dispatch_cycles; /* from rename to the first cycle of issue */
    uint32_t retire_cycles;   /* from completion in order until rename has what was held */
    uint32_t release_cycles;  /* from the end of an entry's use until rename has it */
};

#endif
