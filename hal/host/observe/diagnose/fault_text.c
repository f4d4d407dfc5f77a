/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sentences for faults of wavefronts: what, kernel, function and source line, lanes, compute unit,
 * simulated time (docs/know/design.md, "Faults"). A fault that has a remedy names it. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "host/base/text.h"
#include "host/driver/graph/graph.h"
#include "host/observe/diagnose/diagnose.h"
#include "isa/isa.h"
#include "sluice/lock.h"

#define PLACE_BYTES 256

/* Whether the fault lies in one of the channel operations (hal/kernel): leaf routines in assembly,
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

static void append_place(const struct sl_message_context *context, const struct sl_fault *fault,
                         char *out, size_t bytes)
{
    char place[PLACE_BYTES];
    sl_place_text(context, fault->pc, place, sizeof place);
    sl_text_append(out, bytes, ", in %s", place);
    if (is_in_routine(fault, place)) {
        /* The call is the instruction before the one that it returns to, of 2 bytes or 4. */
        sl_place_text(context, fault->return_pc - 2, place, sizeof place);
        sl_text_append(out, bytes, ", called from %s", place);
    }
    sl_text_append_lanes(fault->lanes, context->config, out, bytes);
    sl_text_append(out, bytes, ", CU %u, at %.3f us", fault->cu, (double)fault->time_ps / 1e6);
}

static void append_access(const struct sl_fault *fault, char *out, size_t bytes)
{
    sl_text_append(out, bytes, ": %s of %u byte%s at 0x%" PRIx64,
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
                   "store into kernel code: %u byte%s at 0x%" PRIx64 ", where 0x%" PRIx64
                   " to 0x%" PRIx64 " may only be read and executed",
                   fault->access_bytes, fault->access_bytes == 1 ? "" : "s", fault->address,
                   fault->value0, fault->value1 - 1);
}

static bool is_in_lds(uint64_t address)
{
    return address - SL_LDS_BASE < SL_LDS_APERTURE;
}

static void append_lds(const struct sl_message_context *context, const struct sl_fault *fault,
                       char *out, size_t bytes)
{
    sl_text_append(out, bytes, ", in the LDS aperture at offset %" PRIu64,
                   fault->address - (uint64_t)SL_LDS_BASE);
    if (fault->value0 == 0) {
        sl_text_append(out, bytes, ", where this wavefront has no LDS");
    } else {
        sl_text_append(out, bytes, ", where the %s has %" PRIu64 " bytes of LDS",
                       context->graph != NULL ? "wavefront" : "work-group", fault->value0);
    }
}

/* Whether a lock is what it wants at its address. */
static bool is_of_lock(const struct sl_fault *fault)
{
    return sl_insn_decode(fault->instruction).class == SL_CLASS_LOCK;
}

/* Who has a lock, as its word says (sluice/lock.h). */
static void append_holder(const struct sl_message_context *context, const struct sl_fault *fault,
                          char *out, size_t bytes)
{
    const int64_t word = (int64_t)fault->value0;
    const uint64_t lanes = context->config != NULL
                               ? (uint64_t)context->config->number[SL_CFG_GPU_LANES]
                               : SL_LANES_MAX;

    if (fault->value0 == fault->value1) {
        sl_text_append(out, bytes,
                       ", which the lane has taken otherwise: sl_unlock() gives back "
                       "what sl_lock() took, sl_tryunlock() what sl_trylock() took");
    } else if (word == SL_LOCK_FREE) {
        sl_text_append(out, bytes, ", which is free");
    } else if (word < 0) {
        sl_text_append(out, bytes, ", whose word is %" PRId64 ", the number of no lane", word);
    } else {
        sl_text_append(out, bytes,
                       ", which lane %" PRIu64 " of the wavefront with block %" PRIu64
                       " of the wavefront state pool has",
                       fault->value0 % lanes, fault->value0 / lanes);
    }
}

