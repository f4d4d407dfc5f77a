/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Asking guards. What is with the device may take as much of the other channel as it was let go
 * for: whether it has done so already cannot be known, so it counts until its packet is complete.
 * When nothing is in flight, what was dispatched and is not complete has yielded, and does not
 * count: it waits for space that others hold, and they must be able to go. What this pass has
 * chosen, and will dispatch, counts. */
#include "graph/guard.h"

#include <stddef.h>

static struct guard guards[SL_GRAPH_GUARDS];

/* Elements of a guard's channels that no longer count: complete ones, or when nothing is in flight,
 * all that were dispatched. */
static uint64_t over(const struct guard *guard, bool is_drained)
{
    const struct channel *channel = guard->channel;
    const struct channel *const end = channel + guard->count;
    uint64_t sum = 0;
    do {
        sum += is_drained ? channel->view.control_head : channel->view.completed;
    } while (++channel < end);
    return sum;
}

static void add(struct run *run, const struct sl_guard *from, const struct guard_kind *kind)
{
    struct channel *const channel = &run->channels[from->channel];
    struct guard *const guard = &guards[run->guard_count++];

    *guard = (struct guard){
        .kind = kind,
        .channel = channel,
        .count = channel->role == SL_ROLE_PLAIN ? 1 : channel->shared->levels,
        .other = &run->channels[from->other],
        .argument = from->argument,
        .next = channel->guards,
    };
    guard->gone = over(guard, false);
    for (uint32_t i = 0; i < guard->count; i++) {
        channel[i].guards = guard;
        channel[i].is_timed |= guard->kind->is_timed;
        channel[i].is_asked = true;
    }
}

void guard_init(struct run *run, const struct sl_graph *graph,
                const struct guard_kind *const *kinds)
{
    const struct sl_guard *const from = (const struct sl_guard *)(uintptr_t)graph->guards;

    run->guard_count = 0;
    for (uint32_t i = 0; i < graph->guard_count; i++) {
        add(run, &from[i], kinds[from[i].kind]);
    }
}

static uint64_t promised(const struct run *run, const struct channel *other)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < run->guard_count; i++) {
        if (guards[i].other == other) {
            sum += (guards[i].gone - over(&guards[i], run->is_drained)) * guards[i].argument;
        }
    }
    return sum;
}

uint32_t guard_ask(const struct run *run, const struct channel *channel, uint32_t ready)
{
    uint64_t allowed = ready;

    for (const struct guard *guard = channel->guards; guard != NULL; guard = guard->next) {
        const struct guard_view view = {
            .other = &guard->other->view,
            .reserved = shared_load64_relaxed(&guard->other->shared->data_tail),
            .promised = promised(run, guard->other),
            .argument = guard->argument,
        };
        const uint64_t now = guard->kind->allows(&view);
        allowed = now < allowed ? now : allowed;
    }
    channel->guards->asked = channel;
    channel->guards->let_go = (uint32_t)allowed;
    return (uint32_t)allowed;
}

void guard_note(const struct channel *channel, uint32_t count)
{
    struct guard *const first = channel->guards;

    if (first->asked == channel && count <= first->let_go) {
        first->let_go -= count;
        first->chosen += count;
    }
    for (struct guard *guard = channel->guards; guard != NULL; guard = guard->next) {
        guard->gone += count;
    }
}

bool guard_dispatched(const struct channel *channel, uint32_t count)
{
    struct guard *const first = channel->guards;

    if (first->chosen < count) {
        return false;
    }
    first->chosen -= count;
    return true;
}
