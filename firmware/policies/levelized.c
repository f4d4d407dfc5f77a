/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The levelized policy (papers/001 sections 5.2, 5.3 and 7.2; docs/scheduling.md), for graphs of
 * channel stacks. Level 0 is the shallowest.
 *
 * Full wavefronts go as memory allows, deepest level first. When nothing is in flight, a partial
 * wavefront of tasks goes, from the shallowest level that may: nothing can fill it any more. Where
 * no task may go, continuations do, from the deepest level at which anything is outstanding. A
 * continuation never goes while anything is outstanding at a deeper level: it depends on it.
 *
 * Nothing goes from a channel of which wavefronts wait: they go first. A wavefront that may yield
 * goes only while, of the blocks of the wavefront state pool and of the places for packets, more
 * are free than others may come to wait in a chain behind it (graph/order.h): each of those can
 * then run what it waits for. The channels' predicates are not asked. */
#include "core/passes.h"
#include "policies/levels.h"

/* Wavefronts of a packet, at most: firmware knows of a free block when the whole packet is
 * complete, and packets are work. So 4, or this part of the free blocks. */
#define PACKET_WAVEFRONTS 4u
#define PACKET_SHARE      16u

/* What choices use up. */
struct room {
    uint32_t blocks;
    uint32_t packets;
};

static void begin(struct run *run, const struct sl_graph *graph)
{
    levels_init(run->state, run->channels, graph, run->lanes);
}

static struct poll poll(struct run *run)
{
    return levels_poll(run->state, run->channels);
}

static void retire(struct run *run, uint32_t limit)
{
    levels_retire(run->state, limit);
}

static void dispatched(struct run *run, struct channel *channel, uint32_t count)
{
    levels_dispatched(run->state, channel, count);
}

/* What was not looked at may have something only where a kernel put it that should not have. */
static bool is_complete(struct run *run)
{
    levels_widen(run->state);
    return !levels_poll(run->state, run->channels).is_ready;
}

/* Wavefronts that may go from a channel as far as memory is concerned. */
static uint32_t allowed(const struct channel *channel, const struct room *room)
{
    const uint32_t least = room->blocks < room->packets ? room->blocks : room->packets;

    if (least <= channel->reserve || channel->view.yielded > 0) {
        return 0;
    }
    return room->blocks - channel->reserve;
}

/* Full wavefronts of one channel. */
static uint32_t choose_full(const struct run *run, uint32_t index, struct room *room,
                            struct choice *choice)
{
    const struct channel *channel = &run->channels[index];
    uint32_t wavefronts = channel_ready(channel) >> run->lane_shift;
    uint32_t chosen = 0;

    while (wavefronts > 0) {
        const uint32_t share = room->blocks / PACKET_SHARE;
        const uint32_t most = share > PACKET_WAVEFRONTS ? share : PACKET_WAVEFRONTS;
        uint32_t now = allowed(channel, room);
        now = now < wavefronts ? now : wavefronts;
        now = now < most ? now : most;
        if (now == 0) {
            break;
        }
        choice[chosen++] = (struct choice){index, now << run->lane_shift};
        room->blocks -= now;
        room->packets--;
        wavefronts -= now;
    }
    return chosen;
}

/* Whether the children of a level's wavefronts may be hidden (core/channel.h): behind the
 * publication of another wavefront of that level, which is in flight. Whoever published a
 * continuation had its children's entries reserved before. */
static bool may_hide(const struct run *run, uint32_t level)
{
    const struct levels *levels = run->state;

    for (uint32_t i = levels->start[level]; i < levels->start[level + 1]; i++) {
        if (channel_may_hide(&run->channels[levels->channel[i]])) {
            return true;
        }
    }
    return false;
}

/* Of the deepest level at which anything is outstanding (polling has left the window's end behind
 * it), continuations first: of a level's wavefronts they wait for the fewest others, if for any.
 * Then tasks, from the deepest level on. */
static uint32_t choose_all_full(const struct run *run, struct room *room, struct choice *choice)
{
    const struct levels *levels = run->state;
    const uint32_t deepest = levels->limit - 1;
    uint32_t chosen = 0;

    for (uint32_t i = levels->start[deepest]; i < levels->start[deepest + 1]; i++) {
        const uint32_t index = levels->channel[i];
        const struct channel *channel = &run->channels[index];
        if (channel->role == SL_ROLE_POST_SYNC &&
            channel->view.control_tail - channel->view.control_head >= run->lanes &&
            (levels->limit == levels->count || !may_hide(run, levels->limit))) {
            chosen += choose_full(run, index, room, &choice[chosen]);
        }
    }
    for (uint32_t i = levels->full.count; i-- > 0;) {
        const uint32_t index = levels->channel[levels->full.number[i]];
        if (run->channels[index].view.yielded == 0) {
            chosen += choose_full(run, index, room, &choice[chosen]);
        }
    }
    return chosen;
}

/* A partial wavefront of one channel, if it may go. */
static uint32_t choose_partial(const struct run *run, uint32_t index, const struct room *room,
                               struct choice *choice)
{
    const struct channel *channel = &run->channels[index];
    const uint32_t ready = channel_ready(channel);

    if (ready == 0 || allowed(channel, room) == 0) {
        return 0;
    }
    choice[0] = (struct choice){index, ready < run->lanes ? ready : run->lanes};
    return 1;
}

static uint32_t choose_task(const struct run *run, const struct room *room, struct choice *choice)
{
    const struct levels *levels = run->state;

    for (uint32_t i = 0; i < levels->tasks.count; i++) {
        if (choose_partial(run, levels->channel[levels->tasks.number[i]], room, choice) > 0) {
            return 1;
        }
    }
    return 0;
}

static uint32_t choose_continuation(const struct run *run, const struct room *room,
                                    struct choice *choice)
{
    const struct levels *levels = run->state;
    const uint32_t deepest = levels->limit - 1;

    for (uint32_t i = levels->start[deepest]; i < levels->start[deepest + 1]; i++) {
        const uint32_t index = levels->channel[i];
        if (run->channels[index].role == SL_ROLE_POST_SYNC &&
            choose_partial(run, index, room, choice) > 0) {
            return 1;
        }
    }
    return 0;
}

static uint32_t choose(struct run *run, struct choice *choice, uint32_t space)
{
    const struct levels *levels = run->state;
    struct room room = {run_free_blocks(run), space};

    if (levels->limit == 0) {
        return 0;
    }
    uint32_t chosen = choose_all_full(run, &room, choice);
    if (chosen == 0 && run->is_drained) {
        chosen = choose_task(run, &room, choice);
        if (chosen == 0) {
            chosen = choose_continuation(run, &room, choice);
        }
    }
    return chosen;
}

SCHEDULER_DEFINE(levelized, struct levels, .phase = SL_PHASE_SCHEDULE, .begin = begin, .poll = poll,
                 .choose = choose, .dispatched = dispatched, .retire = retire,
                 .is_complete = is_complete)
