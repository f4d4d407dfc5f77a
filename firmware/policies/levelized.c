/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The levelized policy (papers/001 sections 5.2, 5.3 and 7.2; docs/know/scheduling.md), for graphs
 * of channel stacks. Level 0 is the shallowest.
 *
 * Full wavefronts go as memory allows, deepest level first; behind them partial ones that nothing
 * can fill any more, unless wavefronts wait or the graph says otherwise (SL_POLICY_DRAINED). When
 * nothing is in flight, a partial wavefront of tasks goes in any case, from the shallowest level
 * that may. Where no task may go, continuations do, from the deepest level at which anything is
 * outstanding. A continuation never goes while anything is outstanding at a deeper level: it
 * depends on it.
 *
 * Nothing goes from a channel of which wavefronts wait: they go first. A wavefront that may yield
 * goes only while, of the blocks of the wavefront state pool and of the places for packets, more
 * are free than others may come to wait in a chain behind it (check/graph/waiting_order.h): each of
 * those can then run what it waits for.
 *
 * Channels with another predicate than full are asked for the elements that go in place of full
 * wavefronts, and guards hold back what they hold. */
#include "graph/graph_loop.h"
#include "graph/guard.h"
#include "policies/levels.h"
#include "queues/throttle.h"

/* Wavefronts of a packet, at most: firmware knows of a free block when the whole packet is
 * complete, and packets are work. So 4, or this part of what may go. */
#define PACKET_WAVEFRONTS 4u
#define PACKET_SHARE      16u

/* What choices use up. */
struct room {
    uint32_t blocks;
    uint32_t packets;
};

