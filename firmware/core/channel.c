/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Channels: taking over, deallocation, leaving (core paper, section 3.2; DESIGN section 5). */
#include "core/channel.h"

#include "core/predicate.h"

/* The done count of the group at the head. */
static uint32_t *done_at(const struct channel *channel)
{
    return &channel->done[(channel->data_head & channel->data_mask) >> channel->done_shift];
}

void channel_init(struct channel *channel, struct sl_channel *shared, uint64_t kernel)
{
    const struct predicate *predicate = &predicate_table[shared->predicate];

    *channel = (struct channel){
        .shared = shared,
        .control_tail = shared->control_head, /* the first poll finds what the host has put in */
        .control_head = shared->control_head,
        .data_head = shared->data_head,
        .done = (uint32_t *)(uintptr_t)shared->done,
        .group = 1u << shared->done_shift,
        .done_shift = shared->done_shift,
        .data_mask = shared->width - 1,
        .control_mask = 2 * shared->width - 1,
        .predicate_argument = shared->predicate_argument,
        .predicate_is_timed = predicate->is_timed,
        .predicate = predicate->function,
        .kernel = kernel,
        .completed = shared->control_head,
        .role = shared->role,
        .level = shared->level,
        .since_ps = CHANNEL_SINCE_NONE,
    };
    channel->done_next = done_at(channel);
}

uint32_t channel_retire(struct channel *channel, uint32_t limit)
{
    uint32_t retired = 0;

    while (retired < limit && channel_has_done_group(channel)) {
        shared_acquire(); /* consumers have read their elements before counting up */
        shared_store32_relaxed(channel->done_next, 0);
        channel->data_head += channel->group;
        channel->done_next = done_at(channel);
        retired++;
    }
    if (retired > 0) {
        /* The zeroed counts first: producers may use the space from here on. */
        shared_store64_release(&channel->shared->data_head, channel->data_head);
    }
    return retired;
}

void channel_finish(struct channel *channel)
{
    shared_store64_release(&channel->shared->control_head, channel->control_head);
}
