/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Waiting for the firmware, and what its messages mean for the host program.
 *
 * A wait sleeps on the tail of the firmware's mailbox ring, in slices: QEMU's end wakes it too, but
 * a wake that comes just before the sleep is lost, and the next slice sees the end. What QEMU wrote
 * before its end is read before the end is reported, so that a trapped firmware still says why. */
#include "host/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/control.h"
#include "host/futex.h"
#include "host/graph.h"
#include "host/mailbox.h"
#include "host/messages.h"
#include "host/print.h"
#include "host/sequence.h"
#include "host/served.h"
#include "host/soc.h"
#include "sluice/registers.h"

#define SLICE_MS       100
#define LOG_TAIL_BYTES 2000

/* Appends the end of a file of QEMU's to the message. */
static void append_file(struct sl_soc *soc, const char *title, int fd)
{
    char *const text = sl_memory_file_text(fd, LOG_TAIL_BYTES);
    if (text != NULL) {
        size_t length = strlen(text);
        while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) {
            text[--length] = '\0';
        }
        if (length > 0) {
            sl_text_append(soc->error, sizeof soc->error, "\n%s:\n%s", title, text);
        }
    }
    free(text);
}

static void append_logs(struct sl_soc *soc)
{
    append_file(soc, "QEMU says", soc->memory.log_fd);
    append_file(soc, "the firmware's console", soc->memory.uart_fd);
}

static struct sl_message_context context_of(struct sl_soc *soc)
{
    return (struct sl_message_context){&soc->config, soc->module, sl_graph_at(soc, soc->graph),
                                       &soc->launched};
}

/* What the host knows of a run and the device does not. */
static void add_footprint(struct sl_soc *soc, uint64_t *run)
{
    const struct sl_graph_builder *const graph = sl_graph_at(soc, soc->graph);
    if (graph != NULL) {
        const struct sl_footprint footprint = sl_graph_footprint(graph);
        run[SL_STAT_MEMORY_CHANNELS] = footprint.channel_bytes;
        run[SL_STAT_MEMORY_HELP_FIRST_CHANNELS] = footprint.help_first_bytes;
    }
}

static void take_statistics(struct sl_soc *soc, bool is_complete)
{
    uint64_t run[SL_STAT_COUNT];
    struct sl_served served;
    for (uint32_t i = 0; i < SL_STAT_COUNT; i++) {
        run[i] = sl_soc_register(soc, SL_REG_STATISTICS + 8 * i);
    }
    for (uint32_t i = 0; i < SL_SERVED_WORDS; i++) {
        ((uint64_t *)&served)[i] = sl_soc_register(soc, SL_REG_SERVED + 8 * i);
    }
    if (is_complete) {
        add_footprint(soc, run);
    }
    if (soc->has_sum) {
        sl_statistics_add(soc->statistics, run);
        sl_served_add(&soc->served, &served);
    } else {
        soc->served = served;
        memcpy(soc->statistics, run, sizeof run);
    }
}

/* The machine is beyond use: later calls fail with the message that is there now. */
static enum sl_status stop(struct sl_soc *soc)
{
    if (!soc->has_stopped) {
        soc->has_stopped = true;
        memcpy(soc->stop_reason, soc->error, sizeof soc->stop_reason);
    }
    soc->is_running = false;
    return SL_ERROR_MACHINE;
}

/* The running graph, if there is one, ends otherwise than by completion. */
static void mark_broken(struct sl_soc *soc)
{
    struct sl_graph_builder *const graph = sl_graph_at(soc, soc->graph);
    if (soc->is_running && graph != NULL) {
        graph->is_broken = true;
    }
}

static enum sl_status handle_refused(struct sl_soc *soc, const struct sl_message_agg *message)
{
    const struct sl_message_context context = context_of(soc);
    const struct sl_graph_refusal refusal = {(enum sl_refusal)message->reason, message->node,
                                             message->argument[0], message->argument[1],
                                             (uint32_t)message->argument[6]};
    char text[1024] = "";
    if (soc->kind == SL_HOST_SEQUENCE) {
        sl_sequence_refusal_text(&soc->config, &refusal, text, sizeof text);
        return sl_soc_fail(soc, SL_ERROR_USAGE, "the firmware refused the sequence: %s", text);
    }
    if (soc->kind == SL_HOST_LAUNCH) {
        sl_launch_refusal_text(&soc->config, &refusal, text, sizeof text);
        return sl_soc_fail(soc, SL_ERROR_USAGE, "the firmware refused the launch: %s", text);
    }
    sl_refusal_text(&context, &refusal, text, sizeof text);
    return sl_soc_fail(soc, SL_ERROR_USAGE, "the firmware refused the graph: %s", text);
}

