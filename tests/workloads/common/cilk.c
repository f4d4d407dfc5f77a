/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Options, graph and run of the Cilk programs. */
#include "workloads/common/cilk.h"

#include <assert.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/common/variant.h"

#define KERNEL_NAME_BYTES 64

enum { KEY_JOINS = 256, KEY_DONE_GROUP, KEY_NARROW, KEY_POLICY, KEY_PREDICATE, KEY_VARIANT };

static const struct argp_option width_option_table[] = {
    {"width", 'w', "ELEMENTS", 0,
     "Elements of each channel, a power of two (default: as in Table 3 of the core paper)", 0},
    {"continuations", KEY_JOINS, "ELEMENTS", 0,
     "Elements of each channel of continuations (default: as the others)", 0},
    {"done-group", KEY_DONE_GROUP, "ELEMENTS", 0,
     "Elements of a channel that share a done count and are deallocated together, a power of two "
     "(default 64)",
     0},
    {"narrow", KEY_NARROW, NULL, 0,
     "Accept channels that are too narrow for one wavefront: the run may end with an error", 0},
    POLICY_OPTION(KEY_POLICY),
    PREDICATE_OPTION(KEY_PREDICATE),
    {0},
};

static error_t parse_width(int key, char *argument, struct argp_state *state)
{
    struct cilk_options *const options = state->input;
    switch (key) {
    case 'w':
        options->width = (uint32_t)sl_app_number(state, "--width", argument, 1, UINT32_MAX);
        return 0;
    case KEY_JOINS:
        options->joins = (uint32_t)sl_app_number(state, "--continuations", argument, 1, UINT32_MAX);
        return 0;
    case KEY_DONE_GROUP:
        options->channel.done_group =
            sl_app_power_of_two(state, "--done-group", argument, 1, SL_CHANNEL_WIDTH_MAX);
        return 0;
    case KEY_NARROW:
        options->channel.flags |= SL_CHANNEL_NARROW;
        return 0;
    case KEY_POLICY:
        policy_parse(state, argument, &options->policy);
        return 0;
    case KEY_PREDICATE:
        predicate_parse(state, argument, &options->channel);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_variant(int key, char *argument, struct argp_state *state)
{
    struct cilk_options *const options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = options;
        return 0;
    case KEY_VARIANT:
        options->channel.flags |= variant_flags(state, argument, options->has_forms);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp width_argp = {.options = width_option_table, .parser = parse_width};
static const struct argp_child width_children[] = {{&width_argp, 0, NULL, 0}, {0}};
static const struct argp_option variant_table[] = {VARIANT_OPTIONS(KEY_VARIANT), {0}};
static const struct argp_option channels_table[] = {VARIANT_OPTION("channels", KEY_VARIANT), {0}};
const struct argp cilk_argp = {
    .options = variant_table, .parser = parse_variant, .children = width_children};
const struct argp cilk_channels_argp = {
    .options = channels_table, .parser = parse_variant, .children = width_children};

enum sl_status cilk_begin(struct sl_soc *soc, const struct cilk_options *options,
                          const char *kernels, struct sl_graph_builder **graph)
{
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, kernels, &module);
    if (status == SL_OK) {
        status = sl_graph_create(module, graph);
    }
    if (status == SL_OK) {
        policy_apply(*graph, &options->policy);
    }
    return status;
}

static int kernel_of(struct sl_graph_builder *graph, const struct cilk_options *options,
                     const char *function)
{
    char name[KERNEL_NAME_BYTES];

    return sl_graph_kernel(graph,
                           variant_kernel(function, options->channel.flags, name, sizeof name));
}

static int stack(struct sl_graph_builder *graph, const struct cilk_options *options,
                 enum sl_channel_role role, uint32_t width, const char *name, size_t element_bytes,
                 uint32_t levels, int kernel)
{
    struct sl_channel_options channel = options->channel;
    channel.name = name;
    const int first = sl_graph_stack(graph, role, element_bytes, width, levels, &channel);

    sl_graph_connect_stack(graph, first, kernel);
    return first;
}

int cilk_tasks(struct sl_graph_builder *graph, const struct cilk_options *options, const char *name,
               size_t element_bytes, uint32_t levels, const char *function, int *kernel)
{
    *kernel = kernel_of(graph, options, function);
    return stack(graph, options, SL_ROLE_PRE_SPAWN, options->width, name, element_bytes, levels,
                 *kernel);
}

int cilk_joins(struct sl_graph_builder *graph, const struct cilk_options *options, const char *name,
               size_t element_bytes, uint32_t levels, const char *function, int *kernel)
{
    const uint32_t width = options->joins != 0 ? options->joins : options->width;

    *kernel = kernel_of(graph, options, function);
    return stack(graph, options, SL_ROLE_POST_SYNC, width, name, element_bytes, levels, *kernel);
}

enum sl_status cilk_root_make(struct sl_graph_builder *graph, int tasks, struct cilk_root *root)
{
    const enum sl_status status = sl_graph_prepare(graph);
    if (status != SL_OK) {
        return status;
    }
    root->tasks = tasks;
    root->element = sl_graph_talloc(graph, tasks, 1);
    if (root->element == NULL) {
        return SL_ERROR_USAGE;
    }
    root->view = sl_graph_view(graph, tasks, root->element);
    return SL_OK;
}

enum sl_status cilk_root_run(struct sl_soc *soc, struct sl_graph_builder *graph,
                             const struct cilk_root *root)
{
    enum sl_status status = sl_graph_enq(graph, root->tasks, root->element, 1);
    if (status == SL_OK) {
        status = sl_graph_execute(graph);
    }
    return status == SL_OK ? sl_app_wait(soc, graph) : status;
}

enum sl_status cilk_execute(struct sl_soc *soc, struct sl_graph_builder *graph, int tasks,
                            const void *root, size_t element_bytes)
{
    struct cilk_root made;
    const enum sl_status status = cilk_root_make(graph, tasks, &made);
    if (status != SL_OK) {
        return status;
    }
    assert(made.view.form != SL_SOA);
    memcpy(made.element, root, element_bytes);
    return cilk_root_run(soc, graph, &made);
}
