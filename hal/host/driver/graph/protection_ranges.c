/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What lanes may do with the memory of their graph (docs/know/trust.md): read all of it, write
 * elements, and have the channel routines write what these keep of a channel. */
#include "host/driver/graph/builder.h"

/* Lines of struct sl_channel that the channel routines write. */
#define LINE_OF(field)  (1u << offsetof(struct sl_channel, field) / SL_RANGE_GRAIN)
#define COUNTER_LINES   (LINE_OF(data_tail) | LINE_OF(control_reserve) | LINE_OF(control_tail))
#define ALL_LINES       0xffu
#define READ            ((uint32_t)SL_ACCESS_READ)
#define READ_WRITE      (READ | (uint32_t)SL_ACCESS_WRITE)
#define READ_BY_ROUTINE (READ | (uint32_t)SL_ACCESS_ROUTINES)

static_assert(sizeof(struct sl_channel) == 8 * SL_RANGE_GRAIN, "a range's lines are a channel's");
static_assert(sizeof(struct sl_graph) % SL_RANGE_GRAIN == 0, "channels begin a range");

uint32_t sl_graph_ranges(const struct sl_graph_builder *graph, struct sl_range *ranges)
{
    const struct sl_graph_block *const description = &graph->blocks[SL_GRAPH_DESCRIPTION];
    const struct sl_graph_block *const data = &graph->blocks[SL_GRAPH_DATA];
    const struct sl_graph_block *const accounting = &graph->blocks[SL_GRAPH_ACCOUNTING];
    const uint64_t base = (uintptr_t)description->memory;
    const uint64_t channels = base + sizeof(struct sl_graph);
    const uint64_t tables = channels + graph->channel_count * sizeof(struct sl_channel);
    const uint64_t limit = base + description->bytes;
    const struct sl_range all[SL_GRAPH_RANGES] = {
        {base, channels - base, READ, 0, SL_RANGE_GRAPH, {0}},
        {channels, tables - channels, READ_BY_ROUTINE, COUNTER_LINES, SL_RANGE_GRAPH, {0}},
        {tables, limit - tables, READ, 0, SL_RANGE_GRAPH, {0}},
        {(uintptr_t)data->memory, data->bytes, READ_WRITE, 0, SL_RANGE_DATA, {0}},
        {(uintptr_t)accounting->memory,
         accounting->bytes,
         READ_BY_ROUTINE,
         ALL_LINES,
         SL_RANGE_CONTROL,
         {0}},
    };
    uint32_t count = 0;
    for (unsigned i = 0; i < SL_GRAPH_RANGES; i++) {
        if (all[i].bytes > 0) {
            ranges[count++] = all[i];
        }
    }
    return count;
}
