/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* One channel of a graph: shape, variant, place in its stack, arrays, counters. No arithmetic on
 * untrusted numbers can overflow. */
#include "check/graph/channel_check.h"

#include <stdbool.h>

#include "check/graph/channels.h"
#include "sluice/codes.h"
#include "sluice/limits.h"
#include "sluice/memory_map.h"
#include "sluice/stamp.h"

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static int check_shape(struct sl_check *check, uint32_t i, const struct sl_channel *channel)
{
    const uint32_t width = channel->width;

    if (!is_power_of_two(width) || width < SL_CHANNEL_WIDTH_MIN || width > SL_CHANNEL_WIDTH_MAX) {
        uint64_t nearest = SL_CHANNEL_WIDTH_MIN;
        while (nearest < width && nearest < SL_CHANNEL_WIDTH_MAX) {
            nearest *= 2;
        }
        return sl_check_refuse(check, SL_REFUSE_CHANNEL_WIDTH, i, width, nearest);
    }
    if (channel->stride < SL_CHANNEL_STRIDE_MIN || channel->stride > SL_CHANNEL_STRIDE_MAX ||
        channel->stride % SL_CHANNEL_STRIDE_MIN != 0) {
        const uint64_t up = (channel->stride + 3ull) & ~3ull;
        return sl_check_refuse(check, SL_REFUSE_CHANNEL_STRIDE, i, channel->stride,
                               sl_check_clamp(up, SL_CHANNEL_STRIDE_MIN, SL_CHANNEL_STRIDE_MAX));
    }
    if (channel->stride_reciprocal != SL_STRIDE_RECIPROCAL(channel->stride)) {
        return sl_check_refuse(check, SL_REFUSE_CHANNEL_RECIPROCAL, i, channel->stride_reciprocal,
                               SL_STRIDE_RECIPROCAL(channel->stride));
    }
    if (channel->done_shift >= 32 || 1ull << channel->done_shift > width) {
        const uint64_t group = channel->done_shift < 64 ? 1ull << channel->done_shift : ~0ull;
        return sl_check_refuse(check, SL_REFUSE_CHANNEL_GROUP, i, group, width);
    }
    if (channel->fan_out < 1 || channel->fan_out > width) {
        return sl_check_refuse(check, SL_REFUSE_CHANNEL_FAN_OUT, i, channel->fan_out,
                               sl_check_clamp(channel->fan_out, 1, width));
    }
    if (channel->slack < channel->fan_out - 1) {
        return sl_check_refuse(check, SL_REFUSE_CHANNEL_FAN_OUT, i, channel->slack,
                               channel->fan_out - 1);
    }
    if (channel->kernel >= check->graph->kernel_count) {
        return sl_check_refuse(check, SL_REFUSE_CHANNEL_KERNEL, i, channel->kernel,
                               check->graph->kernel_count);
    }
    if (channel->predicate >= SL_PREDICATE_COUNT) {
        return sl_check_refuse(check, SL_REFUSE_CHANNEL_PREDICATE, i, channel->predicate,
                               SL_PREDICATE_COUNT - 1);
    }
    return 0;
}

/* The layout of a structure of arrays: handles instead of elements, and an array for each field
 * that begins on a cache line. */
static int check_soa(struct sl_check *check, uint32_t i, const struct sl_channel *channel)
{
    const enum sl_refusal reason = SL_REFUSE_CHANNEL_LAYOUT;
    const uint64_t length = (uint64_t)channel->width + channel->slack;
    const uint64_t line = SL_CACHE_LINE_BYTES;

    if (channel->stride != SL_CHANNEL_STRIDE_MIN) {
        return sl_check_refuse(check, reason, i, channel->stride, SL_CHANNEL_STRIDE_MIN);
    }
    if (channel->element_bytes < SL_CHANNEL_STRIDE_MIN ||
        channel->element_bytes > SL_CHANNEL_STRIDE_MAX ||
        channel->element_bytes % SL_CHANNEL_STRIDE_MIN != 0) {
        const uint64_t up = (channel->element_bytes + 3ull) & ~3ull;
        return sl_check_refuse(check, reason, i, channel->element_bytes,
                               sl_check_clamp(up, SL_CHANNEL_STRIDE_MIN, SL_CHANNEL_STRIDE_MAX));
    }
    if (length % line != 0) {
        return sl_check_refuse(check, reason, i, channel->slack,
                               (length + line - 1) / line * line - channel->width);
    }
    return 0;
}

