/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Lists of waiting wavefronts, and what free space is worth. A wavefront that is restarted may find
 * that another has taken the space: then it yields again and goes to the end of the list. That
 * other one was in flight before, and nothing new is launched from a channel of which wavefronts
 * wait (policies/levelized.c), so that this comes to an end. */
#include "queues/yield.h"

#include <assert.h>

#include "aggregator/device.h"
#include "queues/throttle.h"
#include "sluice/layouts.h"

/* A wavefront that waits. */
struct entry {
    uint64_t block;
    uint32_t demand;
    uint16_t channel; /* of its dispatch packet */
    uint16_t next;    /* entry, of the list that it is in; means nothing in the last one */
};

static_assert(SL_POOL_BLOCKS_MAX <= UINT16_MAX + 1, "an entry's number fits");
static_assert(SL_GRAPH_CHANNELS <= UINT16_MAX + 1, "a channel's number fits");

static _Alignas(64) struct sl_yield ring[SL_YIELD_ENTRIES];
static struct entry entries[SL_POOL_BLOCKS_MAX] __attribute__((section(".noinit"), aligned(64)));
static uint16_t blocked_channels[SL_GRAPH_CHANNELS];

/* Those that were freed last go first: they are in the cache. There is one, as each wavefront that
 * waits keeps a block of the pool. */
static uint16_t take_entry(struct yield *yield)
{
    if (yield->waiting == yield->used) {
        return (uint16_t)yield->used++;
    }
    const uint16_t entry = yield->free;
    yield->free = entries[entry].next;
    return entry;
}

static void free_entry(struct yield *yield, uint16_t entry)
{
    entries[entry].next = yield->free;
    yield->free = entry;
}

void yield_init(struct yield *yield)
{
    *yield = (struct yield){.channels = blocked_channels};
    agg_register_write(SL_REG_YIELD_BASE, agg_address(ring));
}

/* At the end of the list of the channel that it waits for. */
static void append(struct yield *yield, struct channel *channels, uint32_t resource,
                   const struct sl_yield *record)
{
    struct channel *to = &channels[resource];
    const uint16_t last = take_entry(yield);

    entries[last].block = record->block;
    entries[last].demand = record->demand;
    entries[last].channel = (uint16_t)record->channel;
    if (to->waiting++ == 0) {
        to->first_waiting = last;
        yield->channels[yield->blocked++] = (uint16_t)resource;
    } else {
        entries[to->last_waiting].next = last;
    }
    to->last_waiting = last;
    to->has_freed = true; /* look at it */
    /* What it was granted before, if anything, it has not reserved. */
    to->granted -= record->demand < to->granted ? record->demand : to->granted;
    if (to->gives_back) {
        /* What it had of the channel it has given back (hal/kernel/channel_routines.S): groups may
         * be done though nothing of the channel is with the device. */
        (void)channel_retire(to, channel_groups(to));
    }
    channels[record->channel].view.yielded++;
    throttle_yield(channels[record->channel].throttle);
    yield->waiting++;
}

uint32_t yield_poll(struct yield *yield, struct channel *channels, uint32_t channel_count)
{
    const uint64_t tail = agg_register_read(SL_REG_YIELD_TAIL);
    uint32_t count = 0;

    if (tail == yield->head) {
        return 0;
    }
    agg_phase(SL_PHASE_YIELD);
    while (yield->head != tail && count < SL_YIELD_ENTRIES) {
        const struct sl_yield *record = &ring[yield->head % SL_YIELD_ENTRIES];
        const uint32_t resource =
            record->resource < channel_count ? record->resource : record->channel;
        append(yield, channels, resource, record);
        yield->head++;
        count++;
    }
    agg_register_write(SL_REG_YIELD_HEAD, yield->head);
    agg_phase(SL_PHASE_POLL);
    return count;
}

uint32_t yield_resume(struct yield *yield, struct dispatch *dispatch)
{
    const uint64_t tail = agg_register_read(SL_REG_YIELD_TAIL);
    const uint32_t count = (uint32_t)(tail - yield->head);

    if (count == 0) {
        return 0;
    }
    agg_phase(SL_PHASE_YIELD);
    for (; yield->head != tail; yield->head++) {
        dispatch_put_restart(dispatch, ring[yield->head % SL_YIELD_ENTRIES].block);
    }
    agg_register_write(SL_REG_YIELD_HEAD, yield->head);
    yield->wavefronts += count;
    agg_phase(SL_PHASE_POLL);
    return count;
}

/* Free elements of a channel that nobody was promised. */
static uint64_t unpromised(struct channel *channel, bool is_drained)
{
    const uint64_t tail = shared_load64_relaxed(&channel->shared->data_tail);
    const uint64_t moved = tail - channel->granted_tail;
    const uint64_t used = tail - channel->view.data_head;
    const uint64_t width = (uint64_t)channel->data_mask + 1;

    channel->granted -= is_drained || moved > channel->granted ? channel->granted : moved;
    channel->granted_tail = tail;
    return used + channel->granted < width ? width - used - channel->granted : 0;
}

static uint32_t restart_of(struct yield *yield, struct channel *channels, struct channel *channel,
                           struct dispatch *dispatch, bool is_drained)
{
    uint64_t free = unpromised(channel, is_drained);
    uint32_t count = 0;

    while (channel->waiting > 0) {
        const uint16_t first = channel->first_waiting;
        const struct entry *const entry = &entries[first];
        struct channel *const of = &channels[entry->channel];
        if (entry->demand > free) {
            break;
        }
        free -= entry->demand;
        channel->granted += entry->demand;
        channel->first_waiting = entry->next;
        channel->waiting--;
        of->view.yielded--;
        throttle_launch(of->throttle, 1);
        of->is_settled = false;
        dispatch_put_restart(dispatch, entry->block);
        free_entry(yield, first);
        count++;
    }
    yield->waiting -= count;
    yield->wavefronts += count;
    return count;
}

uint32_t yield_restart(struct yield *yield, struct channel *channels, struct dispatch *dispatch,
                       bool is_drained)
{
    uint32_t kept = 0;
    uint32_t count = 0;

    for (uint32_t i = 0; i < yield->blocked; i++) {
        struct channel *channel = &channels[yield->channels[i]];
        if (channel->has_freed || (is_drained && channel->granted > 0)) {
            channel->has_freed = false;
            count += restart_of(yield, channels, channel, dispatch, is_drained);
        }
        if (channel->waiting > 0) {
            yield->channels[kept++] = yield->channels[i];
        }
    }
    yield->blocked = kept;
    return count;
}

void yield_describe(const struct yield *yield, const struct channel *channels, uint64_t argument[4])
{
    const struct channel *channel = &channels[yield->channels[0]];
    const uint64_t tail = shared_load64_relaxed(&channel->shared->data_tail);

    argument[0] = yield->channels[0];
    argument[1] = entries[channel->first_waiting].demand;
    argument[2] = (uint64_t)channel->data_mask + 1 - (tail - channel->view.data_head);
    argument[3] = yield->waiting;
}
