/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Host-side talloc and enq (papers/001 Table 1 and Figure 6, lines 31 to 33): what kernels do with
 * atomics, with plain accesses, as nothing else runs then. Elements allocated together are
 * contiguous and may reach into the slack behind the data array (docs/know/design.md, "Wrap").
 * Which elements the host has allocated and not enqueued, it knows itself. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "check/graph/channels.h"
#include "host/base/text.h"
#include "host/driver/graph/builder.h"
#include "host/driver/machine/machine.h"
#include "sluice/stamp.h"

#define LOST_BYTES 128

/* Whether the host may put elements into the channel now; if not, there is a message. */
static bool is_fillable(struct sl_graph_builder *graph, int channel, const char *what)
{
    struct sl_soc *const soc = graph->soc;
    if (graph->shared == NULL && sl_graph_prepare(graph) != SL_OK) {
        return false;
    }
    if (channel < 0 || (uint32_t)channel >= graph->channel_count) {
        (void)sl_soc_fail(soc, SL_ERROR_USAGE,
                          "%s: there is no channel %d: the graph has %u, numbered from 0", what,
                          channel, graph->channel_count);
        return false;
    }
    if (soc->is_running) {
        (void)sl_soc_fail(
            soc, SL_ERROR_USAGE,
            "%s: a graph is running; wait for its end first, or open the graph and put "
            "elements in with sl_graph_enq_at()",
            what);
        return false;
    }
    return true;
}

/* ---- what the host has allocated ---- */

static uint64_t places_of(const struct sl_channel *shape)
{
    return (uint64_t)shape->width + shape->slack;
}

static bool can_reserve(struct sl_graph_builder *graph, uint32_t channel)
{
    struct sl_graph_channel_node *const node = &graph->channels[channel];
    if (node->reserved == NULL) {
        node->reserved =
            calloc(places_of(&graph->shapes[channel]) / 64 + 1, sizeof *node->reserved);
    }
    return node->reserved != NULL;
}

static void set_reserved(struct sl_graph_channel_node *node, uint64_t first, uint32_t count,
                         bool is_reserved)
{
    for (uint64_t i = first; i < first + count; i++) {
        const uint64_t bit = UINT64_C(1) << i % 64;
        node->reserved[i / 64] =
            is_reserved ? node->reserved[i / 64] | bit : node->reserved[i / 64] & ~bit;
    }
    node->pending += is_reserved ? count : 0 - (uint64_t)count;
}

/* The first of the elements that is not; `first + count` where all are. */
static uint64_t find_unreserved(const struct sl_graph_channel_node *node, uint64_t first,
                                uint32_t count)
{
    uint64_t i = first;
    while (i < first + count && node->reserved != NULL &&
           (node->reserved[i / 64] >> i % 64 & 1) != 0) {
        i++;
    }
    return i;
}

/* ---- talloc ---- */

static void fail_full(const struct sl_graph_builder *graph, uint32_t channel, uint32_t count)
{
    const struct sl_audit_counters now = sl_graph_counters(graph, channel);
    const uint64_t freed = sl_graph_freed(graph, channel);
    char lost[LOST_BYTES] = "";
    if (freed < now.control_head) {
        (void)snprintf(lost, sizeof lost,
                       "free all that kernels take (sl_tfree()): %" PRIu64
                       " of an earlier run were not; or ",
                       now.control_head - freed);
    }
    (void)sl_soc_fail(graph->soc, SL_ERROR_USAGE,
                      "%s is full: width %u, %" PRIu64
                      " elements in use, %u more demanded; %suse a wider channel",
                      sl_graph_channel_label(graph, channel).text, graph->shapes[channel].width,
                      now.data_tail - now.data_head, count, lost);
}

