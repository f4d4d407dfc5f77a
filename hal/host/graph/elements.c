/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Host-side talloc and enq (papers/001 Table 1 and Figure 6, lines 31 to 33): what kernels do with
 * atomics, with plain accesses, as nothing else runs then. Elements allocated together are
 * contiguous and may reach into the slack behind the data array (docs/design.md, "Wrap"). And
 * the elements of a graph before and after a run of it. */
#include <inttypes.h>
#include <stdio.h>

#include "graph/channels.h"
#include "host/graph/builder.h"
#include "host/machine/machine.h"
#include "host/text/text.h"
#include "sluice/stamp.h"

#define LOST_BYTES 128

/* The channel if the host may put elements into it now; else NULL with a message. */
static struct sl_channel *fillable(struct sl_graph_builder *graph, int channel, const char *what)
{
    struct sl_soc *const soc = graph->soc;
    if (graph->shared == NULL && sl_graph_prepare(graph) != SL_OK) {
        return NULL;
    }
    if (channel < 0 || (uint32_t)channel >= graph->channel_count) {
        (void)sl_soc_fail(soc, SL_ERROR_USAGE,
                          "%s: there is no channel %d: the graph has %u, numbered from 0", what,
                          channel, graph->channel_count);
        return NULL;
    }
    if (soc->is_running) {
        (void)sl_soc_fail(
            soc, SL_ERROR_USAGE,
            "%s: a graph is running; wait for its end first, or open the graph and put "
            "elements in with sl_graph_enq_at()",
            what);
        return NULL;
    }
    return sl_graph_shared_channel(graph, channel);
}

void *sl_graph_talloc(struct sl_graph_builder *graph, int channel, uint32_t count)
{
    struct sl_channel *const shared = fillable(graph, channel, "talloc");
    if (shared == NULL) {
        return NULL;
    }
    const struct sl_graph_label label = sl_graph_channel_label(graph, (uint64_t)channel);
    if (count == 0) {
        (void)sl_soc_fail(graph->soc, SL_ERROR_USAGE, "%s: talloc of 0 elements", label.text);
        return NULL;
    }
    const uint64_t used = shared->data_tail - shared->data_head;
    if (used + count > shared->width) {
        const uint64_t freed = sl_graph_freed(shared);
        char lost[LOST_BYTES] = "";
        if (freed < shared->control_head) {
            (void)snprintf(lost, sizeof lost,
                           "free all that kernels take (sl_tfree()): %" PRIu64
                           " of an earlier run were not; or ",
                           shared->control_head - freed);
        }
        (void)sl_soc_fail(graph->soc, SL_ERROR_USAGE,
                          "%s is full: width %u, %" PRIu64
                          " elements in use, %u more demanded; %suse a wider channel",
                          label.text, shared->width, used, count, lost);
        return NULL;
    }
    const uint64_t offset = shared->data_tail & (shared->width - 1);
    const uint64_t side_by_side = shared->width + (uint64_t)shared->slack - offset;
    if (count > side_by_side) {
        (void)sl_soc_fail(graph->soc, SL_ERROR_USAGE,
                          "%s: talloc of %u elements at once, of which %" PRIu64
                          " lie side by side, up to the end of the channel's array; ask for these "
                          "first",
                          label.text, count, side_by_side);
        return NULL;
    }
    shared->data_tail += count;
    graph->channels[channel].pending += count;
    return (void *)(uintptr_t)(shared->data + offset * shared->stride);
}

