/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Starting a run: what the last one left is put away, and the firmware is told. */
#include "host/run/start.h"

#include "host/graph/graph.h"
#include "host/load/module.h"
#include "host/machine/machine.h"
#include "host/run/run.h"

static void begin(struct sl_soc *soc, enum sl_message_host_type type, uint64_t address)
{
    struct sl_run *const run = sl_run_of(soc);
    const struct sl_module *const module = sl_soc_residents(soc)->module;
    run->graph = type == SL_HOST_EXECUTE ? address : 0;
    run->kind = type;
    struct sl_graph_builder *const graph = sl_graph_at(soc, run->graph);
    if (graph != NULL) {
        sl_graph_mark(graph);
    }
    run->counts = (struct sl_completion_counts){0, 0, 0};
    sl_print_begin(&run->print, module != NULL ? sl_module_print_buffer(module) : NULL);
    sl_results_begin(&run->results);
}

enum sl_status sl_run_start(struct sl_soc *soc, enum sl_message_host_type type, uint64_t address)
{
    const enum sl_status status = sl_soc_check_usable(soc);
    if (status != SL_OK) {
        return status;
    }
    if (sl_soc_state(soc)->is_running) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "a graph is running: wait for its end before executing another");
    }
    const struct sl_message_host message = {
        .type = type, .sequence = ++sl_run_of(soc)->sequence, .argument = {address}};
    begin(soc, type, address);
    if (!sl_mailbox_send(sl_soc_mailbox(soc), &message)) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE,
                           "the firmware does not read its mailbox: %d messages wait there",
                           SL_MAILBOX_ENTRIES);
    }
    sl_soc_state(soc)->is_running = true;
    return SL_OK;
}

enum sl_status sl_run_start_unchecked(struct sl_soc *soc, enum sl_message_host_type type,
                                      uint64_t address)
{
    if (!sl_soc_state(soc)->is_running) {
        sl_run_of(soc)->launched.count = 0;
    }
    return sl_run_start(soc, type, address);
}

enum sl_status sl_graph_execute(struct sl_graph_builder *graph)
{
    enum sl_status status = sl_graph_prepare(graph);
    if (status == SL_OK) {
        status = sl_graph_check_filled(graph);
    }
    return status == SL_OK
               ? sl_soc_execute_unchecked(sl_graph_soc(graph), (uintptr_t)sl_graph_shared(graph))
               : status;
}

enum sl_status sl_soc_execute_unchecked(struct sl_soc *soc, uint64_t graph_address)
{
    return sl_run_start_unchecked(soc, SL_HOST_EXECUTE, graph_address);
}
