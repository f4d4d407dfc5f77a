/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The graph check: an ordered table of steps, each of which may rely on what those before it found
 * good. Freestanding, no arithmetic on untrusted numbers can overflow. Leaves out what only running
 * the graph can show, such as the demand of a graph that never frees elements. */
#include "check/graph/graph_check.h"

#include <assert.h>
#include <stddef.h>

#include "check/graph/channel_check.h"
#include "check/graph/channels.h"
#include "check/graph/guard_check.h"
#include "check/graph/limit_check.h"
#include "check/graph/memory_claims.h"
#include "check/graph/overlap_check.h"
#include "check/graph/policy_check.h"
#include "sluice/memory_map.h"

static const void *memory(uint64_t address)
{
    return (const void *)(uintptr_t)address;
}

static int claim_table(struct sl_check *check, enum sl_refusal reason, uint64_t address,
                       uint64_t bytes)
{
    return sl_check_claim(check, reason, 0, SL_GRAPH_CHANNELS, address, bytes, 8);
}

static int check_head(struct sl_check *check)
{
    const struct sl_graph *graph = check->graph;
    const uint64_t address = (uint64_t)(uintptr_t)graph;

    if (claim_table(check, SL_REFUSE_GRAPH_ADDRESS, address, sizeof(*graph)) != 0) {
        return -1;
    }
    check->range_count = 0; /* claimed again below, with its channels */
    if (graph->magic != SL_GRAPH_MAGIC) {
        return sl_check_refuse(check, SL_REFUSE_GRAPH_MAGIC, 0, graph->magic, SL_GRAPH_MAGIC);
    }
    if (graph->channel_count < 1 || graph->channel_count > SL_GRAPH_CHANNELS) {
        return sl_check_refuse(check, SL_REFUSE_GRAPH_COUNT, 0, graph->channel_count,
                               sl_check_clamp(graph->channel_count, 1, SL_GRAPH_CHANNELS));
    }
    if (graph->kernel_count < 1 || graph->kernel_count > SL_GRAPH_KERNELS) {
        return sl_check_refuse(check, SL_REFUSE_GRAPH_COUNT, 0, graph->kernel_count,
                               sl_check_clamp(graph->kernel_count, 1, SL_GRAPH_KERNELS));
    }
    if (graph->edge_count > SL_GRAPH_EDGES) {
        return sl_check_refuse(check, SL_REFUSE_GRAPH_COUNT, 0, graph->edge_count, SL_GRAPH_EDGES);
    }
    if (graph->guard_count > SL_GRAPH_GUARDS) {
        return sl_check_refuse(check, SL_REFUSE_GRAPH_COUNT, 0, graph->guard_count,
                               SL_GRAPH_GUARDS);
    }
    return claim_table(check, SL_REFUSE_GRAPH_ADDRESS, address,
                       sizeof(*graph) + graph->channel_count * sizeof(struct sl_channel));
}

/* Tables of the graph's own. */
static int check_tables(struct sl_check *check)
{
    const struct sl_graph *graph = check->graph;

    if (claim_table(check, SL_REFUSE_TABLE_ADDRESS, graph->kernels,
                    graph->kernel_count * sizeof(struct sl_kernel)) != 0) {
        return -1;
    }
    if (graph->edge_count != 0 && claim_table(check, SL_REFUSE_TABLE_ADDRESS, graph->edges,
                                              graph->edge_count * sizeof(struct sl_edge)) != 0) {
        return -1;
    }
    if (graph->guard_count != 0 && claim_table(check, SL_REFUSE_TABLE_ADDRESS, graph->guards,
                                               graph->guard_count * sizeof(struct sl_guard)) != 0) {
        return -1;
    }
    if (graph->scheduler >= SL_SCHEDULER_COUNT) {
        return sl_check_refuse(check, SL_REFUSE_SCHEDULER, 0, graph->scheduler,
                               SL_SCHEDULER_COUNT - 1);
    }
    return 0;
}