enum sl_status sl_graph_enq(struct sl_graph_builder *graph, int channel, void *elements,
                            uint32_t count)
{
    struct sl_channel *const shared = fillable(graph, channel, "enq");
    if (shared == NULL) {
        return SL_ERROR_USAGE;
    }
    const struct sl_graph_label label = sl_graph_channel_label(graph, (uint64_t)channel);
    const uint64_t distance = (uintptr_t)elements - shared->data;
    const uint64_t offset = distance / shared->stride;
    const uint64_t length = (uint64_t)shared->width + shared->slack;
    if ((uintptr_t)elements < shared->data || distance % shared->stride != 0 || offset >= length ||
        count > length - offset) {
        return sl_soc_fail(graph->soc, SL_ERROR_USAGE,
                           "%s: enq of %u elements at %p, which are none of the channel's; enqueue "
                           "what talloc on it returned",
                           label.text, count, elements);
    }
    if (count > graph->channels[channel].pending) {
        return sl_soc_fail(graph->soc, SL_ERROR_USAGE,
                           "%s: enq of %u elements, where %" PRIu64
                           " are allocated and not enqueued yet",
                           label.text, count, graph->channels[channel].pending);
    }
    uint32_t *const control = (uint32_t *)(uintptr_t)shared->control;
    const uint64_t mask = 2 * (uint64_t)shared->width - 1;
    for (uint32_t i = 0; i < count; i++) {
        control[(shared->control_tail + i) & mask] = (uint32_t)(offset + i);
    }
    shared->control_tail += count;
    if (shared->stamps == 0) {
        shared->control_reserve = shared->control_tail;
    } else if (count > 0) {
        uint64_t *const stamps = (uint64_t *)(uintptr_t)shared->stamps;
        const uint64_t number = shared->control_reserve;
        *sl_stamp_at(stamps, shared->width, number) = number + count;
        shared->control_reserve = sl_stamp_next(number + count);
    }
    graph->channels[channel].pending -= count;
    return SL_OK;
}

struct sl_view sl_graph_view(struct sl_graph_builder *graph, int channel, const void *elements)
{
    const struct sl_channel *const shared = sl_graph_shared_channel(graph, channel);
    return sl_view_of(sl_form_of(shared), shared, elements);
}

size_t sl_graph_element_bytes(const struct sl_graph_builder *graph, int channel)
{
    return channel >= 0 && (uint32_t)channel < graph->channel_count
               ? graph->channels[channel].element_bytes
               : 0;
}

struct sl_soc *sl_graph_soc(const struct sl_graph_builder *graph)
{
    return graph->soc;
}

enum sl_status sl_graph_check_filled(struct sl_graph_builder *graph)
{
    if (graph->is_broken) {
        return sl_soc_fail(graph->soc, SL_ERROR_USAGE,
                           "this graph did not complete when it was executed, its channels hold "
                           "what was left; make a new one");
    }
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        if (graph->channels[i].pending != 0) {
            return sl_soc_fail(
                graph->soc, SL_ERROR_USAGE,
                "%s: %" PRIu64
                " elements were allocated and not enqueued; call sl_graph_enq() before executing",
                sl_graph_channel_label(graph, i).text, graph->channels[i].pending);
        }
    }
    return SL_OK;
}

uint64_t sl_graph_freed(const struct sl_channel *channel)
{
    const uint32_t *const done = (const uint32_t *)(uintptr_t)channel->done;
    const uint64_t group = 1ull << channel->done_shift;
    uint64_t freed = channel->data_head;
    for (uint64_t first = channel->data_head; first < channel->data_tail; first += group) {
        freed += done[(first & (channel->width - 1)) >> channel->done_shift];
    }
    return freed;
}

void sl_graph_append_space(const struct sl_graph_builder *graph, uint64_t channel, char *out,
                           size_t bytes)
{
    const struct sl_channel *const shared = sl_graph_find_channel(graph, channel);
    if (shared != NULL && shared->data_tail != shared->data_head &&
        sl_graph_freed(shared) == graph->channels[channel].freed) {
        sl_text_append(out, bytes,
                       "; none of its elements has been freed since the run began: free each "
                       "(sl_tfree()), or use a wider channel");
    } else {
        sl_text_append(out, bytes, "; use a wider channel");
    }
}

void sl_graph_mark(struct sl_graph_builder *graph)
{
    const struct sl_channel *const channels = sl_graph_channels(graph->shared);
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        graph->channels[i].dispatched = channels[i].control_head;
        graph->channels[i].freed = sl_graph_freed(&channels[i]);
    }
}

struct sl_footprint sl_graph_footprint(const struct sl_graph_builder *graph)
{
    const struct sl_channel *const channels = sl_graph_channels(graph->shared);
    uint64_t elements[SL_GRAPH_CHANNELS];
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        elements[i] = channels[i].control_tail - graph->channels[i].dispatched;
    }
    return sl_footprint(channels, graph->channel_count, elements);
}

void sl_graph_set_broken(struct sl_graph_builder *graph)
{
    graph->is_broken = true;
}
