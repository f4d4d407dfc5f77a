/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Options and graph of the Cilk programs. */
#include "workloads/common/cilk.h"

#include "sluice/program.h"
#include "workloads/common/variant.h"

const struct sl_argument cilk_rows[] = {
    SL_WIDTH_ROW(struct cilk_options, width),
    {"continuations", 0, SL_NUMBER, 1, 0, SL_INTO(struct cilk_options, joins),
     "Elements of each channel of continuations (default: as the others)", "ELEMENTS"},
    {"done-group", 0, SL_POWER_OF_TWO, 1, SL_CHANNEL_WIDTH_MAX,
     SL_INTO(struct cilk_options, channel.done_group),
     "Elements of a channel that share a done count and are deallocated together (default 64)",
     "ELEMENTS"},
    {"narrow", 0, SL_FLAG, 0, 0, SL_INTO(struct cilk_options, is_narrow),
     "Accept channels that are too narrow for one wavefront: the run may end with an error"},
    SL_POLICY_ROW(struct cilk_options, policy),
    SL_PREDICATE_ROW(struct cilk_options, channel),
    {0},
};

struct sl_graph_builder *cilk_begin(struct sl_soc *soc, const struct cilk_options *options,
                                    const char *program)
{
    variant_load(soc, program, options->channel.flags, true);
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    sl_app_use_policy(graph, &options->policy);
    return graph;
}

static int stack(struct sl_graph_builder *graph, const struct cilk_options *options,
                 enum sl_channel_role role, uint32_t width, const char *name, size_t element_bytes,
                 uint32_t levels, int kernel)
{
    struct sl_channel_options channel = options->channel;
    channel.name = name;
    channel.flags |= options->is_narrow ? SL_CHANNEL_NARROW : 0;
    const int first = sl_graph_stack(graph, role, element_bytes, width, levels, &channel);

    sl_graph_connect_stack(graph, first, kernel);
    return first;
}

int cilk_tasks(struct sl_graph_builder *graph, const struct cilk_options *options, const char *name,
               size_t element_bytes, uint32_t levels, const char *function, int *kernel)
{
    *kernel = variant_kernel(graph, function, options->channel.flags);
    return stack(graph, options, SL_ROLE_PRE_SPAWN, options->width, name, element_bytes, levels,
                 *kernel);
}

int cilk_joins(struct sl_graph_builder *graph, const struct cilk_options *options, const char *name,
               size_t element_bytes, uint32_t levels, const char *function, int *kernel)
{
    const uint32_t width = options->joins != 0 ? options->joins : options->width;

    *kernel = variant_kernel(graph, function, options->channel.flags);
    return stack(graph, options, SL_ROLE_POST_SYNC, width, name, element_bytes, levels, *kernel);
}

struct sl_view cilk_root(struct sl_graph_builder *graph, int tasks)
{
    return sl_graph_view(graph, tasks, sl_app_put(graph, tasks, 1));
}