/* And those of its kernels. */
static int check_limit_tables(struct sl_check *check)
{
    const struct sl_graph *graph = check->graph;
    const struct sl_kernel *kernels = memory(graph->kernels);

    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        if (kernels[i].limit_count != graph->channel_count) {
            return sl_check_refuse(check, SL_REFUSE_KERNEL_LIMITS, i, kernels[i].limit_count,
                                   graph->channel_count);
        }
        if (sl_check_claim(check, SL_REFUSE_KERNEL_LIMITS, i, SL_GRAPH_CHANNELS, kernels[i].limits,
                           graph->channel_count * sizeof(struct sl_limit), 8) != 0) {
            return -1;
        }
    }
    return 0;
}

static int check_program_table(struct sl_check *check)
{
    return claim_table(check, SL_REFUSE_TABLE_ADDRESS, check->graph->program,
                       sizeof(struct sl_program));
}

static int check_program(struct sl_check *check)
{
    const struct sl_program *program = memory(check->graph->program);
    const uint64_t region_limit = SL_KERNEL_BASE + SL_KERNEL_BYTES;

    if (program->code < SL_KERNEL_BASE) {
        return sl_check_refuse(check, SL_REFUSE_PROGRAM, 0, program->code, SL_KERNEL_BASE);
    }
    if (program->code >= region_limit) {
        return sl_check_refuse(check, SL_REFUSE_PROGRAM, 0, program->code, region_limit);
    }
    if ((program->code & 3) != 0) {
        return sl_check_refuse(check, SL_REFUSE_PROGRAM, 0, program->code, program->code & ~3ull);
    }
    if (program->code_bytes == 0 || program->code_bytes > region_limit - program->code) {
        return sl_check_refuse(check, SL_REFUSE_PROGRAM, 0, program->code_bytes,
                               region_limit - program->code);
    }
    /* One entry for each two bytes of code. */
    const uint64_t entries = (program->code_bytes + 1) / 2;
    if (sl_check_claim(check, SL_REFUSE_PROGRAM, 0, SL_GRAPH_CHANNELS, program->reconvergence,
                       entries * sizeof(uint32_t), sizeof(uint32_t)) != 0) {
        return -1;
    }
    if (program->liveness == 0) {
        return 0;
    }
    return sl_check_claim(check, SL_REFUSE_PROGRAM, 0, SL_GRAPH_CHANNELS, program->liveness,
                          entries * sizeof(uint64_t), sizeof(uint64_t));
}

static int check_kernels(struct sl_check *check)
{
    const struct sl_program *program = memory(check->graph->program);
    const struct sl_kernel *kernels = memory(check->graph->kernels);

    for (uint32_t i = 0; i < check->graph->kernel_count; i++) {
        const uint64_t entry = kernels[i].entry;
        if (entry < program->code) {
            return sl_check_refuse(check, SL_REFUSE_KERNEL_ENTRY, i, entry, program->code);
        }
        if (entry - program->code >= program->code_bytes) {
            return sl_check_refuse(check, SL_REFUSE_KERNEL_ENTRY, i, entry,
                                   program->code + program->code_bytes);
        }
        if ((entry & 1) != 0) {
            return sl_check_refuse(check, SL_REFUSE_KERNEL_ENTRY, i, entry, entry - 1);
        }
        if (kernels[i].argument_count > check->arguments_max) {
            return sl_check_refuse(check, SL_REFUSE_KERNEL_ARGUMENTS, i, kernels[i].argument_count,
                                   check->arguments_max);
        }
        if (kernels[i].lds_bytes > check->limits->lds_bytes) {
            return sl_check_refuse(check, SL_REFUSE_KERNEL_LDS, i, kernels[i].lds_bytes,
                                   check->limits->lds_bytes);
        }
        if (kernels[i].resident > SL_KERNEL_RESIDENT_MAX) {
            return sl_check_refuse(check, SL_REFUSE_KERNEL_RESIDENT, i, kernels[i].resident,
                                   SL_KERNEL_RESIDENT_MAX);
        }
    }
    return 0;
}