/* The variants of the core paper's section 8.1, and stamped channels. */
static int check_variant(struct sl_check *check, uint32_t i, const struct sl_channel *channel)
{
    const uint32_t layouts = SL_CHANNEL_PADDED | SL_CHANNEL_SOA;
    const uint32_t ways = SL_CHANNEL_WORKITEM | SL_CHANNEL_STAMPED;
    const uint32_t known = SL_CHANNEL_NARROW | ways | layouts;
    const uint32_t reservation =
        (channel->flags & SL_CHANNEL_WORKITEM) != 0 ? SL_RESERVE_WORKITEM : SL_RESERVE_WAVEFRONT;
    const enum sl_refusal reason = SL_REFUSE_CHANNEL_VARIANT;

    if ((channel->flags & ~known) != 0) {
        return sl_check_refuse(check, reason, i, channel->flags, channel->flags & known);
    }
    if ((channel->flags & layouts) == layouts) {
        return sl_check_refuse(check, reason, i, channel->flags,
                               channel->flags & ~(uint32_t)SL_CHANNEL_PADDED);
    }
    if ((channel->flags & ways) == ways) {
        return sl_check_refuse(check, reason, i, channel->flags,
                               channel->flags & ~(uint32_t)SL_CHANNEL_WORKITEM);
    }
    if (channel->reservation != reservation) {
        return sl_check_refuse(check, SL_REFUSE_CHANNEL_RESERVATION, i, channel->reservation,
                               reservation);
    }
    if ((channel->flags & SL_CHANNEL_SOA) != 0) {
        return check_soa(check, i, channel);
    }
    if (channel->element_bytes != 0) {
        return sl_check_refuse(check, SL_REFUSE_CHANNEL_LAYOUT, i, channel->element_bytes, 0);
    }
    if ((channel->flags & SL_CHANNEL_PADDED) != 0 && channel->stride % SL_CACHE_LINE_BYTES != 0) {
        const uint64_t line = SL_CACHE_LINE_BYTES;
        return sl_check_refuse(check, SL_REFUSE_CHANNEL_LAYOUT, i, channel->stride,
                               (channel->stride + line - 1) / line * line);
    }
    return 0;
}

static int check_data(struct sl_check *check, uint32_t i, const struct sl_channel *channel)
{
    const uint32_t layouts = SL_CHANNEL_PADDED | SL_CHANNEL_SOA;

    return sl_check_claim(check, SL_REFUSE_CHANNEL_ARRAY, i, i, channel->data,
                          sl_channel_data_bytes(channel, channel->width),
                          (channel->flags & layouts) != 0 ? SL_CACHE_LINE_BYTES : 8);
}

/* Counters wrap at 2^64, so that only their distances mean something. Deallocation goes by whole
 * groups, and every ready element is one that was allocated. */
static int check_counters(struct sl_check *check, uint32_t i, const struct sl_channel *channel)
{
    const enum sl_refusal reason = SL_REFUSE_CHANNEL_COUNTERS;
    const uint64_t allocated = channel->data_tail - channel->data_head;
    const uint64_t ready = channel->control_tail - channel->control_head;
    const uint64_t group = 1ull << channel->done_shift;

    if (allocated > channel->width) {
        return sl_check_refuse(check, reason, i, channel->data_tail, channel->data_head);
    }
    if ((channel->data_head & (group - 1)) != 0) {
        return sl_check_refuse(check, reason, i, channel->data_head,
                               channel->data_head & ~(group - 1));
    }
    if (channel->control_reserve != channel->control_tail &&
        (channel->flags & SL_CHANNEL_STAMPED) == 0) {
        return sl_check_refuse(check, reason, i, channel->control_reserve, channel->control_tail);
    }
    if (ready > allocated) {
        return sl_check_refuse(check, reason, i, ready, allocated);
    }
    return 0;
}

