/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sentences for refused graphs (hal/graph/check.h): the node by its name, the value that was found,
 * and what would be right. The library's own check and the firmware's share them. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "graph/policy.h"
#include "host/codes.h"
#include "host/graph.h"
#include "host/messages.h"

void sl_text_append(char *out, size_t bytes, const char *format, ...)
{
    const size_t length = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(out + length, bytes - length, format, arguments);
    va_end(arguments);
}

void sl_graph_channel_text(const struct sl_graph_builder *graph, uint64_t channel, char *out,
                           size_t bytes)
{
    (void)snprintf(out, bytes, "channel %" PRIu64, channel);
    if (graph != NULL && channel < graph->channel_count &&
        graph->channels[channel].name[0] != '\0') {
        sl_text_append(out, bytes, " '%s'", graph->channels[channel].name);
    }
}

void sl_graph_kernel_text(const struct sl_graph_builder *graph, uint64_t kernel, char *out,
                          size_t bytes)
{
    (void)snprintf(out, bytes, "kernel %" PRIu64, kernel);
    if (graph != NULL && kernel < graph->kernel_count) {
        sl_text_append(out, bytes, " '%s'", graph->kernels[kernel].name);
    }
}

/* What the node of a refusal is. */
enum node_kind { NODE_GRAPH, NODE_CHANNEL, NODE_KERNEL, NODE_EDGE };

static enum node_kind node_kind_of(enum sl_refusal reason)
{
    switch (reason) {
    case SL_REFUSE_GRAPH_ADDRESS:
    case SL_REFUSE_GRAPH_MAGIC:
    case SL_REFUSE_GRAPH_COUNT:
    case SL_REFUSE_TABLE_ADDRESS:
    case SL_REFUSE_PROGRAM:
    case SL_REFUSE_SCHEDULER:
    case SL_REFUSE_POOL:
        return NODE_GRAPH;
    case SL_REFUSE_KERNEL_ENTRY:
    case SL_REFUSE_KERNEL_ARGUMENTS:
    case SL_REFUSE_KERNEL_UNUSED:
    case SL_REFUSE_KERNEL_LIMITS:
    case SL_REFUSE_KERNEL_LIMIT:
        return NODE_KERNEL;
    case SL_REFUSE_EDGE_NODE:
    case SL_REFUSE_EDGE_FAN_OUT:
    case SL_REFUSE_EDGE_LEVEL:
    case SL_REFUSE_EDGE_CIRCLE:
        return NODE_EDGE;
    default:
        return NODE_CHANNEL;
    }
}

static void node_text(const struct sl_message_context *context,
                      const struct sl_graph_refusal *refusal, char *out, size_t bytes)
{
    const struct sl_graph_builder *const graph = context->graph;
    switch (node_kind_of(refusal->reason)) {
    case NODE_CHANNEL:
        sl_graph_channel_text(graph, refusal->node, out, bytes);
        break;
    case NODE_KERNEL:
        sl_graph_kernel_text(graph, refusal->node, out, bytes);
        break;
    case NODE_EDGE:
        (void)snprintf(out, bytes, "edge %" PRIu32, refusal->node);
        if (graph != NULL && refusal->node < graph->edge_count) {
            const struct sl_edge *const edge = &graph->edges[refusal->node];
            char kernel[SL_GRAPH_NAME_BYTES + 32];
            char channel[SL_GRAPH_NAME_BYTES + 32];
            sl_graph_kernel_text(graph, edge->kernel, kernel, sizeof kernel);
            sl_graph_channel_text(graph, edge->channel, channel, sizeof channel);
            sl_text_append(out, bytes, " from %s to %s", kernel, channel);
        }
        break;
    default:
        (void)snprintf(out, bytes, "the graph");
        break;
    }
}

/* Flags that cannot be together, or are none. */
static void variant_text(const struct sl_graph_refusal *refusal, char *out, size_t bytes)
{
    const uint32_t layouts = SL_CHANNEL_PADDED | SL_CHANNEL_SOA;
    if ((refusal->value & layouts) == layouts) {
        sl_text_append(out, bytes,
                       "SL_CHANNEL_PADDED and SL_CHANNEL_SOA exclude each other: in a structure of "
                       "arrays an element has no place of its own that padding could keep apart; "
                       "choose one");
    } else {
        sl_text_append(out, bytes,
                       "flags 0x%" PRIx64 " have bits that mean nothing; 0x%" PRIx64 " would do",
                       refusal->value, refusal->limit);
    }
}

