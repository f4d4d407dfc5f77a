/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Phases 1 and 3 of TREES, with the rules for what papers/000 leaves open (docs/know/trees.md,
 * "Choices"). */
#include "runs/epoch_stack.h"

#include "aggregator/shared.h"
#include "check/tasks/task_vector_check.h"

/* The words that an epoch gives back are read and written here alone, when nothing runs. The count
 * of atomic adds in the upper half stays. */
static void set_next_free(struct trees *trees, uint32_t slot)
{
    const uint64_t adds = shared_load64_relaxed(&trees->shared->next_free) >> 32 << 32;

    trees->next_free = slot;
    shared_store64_relaxed(&trees->shared->next_free, adds | slot);
}

/* Those behind next_free, numbered from 1: in the same line, or each in one of its own. */
static uint32_t *word(struct sl_trees *shared, unsigned number)
{
    return (uint32_t *)((uintptr_t)&shared->next_free + number * sl_trees_words(shared));
}

/* There must be space. */
static void push(struct trees *trees, uint32_t epoch, uint32_t first, uint32_t end)
{
    trees->stack[trees->depth++] =
        (struct sl_trees_epoch){.epoch = epoch, .first = first, .end = end};
}

void trees_init(struct trees *trees, struct sl_trees *shared)
{
    *trees = (struct trees){
        .shared = shared,
        .stack = (struct sl_trees_epoch *)(uintptr_t)shared->stack,
        .log = (struct sl_trees_log *)(uintptr_t)shared->log,
        .join_scheduled = word(shared, 1),
        .map_scheduled = word(shared, 2),
        .flags = shared->flags,
        .capacity = shared->capacity,
        .functions = shared->functions,
        .stack_entries = shared->stack_entries,
        .log_entries = shared->log_entries,
    };
    *(int32_t *)(uintptr_t)shared->vector = (int32_t)shared->function;
    shared_store64_relaxed(&shared->next_free, 0);
    set_next_free(trees, 1);
    shared->epochs = shared->empty_epochs = shared->lanes = 0;
    shared->forks = shared->mapped = 0;
    shared->slots_max = 1;
    push(trees, 0, 0, 1);
}

static bool is_possible(struct trees *trees, enum sl_trees_word word, uint64_t value,
                        uint64_t least, uint64_t most)
{
    if (value >= least && value <= most) {
        return true;
    }
    trees->doubt = (struct trees_doubt){word, value, least, most};
    return false;
}

/* Takes an epoch from the stack. */
static bool pop(struct trees *trees)
{
    const struct sl_trees_epoch epoch = trees->stack[--trees->depth];

    trees->epoch = epoch;
    return is_possible(trees, SL_TREES_WORD_EPOCH, epoch.epoch, 0,
                       sl_trees_last_epoch(trees->functions)) &&
           is_possible(trees, SL_TREES_WORD_FIRST, epoch.first, 0, trees->capacity - 1) &&
           is_possible(trees, SL_TREES_WORD_END, epoch.end, epoch.first + 1, trees->capacity);
}

bool trees_begin_epoch(struct trees *trees)
{
    struct sl_trees *const shared = trees->shared;

    if (trees->depth == 0 || !pop(trees)) {
        return false;
    }
    trees->old_next_free = trees->next_free;
    shared_store32_relaxed(trees->join_scheduled, 0);
    shared_store32_relaxed(trees->map_scheduled, 0);
    shared->epochs++;
    shared->empty_epochs += trees->was_mapped;
    shared->lanes += trees->epoch.end - trees->epoch.first;
    trees->was_mapped = false;
    return true;
}

/* Slots of maps alone hold no task: their epoch does nothing but free them. */
static bool push_next(struct trees *trees, uint32_t slots)
{
    const bool is_of_maps = slots == trees->maps;

    if (is_of_maps && (trees->flags & SL_TREES_SKIP_EMPTY) != 0) {
        return true;
    }
    if (trees->depth == trees->stack_entries ||
        trees_next_epoch(trees) > sl_trees_last_epoch(trees->functions)) {
        return false;
    }
    push(trees, trees_next_epoch(trees), trees->old_next_free, trees->next_free);
    trees->was_mapped = is_of_maps;
    return true;
}

/* The epoch and what has become of it; before its maps have run. */
static void write_log(const struct trees *trees, bool has_joined)
{
    const uint64_t number = trees->shared->epochs - 1;

    if (number < trees->log_entries) {
        trees->log[number] = (struct sl_trees_log){
            .epoch = trees->epoch.epoch,
            .first = trees->epoch.first,
            .end = trees->epoch.end,
            .old_next_free = trees->old_next_free,
            .next_free = trees->next_free,
            .joined = has_joined,
            .maps = trees->maps,
            .depth = trees->depth,
        };
    }
}

bool trees_end_epoch(struct trees *trees)
{
    struct sl_trees *const shared = trees->shared;
    const struct sl_trees_epoch epoch = trees->epoch;

    trees->next_free = (uint32_t)shared_load64_acquire(&shared->next_free);
    trees->maps = shared_load32_relaxed(trees->map_scheduled);
    const bool has_joined = shared_load32_relaxed(trees->join_scheduled) != 0;
    const uint32_t slots = trees->next_free - trees->old_next_free;

    if (!is_possible(trees, SL_TREES_WORD_NEXT_FREE, trees->next_free, trees->old_next_free,
                     trees->capacity) ||
        !is_possible(trees, SL_TREES_WORD_MAPS, trees->maps, 0, slots)) {
        return false;
    }
    shared->forks += slots - trees->maps;
    shared->mapped += trees->maps;
    if (trees->next_free > shared->slots_max) {
        shared->slots_max = trees->next_free;
    }
    if (has_joined) {
        push(trees, epoch.epoch, epoch.first, epoch.end); /* where it was taken from */
    }
    bool has_room = true;
    if (slots > 0) {
        has_room = push_next(trees, slots);
    } else if (!has_joined) {
        const bool keeps = (trees->flags & SL_TREES_FORKS_AGAIN) != 0;
        set_next_free(trees, keeps ? epoch.end : epoch.first);
    }
    write_log(trees, has_joined);
    return has_room;
}

void trees_end_maps(struct trees *trees)
{
    const bool is_of_maps = trees->next_free - trees->old_next_free == trees->maps;

    if (is_of_maps && (trees->flags & SL_TREES_SKIP_EMPTY) != 0) {
        set_next_free(trees, trees->old_next_free);
    }
}
