/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A kernel node, its channel and its arguments in one call. */
#include "host/driver/code/kernel_arguments.h"
#include "sluice/sluice.h"

int sl_graph_consumer(struct sl_graph_builder *graph, int channel, const char *function,
                      const struct sl_value *values, unsigned count)
{
    const int kernel = sl_graph_kernel(graph, function);

    sl_graph_connect(graph, channel, kernel);
    for (unsigned i = 0; i < count; i++) {
        sl_graph_value(graph, kernel, SL_GRAPH_PARAMETERS + (int)i, values[i]);
    }
    return kernel;
}
