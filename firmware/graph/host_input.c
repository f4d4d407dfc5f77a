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
static __attribute__((noinline)) void look(struct host_input *input)
{
    agg_register_write(SL_REG_MARK, SL_MARK_PAUSE);
    input->message = mailbox_next(input->mailbox);
    agg_register_write(SL_REG_MARK, SL_MARK_RESUME);
    input->time_ps = input->message->argument[SL_FEED_TIME];
    input->is_full = false;
    input->is_reserved = false;
}

static void advance(struct host_input *input)
{
    mailbox_release(input->mailbox);
    look(input);
}

void host_input_init(struct host_input *input, struct mailbox *mailbox,
                     const struct sl_graph_limits *limits)
{
    *input = (struct host_input){.mailbox = mailbox, .limits = limits};
}

void host_input_begin(struct host_input *input, uint32_t sequence)
{
    input->sequence = sequence;
    agg_register_write(SL_REG_DISPATCH_TAIL, 0);
    agg_phase(SL_PHASE_MAILBOX);
    look(input);
}

static bool is_due(struct host_input *input, bool is_idle)
{
    if (input->time_ps == SL_WHEN_IDLE) {
        return is_idle;
    }
    if (input->now_ps < input->time_ps) {
        input->now_ps = agg_register_read(SL_REG_TIME_PS);
    }
    return input->now_ps >= input->time_ps;
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
static enum host_input_result publish(struct host_input *input, bool is_idle,
                                      struct sl_message_agg *answer)
{
    struct sl_channel *const shared = input->channel->shared;
    const uint64_t count = input->message->argument[SL_FEED_COUNT];
    const uint64_t tail = shared_load64_acquire(&shared->control_tail);

    if (tail != input->position && is_idle) {
        answer->reason = SL_FAILURE_FEED_ORDER;
        answer->argument[0] = input->message->argument[SL_FEED_CHANNEL];
        answer->argument[1] = input->position - tail;
        return HOST_INPUT_FAILED;
    }
    if (tail != input->position) {
        return HOST_INPUT_NOTHING;
    }
    shared_store64_release(&shared->control_tail, input->position + count);
    input->elements += count;
    advance(input);
    return HOST_INPUT_PUBLISHED;
}

static enum host_input_result refuse(const struct sl_graph_refusal *refusal,
                                     struct sl_message_agg *answer)
{
    answer->reason = SL_FAILURE_FEED;
    answer->argument[0] = refusal->reason;
    answer->argument[1] = refusal->node;
    answer->argument[2] = refusal->value;
    answer->argument[3] = refusal->limit;
    return HOST_INPUT_FAILED;
}

/* The elements of the message find no space now. */
static enum host_input_result full(struct host_input *input, bool is_idle,
                                   struct sl_message_agg *answer)
{
    const uint64_t *const argument = input->message->argument;

    if (!input->is_full) {
        input->is_full = true;
        agg_register_write(SL_REG_HOST_FULL, argument[SL_FEED_WHEN_FULL]);
    }
    if (argument[SL_FEED_WHEN_FULL] == SL_FULL_DROP) {
        input->dropped += argument[SL_FEED_COUNT];
        advance(input);
        return HOST_INPUT_TAKEN;
    }
    if (is_idle) {
        const uint64_t tail = shared_load64_relaxed(&input->channel->shared->data_tail);
        answer->reason = SL_FAILURE_FEED_FULL;
        answer->argument[0] = argument[SL_FEED_CHANNEL];
        answer->argument[1] = argument[SL_FEED_COUNT];
        answer->argument[2] = free_elements(input->channel, tail);
        return HOST_INPUT_FAILED;
    }
    return HOST_INPUT_NOTHING;
}

/* Makes the message's channel the one that is fed, if all is right with it. */
static int check(struct host_input *input, const struct run *run, struct sl_graph_refusal *refusal)
{
    if (sl_host_input_check_channel(run->channel_count, input->message, refusal) != 0) {
        return -1;
    }
    struct channel *const channel = &run->channels[input->message->argument[SL_FEED_CHANNEL]];
    const struct sl_host_input_shape shape = {
        .width = channel->view.width,
        .stride = channel->stride,
        .done_shift = channel->done_shift,
        .flags = channel->flags,
    };
    input->channel = channel;
    return sl_host_input_check_elements(&shape, input->message, input->limits, refusal);
}

static enum host_input_result enqueue(struct host_input *input, struct run *run, bool is_idle,
                                      struct sl_message_agg *answer)
{
    const uint64_t *const argument = input->message->argument;
    struct sl_graph_refusal refusal;
    uint64_t place;

    if (!input->is_full && check(input, run, &refusal) != 0) {
        return refuse(&refusal, answer);
    }
    struct channel *const channel = input->channel;
    const uint32_t count = (uint32_t)argument[SL_FEED_COUNT];
    const enum reservation reservation = reserve(channel, count, &place);
    if (reservation != RESERVED) {
        return reservation == NO_SPACE ? full(input, is_idle, answer) : HOST_INPUT_NOTHING;
    }
    input->position = shared_add64(&channel->shared->control_reserve, count);
    input->is_reserved = true;
    agg_register_write(SL_REG_HOST_STORE, (input->position & channel->control_mask) << 32 |
                                              (place & channel->data_mask));
    for (uint32_t i = 0; i < count; i++) {
        channel->control[(input->position + i) & channel->control_mask] =
            (uint32_t)((place + i) & channel->data_mask);
    }
    return publish(input, is_idle, answer);
}

static enum host_input_result report(struct host_input *input)
{
    mailbox_send(input->mailbox, &(struct sl_message_agg){
                                     .type = SL_AGG_REPORT,
                                     .sequence = input->sequence,
                                     .argument = {agg_register_read(SL_REG_TIME_PS),
                                                  input->elements, input->dropped},
                                 });
    advance(input);
    return HOST_INPUT_TAKEN;
}

enum host_input_result host_input_take(struct host_input *input, struct run *run, bool is_idle,
                                       struct sl_message_agg *answer)
{
    enum host_input_result result;

    if (!input->is_reserved && !input->is_full && !is_due(input, is_idle)) {
        return HOST_INPUT_NOTHING;
    }
    agg_phase(SL_PHASE_MAILBOX);
    switch (input->message->type) {
    case SL_HOST_ENQ:
        result = input->is_reserved ? publish(input, is_idle, answer)
                                    : enqueue(input, run, is_idle, answer);
        break;
    case SL_HOST_REPORT:
        result = report(input);
        break;
    case SL_HOST_CLOSE:
        mailbox_release(input->mailbox);
        result = HOST_INPUT_CLOSED;
        break;
    default:
        answer->reason = SL_FAILURE_MESSAGE;
        answer->argument[0] = input->message->type;
        mailbox_release(input->mailbox);
        result = HOST_INPUT_FAILED;
        break;
    }
    agg_phase(SL_PHASE_POLL);
    return result;
}
