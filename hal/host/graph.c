/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The graph builder (core paper, section 4.2 and Figure 6): notes nodes, arguments and edges in the
 * host's own memory. The first mistake is remembered, with names, and comes out of
 * sl_graph_prepare(), so that building reads as in the paper. Placing is in graph_layout.c. */
#include "host/graph.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/policy.h"
#include "host/internal.h"
#include "host/messages.h"
#include "host/module.h"
#include "host/soc.h"

#define DONE_GROUP_DEFAULT 64u /* Table 2 */
#define FIRST_ARGUMENT     2   /* register a2: a0 and a1 are channel and index */

static void graph_error(struct sl_graph_builder *graph, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void graph_error(struct sl_graph_builder *graph, const char *format, ...)
{
    if (graph->error[0] != '\0') {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(graph->error, sizeof graph->error, format, arguments);
    va_end(arguments);
}

/* Whether nodes and edges may still be added. */
static bool is_open(struct sl_graph_builder *graph, const char *what)
{
    if (graph->shared != NULL) {
        graph_error(graph, "%s: the graph is prepared already, add nodes and edges before", what);
    }
    return graph->shared == NULL;
}

static bool is_channel(struct sl_graph_builder *graph, const char *what, int channel)
{
    const bool is_there = channel >= 0 && (uint32_t)channel < graph->channel_count;
    if (!is_there) {
        graph_error(graph, "%s: there is no channel %d: the graph has %" PRIu32 ", from 0", what,
                    channel, graph->channel_count);
    }
    return is_there;
}

static bool is_kernel(struct sl_graph_builder *graph, const char *what, int kernel)
{
    const bool is_there = kernel >= 0 && (uint32_t)kernel < graph->kernel_count;
    if (!is_there) {
        graph_error(graph, "%s: there is no kernel %d: the graph has %" PRIu32 ", from 0", what,
                    kernel, graph->kernel_count);
    }
    return is_there;
}

/* Room for one more entry in a table that grows by doubling. NULL, with the error noted, where
 * `most` are there or memory is used up. */
static void *grow(struct sl_graph_builder *graph, void **table, uint32_t count, size_t entry_bytes,
                  uint32_t most, const char *what)
{
    if (count >= most) {
        graph_error(graph, "the graph has %" PRIu32 " %s; no more are possible", count, what);
        return NULL;
    }
    if ((count & (count - 1)) == 0) {
        void *const larger = realloc(*table, (count == 0 ? 1 : 2 * (size_t)count) * entry_bytes);
        if (larger == NULL) {
            graph_error(graph, "out of memory for %" PRIu32 " %s", count + 1, what);
            return NULL;
        }
        *table = larger;
    }
    return (char *)*table + count * entry_bytes;
}

enum sl_status sl_graph_create(struct sl_module *module, struct sl_graph_builder **out)
{
    struct sl_soc *const soc = sl_module_soc(module);
    struct sl_graph_builder *const graph = calloc(1, sizeof *graph);
    *out = graph;
    if (graph == NULL) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "out of memory");
    }
    graph->soc = soc;
    graph->module = module;
    graph->next = soc->graphs;
    soc->graphs = graph;
    return SL_OK;
}

void sl_graph_destroy(struct sl_graph_builder *graph)
{
    if (graph == NULL) {
        return;
    }
    struct sl_graph_builder **link = &graph->soc->graphs;
    while (*link != graph) {
        link = &(*link)->next;
    }
    *link = graph->next;
    sl_graph_unplace(graph);
    free(graph->channels);
    free(graph->kernels);
    free(graph->edges);
    free(graph);
}

struct sl_graph_builder *sl_graph_at(struct sl_soc *soc, uint64_t address)
{
    struct sl_graph_builder *graph = soc->graphs;
    while (graph != NULL && (uintptr_t)graph->shared != address) {
        graph = graph->next;
    }
    return address != 0 ? graph : NULL;
}