static uint32_t min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void begin(struct run *run, const struct sl_graph *graph)
{
    struct levels *levels = run->state;

    levels_init(levels, run->channels, graph, run->lanes);
    levels->waits_for_drain = levels->has_plain || (graph->policy_flags & SL_POLICY_DRAINED) != 0;
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

static void fed(struct run *run, struct channel *channel)
{
    levels_fed(run->state, channel);
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

/* Full wavefronts that may go as far as their kernel's bound is concerned. What firmware takes for
 * in flight may have ended, in packets of which others have yielded: so one goes in any case when
 * nothing is. */
static uint32_t bound(const struct run *run, const struct throttle *throttle)
{
    const uint32_t free = throttle_free(throttle);

    return free == 0 && run->is_drained ? 1 : free;
}

/* Elements that go from a channel which is to be asked. */
static __attribute__((noinline)) uint32_t ask(const struct run *run, struct channel *channel)
{
    const uint32_t ready = guard_ready(run, channel);

    if (ready == 0) {
        return 0;
    }
    const uint32_t count =
        channel->predicate(&channel->view, ready, run->lanes, channel->predicate_state);
    return count < ready ? count : ready;
}

/* Full wavefronts of one channel, or what it says. */
static uint32_t choose_full(const struct run *run, uint32_t index, struct room *room,
                            struct choice *choice)
{
    struct channel *channel = &run->channels[index];
    uint32_t elements =
        channel->is_asked ? ask(run, channel) : channel_ready(channel) & ~(run->lanes - 1);
    struct throttle *const throttle = channel->throttle;
    uint32_t wavefronts = min((elements + run->lanes - 1) >> run->lane_shift, bound(run, throttle));
    uint32_t chosen = 0;

    while (wavefronts > 0) {
        const uint32_t share = min(room->blocks, throttle->bound) / PACKET_SHARE;
        const uint32_t most = share > PACKET_WAVEFRONTS ? share : PACKET_WAVEFRONTS;
        const uint32_t now = min(min(allowed(channel, room), wavefronts), most);
        if (now == 0) {
            break;
        }
        const uint32_t lanes = now << run->lane_shift;
        const uint32_t count = lanes < elements ? lanes : elements;
        choice[chosen++] = (struct choice){index, count};
        guard_chosen(channel, count);
        room->blocks -= now;
        room->packets--;
        throttle_launch(throttle, now);
        wavefronts -= now;
        elements -= count;
    }
    return chosen;
}

/* Whether the children of a level's wavefronts may be hidden (queues/channel.h): behind the
 * publication of another wavefront of that level, which is in flight. Whoever published a
 * continuation had its children's entries reserved before. */
static bool may_hide(const struct run *run, uint32_t level)
{
    const struct levels *levels = run->state;

    if (level == levels->count) {
        return false;
    }
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
            channel->view.control_tail - channel->view.control_head >= channel->least &&
            !may_hide(run, levels->limit)) {
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

/* What full wavefronts have left of one channel, if it may go; of one that is to be asked, what
 * guards let go, when its predicate says nothing. */
static uint32_t choose_rest(const struct run *run, uint32_t index, struct room *room,
                            struct choice *choice)
{
    const struct channel *channel = &run->channels[index];
    uint32_t rest = channel_ready(channel) & (run->lanes - 1);

    if (channel->is_asked) {
        rest = guard_ready(run, channel);
        rest = rest < run->lanes ? rest : run->lanes;
    }
    if (rest == 0 || allowed(channel, room) == 0) {
        return 0;
    }
    choice[0] = (struct choice){index, rest};
    guard_chosen(channel, rest);
    room->blocks--;
    room->packets--;
    throttle_launch(channel->throttle, 1);
    return 1;
}

/* Behind full wavefronts, the rests of channels that nothing fills up any more, but for those that
 * are asked, whose predicates know what they wait for: of tasks, at the shallowest level that has
 * any; without any, of continuations, at the deepest level at which anything is outstanding. */
static uint32_t choose_final(const struct run *run, struct room *room, struct choice *choice)
{
    const struct levels *levels = run->state;
    const bool has_tasks = levels->tasks.count > 0;
    const uint32_t level = has_tasks ? levels_first_task(levels, run->channels) : levels->limit - 1;
    uint32_t chosen = 0;

    for (uint32_t i = levels->start[level]; i < levels->start[level + 1]; i++) {
        const uint32_t index = levels->channel[i];
        const struct channel *channel = &run->channels[index];
        if ((channel->role == SL_ROLE_POST_SYNC) != has_tasks && !channel->is_asked &&
            (channel_ready(channel) & (run->lanes - 1)) != 0 && /* the next question costs more */
            !levels_may_fill(levels, run->channels, channel) &&
            (has_tasks || !may_hide(run, level + 1))) {
            chosen += choose_rest(run, index, room, &choice[chosen]);
        }
    }
    return chosen;
}

/* A partial wavefront when nothing is in flight. */
static uint32_t choose_task(const struct run *run, struct room *room, struct choice *choice)
{
    const struct levels *levels = run->state;

    for (uint32_t i = 0; i < levels->tasks.count; i++) {
        if (choose_rest(run, levels->channel[levels->tasks.number[i]], room, choice) > 0) {
            return 1;
        }
    }
    return 0;
}

static uint32_t choose_continuation(const struct run *run, struct room *room, struct choice *choice)
{
    const struct levels *levels = run->state;
    const uint32_t deepest = levels->limit - 1;

    for (uint32_t i = levels->start[deepest]; i < levels->start[deepest + 1]; i++) {
        const uint32_t index = levels->channel[i];
        if (run->channels[index].role == SL_ROLE_POST_SYNC &&
            choose_rest(run, index, room, choice) > 0) {
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
    } else if (!levels->waits_for_drain && run->yield.waiting == 0) {
        chosen += choose_final(run, &room, &choice[chosen]);
    }
    return chosen;
}

SCHEDULER_DEFINE(levelized, struct levels, .phase = SL_PHASE_SCHEDULE, .begin = begin, .poll = poll,
                 .choose = choose, .dispatched = dispatched, .retire = retire,
                 .is_complete = is_complete, .fed = fed)
