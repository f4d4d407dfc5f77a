/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sentences for faults of wavefronts: what, kernel, function and source line, lanes, compute unit,
 * simulated time (DESIGN section 4). A fault that has a remedy names it. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "host/codes.h"
#include "host/graph.h"
#include "host/messages.h"
#include "host/module.h"

#define PLACE_BYTES 256

/* Whether the fault lies in one of the channel operations (hal/wave): leaf routines in assembly,
 * whose caller is what the user wrote. `place` describes the pc. */
static bool is_in_routine(const struct sl_fault *fault, const char *place)
{
    const bool is_channel_trap =
        fault->code == SL_FAULT_TRAP &&
        ((fault->trap >= SL_TRAP_CHANNEL_FULL && fault->trap <= SL_TRAP_ELEMENT) ||
         fault->trap == SL_TRAP_EDGE);
    return fault->return_pc != 0 && fault->return_pc != SL_LANE_EXIT_PC &&
           (is_channel_trap || strstr(place, ".S:") != NULL);
}

static void place_text(const struct sl_module *module, uint64_t pc, char *out, size_t bytes)
{
    if (module != NULL) {
        sl_module_describe(module, pc, out, bytes);
    } else {
        (void)snprintf(out, bytes, "0x%" PRIx64, pc);
    }
}

/* Index of the graph's kernel whose struct sl_kernel is at the address; kernel_count where it is
 * none, and where there is no graph. */
static uint64_t kernel_index(const struct sl_graph_builder *graph, uint64_t kernel)
{
    const uint64_t base = graph != NULL ? (uintptr_t)graph->shared_kernels : 0;
    const uint64_t index = (kernel - base) / sizeof(struct sl_kernel);
    const uint32_t count = graph != NULL ? graph->kernel_count : 0;
    return base != 0 && kernel >= base && index < count ? index : count;
}

void sl_kernel_text(const struct sl_message_context *context, uint64_t kernel, char *out,
                    size_t bytes)
{
    const struct sl_graph_builder *const graph = context->graph;
    const uint64_t index = kernel_index(graph, kernel);
    if (graph != NULL && index < graph->kernel_count) {
        (void)snprintf(out, bytes, "kernel %s", graph->kernels[index].name);
        return;
    }
    const char *const launched = sl_launched_kernel(context->launched, kernel);
    if (launched != NULL) {
        (void)snprintf(out, bytes, "kernel %s", launched);
    } else if (kernel != 0) {
        (void)snprintf(out, bytes, "the kernel at 0x%" PRIx64, kernel);
    } else {
        (void)snprintf(out, bytes, "a kernel");
    }
}

/* "before lanes 0-3,7" */
static void append_mask(const char *before, uint64_t lanes, char *out, size_t bytes)
{
    sl_text_append(out, bytes, "%s lane%s ", before, __builtin_popcountll(lanes) == 1 ? "" : "s");
    const char *separator = "";
    for (unsigned lane = 0; lane < SL_LANES_MAX; lane++) {
        if ((lanes >> lane & 1) == 0) {
            continue;
        }
        unsigned last = lane;
        while (last + 1 < SL_LANES_MAX && (lanes >> (last + 1) & 1) != 0) {
            last++;
        }
        sl_text_append(out, bytes, "%s%u", separator, lane);
        if (last > lane) {
            sl_text_append(out, bytes, "-%u", last);
        }
        separator = ",";
        lane = last;
    }
}

void sl_text_append_lanes(uint64_t lanes, const struct sl_config *config, char *out, size_t bytes)
{
    const int count = __builtin_popcountll(lanes);
    if (count == 0) {
        return;
    }
    append_mask(",", lanes, out, bytes);
    if (config != NULL) {
        sl_text_append(out, bytes, " (%d of %" PRId64 ")", count, config->number[SL_CFG_GPU_LANES]);
    }
}

static void append_place(const struct sl_message_context *context, const struct sl_fault *fault,
                         char *out, size_t bytes)
{
    char place[PLACE_BYTES];
    place_text(context->module, fault->pc, place, sizeof place);
    sl_text_append(out, bytes, ", in %s", place);
    if (is_in_routine(fault, place)) {
        /* The call is the instruction before the one that it returns to, of 2 bytes or 4. */
        place_text(context->module, fault->return_pc - 2, place, sizeof place);
        sl_text_append(out, bytes, ", called from %s", place);
    }
    sl_text_append_lanes(fault->lanes, context->config, out, bytes);
    sl_text_append(out, bytes, ", CU %" PRIu32 ", at %.3f us", fault->cu,
                   (double)fault->time_ps / 1e6);
}

static void append_access(const struct sl_fault *fault, char *out, size_t bytes)
{
    sl_text_append(out, bytes, ": %s of %" PRIu32 " byte%s at 0x%" PRIx64,
                   fault->is_store ? "store" : "load", fault->access_bytes,
                   fault->access_bytes == 1 ? "" : "s", fault->address);
}