int sl_graph_channel(struct sl_graph_builder *graph, size_t element_bytes, uint32_t width,
                     const struct sl_channel_options *options)
{
    const uint32_t id = graph->channel_count;
    void *table = graph->channels;
    struct sl_graph_channel_node *const node =
        is_open(graph, "sl_graph_channel")
            ? grow(graph, &table, id, sizeof *node, SL_GRAPH_CHANNELS, "channels")
            : NULL;
    if (node == NULL) {
        return -1;
    }
    graph->channels = table;
    graph->channel_count++;
    *node = (struct sl_graph_channel_node){
        .element_bytes = element_bytes, .width = width, .kernel = -1, .fan_out = 1};
    if (options != NULL) {
        node->options = *options;
        (void)snprintf(node->name, sizeof node->name, "%s",
                       options->name != NULL ? options->name : "");
    }
    node->options.name = NULL;
    if (node->options.done_group == 0) {
        node->options.done_group = DONE_GROUP_DEFAULT;
    }
    char name[SL_GRAPH_NAME_BYTES + 32];
    sl_graph_channel_text(graph, id, name, sizeof name);
    const uint32_t group = node->options.done_group;
    if ((group & (group - 1)) != 0) {
        graph_error(graph,
                    "%s: a done-count group of %" PRIu32
                    " elements is not a power of two from 1 to "
                    "the channel's width",
                    name, group);
    }
    if (element_bytes == 0 || element_bytes > SL_CHANNEL_STRIDE_MAX) {
        graph_error(graph, "%s: elements of %zu bytes; from 1 to %u are possible", name,
                    element_bytes, SL_CHANNEL_STRIDE_MAX);
    }
    return (int)id;
}

int sl_graph_kernel(struct sl_graph_builder *graph, const char *function)
{
    const uint32_t index = graph->kernel_count;
    void *table = graph->kernels;
    struct sl_graph_kernel_node *const node =
        is_open(graph, "sl_graph_kernel")
            ? grow(graph, &table, index, sizeof *node, SL_GRAPH_KERNELS, "kernels")
            : NULL;
    if (node == NULL) {
        return -1;
    }
    graph->kernels = table;
    const int handle = sl_module_kernel(graph->module, function);
    if (handle < 0) {
        graph_error(graph, "kernel '%s': %s", function, sl_soc_error(graph->soc));
        return -1;
    }
    graph->kernel_count++;
    const struct sl_kernel_needs needs = sl_module_kernel_needs(graph->module, handle);
    *node = (struct sl_graph_kernel_node){.entry = sl_module_kernel_entry(graph->module, handle),
                                          .register_mask = needs.register_mask,
                                          .yields = needs.yields};
    (void)snprintf(node->name, sizeof node->name, "%s", function);
    return (int)index;
}

void sl_graph_argument(struct sl_graph_builder *graph, int kernel, int position, uint64_t value)
{
    if (!is_kernel(graph, "sl_graph_argument", kernel)) {
        return;
    }
    struct sl_graph_kernel_node *const node = &graph->kernels[kernel];
    const int last = FIRST_ARGUMENT + SL_KERNEL_ARGUMENTS - 1;
    if (position < FIRST_ARGUMENT || position > last) {
        graph_error(graph, "kernel %d '%s': argument position %d; constant arguments are %d to %d",
                    kernel, node->name, position, FIRST_ARGUMENT, last);
        return;
    }
    const uint32_t index = (uint32_t)(position - FIRST_ARGUMENT);
    const uint32_t count = index + 1 > node->argument_count ? index + 1 : node->argument_count;
    if (graph->shared != NULL) {
        if (graph->soc->is_running) {
            graph_error(graph, "kernel %d '%s': argument %d set while a graph is running", kernel,
                        node->name, position);
            return;
        }
        graph->shared_kernels[kernel].argument[index] = value;
        graph->shared_kernels[kernel].argument_count = count;
    }
    node->argument[index] = value;
    node->argument_count = count;
}

