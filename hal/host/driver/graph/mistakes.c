/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Mistakes in building a graph: the first one is remembered, with names, whichever call made it.
 * Below all calls that build. */
#include "host/driver/graph/builder.h"

#include <stdarg.h>
#include <stdio.h>

void sl_builder_error(struct sl_graph_builder *graph, const char *format, ...)
{
    if (graph->error[0] != '\0') {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(graph->error, sizeof graph->error, format, arguments);
    va_end(arguments);
}

bool sl_builder_is_open(struct sl_graph_builder *graph, const char *what)
{
    if (graph->shared != NULL) {
        sl_builder_error(graph, "%s: the graph is prepared already, add nodes and edges before",
                         what);
    }
    return graph->shared == NULL;
}

static bool is_there(struct sl_graph_builder *graph, const char *what, const char *node, int number,
                     uint32_t count)
{
    const bool is_there = number >= 0 && (uint32_t)number < count;
    if (!is_there) {
        sl_builder_error(graph, "%s: there is no %s %d: the graph has %u, from 0", what, node,
                         number, count);
    }
    return is_there;
}

bool sl_builder_has_channel(struct sl_graph_builder *graph, const char *what, int channel)
{
    return is_there(graph, what, "channel", channel, graph->channel_count);
}

bool sl_builder_has_kernel(struct sl_graph_builder *graph, const char *what, int kernel)
{
    return is_there(graph, what, "kernel", kernel, graph->kernel_count);
}
