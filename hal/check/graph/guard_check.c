/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Guards: each by itself, then whether they form a circle, by relaxation over them. What a
 * guard looks at is consumed by kernels that never wait, so that it empties by itself once what
 * guards it in turn has (docs/know/scheduling.md, "Guards"). */
#include "check/graph/guard_check.h"

#include <stdbool.h>

#include "check/graph/channels.h"
#include "sluice/codes.h"
#include "sluice/limits.h"

static const struct sl_guard *guards_of(const struct sl_graph *graph)
{
    return (const struct sl_guard *)(uintptr_t)graph->guards;
}

/* Elements of a channel that are free at the least once all that came into it are done. */
static uint64_t least_space(const struct sl_channel *channel)
{
    return channel->width - (1ull << channel->done_shift) + 1;
}

static int check_argument(struct sl_check *check, uint32_t i, const struct sl_guard *guard,
                          const struct sl_channel *other)
{
    const bool takes_space = guard->kind == SL_GUARD_SPACE;
    const uint64_t least = takes_space ? 1 : 0;
    const uint64_t most = takes_space ? least_space(other) : 0;

    return guard->argument >= least && guard->argument <= most
               ? 0
               : sl_check_refuse(check, SL_REFUSE_GUARD_ARGUMENT, i, guard->argument,
                                 sl_check_clamp(guard->argument, least, most));
}

static int check_guard(struct sl_check *check, uint32_t i)
{
    const struct sl_graph *graph = check->graph;
    const struct sl_channel *channels = sl_graph_channels(graph);
    const struct sl_kernel *kernels = (const struct sl_kernel *)(uintptr_t)graph->kernels;
    const struct sl_guard *guard = &guards_of(graph)[i];

    if (guard->kind >= SL_GUARD_COUNT) {
        return sl_check_refuse(check, SL_REFUSE_GUARD_KIND, i, guard->kind, SL_GUARD_COUNT - 1);
    }
    if (guard->channel >= graph->channel_count || channels[guard->channel].level != 0) {
        return sl_check_refuse(check, SL_REFUSE_GUARD_CHANNEL, i, guard->channel,
                               graph->channel_count);
    }
    if (guard->other >= graph->channel_count) {
        return sl_check_refuse(check, SL_REFUSE_GUARD_CHANNEL, i, guard->other,
                               graph->channel_count);
    }
    const struct sl_channel *other = &channels[guard->other];
    if (other->role != SL_ROLE_PLAIN) {
        return sl_check_refuse(check, SL_REFUSE_GUARD_STACK, i, guard->other, guard->channel);
    }
    if ((kernels[other->kernel].flags & SL_KERNEL_YIELDS) != 0) {
        return sl_check_refuse(check, SL_REFUSE_GUARD_YIELDS, i, guard->other, guard->channel);
    }
    return check_argument(check, i, guard, other);
}

/* The first guard of a channel that looks at one which is held; the number of guards if there is
 * none. */
static uint32_t find_held(const struct sl_graph *graph, const bool *is_held, uint32_t channel)
{
    const struct sl_guard *guards = guards_of(graph);
    uint32_t i = 0;

    while (i < graph->guard_count && (guards[i].channel != channel || !is_held[guards[i].other])) {
        i++;
    }
    return i;
}

/* Channels with guards are held until all that these look at are not: those in a circle for ever,
 * and who looks at them. From one of these, guards lead into the circle. */
static int check_circles(struct sl_check *check)
{
    const struct sl_graph *graph = check->graph;
    const struct sl_guard *guards = guards_of(graph);
    bool *is_held = check->scratch->is_held;
    uint32_t channel = graph->channel_count; /* one that is held */

    for (uint32_t i = 0; i < graph->channel_count; i++) {
        is_held[i] = false;
    }
    for (uint32_t i = 0; i < graph->guard_count; i++) {
        is_held[guards[i].channel] = true;
    }
    for (uint32_t round = 0; round < graph->guard_count; round++) {
        channel = graph->channel_count;
        for (uint32_t i = 0; i < graph->guard_count; i++) {
            const uint32_t of = guards[i].channel;
            is_held[of] = find_held(graph, is_held, of) < graph->guard_count;
            channel = is_held[of] ? of : channel;
        }
    }
    if (channel == graph->channel_count) {
        return 0;
    }
    for (uint32_t step = 0; step < graph->guard_count; step++) {
        channel = guards[find_held(graph, is_held, channel)].other;
    }
    const uint32_t closing = find_held(graph, is_held, channel);
    return sl_check_refuse(check, SL_REFUSE_GUARD_CIRCLE, closing, channel, guards[closing].other);
}

int sl_check_guards(struct sl_check *check)
{
    const struct sl_graph *graph = check->graph;

    if (graph->guard_count == 0) {
        return 0;
    }
    for (uint32_t i = 0; i < graph->guard_count; i++) {
        if (check_guard(check, i) != 0) {
            return -1;
        }
    }
    return check_circles(check);
}