void sl_graph_connect(struct sl_graph_builder *graph, int channel, int kernel)
{
    const char *const what = "sl_graph_connect";
    if (!is_open(graph, what) || !is_channel(graph, what, channel) ||
        !is_kernel(graph, what, kernel)) {
        return;
    }
    struct sl_graph_channel_node *const node = &graph->channels[channel];
    if (node->kernel >= 0) {
        char name[SL_GRAPH_NAME_BYTES + 32];
        sl_graph_channel_text(graph, (uint64_t)channel, name, sizeof name);
        graph_error(
            graph,
            "%s: connected to kernel %d '%s' already, and then to kernel %d '%s'; a channel "
            "has exactly one kernel",
            name, node->kernel, graph->kernels[node->kernel].name, kernel,
            graph->kernels[kernel].name);
        return;
    }
    node->kernel = kernel;
}

static void add_output(struct sl_graph_builder *graph, int kernel, int channel, uint32_t fan_out,
                       uint32_t level_offset)
{
    const char *const what = "sl_graph_output";
    if (!is_open(graph, what) || !is_kernel(graph, what, kernel) ||
        !is_channel(graph, what, channel)) {
        return;
    }
    struct sl_graph_channel_node *const node = &graph->channels[channel];
    char name[SL_GRAPH_NAME_BYTES + 32];
    sl_graph_channel_text(graph, (uint64_t)channel, name, sizeof name);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        if (graph->edges[i].kernel == (uint32_t)kernel &&
            graph->edges[i].channel == (uint32_t)channel) {
            graph_error(
                graph,
                "%s is declared twice as an output of kernel %d '%s', with fan-outs %" PRIu32
                " and %" PRIu32 "; declare the larger one",
                name, kernel, graph->kernels[kernel].name, graph->edges[i].fan_out, fan_out);
            return;
        }
    }
    if (fan_out == 0 || (fan_out > node->width && node->width >= SL_CHANNEL_WIDTH_MIN)) {
        graph_error(graph,
                    "%s: kernel %d '%s' has fan-out %" PRIu32
                    " into it; from 1 to the channel's width, %" PRIu32 ", is possible",
                    name, kernel, graph->kernels[kernel].name, fan_out, node->width);
        return;
    }
    void *table = graph->edges;
    struct sl_edge *const edge =
        grow(graph, &table, graph->edge_count, sizeof *edge, SL_GRAPH_EDGES, "edges");
    if (edge == NULL) {
        return;
    }
    graph->edges = table;
    graph->edge_count++;
    *edge = (struct sl_edge){(uint32_t)kernel, (uint32_t)channel, fan_out, level_offset};
    node->fan_out = fan_out > node->fan_out ? fan_out : node->fan_out;
}

void sl_graph_output(struct sl_graph_builder *graph, int kernel, int channel, uint32_t fan_out)
{
    add_output(graph, kernel, channel, fan_out, 0);
}

