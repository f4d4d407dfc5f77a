/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Channel stacks (papers/001 sections 5.2 and 5.3): as many channels as there are levels,
 * connected alike. */
#include <stdio.h>

#include "host/driver/graph/builder.h"

int sl_graph_stack(struct sl_graph_builder *graph, enum sl_channel_role role, size_t element_bytes,
                   uint32_t width, uint32_t levels, const struct sl_channel_options *options)
{
    const uint32_t first = graph->channel_count;
    if (role != SL_ROLE_PRE_SPAWN && role != SL_ROLE_POST_SYNC) {
        sl_builder_error(graph,
                         "sl_graph_stack: role %d is neither pre-spawn (%d) nor post-sync (%d)",
                         (int)role, SL_ROLE_PRE_SPAWN, SL_ROLE_POST_SYNC);
        return -1;
    }
    if (levels == 0 || levels > SL_STACK_LEVELS) {
        sl_builder_error(graph, "a channel stack of %u levels; from 1 to %d are possible", levels,
                         SL_STACK_LEVELS);
        return -1;
    }
    for (uint32_t level = 0; level < levels; level++) {
        struct sl_channel_options own = {0};
        char name[SL_GRAPH_NAME_BYTES];
        if (options != NULL) {
            own = *options;
        }
        (void)snprintf(name, sizeof name, "%.40s" SL_GRAPH_LEVEL,
                       own.name != NULL ? own.name : "stack", level);
        own.name = name;
        const int channel = sl_graph_channel(graph, element_bytes, width, &own);
        if (channel < 0) {
            return -1;
        }
        graph->channels[channel].role = role;
        graph->channels[channel].level = level;
        graph->channels[channel].levels = levels;
    }
    return (int)first;
}

/* Whether a number is that of the first channel of a stack. */
static bool is_stack(struct sl_graph_builder *graph, const char *what, int stack)
{
    if (!sl_builder_has_channel(graph, what, stack)) {
        return false;
    }
    const struct sl_graph_channel_node *const node = &graph->channels[stack];
    if (node->levels == 0 || node->level != 0) {
        sl_builder_error(graph, "%s: channel %d is not the first one of a channel stack", what,
                         stack);
        return false;
    }
    return true;
}

void sl_graph_connect_stack(struct sl_graph_builder *graph, int stack, int kernel)
{
    if (!sl_builder_is_open(graph, "sl_graph_connect_stack") ||
        !is_stack(graph, "sl_graph_connect_stack", stack)) {
        return;
    }
    const uint32_t levels = graph->channels[stack].levels;
    for (uint32_t level = 0; level < levels; level++) {
        sl_graph_connect(graph, stack + (int)level, kernel);
    }
}

void sl_graph_output_stack(struct sl_graph_builder *graph, int kernel, int stack, uint32_t fan_out,
                           uint32_t level_offset)
{
    if (!sl_builder_is_open(graph, "sl_graph_output_stack") ||
        !is_stack(graph, "sl_graph_output_stack", stack)) {
        return;
    }
    if (level_offset > 1) {
        sl_builder_error(graph,
                         "sl_graph_output_stack: level offset %u; a kernel puts elements into its "
                         "own level (0) or the one below it (1)",
                         level_offset);
        return;
    }
    const uint32_t levels = graph->channels[stack].levels;
    for (uint32_t level = 0; level < levels; level++) {
        sl_builder_output(graph, kernel, stack + (int)level, fan_out, level_offset);
    }
}