static const char *policy_name(uint64_t scheduler)
{
    return scheduler < SL_SCHEDULER_COUNT ? sl_policy_names[scheduler] : "?";
}

static const char *refusal_sentence(enum sl_refusal reason)
{
    const char *const sentence = sl_code_sentence(SL_CODE_REFUSE, reason);
    return sentence != NULL
               ? sentence
               : "an unknown reason; firmware and host library may not be of one build";
}

/* Reasons that have a shape of their own. Returns false for the others. */
static bool special_text(const struct sl_graph_refusal *refusal, const struct sl_config *config,
                         char *out, size_t bytes)
{
    const uint64_t value = refusal->value;
    const uint64_t limit = refusal->limit;
    switch (refusal->reason) {
    case SL_REFUSE_CHANNEL_WIDTH:
        sl_text_append(out, bytes,
                       "width %" PRIu64 " is not a power of two from %u to %u; %" PRIu64
                       " is the nearest that is",
                       value, SL_CHANNEL_WIDTH_MIN, SL_CHANNEL_WIDTH_MAX, limit);
        return true;
    case SL_REFUSE_CHANNEL_NARROW:
        sl_text_append(
            out, bytes,
            "width %" PRIu64 " is less than a wavefront of %lld lanes can demand at once "
            "plus a done-count group less one; make it %" PRIu64
            " or more, or set SL_CHANNEL_NARROW",
            value, config != NULL ? (long long)config->number[SL_CFG_GPU_LANES] : 64, limit);
        return true;
    case SL_REFUSE_POOL:
        sl_text_append(out, bytes,
                       "in its channel stacks up to %" PRIu64
                       " wavefronts wait for each other in a chain, and each needs a block to make "
                       "progress; the wavefront state pool has %" PRIu64
                       ": set pool.blocks to %" PRIu64 " or more",
                       limit, value, limit);
        return true;
    case SL_REFUSE_CHANNEL_STRIDE:
        sl_text_append(out, bytes,
                       "elements of %" PRIu64
                       " bytes: the size is out of range or no multiple of 4; "
                       "%" PRIu64 " would be right",
                       value, limit);
        return true;
    case SL_REFUSE_CHANNEL_VARIANT:
        variant_text(refusal, out, bytes);
        return true;
    case SL_REFUSE_CHANNEL_RECIPROCAL:
        sl_text_append(out, bytes,
                       "the reciprocal of its element size is %" PRIu64 ", it has to be %" PRIu64,
                       value, limit);
        return true;
    case SL_REFUSE_CHANNEL_GROUP:
        sl_text_append(out, bytes,
                       "a done-count group of %" PRIu64
                       " elements is larger than the channel's width "
                       "of %" PRIu64,
                       value, limit);
        return true;
    case SL_REFUSE_CHANNEL_KERNEL:
        sl_text_append(out, bytes,
                       "not connected to a kernel: kernel %" PRIu64
                       ", where the graph has %" PRIu64,
                       value, limit);
        return true;
    case SL_REFUSE_SCHEDULER_LEVELS:
        sl_text_append(out, bytes,
                       "it is of a channel stack, and the graph's scheduling policy, %s, does not "
                       "know levels; %s does",
                       policy_name(value), policy_name(limit));
        return true;
    case SL_REFUSE_EDGE_NODE:
        sl_text_append(out, bytes, "names node %" PRIu64 ", where the graph has %" PRIu64, value,
                       limit);
        return true;
    case SL_REFUSE_KERNEL_LIMIT:
        sl_text_append(out, bytes,
                       "its table of limits says 0x%" PRIx64 " for channel %" PRIu64
                       ", where its edges say 0x%" PRIx64,
                       value & UINT32_MAX, value >> 32, limit);
        return true;
    case SL_REFUSE_KERNEL_UNUSED:
        sl_text_append(out, bytes, "not connected to a channel: none of the graph's %" PRIu64 " is",
                       limit);
        return true;
    default:
        return false;
    }
}

