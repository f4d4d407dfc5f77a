/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Channels by level: a counting sort at the beginning, then a window that follows what is
 * outstanding. */
#include "core/levels.h"

void levels_init(struct levels *levels, const struct channel *channels, uint32_t channel_count)
{
    uint16_t next[SL_STACK_LEVELS + 1] = {0};

    levels->count = 1;
    for (uint32_t i = 0; i < channel_count; i++) {
        next[channels[i].level + 1]++;
        if (channels[i].level >= levels->count) {
            levels->count = channels[i].level + 1;
        }
    }
    for (uint32_t level = 0; level < levels->count; level++) {
        next[level + 1] = (uint16_t)(next[level + 1] + next[level]);
        levels->start[level] = next[level];
    }
    levels->start[levels->count] = (uint16_t)channel_count;
    for (uint32_t i = 0; i < channel_count; i++) {
        levels->channel[next[channels[i].level]++] = (uint16_t)i;
    }
    levels_widen(levels);
}

struct poll levels_poll(struct levels *levels, struct channel *channels)
{
    const uint32_t limit = levels_polled(levels);
    uint32_t first = levels->count;
    uint32_t last = 0;
    struct poll poll = {0};

    for (uint32_t level = levels->first; level < limit; level++) {
        bool is_outstanding = false;
        for (uint32_t i = levels->start[level]; i < levels->start[level + 1]; i++) {
            struct channel *channel = &channels[levels->channel[i]];
            poll.is_new |= channel_poll(channel);
            poll.is_ready |= channel->control_tail != channel->control_head;
            poll.is_done |= channel_has_done_group(channel);
            is_outstanding |= channel_outstanding(channel) != 0;
        }
        if (is_outstanding) {
            first = level < first ? level : first;
            last = level + 1;
        }
    }
    levels->first = first < last ? first : 0;
    levels->limit = last;
    return poll;
}

void levels_retire(const struct levels *levels, struct channel *channels, uint32_t limit)
{
    const uint32_t end = levels->start[levels_polled(levels)];

    for (uint32_t i = levels->start[levels->first]; i < end; i++) {
        (void)channel_retire(&channels[levels->channel[i]], limit);
    }
}