/* The device gives the bounds of the code with a store into it. */
static bool is_in_code(const struct sl_fault *fault)
{
    return fault->code == SL_FAULT_ACCESS && fault->is_store && fault->value1 > fault->value0 &&
           fault->address < fault->value1 && fault->address + fault->access_bytes > fault->value0;
}

static void append_store_into_code(const struct sl_fault *fault, char *out, size_t bytes)
{
    sl_text_append(out, bytes,
                   "store into kernel code: %" PRIu32 " byte%s at 0x%" PRIx64 ", where 0x%" PRIx64
                   " to 0x%" PRIx64 " may only be read and executed",
                   fault->access_bytes, fault->access_bytes == 1 ? "" : "s", fault->address,
                   fault->value0, fault->value1 - 1);
}

static bool is_in_lds(uint64_t address)
{
    return address - SL_LDS_BASE < SL_LDS_APERTURE;
}

static void append_lds(const struct sl_fault *fault, char *out, size_t bytes)
{
    sl_text_append(out, bytes, ", in the LDS aperture at offset %" PRIu64,
                   fault->address - (uint64_t)SL_LDS_BASE);
    if (fault->value0 == 0) {
        sl_text_append(out, bytes, ", where this wavefront has no LDS");
    } else {
        sl_text_append(out, bytes, ", where the work-group has %" PRIu64 " bytes of LDS",
                       fault->value0);
    }
}

/* Which wavefronts do not come together, and where. */
static void append_barrier(const struct sl_message_context *context, const struct sl_fault *fault,
                           char *out, size_t bytes)
{
    char place[PLACE_BYTES];
    sl_text_append(out, bytes, ": wavefront %" PRIu64 " waits", fault->wavefront);
    if (fault->value1 == 0) {
        sl_text_append(out, bytes, ", wavefront %" PRIu64 " has ended", fault->value0);
        return;
    }
    place_text(context->module, fault->value1, place, sizeof place);
    sl_text_append(out, bytes, ", wavefront %" PRIu64 " is in %s", fault->value0, place);
}

static void config_text(const struct sl_config *config, enum sl_config_key key, char *out,
                        size_t bytes)
{
    (void)snprintf(out, bytes, "%s", sl_config_table[key].key);
    if (config != NULL) {
        char value[64];
        sl_config_format(key, config, value, sizeof value);
        (void)snprintf(out, bytes, "%s is %s", sl_config_table[key].key, value);
    }
}

static const struct sl_channel *channel_of(const struct sl_graph_builder *graph, uint64_t id)
{
    return graph != NULL && graph->shared != NULL && id < graph->channel_count
               ? &sl_graph_channels(graph->shared)[id]
               : NULL;
}

/* "channel 0 'fib' overflows: width 1024, ..." */
static void overflow_text(const struct sl_message_context *context, const struct sl_fault *fault,
                          char *out, size_t bytes)
{
    const struct sl_channel *const channel = channel_of(context->graph, fault->value0);
    sl_graph_channel_text(context->graph, fault->value0, out, bytes);
    sl_text_append(out, bytes, " overflows: ");
    if (channel != NULL) {
        sl_text_append(out, bytes, "width %" PRIu32 ", ", channel->width);
    }
    sl_text_append(out, bytes, "a wavefront demands %" PRIu64 " more elements", fault->value1);
    if (channel != NULL) {
        sl_text_append(out, bytes, " and %" PRIu64 " are in use",
                       channel->data_tail - channel->data_head);
    }
    append_place(context, fault, out, bytes);
    sl_text_append(out, bytes, "; use a wider channel");
}

/* What the kernel's edge to a channel declares; NULL where there is none. */
static const struct sl_edge *edge_of(const struct sl_graph_builder *graph, uint64_t kernel,
                                     uint64_t channel)
{
    const uint64_t index = kernel_index(graph, kernel);
    for (uint32_t i = 0; graph != NULL && i < graph->edge_count; i++) {
        if (graph->edges[i].kernel == index && graph->edges[i].channel == channel) {
            return &graph->edges[i];
        }
    }
    return NULL;
}

