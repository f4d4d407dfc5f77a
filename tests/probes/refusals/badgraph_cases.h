/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The cases of badgraph.c: every value of enum sl_refusal, and those that have several causes more
 * than once. A case damages a prepared graph; where the library's calls can ask for such a graph,
 * it does that too. Included by badgraph.c alone. */
#ifndef SLUICE_PROBES_REFUSALS_BADGRAPH_CASES_H
#define SLUICE_PROBES_REFUSALS_BADGRAPH_CASES_H

#include <string.h>

#include "check/graph/graph_check.h"
#include "check/graph/limit_check.h"
#include "sluice/sluice.h"

#define VICTIM_WIDTH 256

/* A prepared graph as it lies in shared memory: two channels, a kernel each, fan-out 2. */
struct victim {
    struct sl_graph_builder *builder;
    const struct sl_layout *layout;
    struct sl_graph *graph;
    struct sl_channel *channels;
    struct sl_kernel *kernels;
    struct sl_edge *edges;
    struct sl_program *program;
    uint64_t address; /* what the firmware is told to run */
};

struct badgraph_case {
    const char *name;
    enum sl_refusal reason;
    void (*damage)(struct victim *victim);
    void (*ask)(struct sl_graph_builder *graph); /* NULL where no call can say it */
    const char *answer;                          /* a part of the library's message */
};

#define DAMAGE(name, statement)                                                                    \
    static void damage_##name(struct victim *v)                                                    \
    {                                                                                              \
        statement;                                                                                 \
    }