static enum sl_status handle_faulted(struct sl_soc *soc, const struct sl_message_agg *message)
{
    const struct sl_message_context context = context_of(soc);
    const unsigned long long others = message->argument[0] > 1 ? message->argument[0] - 1 : 0;
    char text[2048];
    sl_fault_text(&context, &message->fault, text, sizeof text);
    if (others > 0) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "%s; %llu more wavefront%s faulted", text, others,
                           others == 1 ? "" : "s");
    }
    return sl_soc_fail(soc, SL_ERROR_MACHINE, "%s", text);
}

static enum sl_status handle_failed(struct sl_soc *soc, const struct sl_message_agg *message)
{
    char text[1024];
    if (message->reason == SL_FAILURE_STUCK) {
        const struct sl_message_context context = context_of(soc);
        sl_stuck_text(&context, message, text, sizeof text);
    } else {
        sl_failure_text(message, text, sizeof text);
    }
    return sl_soc_fail(soc, SL_ERROR_MACHINE, "%s", text);
}

static enum sl_status handle_trapped(struct sl_soc *soc, const struct sl_message_agg *message)
{
    char text[1024];
    sl_trapped_text(message, text, sizeof text);
    (void)sl_soc_fail(soc, SL_ERROR_MACHINE, "%s", text);
    append_file(soc, "the firmware's console", soc->memory.uart_fd);
    mark_broken(soc);
    return stop(soc);
}

/* A message that ends the graph. */
static enum sl_status handle_end(struct sl_soc *soc, const struct sl_message_agg *message)
{
    if (message->type == SL_AGG_FAULTED || message->type == SL_AGG_FAILED) {
        mark_broken(soc);
    }
    enum sl_status observed = SL_OK;
    if (message->type != SL_AGG_REFUSED) {
        take_statistics(soc, message->type == SL_AGG_COMPLETE);
        observed = sl_observe_run(soc);
    }
    soc->is_running = false;
    sl_print_show(soc, true);
    if (message->type == SL_AGG_COMPLETE) {
        soc->counts = (struct sl_completion_counts){message->argument[0], message->argument[1],
                                                    message->argument[2]};
        return observed;
    }
    if (message->type == SL_AGG_REFUSED) {
        return handle_refused(soc, message);
    }
    const enum sl_status status = message->type == SL_AGG_FAULTED ? handle_faulted(soc, message)
                                                                  : handle_failed(soc, message);
    if (soc->kind == SL_HOST_SEQUENCE && message->reason != SL_FAILURE_MESSAGE) {
        sl_sequence_append_step(soc, message);
    }
    return status;
}

/* Handles one message. *is_over says whether what the host waits for has come; the result is its.
 */
static enum sl_status handle(struct sl_soc *soc, const struct sl_message_agg *message,
                             bool *is_over)
{
    *is_over = true;
    switch (message->type) {
    case SL_AGG_READY:
        if (!soc->is_ready) {
            soc->is_ready = true;
            return SL_OK;
        }
        break;
    case SL_AGG_COMPLETE:
    case SL_AGG_REFUSED:
    case SL_AGG_FAULTED:
    case SL_AGG_FAILED:
        if (soc->is_running && message->sequence == soc->sequence) {
            return handle_end(soc, message);
        }
        break;
    case SL_AGG_TRAPPED:
        return handle_trapped(soc, message);
    default:
        break;
    }
    (void)sl_soc_fail(soc, SL_ERROR_MACHINE,
                      "the firmware sent message %u with sequence %u, which answers nothing that "
                      "the host asked; firmware and host library may not be of one build",
                      message->type, message->sequence);
    mark_broken(soc);
    return stop(soc);
}

static enum sl_status handle_death(struct sl_soc *soc, int wait_status)
{
    char text[256];
    sl_print_show(soc, true);
    sl_exit_text(wait_status, text, sizeof text);
    (void)sl_soc_fail(soc, SL_ERROR_MACHINE, "%s: %s",
                      soc->is_ready ? "the machine ended" : "the machine did not boot", text);
    append_logs(soc);
    mark_broken(soc);
    return stop(soc);
}