static bool is_address(enum sl_refusal reason)
{
    return reason == SL_REFUSE_GRAPH_ADDRESS || reason == SL_REFUSE_GRAPH_MAGIC ||
           reason == SL_REFUSE_TABLE_ADDRESS || reason == SL_REFUSE_PROGRAM ||
           reason == SL_REFUSE_KERNEL_ENTRY || reason == SL_REFUSE_KERNEL_LIMITS ||
           reason == SL_REFUSE_CHANNEL_ARRAY || reason == SL_REFUSE_CHANNEL_OVERLAP;
}

void sl_refusal_text(const struct sl_message_context *context,
                     const struct sl_graph_refusal *refusal, char *out, size_t bytes)
{
    char node[3 * SL_GRAPH_NAME_BYTES + 64];
    node_text(context, refusal, node, sizeof node);
    (void)snprintf(out, bytes, "%s: ", node);
    if (special_text(refusal, context->config, out, bytes)) {
        return;
    }
    sl_text_append(out, bytes, "%s", refusal_sentence(refusal->reason));
    if (is_address(refusal->reason)) {
        sl_text_append(out, bytes, ": 0x%" PRIx64 " against 0x%" PRIx64, refusal->value,
                       refusal->limit);
    } else {
        sl_text_append(out, bytes, ": %" PRIu64 " against %" PRIu64, refusal->value,
                       refusal->limit);
    }
}

static void append_setting(const struct sl_config *config, enum sl_config_key key, char *out,
                           size_t bytes)
{
    char value[64];
    if (config == NULL) {
        sl_text_append(out, bytes, " (%s)", sl_config_table[key].key);
        return;
    }
    sl_config_format(key, config, value, sizeof value);
    sl_text_append(out, bytes, " (%s is %s)", sl_config_table[key].key, value);
}

/* A work-group or a grid that is out of range by itself. */
static void append_shape(const struct sl_graph_refusal *refusal, char *out, size_t bytes)
{
    const char *const what = refusal->reason == SL_REFUSE_LAUNCH_GRID ? "grid" : "work-group";
    const char dimension = (char)('x' + (refusal->node < 3 ? refusal->node : 0));
    if (refusal->value == 0) {
        sl_text_append(out, bytes,
                       "the %s has no work-items in %c; a dimension that is not used is 1", what,
                       dimension);
    } else if (refusal->reason == SL_REFUSE_LAUNCH_GRID) {
        sl_text_append(out, bytes,
                       "the grid has %" PRIu64 " work-groups or more; at most %" PRIu64
                       " are possible",
                       refusal->value, refusal->limit);
    } else {
        sl_text_append(out, bytes,
                       "the work-group has %" PRIu64 " work-items; at most %" PRIu64
                       " are possible",
                       refusal->value, refusal->limit);
    }
}

void sl_launch_refusal_text(const struct sl_config *config, const struct sl_graph_refusal *refusal,
                            char *out, size_t bytes)
{
    const uint64_t value = refusal->value;
    const uint64_t limit = refusal->limit;
    switch (refusal->reason) {
    case SL_REFUSE_LAUNCH_GRID:
    case SL_REFUSE_LAUNCH_GROUP:
        append_shape(refusal, out, bytes);
        break;
    case SL_REFUSE_LAUNCH_CONTEXTS:
        sl_text_append(out, bytes,
                       "a work-group has %" PRIu64 " wavefronts, a compute unit %" PRIu64
                       " contexts",
                       value, limit);
        append_setting(config, SL_CFG_GPU_CONTEXTS, out, bytes);
        sl_text_append(out, bytes, "; make the work-group smaller");
        break;
    case SL_REFUSE_LAUNCH_REGISTERS:
        sl_text_append(out, bytes,
                       "a work-group has %" PRIu64 " wavefronts of %" PRIu32
                       " registers each, and a compute unit has registers for %" PRIu64
                       " such wavefronts",
                       value, refusal->node, limit);
        append_setting(config, SL_CFG_GPU_REGISTERS, out, bytes);
        sl_text_append(out, bytes, "; make the work-group smaller");
        break;
    case SL_REFUSE_LAUNCH_LDS:
        sl_text_append(out, bytes,
                       "a work-group needs %" PRIu64 " bytes of LDS, a compute unit has %" PRIu64,
                       value, limit);
        append_setting(config, SL_CFG_GPU_LDS, out, bytes);
        break;
    default:
        sl_text_append(out, bytes, "%s: 0x%" PRIx64 " against 0x%" PRIx64,
                       refusal_sentence(refusal->reason), value, limit);
        break;
    }
}