DAMAGE(address_zero, v->address = 0)
DAMAGE(address_firmware, v->address = SL_FIRMWARE_BASE)
DAMAGE(address_limit, v->address = v->layout->heap_limit - 64)
DAMAGE(address_top, v->address = UINT64_MAX - 7)
DAMAGE(address_odd, v->address += 4)
DAMAGE(magic, v->graph->magic ^= 1)
DAMAGE(no_channels, v->graph->channel_count = 0)
DAMAGE(many_channels, v->graph->channel_count = SL_GRAPH_CHANNELS + 1)
DAMAGE(no_kernels, v->graph->kernel_count = 0)
DAMAGE(many_kernels, v->graph->kernel_count = SL_GRAPH_KERNELS + 1)
DAMAGE(many_edges, v->graph->edge_count = UINT32_MAX)
DAMAGE(kernels_low, v->graph->kernels = 0x1000)
DAMAGE(edges_odd, v->graph->edges += 4)
DAMAGE(program_limit, v->graph->program = v->layout->heap_limit - 32)
DAMAGE(code_heap, v->program->code = SL_HEAP_BASE)
DAMAGE(code_odd, v->program->code += 2)
DAMAGE(code_none, v->program->code_bytes = 0)
DAMAGE(code_long, v->program->code_bytes = SL_KERNEL_BYTES + 4)
DAMAGE(reconvergence, v->program->reconvergence = SL_MAILBOX_BASE)
DAMAGE(liveness, v->program->liveness = SL_MAILBOX_BASE)
DAMAGE(scheduler, v->graph->scheduler = 7)
DAMAGE(policy_flags, v->graph->policy_flags = SL_POLICY_DRAINED)
DAMAGE(entry_heap, v->kernels[1].entry = SL_HEAP_BASE)
DAMAGE(entry_odd, v->kernels[0].entry += 1)
DAMAGE(resident, v->kernels[0].resident = SL_KERNEL_RESIDENT_MAX + 1)
DAMAGE(arguments, v->kernels[0].argument_count = SL_KERNEL_ARGUMENTS + 1)
DAMAGE(kernel_lds, v->kernels[1].lds_bytes = SL_LDS_BYTES_MAX + 1)
DAMAGE(width_100, v->channels[0].width = 100)
DAMAGE(width_32, v->channels[1].width = 32)
DAMAGE(width_zero, v->channels[0].width = 0)
DAMAGE(width_large, v->channels[0].width = 2 * SL_CHANNEL_WIDTH_MAX)
DAMAGE(stride_6, v->channels[0].stride = 6)
DAMAGE(stride_zero, v->channels[0].stride = 0)
DAMAGE(stride_large, v->channels[0].stride = SL_CHANNEL_STRIDE_MAX + 4)
DAMAGE(reciprocal, v->channels[0].stride_reciprocal++)
DAMAGE(group_512, v->channels[1].done_shift = 9)
DAMAGE(group_shift, v->channels[1].done_shift = UINT32_MAX)
DAMAGE(fan_out_zero, v->channels[0].fan_out = 0)
DAMAGE(fan_out_large, v->channels[0].fan_out = VICTIM_WIDTH + 1)
DAMAGE(slack, v->channels[0].slack = 0)
DAMAGE(slack_large, v->channels[0].slack = UINT32_MAX)
DAMAGE(data_device, v->channels[0].data = SL_UART_BASE)
DAMAGE(data_top, v->channels[0].data = UINT64_MAX - 7)
DAMAGE(control_limit, v->channels[1].control = v->layout->heap_limit - 64)
DAMAGE(done_odd, v->channels[0].done += 2)
DAMAGE(overlap_channels, v->channels[1].data = v->channels[0].data)
DAMAGE(overlap_slack, v->channels[1].data = v->channels[0].data + 8 * VICTIM_WIDTH)
DAMAGE(overlap_itself, v->channels[0].control = v->channels[0].data + 8)
DAMAGE(overlap_graph, v->channels[0].done = (uintptr_t)v->graph)
DAMAGE(kernel_none, v->channels[1].kernel = 2)
DAMAGE(kernel_unconnected, v->channels[1].kernel = UINT32_MAX)
DAMAGE(predicate, v->channels[0].predicate = 4)
DAMAGE(variant_flags, v->channels[0].flags |= 0x40)
DAMAGE(variant_both, v->channels[0].flags |= SL_CHANNEL_PADDED | SL_CHANNEL_SOA)
DAMAGE(reservation, v->channels[0].reservation = SL_RESERVE_WORKITEM)
DAMAGE(padded_stride, v->channels[0].flags |= SL_CHANNEL_PADDED)
DAMAGE(soa_stride, v->channels[0].flags |= SL_CHANNEL_SOA)
DAMAGE(narrow, v->channels[0].width = 128)
DAMAGE(counters_full, v->channels[0].data_tail = VICTIM_WIDTH + 1)
DAMAGE(counters_head, v->channels[0].data_head = v->channels[0].data_tail = 1)
DAMAGE(counters_back, v->channels[0].data_head = 64)
DAMAGE(counters_reserve, v->channels[0].control_reserve = 1)
DAMAGE(counters_ready, v->channels[0].control_reserve = v->channels[0].control_tail = 1)
DAMAGE(stamps, v->channels[0].flags |= SL_CHANNEL_STAMPED;
       v->channels[0].stamps = v->channels[0].data; v->channels[0].control_reserve = 1)
DAMAGE(edge_stamps, v->kernels[0].flags |= SL_KERNEL_STAMPED)
DAMAGE(kernel_unused, v->channels[1].kernel = 0)
DAMAGE(edge_kernel, v->edges[0].kernel = 2)
DAMAGE(edge_channel, v->edges[1].channel = 2)
DAMAGE(edge_zero, v->edges[0].fan_out = 0)
DAMAGE(stack_role, v->channels[1].role = 3)
DAMAGE(stack_plain, v->channels[0].level = 1)
DAMAGE(stack_flat, v->channels[0].role = SL_ROLE_POST_SYNC; v->channels[0].levels = 1)
DAMAGE(edge_level, v->edges[0].level_offset = 1)

