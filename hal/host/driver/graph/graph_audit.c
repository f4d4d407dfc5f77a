/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The audit when a graph is complete (docs/know/trust.md, "The audit"): the laws are
 * hal/check/graph's, the shapes are the host's own, and what does not balance is said with names.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "check/graph/channels.h"
#include "host/base/text.h"
#include "host/driver/graph/builder.h"
#include "host/driver/machine/machine.h"

#define TEXT_BYTES 1024

static uint64_t audited_bytes(const struct sl_graph_builder *graph)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        const uint64_t bytes = sl_audit_scratch_bytes(&graph->shapes[i]);
        most = bytes > most ? bytes : most;
    }
    return most;
}

static struct sl_audit_channel snapshot(const struct sl_graph_builder *graph, uint32_t channel)
{
    const struct sl_channel *const shape = &graph->shapes[channel];
    const struct sl_audit_counters *const before = &graph->channels[channel].before;
    return (struct sl_audit_channel){
        .shape = shape,
        .now = sl_graph_counters(graph, channel),
        .first_entry = before->control_head,
        .first_element = before->data_head,
        .first_reserved = before->data_tail,
        .control = (const uint32_t *)(uintptr_t)shape->control,
        .done = (const uint32_t *)(uintptr_t)shape->done,
    };
}

/* What a finding is about, in numbers. */
static void append_values(const struct sl_audit_finding *finding, char *out, size_t bytes)
{
    const uint64_t value0 = finding->value0;
    const uint64_t value1 = finding->value1;
    switch (finding->what) {
    case SL_AUDIT_CONTROL_TAIL:
        sl_text_append(out, bytes, "%" PRIu64 " published, %" PRIu64 " reserved", value0, value1);
        break;
    case SL_AUDIT_DATA_TAIL:
        sl_text_append(out, bytes, "%" PRIu64 " in use, width %" PRIu64, value0, value1);
        break;
    case SL_AUDIT_OFFSET:
    case SL_AUDIT_TWICE:
        sl_text_append(out, bytes, "control entry %" PRIu64, value0);
        break;
    case SL_AUDIT_DONE:
        sl_text_append(out, bytes,
                       "the group's done count is %" PRIu64 ", where %" PRIu64 " may be", value0,
                       value1);
        break;
    case SL_AUDIT_EARLY:
        sl_text_append(out, bytes, "%" PRIu64 " were given back, of %" PRIu64, value0, value1);
        break;
    case SL_AUDIT_HEAD:
        sl_text_append(out, bytes, "%" PRIu64 ", where it would be %" PRIu64, value0, value1);
        break;
    default:
        sl_text_append(out, bytes, "%" PRIu64, value0);
        break;
    }
}

void sl_graph_append_kernels(const struct sl_graph_builder *graph, uint64_t channel, char *out,
                             size_t bytes)
{
    const char *separator = "filled by ";
    if (graph == NULL || channel >= graph->channel_count) {
        return;
    }
    sl_text_append(out, bytes, "; its elements are taken by %s, ",
                   sl_graph_kernel_label(graph, (uint64_t)graph->channels[channel].kernel).text);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        if (graph->edges[i].channel == channel) {
            sl_text_append(out, bytes, "%s%s", separator,
                           sl_graph_kernel_label(graph, graph->edges[i].kernel).text);
            separator = ", ";
        }
    }
    if (separator[0] == 'f') {
        sl_text_append(out, bytes, "filled by the host");
    }
}

void sl_graph_append_finding(const struct sl_graph_builder *graph, uint64_t channel,
                             const struct sl_audit_finding *finding, char *out, size_t bytes)
{
    const char *const sentence = sl_code_sentence(SL_CODE_AUDIT, finding->what);
    sl_text_append(out, bytes, "%s: %s (", sl_graph_channel_label(graph, channel).text,
                   sentence != NULL ? sentence : "something that this library does not know");
    append_values(finding, out, bytes);
    sl_text_append(out, bytes, ")");
    if (finding->element != SL_AUDIT_NO_ELEMENT) {
        sl_text_append(out, bytes, ", element %" PRIu64 " of its array", finding->element);
    }
    sl_graph_append_kernels(graph, channel, out, bytes);
}

static enum sl_status fail(struct sl_graph_builder *graph, uint32_t channel,
                           const struct sl_audit_finding *finding)
{
    char text[TEXT_BYTES] = "";
    sl_graph_append_finding(graph, channel, finding, text, sizeof text);
    return sl_soc_fail(graph->soc, SL_ERROR_MACHINE,
                       "the channel accounting of the graph does not balance at its end: %s", text);
}

/* Elements by which the heads of the channels have moved. */
static uint64_t moved(const struct sl_graph_builder *graph)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        sum += sl_graph_counters(graph, i).control_head - graph->channels[i].before.control_head;
    }
    return sum;
}

/* The elements that the firmware has dispatched, by its own count, are those. */
static enum sl_status check_dispatched(struct sl_graph_builder *graph, uint64_t dispatched)
{
    if (moved(graph) == dispatched) {
        return SL_OK;
    }
    return sl_soc_fail(
        graph->soc, SL_ERROR_MACHINE,
        "the channel accounting of the graph does not balance at its end: its channels' heads have "
        "moved by %" PRIu64 " elements, and the firmware has dispatched %" PRIu64,
        moved(graph), dispatched);
}

static enum sl_status audit(struct sl_graph_builder *graph, uint64_t dispatched, uint8_t *scratch)
{
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        const struct sl_audit_channel channel = snapshot(graph, i);
        const struct sl_audit_finding finding = sl_audit_at_rest(&channel, scratch);
        if (finding.what != SL_AUDIT_BALANCED) {
            return fail(graph, i, &finding);
        }
    }
    return check_dispatched(graph, dispatched);
}

/* Elements of a channel that are published and were not dispatched; 0 where its counters do not fit
 * together, which is the audit's matter. */
static uint64_t left_in(const struct sl_graph_builder *graph, uint32_t channel)
{
    const struct sl_audit_counters now = sl_graph_counters(graph, channel);
    if ((graph->shapes[channel].flags & SL_CHANNEL_STAMPED) != 0) {
        return (uint32_t)now.control_reserve - (uint32_t)now.control_head; /* publications above */
    }
    return now.control_reserve == now.control_tail ? now.control_reserve - now.control_head : 0;
}

enum sl_status sl_graph_check_end(struct sl_graph_builder *graph, uint64_t dispatched)
{
    for (uint32_t i = 0; moved(graph) == dispatched && i < graph->channel_count; i++) {
        const uint64_t left = left_in(graph, i);
        if (left != 0) {
            sl_graph_set_broken(graph);
            return sl_soc_fail(graph->soc, SL_ERROR_MACHINE,
                               "policy %s broke its contract: it ended the graph, and %" PRIu64
                               " elements of %s are ready (its poll() or is_complete())",
                               sl_graph_policy_name(graph), left,
                               sl_graph_channel_label(graph, i).text);
        }
    }
    return SL_OK;
}

enum sl_status sl_graph_audit(struct sl_graph_builder *graph, uint64_t dispatched)
{
    uint8_t *const scratch = malloc(audited_bytes(graph));
    if (scratch == NULL) {
        return sl_soc_fail(graph->soc, SL_ERROR_MACHINE, "audit of the graph: out of memory");
    }
    const enum sl_status status = audit(graph, dispatched, scratch);
    free(scratch);
    if (status != SL_OK) {
        sl_graph_set_broken(graph);
    }
    return status;
}