/* What is ready is stamped, one publication behind the other, and what is next is not. */
static int check_publications(struct sl_check *check, uint32_t i, const struct sl_channel *channel)
{
    uint64_t *const stamps = (uint64_t *)(uintptr_t)channel->stamps;
    uint64_t number = channel->number;
    uint64_t ready = channel->control_tail - channel->control_head;

    for (;;) {
        const uint64_t stamp = *sl_stamp_at(stamps, channel->width, number);
        const uint32_t entries = sl_stamped_entries(stamp, number, channel->width);
        if (entries == 0 || entries > ready) {
            break;
        }
        number = sl_stamp_next(stamp);
        ready -= entries;
    }
    const uint64_t stamp = *sl_stamp_at(stamps, channel->width, number);
    if (ready != 0 || number != channel->control_reserve ||
        sl_stamped_entries(stamp, number, channel->width) != 0) {
        return sl_check_refuse(check, SL_REFUSE_CHANNEL_STAMPS, i, number,
                               channel->control_reserve);
    }
    return 0;
}

static int check_stamps(struct sl_check *check, uint32_t i, const struct sl_channel *channel)
{
    const enum sl_refusal reason = SL_REFUSE_CHANNEL_ARRAY;
    const uint64_t bytes = sl_stamp_count(channel->width) * sizeof(uint64_t);

    if (sl_check_claim(check, reason, i, i, channel->stamps, bytes, sizeof(uint64_t)) != 0) {
        return -1;
    }
    return check_publications(check, i, channel);
}

/* A channel of a stack is like the one before it. */
static int check_stack(struct sl_check *check, uint32_t i)
{
    const struct sl_channel *channels = sl_graph_channels(check->graph);
    const struct sl_channel *channel = &channels[i];
    const enum sl_refusal reason = SL_REFUSE_CHANNEL_STACK;

    if (channel->role > SL_ROLE_POST_SYNC) {
        return sl_check_refuse(check, reason, i, channel->role, SL_ROLE_POST_SYNC);
    }
    if (channel->role == SL_ROLE_PLAIN) {
        return channel->levels == 0 && channel->level == 0
                   ? 0
                   : sl_check_refuse(check, reason, i, channel->levels, 0);
    }
    if (channel->levels < 1 || channel->levels > SL_STACK_LEVELS) {
        return sl_check_refuse(check, reason, i, channel->levels,
                               sl_check_clamp(channel->levels, 1, SL_STACK_LEVELS));
    }
    if (channel->level >= channel->levels || channel->level > i) {
        return sl_check_refuse(check, reason, i, channel->level, channel->levels);
    }
    if (check->graph->channel_count - i < channel->levels - channel->level) {
        return sl_check_refuse(check, reason, i, channel->levels,
                               check->graph->channel_count - i + channel->level);
    }
    const struct sl_channel *first = &channels[i - channel->level];
    const bool is_alike = channel->role == first->role && channel->levels == first->levels &&
                          channel->kernel == first->kernel && channel->width == first->width &&
                          channel->stride == first->stride && channel->fan_out == first->fan_out &&
                          channel->flags == first->flags &&
                          channel->element_bytes == first->element_bytes && first->level == 0;
    if (!is_alike || (channel->level > 0 && channel[-1].level + 1 != channel->level) ||
        (channel->level + 1 < channel->levels && channel[1].level != channel->level + 1)) {
        return sl_check_refuse(check, reason, i, channel->level, i);
    }
    return 0;
}

int sl_check_channel(struct sl_check *check, uint32_t i)
{
    const struct sl_channel *channel = &sl_graph_channels(check->graph)[i];

    if (check_shape(check, i, channel) != 0 || check_variant(check, i, channel) != 0 ||
        check_stack(check, i) != 0 || check_data(check, i, channel) != 0) {
        return -1;
    }
    return check_counters(check, i, channel);
}

int sl_check_channel_books(struct sl_check *check, uint32_t i)
{
    const struct sl_channel *channel = &sl_graph_channels(check->graph)[i];
    const uint64_t width = channel->width;
    const enum sl_refusal reason = SL_REFUSE_CHANNEL_ARRAY;

    if (sl_check_claim(check, reason, i, i, channel->control, 2 * width * sizeof(uint32_t),
                       sizeof(uint32_t)) != 0 ||
        sl_check_claim(check, reason, i, i, channel->done,
                       (width >> channel->done_shift) * sizeof(uint32_t), sizeof(uint32_t)) != 0) {
        return -1;
    }
    return (channel->flags & SL_CHANNEL_STAMPED) != 0 ? check_stamps(check, i, channel) : 0;
}