/* The channels as a stack that is as it should be. */
static void make_stack(struct victim *v)
{
    v->graph->scheduler = SL_SCHEDULER_LEVELIZED;
    for (uint32_t i = 0; i < 2; i++) {
        v->channels[i].role = SL_ROLE_PRE_SPAWN;
        v->channels[i].level = i;
        v->channels[i].levels = 2;
        v->channels[i].kernel = 0;
    }
}

DAMAGE(stack_high, make_stack(v); v->channels[1].levels = v->channels[0].levels = 3)
DAMAGE(stack_level, make_stack(v); v->channels[1].level = 0)
DAMAGE(stack_kernel, make_stack(v); v->channels[1].kernel = 1)

/* Kernel 0 may wait for its own level. */
DAMAGE(edge_circle, make_stack(v); v->kernels[0].flags = SL_KERNEL_YIELDS)

/* A wavefront of level 0 may wait for one of level 1: a case for a machine with a pool of one block
 * (pool.blocks=1). */
DAMAGE(pool, damage_edge_circle(v); v->edges[0].channel = 1; v->edges[0].level_offset = 1;
       sl_graph_limits(v->graph, 0, (struct sl_limit *)(uintptr_t)v->kernels[0].limits))

DAMAGE(edge_large, v->edges[1].fan_out = 3)

static struct sl_limit *limits_of(const struct victim *v, int kernel)
{
    return (struct sl_limit *)(uintptr_t)v->kernels[kernel].limits;
}

DAMAGE(limits_none, v->kernels[1].limits = 0)
DAMAGE(limits_device, v->kernels[0].limits = SL_UART_BASE)
DAMAGE(limits_odd, v->kernels[1].limits += 4)
DAMAGE(limits_count, v->kernels[0].limit_count = 1)

/* Both tables are good, but the last entry of one is the first of the other: no edge in both. */
static void damage_limits_shared(struct victim *v)
{
    const struct sl_limit last = limits_of(v, 1)[1];
    v->kernels[1].limits = v->kernels[0].limits + sizeof last;
    limits_of(v, 1)[1] = last;
}

DAMAGE(limits_channel, v->channels[1].done = v->kernels[0].limits)
DAMAGE(limit_more, limits_of(v, 0)[0].fan_out = 3)
DAMAGE(limit_less, limits_of(v, 1)[1].fan_out = 1)
DAMAGE(limit_edge, limits_of(v, 0)[1] = limits_of(v, 0)[0])
DAMAGE(limit_reservation, limits_of(v, 1)[1].reservation = SL_RESERVE_WORKITEM)

/* Edges that are good, in what the graph leaves unused. */
static void damage_overlap_tables(struct victim *v)
{
    memcpy(v->graph->gap_60 + 4, v->edges, v->graph->edge_count * sizeof *v->edges);
    v->graph->edges = (uintptr_t)v->graph->gap_60 + 4;
}

/* One guard of channel 0, in what the graph leaves unused. */
static struct sl_guard *guard_of(struct victim *v, uint32_t other)
{
    struct sl_guard *const guard = (struct sl_guard *)(void *)(v->graph->gap_60 + 4);
    *guard = (struct sl_guard){.channel = 0, .other = other, .kind = SL_GUARD_EMPTY};
    v->graph->guards = (uintptr_t)guard;
    v->graph->guard_count = 1;
    return guard;
}

DAMAGE(many_guards, v->graph->guard_count = SL_GRAPH_GUARDS + 1)
DAMAGE(guards_odd, guard_of(v, 1); v->graph->guards += 4)
DAMAGE(guards_overlap, guard_of(v, 1))
DAMAGE(guard_kind, guard_of(v, 1)->kind = 2)
DAMAGE(guard_channel, guard_of(v, 2))
DAMAGE(guard_of_none, guard_of(v, 1)->channel = 2)
DAMAGE(guard_stack, make_stack(v); guard_of(v, 0))
DAMAGE(guard_yields, guard_of(v, 1); v->kernels[1].flags = SL_KERNEL_YIELDS)
DAMAGE(guard_argument, guard_of(v, 1)->argument = 1)
DAMAGE(guard_circle, guard_of(v, 0))

