/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Channels: taking over, deallocation, leaving (papers/001 section 3.2). */
#include "queues/channel.h"

#include "sluice/stamp.h"

struct channel_books channel_books;

void channel_init(struct channel *channel, struct sl_channel *shared, uint64_t kernel,
                  const struct predicate *predicate)
{
    *channel = (struct channel){
        .view =
            {
                .control_tail =
                    shared->control_head, /* the first poll finds what the host put in */
                .control_head = shared->control_head,
                .completed = shared->control_head,
                .data_head = shared->data_head,
                .width = shared->width,
                .argument = shared->predicate_argument,
            },
        .shared = shared,
        .control = (uint32_t *)(uintptr_t)shared->control,
        .done = (uint32_t *)(uintptr_t)shared->done,
        .group = 1u << shared->done_shift,
        .done_shift = shared->done_shift,
        .data_mask = shared->width - 1,
        .control_mask = 2 * shared->width - 1,
        .kernel = kernel,
        .predicate = predicate->function,
        .is_timed = predicate->is_timed,
        .is_asked = shared->predicate != SL_PREDICATE_FULL,
        .stride = shared->stride,
        .flags = shared->flags,
        .role = shared->role,
        .level = shared->level,
        .gives_back = shared->reservation == SL_RESERVE_WORKITEM,
    };
    channel->polled = &shared->control_tail;
    channel->seen = shared->control_head;
    if ((shared->flags & SL_CHANNEL_STAMPED) != 0) {
        channel->stamps = (uint64_t *)(uintptr_t)shared->stamps;
        channel->number = shared->number;
        channel->polled = sl_stamp_at(channel->stamps, shared->width, shared->number);
        channel->seen = shared->number; /* which is no stamp of its own */
    }
    channel->done_next =
        &channel->done[(channel->view.data_head & channel->data_mask) >> channel->done_shift];
}

bool channel_distrust(struct channel *channel, uint64_t tail)
{
    const struct channel_view *const view = &channel->view;
    const bool is_back = tail - view->control_tail > INT64_MAX;

    if (channel_books.channel == NULL) {
        channel_books = (struct channel_books){
            .channel = channel,
            .audit = SL_AUDIT_CONTROL_TAIL,
            .value = tail,
            .limit = is_back ? view->control_tail : view->control_tail + channel_room(channel),
        };
    }
    return true;
}

bool channel_take_stamped(struct channel *channel, uint64_t stamp)
{
    const uint32_t width = channel->view.width;
    const uint64_t room = channel_room(channel);
    uint64_t taken = 0;
    uint32_t entries;

    while ((entries = sl_stamped_entries(stamp, channel->number, width)) > 0) {
        taken += entries;
        if (taken > room) {
            channel->seen = stamp;
            return channel_distrust(channel, channel->view.control_tail + taken);
        }
        channel->number = sl_stamp_next(stamp);
        channel->polled = sl_stamp_at(channel->stamps, width, channel->number);
        stamp = shared_load64_relaxed(channel->polled);
    }
    channel->seen = stamp;
    if (taken == 0) {
        return false;
    }
    shared_acquire();
    channel->view.control_tail += taken;
    /* Producers have no use for it. */
    shared_store64_relaxed(&channel->shared->control_tail, channel->view.control_tail);
    return true;
}

uint32_t channel_retire(struct channel *channel, uint32_t limit)
{
    uint32_t *const end = channel->done + ((channel->data_mask + 1) >> channel->done_shift);
    uint32_t *done = channel->done_next;
    uint32_t retired = 0;

    while (retired < limit && shared_load32_relaxed(done) == channel->group) {
        shared_store32_relaxed(done, 0);
        done = done + 1 < end ? done + 1 : channel->done;
        retired++;
    }
    if (retired > 0) {
        shared_acquire(); /* consumers have read their elements before counting up */
        channel->done_next = done;
        channel->view.data_head += (uint64_t)retired << channel->done_shift;
        channel->has_freed = true;
        /* The zeroed counts first: producers may use the space from here on. */
        shared_store64_release(&channel->shared->data_head, channel->view.data_head);
    }
    return retired;
}

void channel_finish(struct channel *channel)
{
    channel->shared->number = channel->number;
    shared_store64_release(&channel->shared->control_head, channel->view.control_head);
}
