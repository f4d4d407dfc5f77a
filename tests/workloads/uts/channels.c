/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Runtime channels: one channel, whose kernel puts a node's children into it again. A graph of this
 * kind never yields, so that the channel has to hold what waits at once. */
#include "sluice/program.h"
#include "workloads/uts/run.h"

/* For the children of a wavefront, each lane's as many as a node can have. */
#define WIDTH_LEAST 8192

static uint32_t wide_enough(uint64_t nodes)
{
    uint32_t width = WIDTH_LEAST;
    while (width < nodes) {
        width *= 2;
    }
    return width;
}

/* As many at once as the kernel may put in. */
static void put_first(struct sl_graph_builder *graph, int channel, const struct uts_memory *memory)
{
    for (uint32_t put = 0; put < memory->children; put += UTS_CHILDREN_MAX) {
        const uint32_t left = memory->children - put;
        const uint32_t count = left < UTS_CHILDREN_MAX ? left : UTS_CHILDREN_MAX;
        struct uts_node *const nodes = sl_app_put(graph, channel, count);
        for (uint32_t i = 0; i < count; i++) {
            nodes[i] = uts_first(memory, put + i);
        }
    }
}

enum sl_status uts_by_channels(struct sl_soc *soc, const struct uts_input *input, uint32_t width,
                               struct uts_memory *memory)
{
    const struct sl_channel_options options = {.name = "nodes", .flags = SL_CHANNEL_NARROW};
    struct sl_module *module;

    const enum sl_status status = sl_app_load(soc, "uts.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    uts_memory_make(soc, input, memory);
    if (memory->children == 0) {
        return SL_OK;
    }
    const int channel =
        sl_graph_channel(graph, sizeof(struct uts_node),
                         width > 0 ? width : wide_enough(input->right.nodes), &options);
    const int kernel = sl_graph_kernel(graph, "uts_kernel");
    sl_graph_argument(graph, kernel, 2, (uintptr_t)memory->rows);
    sl_graph_argument(graph, kernel, 3, (uintptr_t)memory->totals);
    sl_graph_connect(graph, channel, kernel);
    sl_graph_output(graph, kernel, channel, UTS_CHILDREN_MAX);
    put_first(graph, channel, memory);
    return sl_app_execute(graph);
}
