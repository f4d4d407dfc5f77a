/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Constant arguments of kernel nodes: noted as they come, held against the kernels' prototypes when
 * the graph is prepared, and one by one from then on. */
#include "host/driver/code/module.h"
#include "host/driver/graph/builder.h"
#include "host/driver/machine/machine.h"

#define ERROR_BYTES 900

/* False where they are others than the kernel has. */
static bool place(struct sl_graph_builder *graph, uint32_t kernel)
{
    struct sl_graph_kernel_node *const node = &graph->kernels[kernel];
    char error[ERROR_BYTES];

    if (sl_arguments_place(sl_module_prototype(graph->module, node->handle), &node->arguments,
                           &node->kernel, error, sizeof error) != 0) {
        sl_builder_error(graph, "kernel %u '%s': %s", kernel, node->name, error);
        return false;
    }
    return true;
}

void sl_builder_place_arguments(struct sl_graph_builder *graph)
{
    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        (void)place(graph, i);
    }
}

void sl_graph_value(struct sl_graph_builder *graph, int kernel, int position, struct sl_value value)
{
    if (!sl_builder_has_kernel(graph, "sl_graph_argument", kernel)) {
        return;
    }
    struct sl_graph_kernel_node *const node = &graph->kernels[kernel];
    const int last = SL_GRAPH_PARAMETERS + SL_KERNEL_ARGUMENTS - 1;
    if (position < SL_GRAPH_PARAMETERS || position > last) {
        sl_builder_error(graph,
                         "kernel %d '%s': argument position %d; constant arguments are %d to %d",
                         kernel, node->name, position, SL_GRAPH_PARAMETERS, last);
        return;
    }
    if (graph->shared != NULL && graph->soc->is_running) {
        sl_builder_error(graph, "kernel %d '%s': argument %d set while a graph is running", kernel,
                         node->name, position);
        return;
    }
    const unsigned index = (unsigned)(position - SL_GRAPH_PARAMETERS);
    struct sl_arguments *const arguments = &node->arguments;
    arguments->value[index] = value;
    arguments->set |= 1u << index;
    if (arguments->count <= index) {
        arguments->count = index + 1;
    }
    if (graph->shared != NULL && place(graph, (uint32_t)kernel)) {
        struct sl_kernel *const shared = &graph->shared_kernels[kernel];
        const struct sl_kernel placed = node->kernel;
        shared->argument_count = placed.argument_count;
        shared->float_arguments = placed.float_arguments;
        shared->argument[index] = placed.argument[index];
    }
}

void sl_graph_argument(struct sl_graph_builder *graph, int kernel, int position, uint64_t value)
{
    sl_graph_value(graph, kernel, position, sl_value_u64(value));
}