static void append_lock(const struct sl_message_context *context, const struct sl_fault *fault,
                        char *out, size_t bytes)
{
    if (fault->code == SL_FAULT_LOCK_HELD && fault->value0 != 1) {
        sl_text_append(out, bytes,
                       fault->value0 == 0 ? ": it waits for one in a queue" : ": %" PRIu64 " locks",
                       fault->value0);
        return;
    }
    sl_text_append(out, bytes, ": the lock at 0x%" PRIx64, fault->address);
    if (fault->code == SL_FAULT_LOCK_OWNER) {
        append_holder(context, fault, out, bytes);
    } else if (fault->code == SL_FAULT_LOCK_NESTED && fault->value0 != 0) {
        sl_text_append(out, bytes, ", having that at 0x%" PRIx64, fault->value0);
    }
    if (fault->code == SL_FAULT_LOCK_NESTED) {
        sl_text_append(out, bytes,
                       "; try for the second one, too, and give the first one back "
                       "where that fails");
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
    sl_place_text(context, fault->value1, place, sizeof place);
    sl_text_append(out, bytes, ", wavefront %" PRIu64 " is in %s", fault->value0, place);
}

/* "channel 0 'fib' overflows: width 1024, ..." */
static void overflow_text(const struct sl_message_context *context, const struct sl_fault *fault,
                          char *out, size_t bytes)
{
    const struct sl_channel *const channel = sl_graph_find_shape(context->graph, fault->value0);
    (void)snprintf(out, bytes,
                   "%s overflows: ", sl_graph_channel_label(context->graph, fault->value0).text);
    if (channel != NULL) {
        sl_text_append(out, bytes, "width %u, ", channel->width);
    }
    sl_text_append(out, bytes, "a wavefront demands %" PRIu64 " more elements", fault->value1);
    if (channel != NULL) {
        /* What is in use is read when the run has ended: others may have freed some. */
        const uint64_t in_use = sl_graph_in_use(context->graph, (uint32_t)fault->value0);
        sl_text_append(out, bytes, " and %" PRIu64 " are in use%s", in_use,
                       in_use + fault->value1 <= channel->width ? " at the end of the run" : "");
    }
    append_place(context, fault, out, bytes);
    sl_graph_append_space(context->graph, fault->value0, out, bytes);
}

/* "the channel accounting of the graph does not balance: channel 0 'fib': an element was enqueued
 * twice ..." */
static void audit_text(const struct sl_message_context *context, const struct sl_fault *fault,
                       char *out, size_t bytes)
{
    const struct sl_audit_finding finding = {(enum sl_audit)fault->trap, fault->address,
                                             fault->value0, fault->value1};
    (void)snprintf(out, bytes, "the channel accounting of the graph does not balance: ");
    sl_graph_append_finding(context->graph, fault->channel, &finding, out, bytes);
    sl_text_append(out, bytes, ", at %.3f us", (double)fault->time_ps / 1e6);
}

/* Which queue of the task runtime is full. */
static void append_task_queue(const struct sl_fault *fault, char *out, size_t bytes)
{
    static const char *const queues[] = {[SL_TASKS_OWN] = "a wavefront's own queue",
                                         [SL_TASKS_GROUP] = "a work-group's queue",
                                         [SL_TASKS_DEVICE] = "the device's queue"};
    const char *const queue =
        fault->value0 < SL_TASKS_QUEUES ? queues[fault->value0] : "a queue of unknown kind";

    sl_text_append(out, bytes,
                   ": %s of task fronts is full: its capacity is %" PRIu64 "; make it larger",
                   queue, fault->value1);
}

static void append_trap(const struct sl_message_context *context, const struct sl_fault *fault,
                        char *out, size_t bytes)
{
    const struct sl_graph_label channel = sl_graph_channel_label(context->graph, fault->value0);
    const struct sl_edge *const edge =
        sl_graph_find_edge(context->graph, fault->kernel, fault->value0);
    sl_text_append(out, bytes, "kernel trap");
    switch (fault->trap) {
    case SL_TRAP_ABORT:
        sl_text_append(out, bytes, ": abort");
        break;
    case SL_TRAP_CHANNEL_ID:
        sl_text_append(out, bytes,
                       ": there is no channel %" PRIu64 ": the graph has %" PRIu64
                       ", numbered from 0",
                       fault->value0, fault->value1);
        break;
    case SL_TRAP_FAN_OUT:
        sl_text_append(out, bytes, ": a lane asks %s for %" PRIu64 " elements at once",
                       channel.text, fault->value1);
        if (edge != NULL) {
            sl_text_append(out, bytes, ", the kernel's declared fan-out into it is %u",
                           edge->fan_out);
        }
        break;
    case SL_TRAP_EDGE:
        sl_text_append(out, bytes,
                       ": a lane puts %" PRIu64
                       " element%s into %s, to which no edge from the kernel is declared; declare "
                       "one with sl_graph_output()",
                       fault->value1, fault->value1 == 1 ? "" : "s", channel.text);
        break;
    case SL_TRAP_ELEMENT:
        sl_text_append(out, bytes, ": 0x%" PRIx64 " is not an element of %s", fault->value1,
                       channel.text);
        break;
    case SL_TRAP_STACK_HEIGHT:
        sl_text_append(out, bytes,
                       ": from %s: a level below the deepest of a channel stack of %" PRIu64
                       " levels; make the stack higher",
                       channel.text, fault->value1);
        break;
    case SL_TRAP_TASK_VECTOR:
        sl_text_append(out, bytes,
                       ": the task vector is full: %" PRIu64 " slots are wanted, it has %" PRIu64
                       "; make its capacity larger",
                       fault->value0, fault->value1);
        break;
    case SL_TRAP_TASK_QUEUE:
        append_task_queue(fault, out, bytes);
        break;
    case SL_TRAP_ASSERT:
        sl_text_append(out, bytes, ": assertion failed in line %" PRIu64 " (value %" PRIu64 ")",
                       fault->value0, fault->value1);
        break;
    default:
        sl_text_append(out, bytes, " %u (operands 0x%" PRIx64 " and 0x%" PRIx64 ")", fault->trap,
                       fault->value0, fault->value1);
        break;
    }
}

/* ": for 10000000 cycles (gpu.progress_limit) ...; wavefront 0, of 2, looks at the word at ..." */
static void append_no_progress(const struct sl_fault *fault, char *out, size_t bytes)
{
    static const char *const states[] = {
        [SL_HOLDER_NONE] = "waits for memory",
        [SL_HOLDER_LOOPS] = "goes round in a loop",
        [SL_HOLDER_BARRIER] = "waits at a barrier",
        [SL_HOLDER_LOCK] = "waits for a lock",
        [SL_HOLDER_COUNTS] = "goes round in a loop that changes nothing else",
    };

    sl_text_append(out, bytes,
                   ": for %" PRIu64 " cycles (gpu.progress_limit) no wavefront has begun, ended or "
                   "changed anything%s",
                   fault->value0,
                   fault->holder_state == SL_HOLDER_COUNTS ? " but registers and its own stack"
                                                           : "");
    if (fault->lanes == 0 || fault->holder_state >= sizeof states / sizeof states[0] ||
        states[fault->holder_state] == NULL) {
        return;
    }
    sl_text_append(out, bytes, "; wavefront %" PRIu64 ", %s%" PRIu64 ", %s", fault->wavefront,
                   fault->holder_state == SL_HOLDER_COUNTS ? "of " : "the oldest of ",
                   fault->value1, states[fault->holder_state]);
    if (fault->address != 0) {
        sl_text_append(out, bytes, " that looks at the word at 0x%" PRIx64, fault->address);
    }
}

/* What the sentence of a fault's code leaves open. */
static void append_detail(const struct sl_message_context *context, const struct sl_fault *fault,
                          char *out, size_t bytes)
{
    const char *const reason = sl_code_sentence(SL_CODE_REFUSE, fault->value0);
    switch (fault->code) {
    case SL_FAULT_ILLEGAL_INSTRUCTION:
        sl_text_append(out, bytes, " 0x%08x", fault->instruction);
        break;
    case SL_FAULT_FETCH:
    case SL_FAULT_RETURN:
        sl_text_append(out, bytes, ": 0x%" PRIx64, fault->address);
        if (fault->code == SL_FAULT_RETURN && fault->address == SL_LANE_EXIT_PC) {
            sl_text_append(out, bytes,
                           ", where lanes end: a kernel was called through a pointer, and a kernel "
                           "cannot be called");
        }
        break;
    case SL_FAULT_ACCESS:
        append_access(fault, out, bytes);
        if (is_in_lds(fault->address)) {
            append_lds(context, fault, out, bytes);
        }
        if (is_of_lock(fault)) {
            sl_text_append(out, bytes, "; a lock has to be in shared memory");
        }
        break;
    case SL_FAULT_PROTECTED:
        append_access(fault, out, bytes);
        sl_text_append_protected(context, fault, out, bytes);
        break;
    case SL_FAULT_BARRIER_DIVERGENT:
        sl_text_append(out, bytes, ": wavefront %" PRIu64, fault->wavefront);
        sl_text_append_mask(" lacks", fault->value0, out, bytes);
        break;
    case SL_FAULT_BARRIER_MISMATCHED:
        append_barrier(context, fault, out, bytes);
        break;
    case SL_FAULT_LOCK_OWNER:
    case SL_FAULT_LOCK_AGAIN:
    case SL_FAULT_LOCK_HELD:
    case SL_FAULT_LOCK_NESTED:
        append_lock(context, fault, out, bytes);
        break;
    case SL_FAULT_PACKET:
        if (reason != NULL) {
            sl_text_append(out, bytes, ": %s", reason);
        }
        break;
    case SL_FAULT_MISALIGNED:
        append_access(fault, out, bytes);
        sl_text_append(out, bytes, ", which is no multiple of %u", fault->access_bytes);
        break;
    case SL_FAULT_STACK:
        append_access(fault, out, bytes);
        sl_text_append(out, bytes, "; ");
        sl_text_append_setting(context->config, SL_CFG_GPU_STACK, out, bytes);
        break;
    case SL_FAULT_DIVERGENCE_DEPTH:
        sl_text_append(out, bytes, "; ");
        sl_text_append_setting(context->config, SL_CFG_GPU_DIVERGENCE_DEPTH, out, bytes);
        sl_text_append(out, bytes, ", ");
        sl_text_append_setting(context->config, SL_CFG_GPU_DIVERGENCE_SPILL, out, bytes);
        break;
    case SL_FAULT_CYCLE_LIMIT:
        sl_text_append(out, bytes,
                       ": the graph is not complete after %" PRIu64 " cycles (gpu.cycle_limit)",
                       fault->value0);
        break;
    case SL_FAULT_PROGRESS:
        append_no_progress(fault, out, bytes);
        break;
    case SL_FAULT_DEADLOCK:
        sl_text_append(out, bytes, ": ");
        sl_text_append_deadlock(fault, out, bytes);
        break;
    default:
        break;
    }
}

/* What happened, without who and where. */
static void append_cause(const struct sl_message_context *context, const struct sl_fault *fault,
                         char *out, size_t bytes)
{
    const char *const sentence = sl_code_sentence(SL_CODE_FAULT, fault->code);
    if (fault->code == SL_FAULT_TRAP) {
        append_trap(context, fault, out, bytes);
        return;
    }
    if (is_in_code(fault)) {
        append_store_into_code(fault, out, bytes);
        return;
    }
    if (sentence == NULL) {
        sl_text_append(out, bytes, "fault code %u, which this library does not know", fault->code);
        return;
    }
    sl_text_append(out, bytes, "%s", sentence);
    append_detail(context, fault, out, bytes);
}

void sl_fault_text(const struct sl_message_context *context, const struct sl_fault *fault,
                   char *out, size_t bytes)
{
    if (fault->code == SL_FAULT_TRAP && fault->trap == SL_TRAP_CHANNEL_FULL) {
        overflow_text(context, fault, out, bytes);
        return;
    }
    if (fault->code == SL_FAULT_AUDIT) {
        audit_text(context, fault, out, bytes);
        return;
    }
    if ((fault->code == SL_FAULT_CYCLE_LIMIT || fault->code == SL_FAULT_PROGRESS) &&
        fault->lanes == 0) {
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
    if (fault->code == SL_FAULT_DEADLOCK) {
        sl_text_append_holder(context, fault, out, bytes);
    }
}