static void append_trap(const struct sl_message_context *context, const struct sl_fault *fault,
                        char *out, size_t bytes)
{
    const struct sl_edge *const edge = edge_of(context->graph, fault->kernel, fault->value0);
    char name[SL_GRAPH_NAME_BYTES + 32];
    sl_graph_channel_text(context->graph, fault->value0, name, sizeof name);
    switch (fault->trap) {
    case SL_TRAP_ABORT:
        sl_text_append(out, bytes, "kernel trap: abort");
        break;
    case SL_TRAP_CHANNEL_ID:
        sl_text_append(out, bytes,
                       "kernel trap: there is no channel %" PRIu64 ": the graph has %" PRIu64
                       ", numbered from 0",
                       fault->value0, fault->value1);
        break;
    case SL_TRAP_FAN_OUT:
        sl_text_append(out, bytes, "kernel trap: a lane asks %s for %" PRIu64 " elements at once",
                       name, fault->value1);
        if (edge != NULL) {
            sl_text_append(out, bytes, ", the kernel's declared fan-out into it is %" PRIu32,
                           edge->fan_out);
        }
        break;
    case SL_TRAP_EDGE:
        sl_text_append(out, bytes,
                       "kernel trap: a lane puts %" PRIu64 " element%s into %s, to which no edge "
                       "from the kernel is declared; declare one with sl_graph_output()",
                       fault->value1, fault->value1 == 1 ? "" : "s", name);
        break;
    case SL_TRAP_ELEMENT:
        sl_text_append(out, bytes, "kernel trap: 0x%" PRIx64 " is not an element of %s",
                       fault->value1, name);
        break;
    case SL_TRAP_STACK_HEIGHT:
        sl_text_append(out, bytes,
                       "kernel trap: from %s: a level below the deepest of a channel stack of "
                       "%" PRIu64 " levels; make the stack higher",
                       name, fault->value1);
        break;
    case SL_TRAP_ASSERT:
        sl_text_append(out, bytes,
                       "kernel trap: assertion failed in line %" PRIu64 " (value %" PRIu64 ")",
                       fault->value0, fault->value1);
        break;
    default:
        sl_text_append(out, bytes,
                       "kernel trap %" PRIu32 " (operands 0x%" PRIx64 " and 0x%" PRIx64 ")",
                       fault->trap, fault->value0, fault->value1);
        break;
    }
}

/* What happened, without who and where. */
static void append_cause(const struct sl_message_context *context, const struct sl_fault *fault,
                         char *out, size_t bytes)
{
    const char *const sentence = sl_code_sentence(SL_CODE_FAULT, fault->code);
    char setting[128];
    if (fault->code == SL_FAULT_TRAP) {
        append_trap(context, fault, out, bytes);
        return;
    }
    if (is_in_code(fault)) {
        append_store_into_code(fault, out, bytes);
        return;
    }
    if (sentence == NULL) {
        sl_text_append(out, bytes, "fault code %" PRIu32 ", which this library does not know",
                       fault->code);
        return;
    }
    sl_text_append(out, bytes, "%s", sentence);
    switch (fault->code) {
    case SL_FAULT_ILLEGAL_INSTRUCTION:
        sl_text_append(out, bytes, " 0x%08" PRIx32, fault->instruction);
        break;
    case SL_FAULT_FETCH:
    case SL_FAULT_RETURN:
        sl_text_append(out, bytes, ": 0x%" PRIx64, fault->address);
        break;
    case SL_FAULT_ACCESS:
        append_access(fault, out, bytes);
        if (is_in_lds(fault->address)) {
            append_lds(fault, out, bytes);
        }
        break;
    case SL_FAULT_BARRIER_DIVERGENT:
        sl_text_append(out, bytes, ": wavefront %" PRIu64, fault->wavefront);
        append_mask(" lacks", fault->value0, out, bytes);
        break;
    case SL_FAULT_BARRIER_MISMATCHED:
        append_barrier(context, fault, out, bytes);
        break;
    case SL_FAULT_PACKET:
        if (sl_code_sentence(SL_CODE_REFUSE, fault->value0) != NULL) {
            sl_text_append(out, bytes, ": %s", sl_code_sentence(SL_CODE_REFUSE, fault->value0));
        }
        break;
    case SL_FAULT_MISALIGNED:
        append_access(fault, out, bytes);
        sl_text_append(out, bytes, ", which is no multiple of %" PRIu32, fault->access_bytes);
        break;
    case SL_FAULT_STACK:
        append_access(fault, out, bytes);
        config_text(context->config, SL_CFG_GPU_STACK, setting, sizeof setting);
        sl_text_append(out, bytes, "; %s", setting);
        break;
    case SL_FAULT_DIVERGENCE_DEPTH:
        config_text(context->config, SL_CFG_GPU_DIVERGENCE_DEPTH, setting, sizeof setting);
        sl_text_append(out, bytes, "; %s", setting);
        config_text(context->config, SL_CFG_GPU_DIVERGENCE_SPILL, setting, sizeof setting);
        sl_text_append(out, bytes, ", %s", setting);
        break;
    case SL_FAULT_CYCLE_LIMIT:
        sl_text_append(out, bytes,
                       ": the graph is not complete after %" PRIu64 " cycles (gpu.cycle_limit)",
                       fault->value0);
        break;
    default:
        break;
    }
}

void sl_fault_text(const struct sl_message_context *context, const struct sl_fault *fault,
                   char *out, size_t bytes)
{
    if (fault->code == SL_FAULT_TRAP && fault->trap == SL_TRAP_CHANNEL_FULL) {
        overflow_text(context, fault, out, bytes);
        return;
    }
    if (fault->code == SL_FAULT_CYCLE_LIMIT && fault->lanes == 0) {
        out[0] = '\0';
        append_cause(context, fault, out, bytes);
        sl_text_append(out, bytes, "; no wavefront was running");
        return;
    }
    char kernel[SL_GRAPH_NAME_BYTES + 32];
    sl_kernel_text(context, fault->kernel, kernel, sizeof kernel);
    (void)snprintf(out, bytes, "%s faulted: ", kernel);
    append_cause(context, fault, out, bytes);
    append_place(context, fault, out, bytes);
}