void *sl_graph_talloc(struct sl_graph_builder *graph, int channel, uint32_t count)
{
    if (!is_fillable(graph, channel, "talloc")) {
        return NULL;
    }
    const struct sl_graph_label label = sl_graph_channel_label(graph, (uint64_t)channel);
    const struct sl_channel *const shape = &graph->shapes[channel];
    const struct sl_audit_counters now = sl_graph_counters(graph, (uint32_t)channel);
    const uint64_t used = now.data_tail - now.data_head;
    if (count == 0) {
        (void)sl_soc_fail(graph->soc, SL_ERROR_USAGE, "%s: talloc of 0 elements", label.text);
        return NULL;
    }
    if (used > shape->width || count > shape->width - used) {
        fail_full(graph, (uint32_t)channel, count);
        return NULL;
    }
    const uint64_t offset = now.data_tail & (shape->width - 1);
    const uint64_t side_by_side = places_of(shape) - offset;
    if (count > side_by_side) {
        (void)sl_soc_fail(graph->soc, SL_ERROR_USAGE,
                          "%s: talloc of %u elements at once, of which %" PRIu64
                          " lie side by side, up to the end of the channel's array; ask for these "
                          "first",
                          label.text, count, side_by_side);
        return NULL;
    }
    if (!can_reserve(graph, (uint32_t)channel)) {
        (void)sl_soc_fail(graph->soc, SL_ERROR_MACHINE, "%s: talloc: out of memory", label.text);
        return NULL;
    }
    sl_graph_channels(graph->shared)[channel].data_tail = now.data_tail + count;
    set_reserved(&graph->channels[channel], offset, count, true);
    return (void *)(uintptr_t)(shape->data + offset * shape->stride);
}

/* ---- enq ---- */

/* Puts control entries behind the tail: elements from `offset` on. */
static void publish(struct sl_graph_builder *graph, uint32_t channel, uint64_t offset,
                    uint32_t count)
{
    const struct sl_channel *const shape = &graph->shapes[channel];
    const struct sl_audit_counters now = sl_graph_counters(graph, channel);
    struct sl_channel *const shared = &sl_graph_channels(graph->shared)[channel];
    uint32_t *const control = (uint32_t *)(uintptr_t)shape->control;
    const uint64_t mask = 2 * (uint64_t)shape->width - 1;
    for (uint32_t i = 0; i < count; i++) {
        control[(now.control_tail + i) & mask] = (uint32_t)(offset + i);
    }
    shared->control_tail = now.control_tail + count;
    if (shape->stamps == 0) {
        shared->control_reserve = now.control_tail + count;
    } else if (count > 0) {
        uint64_t *const stamps = (uint64_t *)(uintptr_t)shape->stamps;
        const uint64_t number = now.control_reserve;
        *sl_stamp_at(stamps, shape->width, number) = number + count;
        shared->control_reserve = sl_stamp_next(number + count);
    }
}

/* Elements of the channel that the host has allocated, and not enqueued since. */
static enum sl_status check_reserved(const struct sl_graph_builder *graph, uint32_t channel,
                                     uint64_t offset, uint32_t count)
{
    const struct sl_graph_channel_node *const node = &graph->channels[channel];
    const struct sl_graph_label label = sl_graph_channel_label(graph, channel);
    if (count > node->pending) {
        return sl_soc_fail(graph->soc, SL_ERROR_USAGE,
                           "%s: enq of %u elements, where %" PRIu64
                           " are allocated and not enqueued yet",
                           label.text, count, node->pending);
    }
    const uint64_t bad = find_unreserved(node, offset, count);
    if (bad < offset + count) {
        return sl_soc_fail(graph->soc, SL_ERROR_USAGE,
                           "%s: enq of %u elements, of which element %" PRIu64
                           " of the channel's array was not allocated, or is enqueued already; "
                           "enqueue once what talloc on it returned",
                           label.text, count, bad);
    }
    return SL_OK;
}

enum sl_status sl_graph_enq(struct sl_graph_builder *graph, int channel, void *elements,
                            uint32_t count)
{
    if (!is_fillable(graph, channel, "enq")) {
        return SL_ERROR_USAGE;
    }
    const struct sl_channel *const shape = &graph->shapes[channel];
    const uint64_t distance = (uintptr_t)elements - shape->data;
    const uint64_t offset = distance / shape->stride;
    if ((uintptr_t)elements < shape->data || distance % shape->stride != 0 ||
        offset >= places_of(shape) || count > places_of(shape) - offset) {
        return sl_soc_fail(graph->soc, SL_ERROR_USAGE,
                           "%s: enq of %u elements at %p, which are none of the channel's; enqueue "
                           "what talloc on it returned",
                           sl_graph_channel_label(graph, (uint64_t)channel).text, count, elements);
    }
    const enum sl_status status = check_reserved(graph, (uint32_t)channel, offset, count);
    if (status == SL_OK && count > 0) {
        set_reserved(&graph->channels[channel], offset, count, false);
        publish(graph, (uint32_t)channel, offset, count);
    }
    return status;
}

struct sl_view sl_graph_view(struct sl_graph_builder *graph, int channel, const void *elements)
{
    const struct sl_channel *const shape = &graph->shapes[channel];
    return sl_view_of(sl_form_of(shape), shape, elements);
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
