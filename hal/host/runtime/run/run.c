/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A run's beginning: what the last one left is put away, and the firmware is told. */
#include "host/runtime/run/run.h"

#include "host/driver/code/module.h"
#include "host/driver/graph/graph.h"

/* With the table of what may be accessed, or 0. */
static void begin(struct sl_soc *soc, uint64_t table)
{
    struct sl_run *const run = soc->run;
    const struct sl_module *const module = soc->module;
    struct sl_graph_builder *const graph = sl_graph_at(soc, run->graph);
    if (graph != NULL) {
        sl_graph_mark(graph);
    }
    soc->has_run = true;
    sl_stall_watch_begin(&run->stall);
    run->counts = (struct sl_completion_counts){0, 0, 0};
    const struct sl_print_memory readable = {SL_KERNEL_BASE, soc->heap.limit,
                                             (const struct sl_protection *)(uintptr_t)table};
    sl_print_begin(&run->print, module != NULL ? sl_module_print_buffer(module) : NULL, &readable);
    sl_results_begin(&run->results);
    if (run->observation.sharing != NULL) {
        sl_sharing_begin(run->observation.sharing, &soc->heap);
    }
}

/* Has the firmware take a message, from a QEMU that runs. */
static enum sl_status send(struct sl_soc *soc, const struct sl_message_host *message)
{
    enum sl_status status = sl_soc_has_ended(soc) ? sl_run_restart(soc) : SL_OK;
    if (status == SL_OK) {
        status = sl_wait_read(soc); /* what an earlier run has left in the mailbox */
    }
    if (status != SL_OK) {
        return status;
    }
    (void)sl_mailbox_send(soc->mailbox, message);
    return sl_wait_read(soc);
}

/* A run has begun when the firmware has taken its message. Where QEMU ends before, nothing of the
 * run has happened, and another QEMU takes its place: no look at the process says in time whether
 * somebody has killed it. */
static enum sl_status hand_over(struct sl_soc *soc, const struct sl_message_host *message)
{
    unsigned deaths;
    enum sl_status status;
    soc->run->deaths = 0;
    do {
        deaths = soc->run->deaths;
        status = send(soc, message);
    } while (status != SL_OK && sl_run_has_died(soc, deaths));
    return status;
}

static enum sl_status start(struct sl_soc *soc, const struct sl_run_kind *kind, uint64_t address,
                            bool is_described)
{
    enum sl_status status = sl_soc_check_usable(soc);
    if (status != SL_OK) {
        return status;
    }
    if (soc->is_running) {
        return sl_soc_fail(soc, SL_ERROR_USAGE,
                           "a graph is running: wait for its end before executing another");
    }
    struct sl_message_host message = {
        .type = kind->type, .sequence = ++soc->run->sequence, .argument = {address}};
    status = sl_observe_begin(&soc->run->observation, soc);
    if (status != SL_OK) {
        return status;
    }
    soc->run->graph = sl_run_is_graph(kind->type) ? address : 0;
    soc->run->kind = kind;
    status = sl_protection_make(soc, is_described, &message.argument[1]);
    if (status != SL_OK) {
        return status;
    }
    begin(soc, message.argument[1]);
    status = hand_over(soc, &message);
    soc->is_running = status == SL_OK;
    return status;
}

enum sl_status sl_run_start(struct sl_soc *soc, const struct sl_run_kind *kind, uint64_t address)
{
    return start(soc, kind, address, true);
}

/* What runs next is none of the launches and task vectors that the library has described. */
static void forget_launched(struct sl_soc *soc)
{
    if (!soc->is_running) {
        soc->run->launched.count = 0;
        soc->run->trees = NULL;
    }
}

enum sl_status sl_run_start_unchecked(struct sl_soc *soc, const struct sl_run_kind *kind,
                                      uint64_t address)
{
    forget_launched(soc);
    return start(soc, kind, address, false);
}

/* ---- graphs ---- */

static void add_ranges(struct sl_soc *soc, struct sl_protection *table)
{
    const struct sl_graph_builder *const graph = sl_graph_at(soc, soc->run->graph);
    if (graph != NULL) {
        table->count += sl_graph_ranges(graph, &table->range[table->count]);
    }
}

static void add_statistics(struct sl_soc *soc, uint64_t *statistics)
{
    const struct sl_graph_builder *const graph = sl_graph_at(soc, soc->run->graph);
    if (graph != NULL) {
        const struct sl_footprint footprint = sl_graph_footprint(graph);
        statistics[SL_STAT_MEMORY_CHANNEL_BYTES] = footprint.channel_bytes;
        statistics[SL_STAT_MEMORY_HELP_FIRST_CHANNEL_BYTES] = footprint.help_first_bytes;
    }
}

const struct sl_run_kind sl_kind_graph = {
    .type = SL_HOST_EXECUTE,
    .name = "graph",
    .add_ranges = add_ranges,
    .add_statistics = add_statistics,
};

const struct sl_run_kind sl_kind_open = {
    .type = SL_HOST_OPEN,
    .name = "graph",
    .add_ranges = add_ranges,
    .add_statistics = add_statistics,
};

enum sl_status sl_soc_execute_unchecked(struct sl_soc *soc, uint64_t graph_address)
{
    SL_HOLD(soc);
    return sl_run_start_unchecked(soc, &sl_kind_graph, graph_address);
}

enum sl_status sl_run_graph(struct sl_graph_builder *graph, const struct sl_run_kind *kind)
{
    struct sl_soc *const soc = sl_graph_soc(graph);
    enum sl_status status = sl_graph_prepare(graph);
    if (status == SL_OK) {
        status = sl_graph_check_filled(graph);
    }
    if (status != SL_OK) {
        return status;
    }
    forget_launched(soc);
    return sl_run_start(soc, kind, (uintptr_t)sl_graph_shared(graph));
}

enum sl_status sl_graph_execute(struct sl_graph_builder *graph)
{
    SL_HOLD(sl_graph_soc(graph));
    return sl_run_graph(graph, &sl_kind_graph);
}
