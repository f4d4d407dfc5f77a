/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Which part of a graph lies at an address, in words. The places come from what the host placed,
 * and not from the description in shared memory. */
#include <inttypes.h>
#include <stdio.h>

#include "check/graph/channels.h"
#include "host/base/text.h"
#include "host/driver/graph/builder.h"

static bool is_in(const struct sl_graph_block *block, uint64_t address)
{
    const uint64_t base = (uintptr_t)block->memory;
    return block->memory != NULL && address >= base && address - base < block->bytes;
}

static void of_channel(const struct sl_graph_builder *graph, uint64_t channel, const char *part,
                       char *out, size_t bytes)
{
    sl_text_append(out, bytes, "%s of %s", part, sl_graph_channel_label(graph, channel).text);
}

static void describe_head(const struct sl_graph_builder *graph, uint64_t offset, char *out,
                          size_t bytes)
{
    const uint64_t channel = (offset - sizeof(struct sl_graph)) / sizeof(struct sl_channel);
    const uint64_t field = (offset - sizeof(struct sl_graph)) % sizeof(struct sl_channel);
    if (offset < sizeof(struct sl_graph)) {
        sl_text_append(out, bytes, "the description");
    } else if (channel >= graph->channel_count) {
        sl_text_append(out, bytes, "the table of kernels, edges, guards and limits");
    } else {
        const bool is_counter = field >= offsetof(struct sl_channel, data_tail) &&
                                field < offsetof(struct sl_channel, role);
        of_channel(graph, channel, is_counter ? "the counters" : "the description", out, bytes);
    }
}

/* The channel whose array holds the address: the last of those that begin at or below it. */
static uint64_t channel_of(const struct sl_graph_builder *graph, const uint64_t *first,
                           uint64_t address)
{
    uint64_t channel = 0;
    while (channel + 1 < graph->channel_count && first[channel + 1] <= address) {
        channel++;
    }
    return channel;
}

bool sl_graph_append_where(const struct sl_graph_builder *graph, uint64_t address, char *out,
                           size_t bytes)
{
    const struct sl_graph_block *const description = &graph->blocks[SL_GRAPH_DESCRIPTION];
    if (is_in(description, address)) {
        describe_head(graph, address - (uintptr_t)description->memory, out, bytes);
        return true;
    }
    if (is_in(&graph->blocks[SL_GRAPH_DATA], address)) {
        of_channel(graph, channel_of(graph, graph->data_at, address), "the data array", out, bytes);
        return true;
    }
    if (!is_in(&graph->blocks[SL_GRAPH_ACCOUNTING], address)) {
        return false;
    }
    const uint64_t channel = channel_of(graph, graph->books_at, address);
    const uint64_t offset = address - graph->books_at[channel];
    const uint64_t width = graph->channels[channel].width;
    const uint64_t control = 2 * width * sizeof(uint32_t);
    const uint64_t groups = width / graph->channels[channel].options.done_group;
    const uint64_t done = control + ((groups * sizeof(uint32_t) + SL_CACHE_LINE_BYTES - 1) &
                                     ~(uint64_t)(SL_CACHE_LINE_BYTES - 1));
    of_channel(graph, channel,
               offset < control ? "the control array"
               : offset < done  ? "the done counts"
                                : "the stamps",
               out, bytes);
    return true;
}