/* A kernel with all its arguments. */
static int ask_relay(struct sl_graph_builder *graph)
{
    const int kernel = sl_graph_kernel(graph, "relay_kernel");
    for (int position = 2; position < 5; position++) {
        sl_graph_argument(graph, kernel, position, 0);
    }
    return kernel;
}

/* Graphs of the library's calls, good but for what each case asks. */
static int ask_channel(struct sl_graph_builder *graph, size_t element_bytes, uint32_t width,
                       const struct sl_channel_options *options, uint32_t fan_out)
{
    const int channel = sl_graph_channel(graph, element_bytes, width, options);
    const int kernel = ask_relay(graph);
    sl_graph_connect(graph, channel, kernel);
    sl_graph_output(graph, kernel, channel, fan_out);
    return channel;
}

#define ASK(name, statement)                                                                       \
    static void ask_##name(struct sl_graph_builder *g)                                             \
    {                                                                                              \
        statement;                                                                                 \
    }
#define OPTIONS(...) (&(struct sl_channel_options){__VA_ARGS__})

ASK(nothing, (void)g)
ASK(kernel, (void)(ask_channel(g, 8, 256, NULL, 1), sl_graph_kernel(g, "no_such_kernel")))
ASK(argument, (ask_channel(g, 8, 256, NULL, 1), sl_graph_argument(g, 0, 8, 0)))
ASK(kernel_lds, (ask_channel(g, 8, 256, NULL, 1), sl_graph_lds(g, 0, SL_LDS_BYTES_MAX)))
ASK(width_100, ask_channel(g, 8, 100, OPTIONS(.name = "odd"), 1))
ASK(width_32, ask_channel(g, 8, 32, NULL, 1))
ASK(width_zero, ask_channel(g, 8, 0, NULL, 1))
ASK(width_large, ask_channel(g, 8, 2 * SL_CHANNEL_WIDTH_MAX, NULL, 1))
ASK(stride_zero, ask_channel(g, 0, 256, NULL, 1))
ASK(stride_large, ask_channel(g, SL_CHANNEL_STRIDE_MAX + 1, 256, NULL, 1))
ASK(group_512, ask_channel(g, 8, 256, OPTIONS(.done_group = 512), 1))
ASK(fan_out_zero, ask_channel(g, 8, 256, NULL, 0))
ASK(fan_out_large, ask_channel(g, 8, 256, NULL, 257))
ASK(heap, ask_channel(g, SL_CHANNEL_STRIDE_MAX, SL_CHANNEL_WIDTH_MAX, NULL, 1))
ASK(unconnected, (ask_channel(g, 8, 256, NULL, 1), sl_graph_channel(g, 8, 256, NULL)))
ASK(connect, (ask_channel(g, 8, 256, NULL, 1), sl_graph_connect(g, 0, 3)))
ASK(twice, (ask_channel(g, 8, 256, NULL, 1), sl_graph_connect(g, 0, 0)))
ASK(predicate, ask_channel(g, 8, 256, OPTIONS(.predicate = (enum sl_predicate)4), 1))
ASK(scheduler, (ask_channel(g, 8, 256, NULL, 1), sl_graph_policy(g, (enum sl_scheduler)7)))
ASK(policy_flags, (ask_channel(g, 8, 256, NULL, 1), sl_graph_policy_flags(g, SL_POLICY_DRAINED)))
ASK(variant_both, ask_channel(g, 8, 256, OPTIONS(.flags = SL_CHANNEL_PADDED | SL_CHANNEL_SOA), 1))
ASK(variant_ways,
    ask_channel(g, 8, 256, OPTIONS(.flags = SL_CHANNEL_WORKITEM | SL_CHANNEL_STAMPED), 1))
