/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Channels by level: a counting sort and lists of outputs at the beginning, then lists that follow
 * what is dispatched, polled and completed. */
#include "policies/levels.h"

#include "sluice/codes.h"

/* ---- the beginning ---- */

static void sort_channels(struct levels *levels, struct channel *channels)
{
    uint16_t next[SL_STACK_LEVELS + 1] = {0};

    levels->count = 1;
    for (uint32_t i = 0; i < levels->channel_count; i++) {
        next[channels[i].level + 1]++;
        if (channels[i].level >= levels->count) {
            levels->count = channels[i].level + 1;
        }
    }
    for (uint32_t level = 0; level < levels->count; level++) {
        next[level + 1] = (uint16_t)(next[level + 1] + next[level]);
        levels->start[level] = next[level];
    }
    levels->start[levels->count] = (uint16_t)levels->channel_count;
    for (uint32_t i = 0; i < levels->channel_count; i++) {
        channels[i].rank = next[channels[i].level]++;
        channels[i].node = (uint16_t)channels[i].shared->kernel;
        levels->channel[channels[i].rank] = (uint16_t)i;
        levels->has_plain |= channels[i].role == SL_ROLE_PLAIN;
    }
}

/* In the order of ranks. */
static void add_output(struct levels *levels, struct channel *from, struct channel *to)
{
    struct output **at = &from->outputs;

    if (levels->output_count == SL_GRAPH_EDGES) {
        levels->is_always_wide = true;
        return;
    }
    while (*at != NULL && (*at)->channel->rank < to->rank) {
        at = &(*at)->next;
    }
    struct output *output = &levels->outputs[levels->output_count++];
    *output = (struct output){to, *at};
    *at = output;
}

/* What an edge says for a plain channel, or for the stack that begins with it: a stack's kernel
 * puts elements into the level of another stack that is `level_offset` deeper than its own. */
static void add_edge(struct levels *levels, struct channel *first, struct channel *to,
                     const struct sl_edge *edge)
{
    const uint32_t count = first->role == SL_ROLE_PLAIN ? 1 : first->shared->levels;

    if (edge->level_offset == 0) {
        levels->feeds[first->node] |= 1ull << to->node;
    }
    if (first->role == SL_ROLE_PLAIN || to->role == SL_ROLE_PLAIN) {
        for (uint32_t level = 0; level < count; level++) {
            add_output(levels, &first[level], to);
        }
    } else if (to->level >= edge->level_offset && to->level - edge->level_offset < count) {
        add_output(levels, &first[to->level - edge->level_offset], to);
    }
}

static void find_outputs(struct levels *levels, struct channel *channels,
                         const struct sl_graph *graph)
{
    const struct sl_edge *edges = (const struct sl_edge *)(uintptr_t)graph->edges;

    for (uint32_t i = 0; i < levels->channel_count; i++) {
        struct channel *channel = &channels[i];
        if (channel->level > 0) {
            continue;
        }
        for (uint32_t j = 0; j < graph->edge_count; j++) {
            if (edges[j].kernel == channel->node) {
                add_edge(levels, channel, &channels[edges[j].channel], &edges[j]);
            }
        }
    }
}

/* From what the edges say: through any number of kernels. */
static void close_feeds(struct levels *levels, uint32_t kernel_count)
{
    for (uint32_t via = 0; via < kernel_count; via++) {
        for (uint32_t from = 0; from < kernel_count; from++) {
            if ((levels->feeds[from] >> via & 1) != 0) {
                levels->feeds[from] |= levels->feeds[via];
            }
        }
    }
}

void levels_init(struct levels *levels, struct channel *channels, const struct sl_graph *graph,
                 uint32_t lanes)
{
    levels->channel_count = graph->channel_count;
    levels->lanes = lanes;
    levels->ready = 0;
    levels->is_always_wide = false;
    levels->has_plain = false;
    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        levels->feeds[i] = 0;
    }
    levels->busy_count = 0;
    levels->tasks.count = 0;
    levels->full.count = 0;
    levels->output_count = 0;
    sort_channels(levels, channels);
    find_outputs(levels, channels, graph);
    close_feeds(levels, graph->kernel_count);
    levels->first = levels->count;
    levels->limit = 0;
    levels_widen(levels);
}

/* ---- passes ---- */

static void make_busy(struct levels *levels, struct channel *channel)
{
    if (!channel->is_busy) {
        channel->is_busy = true;
        channel->is_settled = false;
        levels->busy[levels->busy_count++] = channel;
    }
}

void levels_widen(struct levels *levels)
{
    levels->is_wide = true;
}

static bool is_outstanding(const struct levels *levels, const struct channel *channels,
                           uint32_t level)
{
    for (uint32_t i = levels->start[level]; i < levels->start[level + 1]; i++) {
        if (channel_outstanding(&channels[levels->channel[i]]) != 0) {
            return true;
        }
    }
    return false;
}

