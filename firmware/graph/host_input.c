/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Taking the host's messages. Its elements are put in as a producer's (papers/001 section 3.2):
 * space is reserved with a compare-and-swap, since lanes do so at any time, then control entries
 * are, and published in order of reservation. The aggregator never waits for those in front of it:
 * it looks again in the next pass. The device stores the elements' bytes. */
#include "graph/host_input.h"

#include "aggregator/device.h"
#include "check/graph/host_input_check.h"
#include "sluice/limits.h"

/* Attempts in a pass to move a tail that lanes move, too. */
#define TRIES 64u

enum reservation { RESERVED, NO_SPACE, CONTENDED };

/* Makes the next message the one that is looked at. The pause is the same whether it is there
 * already or not: nothing of what is charged depends on when the host writes. */
static __attribute__((noinline)) void look(struct feed *feed)
{
    agg_register_write(SL_REG_MARK, SL_MARK_PAUSE);
    feed->message = mailbox_next(feed->mailbox);
    agg_register_write(SL_REG_MARK, SL_MARK_RESUME);
    feed->time_ps = feed->message->argument[SL_FEED_TIME];
    feed->is_full = false;
    feed->is_reserved = false;
}

static void advance(struct feed *feed)
{
    mailbox_release(feed->mailbox);
    look(feed);
}

void feed_init(struct feed *feed, struct mailbox *mailbox, const struct sl_graph_limits *limits)
{
    *feed = (struct feed){.mailbox = mailbox, .limits = limits};
}

void feed_begin(struct feed *feed, uint32_t sequence)
{
    feed->sequence = sequence;
    agg_register_write(SL_REG_DISPATCH_TAIL, 0);
    agg_phase(SL_PHASE_MAILBOX);
    look(feed);
}

static bool is_due(struct feed *feed, bool is_idle)
{
    if (feed->time_ps == SL_WHEN_IDLE) {
        return is_idle;
    }
    if (feed->now_ps < feed->time_ps) {
        feed->now_ps = agg_register_read(SL_REG_TIME_PS);
    }
    return feed->now_ps >= feed->time_ps;
}

/* Free elements of a channel that no wavefront waits for or was promised (queues/yield.c), when its
 * tail is here. */
static uint64_t free_elements(const struct channel *channel, uint64_t tail)
{
    const uint64_t width = (uint64_t)channel->data_mask + 1;
    const uint64_t used = tail - channel->view.data_head;
    const uint64_t moved = tail - channel->granted_tail;
    const uint64_t promised = channel->granted > moved ? channel->granted - moved : 0;

    return channel->waiting == 0 && used + promised < width ? width - used - promised : 0;
}

/* Reserves contiguous elements. Where lanes were faster again and again, the next pass tries. */
static enum reservation reserve(struct channel *channel, uint32_t count, uint64_t *position)
{
    uint64_t *const word = &channel->shared->data_tail;
    uint64_t tail = shared_load64_relaxed(word);

    for (uint32_t tries = 0; tries < TRIES; tries++) {
        if (free_elements(channel, tail) < count) {
            return NO_SPACE;
        }
        *position = tail;
        if (shared_exchange64(word, &tail, tail + count)) {
            /* It was not those who were promised space who have moved the tail. */
            channel->granted_tail += count;
            return RESERVED;
        }
    }
    return CONTENDED;
}

/* Publishes what was reserved, once all entries before it are. */
static enum feed_result publish(struct feed *feed, bool is_idle, struct sl_message_agg *answer)
{
    struct sl_channel *const shared = feed->channel->shared;
    const uint64_t count = feed->message->argument[SL_FEED_COUNT];
    const uint64_t tail = shared_load64_acquire(&shared->control_tail);

    if (tail != feed->position && is_idle) {
        answer->reason = SL_FAILURE_FEED_ORDER;
        answer->argument[0] = feed->message->argument[SL_FEED_CHANNEL];
        answer->argument[1] = feed->position - tail;
        return FEED_FAILED;
    }
    if (tail != feed->position) {
        return FEED_NOTHING;
    }
    shared_store64_release(&shared->control_tail, feed->position + count);
    feed->elements += count;
    advance(feed);
    return FEED_PUBLISHED;
}

static enum feed_result refuse(const struct sl_graph_refusal *refusal,
                               struct sl_message_agg *answer)
{
    answer->reason = SL_FAILURE_FEED;
    answer->argument[0] = refusal->reason;
    answer->argument[1] = refusal->node;
    answer->argument[2] = refusal->value;
    answer->argument[3] = refusal->limit;
    return FEED_FAILED;
}

