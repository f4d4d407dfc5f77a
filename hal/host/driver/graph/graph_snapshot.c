/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the host keeps of a graph that it has placed, and reads of it afterwards. Kernels may have
 * written anything to shared memory: shapes and addresses come from the copy that was checked, and
 * of shared memory only counters and done counts are read, once each, as numbers of which none does
 * harm. */
#include <stdlib.h>
#include <string.h>

#include "check/graph/channels.h"
#include "host/base/text.h"
#include "host/driver/graph/builder.h"
#include "host/driver/machine/machine.h"

enum sl_status sl_graph_keep(struct sl_graph_builder *graph)
{
    const size_t bytes = sizeof(struct sl_graph) + graph->channel_count * sizeof(struct sl_channel);
    graph->kept = malloc(bytes);
    if (graph->kept == NULL) {
        return sl_soc_fail(graph->soc, SL_ERROR_MACHINE, "out of memory");
    }
    memcpy(graph->kept, graph->shared, bytes);
    graph->shapes = sl_graph_channels(graph->kept);
    return SL_OK;
}

void sl_graph_forget(struct sl_graph_builder *graph)
{
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        free(graph->channels[i].reserved);
        graph->channels[i].reserved = NULL;
    }
    free(graph->kept);
    graph->kept = NULL;
    graph->shapes = NULL;
}

const struct sl_graph *sl_graph_kept(const struct sl_graph_builder *graph)
{
    return graph != NULL ? graph->kept : NULL;
}

const struct sl_channel *sl_graph_find_shape(const struct sl_graph_builder *graph, uint64_t channel)
{
    const bool is_there = graph != NULL && graph->kept != NULL && channel < graph->channel_count;
    return is_there ? &graph->shapes[channel] : NULL;
}

struct sl_audit_counters sl_graph_counters(const struct sl_graph_builder *graph, uint32_t channel)
{
    return sl_audit_read(&sl_graph_channels(graph->shared)[channel]);
}

/* Elements of groups at the head that are done; there are no more than the channel holds. */
static uint64_t done_behind(const struct sl_channel *shape, const struct sl_audit_counters *now)
{
    const uint32_t *const done = (const uint32_t *)(uintptr_t)shape->done;
    const uint64_t group = UINT64_C(1) << shape->done_shift;
    const uint64_t used = now->data_tail - now->data_head;
    uint64_t count = 0;
    for (uint64_t i = 0; i < used && i < shape->width; i += group) {
        const uint64_t at = ((now->data_head + i) & (shape->width - 1)) >> shape->done_shift;
        count += __atomic_load_n(&done[at], __ATOMIC_RELAXED);
    }
    return count;
}

uint64_t sl_graph_freed(const struct sl_graph_builder *graph, uint32_t channel)
{
    const struct sl_audit_counters now = sl_graph_counters(graph, channel);
    return now.data_head + done_behind(&graph->shapes[channel], &now);
}

uint64_t sl_graph_unfreed(const struct sl_graph_builder *graph, uint32_t channel)
{
    const struct sl_audit_counters now = sl_graph_counters(graph, channel);
    const uint64_t freed = now.data_head + done_behind(&graph->shapes[channel], &now);
    return freed < now.data_tail ? now.data_tail - freed : 0;
}

uint64_t sl_graph_in_use(const struct sl_graph_builder *graph, uint32_t channel)
{
    const struct sl_audit_counters now = sl_graph_counters(graph, channel);
    return now.data_tail - now.data_head;
}

void sl_graph_append_space(const struct sl_graph_builder *graph, uint64_t channel, char *out,
                           size_t bytes)
{
    if (sl_graph_find_shape(graph, channel) != NULL &&
        sl_graph_in_use(graph, (uint32_t)channel) != 0 &&
        sl_graph_freed(graph, (uint32_t)channel) == graph->channels[channel].freed) {
        sl_text_append(out, bytes,
                       "; none of its elements has been freed since the run began: free each "
                       "(sl_tfree()), or use a wider channel");
    } else {
        sl_text_append(out, bytes, "; use a wider channel");
    }
}

void sl_graph_mark(struct sl_graph_builder *graph)
{
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        graph->channels[i].before = sl_graph_counters(graph, i);
        graph->channels[i].freed = sl_graph_freed(graph, i);
    }
}

struct sl_footprint sl_graph_footprint(const struct sl_graph_builder *graph)
{
    uint64_t elements[SL_GRAPH_CHANNELS];
    for (uint32_t i = 0; i < graph->channel_count; i++) {
        elements[i] =
            sl_graph_counters(graph, i).control_tail - graph->channels[i].before.control_head;
    }
    return sl_footprint(graph->shapes, graph->channel_count, elements);
}

void sl_graph_set_broken(struct sl_graph_builder *graph)
{
    graph->is_broken = true;
}