/* Narrows the window to what is outstanding; polling has widened it. */
static void narrow(struct levels *levels, const struct channel *channels)
{
    while (levels->first < levels->limit && !is_outstanding(levels, channels, levels->limit - 1)) {
        levels->limit--;
    }
    while (levels->first < levels->limit && !is_outstanding(levels, channels, levels->first)) {
        levels->first++;
    }
    if (levels->first >= levels->limit) {
        levels->first = levels->count;
        levels->limit = 0;
    }
}

/* Not inline, so that a poll that finds nothing saves no registers. */
static __attribute__((noinline)) void note_new(struct levels *levels, const struct channel *channel,
                                               uint64_t count)
{
    levels->ready += count;
    levels->first = channel->level < levels->first ? channel->level : levels->first;
    levels->limit = channel->level < levels->limit ? levels->limit : channel->level + 1;
    if (channel->role != SL_ROLE_POST_SYNC) {
        sorted_insert(&levels->tasks, channel->rank);
        if (channel->view.control_tail - channel->view.control_head >= levels->lanes) {
            sorted_insert(&levels->full, channel->rank);
        }
    }
}

static inline bool poll_tail(struct levels *levels, struct channel *channel)
{
    const uint64_t tail = channel->view.control_tail;

    if (!channel_poll(channel)) {
        return false;
    }
    note_new(levels, channel, channel->view.control_tail - tail);
    return true;
}

/* A wavefront publishes the children, at the deeper level, before the continuation: who sees the
 * continuation and looks deeper afterwards sees the children. So outputs are polled in the order of
 * levels. A channel that has settled was polled after the records of its last wavefronts were read:
 * until one is restarted nothing changes. */
static struct poll poll_busy(struct levels *levels, bool *is_settling)
{
    struct poll poll = {0};
    struct channel **const end = levels->busy + levels->busy_count;
    struct channel **kept = levels->busy;

    for (struct channel **at = levels->busy; at < end; at++) {
        struct channel *channel = *at;
        const bool runs = channel->view.wavefronts != channel->view.yielded;
        if (channel->is_settled && !runs) {
            *kept++ = channel;
            continue;
        }
        const bool is_done = channel_has_done_group(channel);
        poll.is_done |= is_done;
        for (const struct output *output = channel->outputs; output != NULL;
             output = output->next) {
            poll.is_new |= poll_tail(levels, output->channel);
        }
        channel->is_settled = !runs && !is_done;
        if (channel->is_settled && channel->view.wavefronts == 0) {
            channel->is_busy = false;
        } else {
            *kept++ = channel;
        }
        *is_settling |= channel->view.wavefronts == 0;
    }
    levels->busy_count = (uint32_t)(kept - levels->busy);
    return poll;
}

static bool poll_everything(struct levels *levels, struct channel *channels)
{
    bool is_new = false;

    for (uint32_t rank = 0; rank < levels->channel_count; rank++) {
        struct channel *channel = &channels[levels->channel[rank]];
        make_busy(levels, channel);
        channel->is_settled = false;
        is_new |= poll_tail(levels, channel);
    }
    levels->is_wide = levels->is_always_wide;
    return is_new;
}

struct poll levels_poll(struct levels *levels, struct channel *channels)
{
    const bool is_new = levels->is_wide && poll_everything(levels, channels);
    bool is_settling = false;
    struct poll poll = poll_busy(levels, &is_settling);

    if (is_settling) {
        narrow(levels, channels);
    }
    poll.is_new |= is_new;
    poll.is_ready = levels->ready != 0;
    return poll;
}

void levels_retire(const struct levels *levels, uint32_t limit)
{
    for (uint32_t i = 0; i < levels->busy_count; i++) {
        if (channel_has_done_group(levels->busy[i])) {
            (void)channel_retire(levels->busy[i], limit);
        }
    }
}

/* Continuations that are ready at shallower levels do not count, since they go when nothing is
 * outstanding at this one. What is ready at its own level may have been chosen just now: also the
 * channel's own full wavefronts, where its kernel feeds itself. */
bool levels_may_fill(const struct levels *levels, const struct channel *channels,
                     const struct channel *channel)
{
    const uint32_t level = channel->level;

    for (uint32_t i = 0; i < levels->busy_count; i++) {
        const struct channel *from = levels->busy[i];
        if (from->view.wavefronts != 0 && from->level <= level &&
            (from->level < level || (levels->feeds[from->node] >> channel->node & 1) != 0)) {
            return true;
        }
    }
    for (uint32_t i = levels->start[level]; i < levels->start[level + 1]; i++) {
        const struct channel *from = &channels[levels->channel[i]];
        if (channel_ready(from) > 0 && (levels->feeds[from->node] >> channel->node & 1) != 0) {
            return true;
        }
    }
    return levels_first_task(levels, channels) < level;
}

void levels_dispatched(struct levels *levels, struct channel *channel, uint32_t count)
{
    const uint64_t ready = channel->view.control_tail - channel->view.control_head;

    levels->ready -= count;
    make_busy(levels, channel);
    if (channel->role != SL_ROLE_POST_SYNC) {
        if (ready == 0) {
            sorted_remove(&levels->tasks, channel->rank);
        }
        if (ready < levels->lanes) {
            sorted_remove(&levels->full, channel->rank);
        }
    }
}