ASK(edge_stamps, ask_channel(g, 8, 256, OPTIONS(.flags = SL_CHANNEL_STAMPED), 1))
ASK(narrow, ask_channel(g, 8, 128, NULL, 2))
ASK(unused, (ask_channel(g, 8, 256, NULL, 1), ask_relay(g)))
ASK(edge_kernel, (ask_channel(g, 8, 256, NULL, 1), sl_graph_output(g, 2, 0, 1)))
ASK(edge_channel, (ask_channel(g, 8, 256, NULL, 1), sl_graph_output(g, 0, 2, 1)))

/* A guard of a good channel. */
static void ask_guard(struct sl_graph_builder *g, enum sl_guard_kind kind, int other,
                      uint32_t argument)
{
    sl_graph_guard(g, ask_channel(g, 8, 256, NULL, 1), kind, other, argument);
}

ASK(guard_kind, ask_guard(g, (enum sl_guard_kind)2, 0, 0))
ASK(guard_channel, ask_guard(g, SL_GUARD_EMPTY, 1, 0))
ASK(guard_argument,
    (ask_channel(g, 8, 256, OPTIONS(.name = "other"), 1), ask_guard(g, SL_GUARD_SPACE, 0, 194)))
ASK(guard_circle, ask_guard(g, SL_GUARD_EMPTY, 0, 0))
ASK(many_guards, (ask_channel(g, 8, 256, NULL, 1), ask_channel(g, 8, 256, NULL, 1));
    for (int i = 0; i <= SL_GRAPH_GUARDS; i++) sl_graph_guard(g, 0, SL_GUARD_EMPTY, 1, 0))

static void ask_stack_flat(struct sl_graph_builder *graph)
{
    const int stack = sl_graph_stack(graph, SL_ROLE_POST_SYNC, 8, 256, 2, NULL);
    sl_graph_connect_stack(graph, stack, ask_relay(graph));
    sl_graph_policy(graph, SL_SCHEDULER_FLAT);
}