/* Waits for what ends the current wait. deadline_ms: as sl_wall_ms(), negative for none. */
static enum sl_status wait_for_message(struct sl_soc *soc, int64_t deadline_ms)
{
    for (;;) {
        int wait_status = 0;
        sl_print_show(soc, false);
        const bool has_ended = sl_process_has_ended(&soc->process, &wait_status);
        struct sl_message_agg message;
        const enum sl_mailbox_result result = sl_mailbox_receive(soc->mailbox, &message);
        if (result == SL_MAILBOX_CORRUPT) {
            (void)sl_soc_fail(
                soc, SL_ERROR_MACHINE,
                "the firmware's mailbox ring is corrupt: tail %u, head %u, %d entries",
                soc->mailbox->agg_tail, soc->mailbox->agg_head, SL_MAILBOX_ENTRIES);
            mark_broken(soc);
            return stop(soc);
        }
        if (result == SL_MAILBOX_MESSAGE) {
            bool is_over = false;
            const enum sl_status status = handle(soc, &message, &is_over);
            if (is_over) {
                return status;
            }
            continue;
        }
        if (has_ended) {
            return handle_death(soc, wait_status);
        }
        int slice_ms = SLICE_MS;
        if (deadline_ms >= 0) {
            const int64_t left = deadline_ms - sl_wall_ms();
            if (left <= 0) {
                return SL_ERROR_TIMEOUT;
            }
            slice_ms = left < SLICE_MS ? (int)left : SLICE_MS;
        }
        sl_control_serve(soc);
        sl_mailbox_sleep(soc->mailbox, slice_ms);
    }
}

enum sl_status sl_run_boot(struct sl_soc *soc, int64_t deadline_ms)
{
    const enum sl_status status = wait_for_message(soc, deadline_ms);
    if (status != SL_ERROR_TIMEOUT) {
        return status;
    }
    char limit[64];
    sl_config_format(SL_CFG_HOST_BOOT_LIMIT, &soc->config, limit, sizeof limit);
    (void)sl_soc_fail(soc, SL_ERROR_MACHINE,
                      "the machine did not boot: the firmware was not ready within %s "
                      "(host.boot_limit)",
                      limit);
    append_logs(soc);
    return SL_ERROR_MACHINE;
}

enum sl_status sl_soc_execute_unchecked(struct sl_soc *soc, uint64_t graph_address)
{
    return sl_run_start_unchecked(soc, SL_HOST_EXECUTE, graph_address);
}

enum sl_status sl_run_start_unchecked(struct sl_soc *soc, enum sl_message_host_type type,
                                      uint64_t address)
{
    if (!soc->is_running) {
        soc->launched.count = 0;
    }
    return sl_run_start(soc, type, address);
}

enum sl_status sl_run_start(struct sl_soc *soc, enum sl_message_host_type type, uint64_t address)
{
    if (soc->has_stopped) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "%s", soc->stop_reason);
    }
    if (soc->is_running) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "a graph is running: wait for its end before executing another");
    }
    const struct sl_message_host message = {
        .type = type, .sequence = ++soc->sequence, .argument = {address}};
    soc->graph = type == SL_HOST_EXECUTE ? address : 0;
    soc->kind = type;
    struct sl_graph_builder *const graph = sl_graph_at(soc, soc->graph);
    if (graph != NULL) {
        sl_graph_mark(graph);
    }
    soc->counts = (struct sl_completion_counts){0, 0, 0};
    sl_print_begin(soc);
    if (!soc->has_sum) {
        memset(soc->statistics, 0, sizeof soc->statistics);
    }
    if (!sl_mailbox_send(soc->mailbox, &message)) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE,
                           "the firmware does not read its mailbox: %d messages wait there",
                           SL_MAILBOX_ENTRIES);
    }
    soc->is_running = true;
    return SL_OK;
}

enum sl_status sl_soc_wait(struct sl_soc *soc, int limit_ms)
{
    if (soc->has_stopped) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "%s", soc->stop_reason);
    }
    if (!soc->is_running) {
        return sl_soc_fail(soc, SL_ERROR_USAGE, "no graph is running: execute one before waiting");
    }
    const enum sl_status status =
        wait_for_message(soc, limit_ms < 0 ? -1 : sl_wall_ms() + limit_ms);
    if (status == SL_ERROR_TIMEOUT) {
        return sl_soc_fail(soc, SL_ERROR_TIMEOUT, "the graph has not ended within %d ms", limit_ms);
    }
    return status;
}
