/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Guards: elements of a channel go only as the state of another channel lets them, whatever policy
 * and predicate say (docs/know/scheduling.md, "Guards"; the guarded actions of papers/001 section
 * 10, future work there). A kind of guard is a file with a const struct guard_kind and a line in
 * hal/contract/guards.def. */
#ifndef SLUICE_FIRMWARE_GRAPH_GUARD_H
#define SLUICE_FIRMWARE_GRAPH_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "graph/run.h"

/* What a guard sees of the channel that it looks at. */
struct guard_view {
    const struct channel_view *other;
    uint64_t reserved; /* elements of it that producers have reserved so far */
    uint64_t promised; /* that elements may reserve which were let go and are not complete */
    uint64_t argument;
};

struct guard_kind {
    /* How many elements may go now. */
    uint64_t (*allows)(const struct guard_view *view);
    bool is_timed; /* to be asked again without new elements or completions */
};

#define SL_GUARD(NAME, name, value, text) extern const struct guard_kind guard_##name;
#include "contract/guards.def"
#undef SL_GUARD

/* A guard of the graph that runs. */
struct guard {
    const struct guard_kind *kind;
    struct channel *channel; /* the first of `count` that have it */
    uint32_t count;
    struct channel *other;
    uint64_t argument;
    uint64_t gone;   /* elements of these channels that were chosen so far */
    uint32_t let_go; /* by all guards of the channel that was asked last, and not chosen yet */
    uint32_t chosen; /* and not dispatched yet */
    const struct channel *asked; /* that one */
    struct guard *next;          /* of the same channels */
};

/* Takes over the guards of a graph that passed its check, with all kinds by their numbers; its
 * channels were taken over. */
void guard_init(struct run *run, const struct sl_graph *graph,
                const struct guard_kind *const *kinds);

/* Of `ready` elements of a channel that has guards, how many may go now. */
uint32_t guard_ask(const struct run *run, const struct channel *channel, uint32_t ready);

/* So many elements of the channel are going to be dispatched. */
void guard_note(const struct channel *channel, uint32_t count);

/* Ready elements of a channel that its guards let go. */
static inline uint32_t guard_ready(const struct run *run, const struct channel *channel)
{
    const uint32_t ready = channel_ready(channel);
    return channel->guards == NULL || ready == 0 ? ready : guard_ask(run, channel, ready);
}

/* They are dispatched. Returns whether they were chosen, and let go before. */
bool guard_dispatched(const struct channel *channel, uint32_t count);

/* A policy chose `count` elements of the channel. */
static inline void guard_chosen(const struct channel *channel, uint32_t count)
{
    if (channel->guards != NULL) {
        guard_note(channel, count);
    }
}

#endif