static const struct badgraph_case cases[] = {
    {"address-zero", SL_REFUSE_GRAPH_ADDRESS, damage_address_zero, NULL, NULL},
    {"address-firmware", SL_REFUSE_GRAPH_ADDRESS, damage_address_firmware, NULL, NULL},
    {"address-limit", SL_REFUSE_GRAPH_ADDRESS, damage_address_limit, NULL, NULL},
    {"address-top", SL_REFUSE_GRAPH_ADDRESS, damage_address_top, NULL, NULL},
    {"address-odd", SL_REFUSE_GRAPH_ADDRESS, damage_address_odd, NULL, NULL},
    {"magic", SL_REFUSE_GRAPH_MAGIC, damage_magic, NULL, NULL},
    {"no-channels", SL_REFUSE_GRAPH_COUNT, damage_no_channels, ask_nothing, "has 0 channels"},
    {"many-channels", SL_REFUSE_GRAPH_COUNT, damage_many_channels, NULL, NULL},
    {"no-kernels", SL_REFUSE_GRAPH_COUNT, damage_no_kernels, ask_nothing, "0 kernels"},
    {"many-kernels", SL_REFUSE_GRAPH_COUNT, damage_many_kernels, NULL, NULL},
    {"many-edges", SL_REFUSE_GRAPH_COUNT, damage_many_edges, NULL, NULL},
    {"many-guards", SL_REFUSE_GRAPH_COUNT, damage_many_guards, ask_many_guards,
     "the graph has 64 guards; no more are possible"},
    {"kernels-low", SL_REFUSE_TABLE_ADDRESS, damage_kernels_low, NULL, NULL},
    {"edges-odd", SL_REFUSE_TABLE_ADDRESS, damage_edges_odd, NULL, NULL},
    {"program-limit", SL_REFUSE_TABLE_ADDRESS, damage_program_limit, NULL, NULL},
    {"overlap-tables", SL_REFUSE_TABLE_ADDRESS, damage_overlap_tables, NULL, NULL},
    {"code-heap", SL_REFUSE_PROGRAM, damage_code_heap, NULL, NULL},
    {"code-odd", SL_REFUSE_PROGRAM, damage_code_odd, NULL, NULL},
    {"code-none", SL_REFUSE_PROGRAM, damage_code_none, NULL, NULL},
    {"code-long", SL_REFUSE_PROGRAM, damage_code_long, NULL, NULL},
    {"reconvergence", SL_REFUSE_PROGRAM, damage_reconvergence, NULL, NULL},
    {"liveness", SL_REFUSE_PROGRAM, damage_liveness, NULL, NULL},
    {"scheduler", SL_REFUSE_SCHEDULER, damage_scheduler, ask_scheduler, "there is no policy 7"},
    {"policy-flags", SL_REFUSE_POLICY_FLAGS, damage_policy_flags, ask_policy_flags,
     "the flags of the scheduling policy have bits that it does not know: 0x1, where flat knows "
     "0x2"},
    {"entry-heap", SL_REFUSE_KERNEL_ENTRY, damage_entry_heap, ask_kernel, "no_such_kernel"},
    {"entry-odd", SL_REFUSE_KERNEL_ENTRY, damage_entry_odd, NULL, NULL},
    {"arguments", SL_REFUSE_KERNEL_ARGUMENTS, damage_arguments, ask_argument, "position 8"},
    {"resident", SL_REFUSE_KERNEL_RESIDENT, damage_resident, NULL, NULL},
    {"kernel-lds", SL_REFUSE_KERNEL_LDS, damage_kernel_lds, ask_kernel_lds,
     "kernel 0 'relay_kernel': a wavefront needs 262144 bytes of LDS, a compute unit has 65536"},
    {"width-100", SL_REFUSE_CHANNEL_WIDTH, damage_width_100, ask_width_100,
     "channel 0 'odd': width 100 is not a power of two"},
    {"width-32", SL_REFUSE_CHANNEL_WIDTH, damage_width_32, ask_width_32, "width 32 is not"},
    {"width-zero", SL_REFUSE_CHANNEL_WIDTH, damage_width_zero, ask_width_zero, "width 0 is not"},
    {"width-large", SL_REFUSE_CHANNEL_WIDTH, damage_width_large, ask_width_large,
     "width 33554432 is not"},
    {"stride-6", SL_REFUSE_CHANNEL_STRIDE, damage_stride_6, NULL, NULL},
    {"stride-zero", SL_REFUSE_CHANNEL_STRIDE, damage_stride_zero, ask_stride_zero, "of 0 bytes"},
    {"stride-large", SL_REFUSE_CHANNEL_STRIDE, damage_stride_large, ask_stride_large,
     "of 65537 bytes"},
    {"reciprocal", SL_REFUSE_CHANNEL_RECIPROCAL, damage_reciprocal, NULL, NULL},
    {"group-512", SL_REFUSE_CHANNEL_GROUP, damage_group_512, ask_group_512,
     "done-count group of 512"},
    {"group-shift", SL_REFUSE_CHANNEL_GROUP, damage_group_shift, NULL, NULL},
    {"fan-out-zero", SL_REFUSE_CHANNEL_FAN_OUT, damage_fan_out_zero, ask_fan_out_zero, "fan-out 0"},
    {"fan-out-large", SL_REFUSE_CHANNEL_FAN_OUT, damage_fan_out_large, ask_fan_out_large,
     "fan-out 257"},
    {"slack", SL_REFUSE_CHANNEL_FAN_OUT, damage_slack, NULL, NULL},
    {"slack-large", SL_REFUSE_CHANNEL_ARRAY, damage_slack_large, NULL, NULL},
    {"data-device", SL_REFUSE_CHANNEL_ARRAY, damage_data_device, NULL, NULL},
    {"data-top", SL_REFUSE_CHANNEL_ARRAY, damage_data_top, ask_heap, "the shared heap has no"},
    {"control-limit", SL_REFUSE_CHANNEL_ARRAY, damage_control_limit, NULL, NULL},
    {"done-odd", SL_REFUSE_CHANNEL_ARRAY, damage_done_odd, NULL, NULL},
    {"overlap-channels", SL_REFUSE_CHANNEL_OVERLAP, damage_overlap_channels, NULL, NULL},
    {"overlap-slack", SL_REFUSE_CHANNEL_OVERLAP, damage_overlap_slack, NULL, NULL},
    {"overlap-itself", SL_REFUSE_CHANNEL_OVERLAP, damage_overlap_itself, NULL, NULL},
    {"overlap-graph", SL_REFUSE_CHANNEL_OVERLAP, damage_overlap_graph, NULL, NULL},
    {"kernel-none", SL_REFUSE_CHANNEL_KERNEL, damage_kernel_none, ask_connect,
     "there is no kernel 3"},
    {"kernel-twice", SL_REFUSE_CHANNEL_KERNEL, damage_kernel_none, ask_twice,
     "connected to kernel 0 'relay_kernel' already"},
    {"kernel-unconnected", SL_REFUSE_CHANNEL_KERNEL, damage_kernel_unconnected, ask_unconnected,
     "channel 1 is not connected to a kernel"},
    {"predicate", SL_REFUSE_CHANNEL_PREDICATE, damage_predicate, ask_predicate,
     "there is no such predicate"},
    {"variant-flags", SL_REFUSE_CHANNEL_VARIANT, damage_variant_flags, NULL, NULL},
    {"variant-both", SL_REFUSE_CHANNEL_VARIANT, damage_variant_both, ask_variant_both,
     "exclude each other"},
    {"reservation", SL_REFUSE_CHANNEL_RESERVATION, damage_reservation, NULL, NULL},
    {"padded-stride", SL_REFUSE_CHANNEL_LAYOUT, damage_padded_stride, NULL, NULL},
    {"soa-stride", SL_REFUSE_CHANNEL_LAYOUT, damage_soa_stride, NULL, NULL},
    {"narrow", SL_REFUSE_CHANNEL_NARROW, damage_narrow, ask_narrow, "make it 256 or more"},
    {"counters-full", SL_REFUSE_CHANNEL_COUNTERS, damage_counters_full, NULL, NULL},
    {"counters-head", SL_REFUSE_CHANNEL_COUNTERS, damage_counters_head, NULL, NULL},
    {"counters-back", SL_REFUSE_CHANNEL_COUNTERS, damage_counters_back, NULL, NULL},
    {"counters-reserve", SL_REFUSE_CHANNEL_COUNTERS, damage_counters_reserve, NULL, NULL},
    {"counters-ready", SL_REFUSE_CHANNEL_COUNTERS, damage_counters_ready, NULL, NULL},
    {"variant-ways", SL_REFUSE_CHANNEL_VARIANT, damage_variant_both, ask_variant_ways,
     "a stamp is for what a wavefront's lanes have reserved together"},
    {"stamps", SL_REFUSE_CHANNEL_STAMPS, damage_stamps, NULL, NULL},
    {"edge-stamps", SL_REFUSE_EDGE_STAMPS, damage_edge_stamps, ask_edge_stamps,
     "one publishes by stamps and the other one in order"},
    {"kernel-unused", SL_REFUSE_KERNEL_UNUSED, damage_kernel_unused, ask_unused,
     "kernel 1 'relay_kernel' is not connected to a channel"},
    {"edge-kernel", SL_REFUSE_EDGE_NODE, damage_edge_kernel, ask_edge_kernel,
     "there is no kernel 2"},
    {"edge-channel", SL_REFUSE_EDGE_NODE, damage_edge_channel, ask_edge_channel,
     "there is no channel 2"},
    {"edge-zero", SL_REFUSE_EDGE_FAN_OUT, damage_edge_zero, ask_fan_out_zero, "fan-out 0"},
    {"stack-role", SL_REFUSE_CHANNEL_STACK, damage_stack_role, NULL, NULL},
    {"stack-plain", SL_REFUSE_CHANNEL_STACK, damage_stack_plain, NULL, NULL},
    {"stack-flat", SL_REFUSE_SCHEDULER_LEVELS, damage_stack_flat, ask_stack_flat,
     "policy, flat, does not know levels; levelized does"},
    {"stack-high", SL_REFUSE_CHANNEL_STACK, damage_stack_high, NULL, NULL},
    {"stack-level", SL_REFUSE_CHANNEL_STACK, damage_stack_level, NULL, NULL},
    {"stack-kernel", SL_REFUSE_CHANNEL_STACK, damage_stack_kernel, NULL, NULL},
    {"edge-level", SL_REFUSE_EDGE_LEVEL, damage_edge_level, NULL, NULL},
    {"edge-circle", SL_REFUSE_EDGE_CIRCLE, damage_edge_circle, NULL, NULL},
    {"pool", SL_REFUSE_POOL, damage_pool, NULL, NULL},
    {"edge-large", SL_REFUSE_EDGE_FAN_OUT, damage_edge_large, NULL, NULL},
    {"limits-none", SL_REFUSE_KERNEL_LIMITS, damage_limits_none, NULL, NULL},
    {"limits-device", SL_REFUSE_KERNEL_LIMITS, damage_limits_device, NULL, NULL},
    {"limits-odd", SL_REFUSE_KERNEL_LIMITS, damage_limits_odd, NULL, NULL},
    {"limits-count", SL_REFUSE_KERNEL_LIMITS, damage_limits_count, NULL, NULL},
    {"limits-shared", SL_REFUSE_TABLE_ADDRESS, damage_limits_shared, NULL, NULL},
    {"limits-channel", SL_REFUSE_CHANNEL_OVERLAP, damage_limits_channel, NULL, NULL},
    {"limit-more", SL_REFUSE_KERNEL_LIMIT, damage_limit_more, NULL, NULL},
    {"limit-less", SL_REFUSE_KERNEL_LIMIT, damage_limit_less, NULL, NULL},
    {"limit-edge", SL_REFUSE_KERNEL_LIMIT, damage_limit_edge, NULL, NULL},
    {"limit-reservation", SL_REFUSE_KERNEL_LIMIT, damage_limit_reservation, NULL, NULL},
    {"guards-odd", SL_REFUSE_TABLE_ADDRESS, damage_guards_odd, NULL, NULL},
    {"guards-overlap", SL_REFUSE_TABLE_ADDRESS, damage_guards_overlap, NULL, NULL},
    {"guard-kind", SL_REFUSE_GUARD_KIND, damage_guard_kind, ask_guard_kind,
     "there is no such guard"},
    {"guard-channel", SL_REFUSE_GUARD_CHANNEL, damage_guard_channel, ask_guard_channel,
     "there is no channel 1"},
    {"guard-of-none", SL_REFUSE_GUARD_CHANNEL, damage_guard_of_none, NULL, NULL},
    {"guard-stack", SL_REFUSE_GUARD_STACK, damage_guard_stack, NULL, NULL},
    {"guard-yields", SL_REFUSE_GUARD_YIELDS, damage_guard_yields, NULL, NULL},
    {"guard-argument", SL_REFUSE_GUARD_ARGUMENT, damage_guard_argument, ask_guard_argument,
     "channel 1, which looks at channel 0 'other': argument 194; 193 would do"},
    {"guard-circle", SL_REFUSE_GUARD_CIRCLE, damage_guard_circle, ask_guard_circle,
     "closes a circle of guards"},
};
#endif
