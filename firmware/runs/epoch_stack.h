/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The epochs of a task vector: their stack, and what phases 1 and 3 do with it (papers/000 sections
 * 5.5.2 to 5.5.5; docs/know/trees.md, "Phases"). Touches memory alone, not the device. */
#ifndef SLUICE_FIRMWARE_RUNS_EPOCH_STACK_H
#define SLUICE_FIRMWARE_RUNS_EPOCH_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/codes.h"
#include "sluice/layouts.h"

/* A word in shared memory that says what cannot be. */
struct trees_doubt {
    enum sl_trees_word word; /* 0: none does */
    uint64_t value;
    uint64_t least;
    uint64_t most;
};

/* What is in shared memory may be anything once kernels have run: what the firmware goes by it
 * knows from the beginning, and the rest it checks. */
struct trees {
    struct sl_trees *shared; /* the words that an epoch gives back, and counts for the host */
    struct sl_trees_epoch *stack;
    struct sl_trees_log *log;
    uint32_t *join_scheduled;
    uint32_t *map_scheduled;
    uint32_t flags;
    uint32_t capacity;
    uint32_t functions;
    uint32_t stack_entries;
    uint32_t log_entries;
    uint32_t depth;              /* entries of the stack */
    struct sl_trees_epoch epoch; /* that runs, or ran last */
    uint32_t old_next_free;      /* the next free slot when it began */
    uint32_t next_free;          /* and when it had ended */
    uint32_t maps;               /* that it scheduled */
    bool was_mapped;             /* the slots of the epoch on top of the stack are all of maps */
    struct trees_doubt doubt;
};

/* The task vector begins: its first task is in slot 0, and epoch 0 on the stack. It has passed the
 * check (hal/check/tasks). */
void trees_init(struct trees *trees, struct sl_trees *shared);

/* Phase 1: takes the next epoch from the stack, and clears what it is to schedule. False where
 * there is none: the run is complete; or where what is there cannot be (`doubt`). */
bool trees_begin_epoch(struct trees *trees);

/* Phase 3, when the epoch is complete: reads what it has scheduled, and puts epochs on the stack,
 * or frees slots. False where the next epoch is beyond what the stack and the entries can hold:
 * that one is trees_next_epoch(); or where what it has scheduled cannot be (`doubt`). */
bool trees_end_epoch(struct trees *trees);

/* The epoch that forks and maps of this one go into. */
static inline uint32_t trees_next_epoch(const struct trees *trees)
{
    return trees->epoch.epoch + 1;
}

/* The maps that the epoch scheduled, where it did, have run. */
void trees_end_maps(struct trees *trees);

#endif
