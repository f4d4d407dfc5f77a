/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Runs a case: a launch, or a graph of a maker and takers. */
#include <stdio.h>
#include <string.h>

#include "probes/races/cases.h"
#include "sluice/program.h"

#define NAME_BYTES 64

static void begin(struct races_data *data)
{
    memset(data, 0, sizeof *data);
    data->lock = sl_lock_init();
    data->other_lock = sl_lock_init();
}

/* Its wavefronts wait for each other; of many pairs each has all LDS of a compute unit, which it
 * gets from another one. */
static enum sl_status launch(struct sl_soc *soc, const struct races_case *one,
                             const struct races_data *data)
{
    const struct sl_config *const config = sl_soc_config(soc);
    const uint32_t lanes = (uint32_t)config->number[SL_CFG_GPU_LANES];
    const uint32_t lds_bytes = (uint32_t)config->number[SL_CFG_GPU_LDS] - RACES_LDS_BYTES;
    const uint32_t group[3] = {one->layout.wavefronts * lanes, 1, 1};
    const uint32_t grid[3] = {one->layout.groups * group[0], 1, 1};
    const uint64_t arguments[] = {(uintptr_t)data};
    struct sl_module *const module = sl_app_kernels(soc);
    char kernel[NAME_BYTES];

    (void)snprintf(kernel, sizeof kernel, "races_%s", one->name);
    return one->layout.groups <= RACES_ROLES
               ? sl_launch_resident(module, kernel, grid, group, 0, arguments, 1)
               : sl_launch(module, kernel, grid, group, lds_bytes, arguments, 1);
}

static int add_kernel(struct sl_graph_builder *graph, const struct races_case *one,
                      const char *part, uint64_t argument)
{
    char name[NAME_BYTES];
    (void)snprintf(name, sizeof name, "races_%s_%s", one->name, part);
    const int kernel = sl_graph_kernel(graph, name);
    sl_graph_argument(graph, kernel, 2, argument);
    return kernel;
}

/* A done count for each wavefront of goods: the head moves when all are given back. */
static int describe(struct sl_graph_builder *graph, const struct races_case *one,
                    const struct races_data *data)
{
    const struct sl_channel_options of_makers = {.name = "makers"};
    const struct sl_channel_options of_goods = {
        .name = "goods", .done_group = 16, .flags = SL_CHANNEL_NARROW};
    const int makers = sl_graph_channel(graph, sizeof(uint64_t), RACES_GOODS, &of_makers);
    const int goods = sl_graph_channel(graph, sizeof(struct races_good), RACES_GOODS, &of_goods);
    const int make = add_kernel(graph, one, "make", (uint64_t)goods);
    const int take = add_kernel(graph, one, "take", (uintptr_t)data);

    sl_graph_connect(graph, makers, make);
    sl_graph_output(graph, make, goods, RACES_GOODS);
    sl_graph_connect(graph, goods, take);
    return makers;
}

static enum sl_status execute(struct sl_soc *soc, const struct races_case *one,
                              const struct races_data *data)
{
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    uint64_t *const maker = sl_app_put(graph, describe(graph, one, data), 1);

    *maker = 0;
    const enum sl_status status = sl_app_execute(graph);
    if (status == SL_OK) {
        sl_graph_destroy(graph);
    }
    return status;
}

enum sl_status races_run(struct sl_soc *soc, const struct races_case *one, struct races_data *data)
{
    begin(data);
    if (one->layout.groups == 0) {
        return execute(soc, one, data);
    }
    const enum sl_status status = launch(soc, one, data);
    return status == SL_OK ? sl_app_wait(soc, NULL) : status;
}