int sl_graph_stack(struct sl_graph_builder *graph, enum sl_channel_role role, size_t element_bytes,
                   uint32_t width, uint32_t levels, const struct sl_channel_options *options)
{
    const uint32_t first = graph->channel_count;
    if (role != SL_ROLE_PRE_SPAWN && role != SL_ROLE_POST_SYNC) {
        graph_error(graph, "sl_graph_stack: role %d is neither pre-spawn (%d) nor post-sync (%d)",
                    (int)role, SL_ROLE_PRE_SPAWN, SL_ROLE_POST_SYNC);
        return -1;
    }
    if (levels == 0 || levels > SL_STACK_LEVELS) {
        graph_error(graph, "a channel stack of %" PRIu32 " levels; from 1 to %d are possible",
                    levels, SL_STACK_LEVELS);
        return -1;
    }
    for (uint32_t level = 0; level < levels; level++) {
        struct sl_channel_options own = {0};
        char name[SL_GRAPH_NAME_BYTES];
        if (options != NULL) {
            own = *options;
        }
        (void)snprintf(name, sizeof name, "%.40s level %" PRIu32,
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
    if (!is_channel(graph, what, stack)) {
        return false;
    }
    const struct sl_graph_channel_node *const node = &graph->channels[stack];
    if (node->levels == 0 || node->level != 0) {
        graph_error(graph, "%s: channel %d is not the first one of a channel stack", what, stack);
        return false;
    }
    return true;
}

void sl_graph_connect_stack(struct sl_graph_builder *graph, int stack, int kernel)
{
    if (!is_open(graph, "sl_graph_connect_stack") ||
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
    if (!is_open(graph, "sl_graph_output_stack") ||
        !is_stack(graph, "sl_graph_output_stack", stack)) {
        return;
    }
    if (level_offset > 1) {
        graph_error(graph,
                    "sl_graph_output_stack: level offset %" PRIu32
                    "; a kernel puts elements into its own level (0) or the one below it (1)",
                    level_offset);
        return;
    }
    const uint32_t levels = graph->channels[stack].levels;
    for (uint32_t level = 0; level < levels; level++) {
        add_output(graph, kernel, stack + (int)level, fan_out, level_offset);
    }
}

const char *sl_policy_name(unsigned policy)
{
    return policy < SL_SCHEDULER_COUNT ? sl_policy_names[policy] : NULL;
}

const char *sl_predicate_name(unsigned predicate)
{
    static const char *const names[] = {
#define SL_PREDICATE(NAME, name, value, text) [SL_PREDICATE_##NAME] = #name,
#include "regs/predicates.def"
#undef SL_PREDICATE
    };
    return predicate < SL_PREDICATE_COUNT ? names[predicate] : NULL;
}

void sl_graph_policy(struct sl_graph_builder *graph, enum sl_scheduler policy)
{
    if (!is_open(graph, "sl_graph_policy")) {
        return;
    }
    if ((unsigned)policy >= SL_SCHEDULER_COUNT) {
        graph_error(graph, "sl_graph_policy: there is no policy %d: there are %d, from 0",
                    (int)policy, SL_SCHEDULER_COUNT);
        return;
    }
    graph->has_policy = true;
    graph->policy = policy;
}

/* What the builder alone can say well: the shared check sees only numbers. */
static void check_nodes(struct sl_graph_builder *graph)
{
    if (graph->channel_count == 0 || graph->kernel_count == 0) {
        graph_error(graph,
                    "the graph has %" PRIu32 " channels and %" PRIu32
                    " kernels; it needs at least one of each",
                    graph->channel_count, graph->kernel_count);
    }
    uint64_t used = 0;
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        if (graph->channels[i].kernel < 0) {
            char name[SL_GRAPH_NAME_BYTES + 32];
            sl_graph_channel_text(graph, i, name, sizeof name);
            graph_error(graph,
                        "%s is not connected to a kernel: nothing would consume its elements; call "
                        "sl_graph_connect()",
                        name);
        } else {
            used |= 1ull << graph->channels[i].kernel;
        }
    }
    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        if ((used >> i & 1) == 0) {
            graph_error(graph,
                        "kernel %" PRIu32
                        " '%s' is not connected to a channel: nothing would start "
                        "it; call sl_graph_connect()",
                        i, graph->kernels[i].name);
        }
    }
}

enum sl_status sl_graph_prepare(struct sl_graph_builder *graph)
{
    if (graph->shared == NULL) {
        check_nodes(graph);
    }
    if (graph->error[0] != '\0') {
        return sl_soc_fail(graph->soc, SL_ERROR_USAGE, "%s", graph->error);
    }
    return graph->shared != NULL ? SL_OK : sl_graph_place(graph);
}

enum sl_status sl_graph_execute(struct sl_graph_builder *graph)
{
    struct sl_soc *const soc = graph->soc;
    enum sl_status status = sl_graph_prepare(graph);
    if (status != SL_OK) {
        return status;
    }
    if (graph->is_broken) {
        return sl_soc_fail(
            soc, SL_ERROR_USAGE,
            "this graph did not complete when it was executed, its channels hold what "
            "was left; make a new one");
    }
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        if (graph->channels[i].pending != 0) {
            char name[SL_GRAPH_NAME_BYTES + 32];
            sl_graph_channel_text(graph, i, name, sizeof name);
            return sl_soc_fail(soc, SL_ERROR_USAGE,
                               "%s: %" PRIu64 " elements were allocated and not enqueued; call "
                               "sl_graph_enq() before executing",
                               name, graph->channels[i].pending);
        }
    }
    return sl_soc_execute_unchecked(soc, (uintptr_t)graph->shared);
}