static int check_channels(struct sl_check *check)
{
    for (uint32_t i = 0; i < check->graph->channel_count; i++) {
        if (sl_check_channel(check, i) != 0) {
            return -1;
        }
    }
    for (uint32_t i = 0; i < check->graph->channel_count; i++) {
        if (sl_check_channel_books(check, i) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Also finds out what a wavefront can demand of each channel at once. */
static int check_edges(struct sl_check *check)
{
    const struct sl_graph *graph = check->graph;
    const struct sl_edge *edges = memory(graph->edges);
    const struct sl_kernel *kernels = memory(graph->kernels);
    const struct sl_channel *channels = sl_graph_channels(graph);
    uint64_t *demand = check->scratch->demand;

    for (uint32_t i = 0; i < graph->channel_count; i++) {
        demand[i] = 0;
    }
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct sl_edge *edge = &edges[i];
        if (edge->kernel >= graph->kernel_count) {
            return sl_check_refuse(check, SL_REFUSE_EDGE_NODE, i, edge->kernel,
                                   graph->kernel_count);
        }
        if (edge->channel >= graph->channel_count) {
            return sl_check_refuse(check, SL_REFUSE_EDGE_NODE, i, edge->channel,
                                   graph->channel_count);
        }
        if (edge->level_offset > 1 ||
            (edge->level_offset != 0 && channels[edge->channel].role == SL_ROLE_PLAIN)) {
            return sl_check_refuse(check, SL_REFUSE_EDGE_LEVEL, i, edge->level_offset,
                                   channels[edge->channel].role == SL_ROLE_PLAIN ? 0 : 1);
        }
        const uint32_t fan_out_max = channels[edge->channel].fan_out;
        if (edge->fan_out < 1 || edge->fan_out > fan_out_max) {
            return sl_check_refuse(check, SL_REFUSE_EDGE_FAN_OUT, i, edge->fan_out,
                                   sl_check_clamp(edge->fan_out, 1, fan_out_max));
        }
        if (((kernels[edge->kernel].flags & SL_KERNEL_STAMPED) != 0) !=
            ((channels[edge->channel].flags & SL_CHANNEL_STAMPED) != 0)) {
            return sl_check_refuse(check, SL_REFUSE_EDGE_STAMPS, i, kernels[edge->kernel].flags,
                                   channels[edge->channel].flags);
        }
        const uint64_t need = (uint64_t)check->limits->lanes * edge->fan_out;
        if (need > demand[edge->channel]) {
            demand[edge->channel] = need;
        }
    }
    return 0;
}

/* A kernel whose table says more than its edges could overfill a channel or put elements where the
 * scheduler does not look for them. */
static int check_limits(struct sl_check *check)
{
    const struct sl_graph *graph = check->graph;
    const struct sl_kernel *kernels = memory(graph->kernels);
    const struct sl_limit *right = check->scratch->limit;

    for (uint32_t i = 0; i < graph->kernel_count; i++) {
        const struct sl_limit *limits = memory(kernels[i].limits);
        sl_graph_limits(graph, i, check->scratch->limit);
        for (uint32_t c = 0; c < graph->channel_count; c++) {
            const uint64_t channel = (uint64_t)c << 32;
            if (limits[c].fan_out != right[c].fan_out) {
                return sl_check_refuse(check, SL_REFUSE_KERNEL_LIMIT, i,
                                       channel | limits[c].fan_out, right[c].fan_out);
            }
            if (limits[c].reservation != right[c].reservation) {
                return sl_check_refuse(check, SL_REFUSE_KERNEL_LIMIT, i,
                                       channel | limits[c].reservation, right[c].reservation);
            }
        }
    }
    return 0;
}

static int check_policy(struct sl_check *check)
{
    return sl_policy_check(check->graph, check->limits, check->refusal, &check->scratch->order);
}

/* Elements that are done stay allocated until their group is: up to a group less one. Below the
 * width checked here a wavefront could wait for ever for space that such a group holds
 * (docs/know/design.md, "Width"). */
static int check_demand(struct sl_check *check)
{
    const struct sl_channel *channels = sl_graph_channels(check->graph);

    for (uint32_t i = 0; i < check->graph->channel_count; i++) {
        const uint64_t group = 1ull << channels[i].done_shift;
        const uint64_t need = check->scratch->demand[i] + group - 1;
        uint64_t least = SL_CHANNEL_WIDTH_MIN;
        while (least < need) {
            least *= 2;
        }
        if (channels[i].width < least && (channels[i].flags & SL_CHANNEL_NARROW) == 0) {
            return sl_check_refuse(check, SL_REFUSE_CHANNEL_NARROW, i, channels[i].width, least);
        }
    }
    return 0;
}

static int check_kernels_used(struct sl_check *check)
{
    const struct sl_channel *channels = sl_graph_channels(check->graph);
    uint64_t used = 0;
    static_assert(SL_GRAPH_KERNELS <= 64, "a bit for each kernel");

    for (uint32_t i = 0; i < check->graph->channel_count; i++) {
        used |= 1ull << channels[i].kernel;
    }
    for (uint32_t i = 0; i < check->graph->kernel_count; i++) {
        if ((used >> i & 1) == 0) {
            return sl_check_refuse(check, SL_REFUSE_KERNEL_UNUSED, i, i,
                                   check->graph->channel_count);
        }
    }
    return 0;
}

static int check_overlaps(struct sl_check *check)
{
    const struct sl_graph_range *range = check->scratch->range;
    size_t other;

    sl_overlap_sort(check->scratch->range, check->range_count);
    const size_t found = sl_overlap_find(range, check->range_count, &other);
    if (found == check->range_count) {
        return 0;
    }
    if (range[found].channel < SL_GRAPH_CHANNELS) {
        return sl_check_refuse(check, SL_REFUSE_CHANNEL_OVERLAP, (uint32_t)range[found].channel,
                               range[found].begin, range[other].begin);
    }
    if (range[other].channel < SL_GRAPH_CHANNELS) {
        return sl_check_refuse(check, SL_REFUSE_CHANNEL_OVERLAP, (uint32_t)range[other].channel,
                               range[other].begin, range[found].begin);
    }
    return sl_check_refuse(check, SL_REFUSE_TABLE_ADDRESS, 0, range[found].begin,
                           range[other].begin);
}

int sl_graph_check(const struct sl_graph *graph, const struct sl_graph_limits *limits,
                   struct sl_graph_refusal *refusal, struct sl_graph_scratch *scratch)
{
    static int (*const steps[])(struct sl_check *) = {
        check_head,      check_tables,  check_limit_tables, check_channels, check_program_table,
        check_program,   check_kernels, check_edges,        check_limits,   check_policy,
        sl_check_guards, check_demand,  check_kernels_used, check_overlaps,
    };
    struct sl_check check = {graph, limits, refusal, scratch, 0, SL_KERNEL_ARGUMENTS};

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (steps[i](&check) != 0) {
            return -1;
        }
    }
    return 0;
}

int sl_graph_check_kernel(uint64_t program, const struct sl_kernel *kernel, uint32_t arguments_max,
                          const struct sl_graph_limits *limits, struct sl_graph_refusal *refusal,
                          struct sl_graph_scratch *scratch)
{
    const struct sl_graph graph = {
        .program = program,
        .kernels = (uint64_t)(uintptr_t)kernel,
        .kernel_count = 1,
    };
    struct sl_check check = {&graph, limits, refusal, scratch, 0, arguments_max};

    if (claim_table(&check, SL_REFUSE_PROGRAM, program, sizeof(struct sl_program)) != 0 ||
        check_program(&check) != 0) {
        return -1;
    }
    return check_kernels(&check);
}