/* The elements of the message find no space now. */
static enum feed_result full(struct feed *feed, bool is_idle, struct sl_message_agg *answer)
{
    const uint64_t *const argument = feed->message->argument;

    if (!feed->is_full) {
        feed->is_full = true;
        agg_register_write(SL_REG_HOST_FULL, argument[SL_FEED_WHEN_FULL]);
    }
    if (argument[SL_FEED_WHEN_FULL] == SL_FULL_DROP) {
        feed->dropped += argument[SL_FEED_COUNT];
        advance(feed);
        return FEED_TAKEN;
    }
    if (is_idle) {
        const uint64_t tail = shared_load64_relaxed(&feed->channel->shared->data_tail);
        answer->reason = SL_FAILURE_FEED_FULL;
        answer->argument[0] = argument[SL_FEED_CHANNEL];
        answer->argument[1] = argument[SL_FEED_COUNT];
        answer->argument[2] = free_elements(feed->channel, tail);
        return FEED_FAILED;
    }
    return FEED_NOTHING;
}

/* Makes the message's channel the one that is fed, if all is right with it. */
static int check(struct feed *feed, const struct run *run, struct sl_graph_refusal *refusal)
{
    if (sl_feed_check_channel(run->channel_count, feed->message, refusal) != 0) {
        return -1;
    }
    struct channel *const channel = &run->channels[feed->message->argument[SL_FEED_CHANNEL]];
    const struct sl_feed_shape shape = {
        .width = channel->view.width,
        .stride = channel->stride,
        .done_shift = channel->done_shift,
        .flags = channel->flags,
    };
    feed->channel = channel;
    return sl_feed_check_elements(&shape, feed->message, feed->limits, refusal);
}

static enum feed_result enqueue(struct feed *feed, struct run *run, bool is_idle,
                                struct sl_message_agg *answer)
{
    const uint64_t *const argument = feed->message->argument;
    struct sl_graph_refusal refusal;
    uint64_t place;

    if (!feed->is_full && check(feed, run, &refusal) != 0) {
        return refuse(&refusal, answer);
    }
    struct channel *const channel = feed->channel;
    const uint32_t count = (uint32_t)argument[SL_FEED_COUNT];
    const enum reservation reservation = reserve(channel, count, &place);
    if (reservation != RESERVED) {
        return reservation == NO_SPACE ? full(feed, is_idle, answer) : FEED_NOTHING;
    }
    feed->position = shared_add64(&channel->shared->control_reserve, count);
    feed->is_reserved = true;
    agg_register_write(SL_REG_HOST_STORE, (feed->position & channel->control_mask) << 32 |
                                              (place & channel->data_mask));
    for (uint32_t i = 0; i < count; i++) {
        channel->control[(feed->position + i) & channel->control_mask] =
            (uint32_t)((place + i) & channel->data_mask);
    }
    return publish(feed, is_idle, answer);
}

static enum feed_result report(struct feed *feed)
{
    mailbox_send(feed->mailbox,
                 &(struct sl_message_agg){
                     .type = SL_AGG_REPORT,
                     .sequence = feed->sequence,
                     .argument = {agg_register_read(SL_REG_TIME_PS), feed->elements, feed->dropped},
                 });
    advance(feed);
    return FEED_TAKEN;
}

enum feed_result feed_take(struct feed *feed, struct run *run, bool is_idle,
                           struct sl_message_agg *answer)
{
    enum feed_result result;

    if (!feed->is_reserved && !feed->is_full && !is_due(feed, is_idle)) {
        return FEED_NOTHING;
    }
    agg_phase(SL_PHASE_MAILBOX);
    switch (feed->message->type) {
    case SL_HOST_ENQ:
        result = feed->is_reserved ? publish(feed, is_idle, answer)
                                   : enqueue(feed, run, is_idle, answer);
        break;
    case SL_HOST_REPORT:
        result = report(feed);
        break;
    case SL_HOST_CLOSE:
        mailbox_release(feed->mailbox);
        result = FEED_CLOSED;
        break;
    default:
        answer->reason = SL_FAILURE_MESSAGE;
        answer->argument[0] = feed->message->type;
        mailbox_release(feed->mailbox);
        result = FEED_FAILED;
        break;
    }
    agg_phase(SL_PHASE_POLL);
    return result;
}
