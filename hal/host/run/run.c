/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The object of a run, and its beginning: what the last one left is put away, and the firmware is
 * told. */
#include "host/run/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/graph/graph.h"
#include "host/load/module.h"

struct sl_run *sl_run_create(struct sl_soc *soc)
{
    struct sl_run *const run = calloc(1, sizeof *run);
    if (run != NULL) {
        run->print = (struct sl_print){.config = &soc->config};
        soc->run = run;
    }
    return run;
}

void sl_run_destroy(struct sl_soc *soc)
{
    struct sl_run *const run = soc->run;
    if (run != NULL) {
        sl_trees_destroy_all(run);
        sl_tasks_destroy_all(run);
        sl_observe_close(&run->observation);
        sl_results_close(&run->results);
        free(run);
        soc->run = NULL;
    }
}

struct sl_message_context sl_run_context(struct sl_soc *soc)
{
    const struct sl_run *const run = soc->run;
    return (struct sl_message_context){&soc->config, soc->module, sl_graph_at(soc, run->graph),
                                       &run->launched, soc};
}

static void kernel_name(const void *owner, uint64_t kernel, char *out, size_t bytes)
{
    const char *const name = sl_kernel_name(owner, kernel);
    if (name != NULL) {
        (void)snprintf(out, bytes, "%s", name);
    } else {
        sl_kernel_text(owner, kernel, out, bytes);
    }
}

static void channel_name(const void *owner, uint64_t channel, char *out, size_t bytes)
{
    const struct sl_message_context *const context = owner;
    const char *const name = sl_graph_channel_name(context->graph, channel);
    (void)snprintf(out, bytes, "%s",
                   name != NULL ? name : sl_graph_channel_label(context->graph, channel).text);
}

/* Where memory has run out, the figures are not those of the run. */
static enum sl_status take_sharing(struct sl_soc *soc, const struct sl_trace_names *names)
{
    const struct sl_sharing *const shared = soc->run->observation.sharing;
    if (sl_sharing_take(&soc->run->results.sharing, shared, names) != 0) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "mem.sharing: out of memory");
    }
    if (shared->out_of_memory != 0) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE,
                           "mem.sharing: the simulator had no memory left to note who touches "
                           "what; take a smaller input");
    }
    return SL_OK;
}

static enum sl_status take_kernels(struct sl_soc *soc, const struct sl_trace_names *names)
{
    struct sl_run *const run = soc->run;
    struct sl_kernel_profile *const profile = run->observation.kernels;
    const struct sl_kernel_names kernels = {names->owner, names->kernel};
    if (sl_kernel_sums_take(&run->results.kernels, profile, &kernels) != 0 ||
        sl_kernel_costs_take(&run->observation.kernel_costs, profile, &kernels) != 0) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "kernel_profile.file: out of memory");
    }
    sl_kernel_profile_empty(profile);
    return SL_OK;
}

void sl_run_observe(struct sl_soc *soc, const uint64_t *statistics, const struct sl_served *served)
{
    struct sl_run *const run = soc->run;
    const struct sl_message_context context = sl_run_context(soc);
    const struct sl_trace_names names = {
        .run = run->kind == SL_HOST_TREES ? "trees"
               : run->launched.count == 0 ? "graph"
               : run->launched.count == 1 ? run->launched.kernels[0]
                                          : "sequence",
        .owner = &context,
        .kernel = kernel_name,
        .channel = channel_name,
    };
    const struct sl_observed_run observed = {&names, statistics, served};
    if (run->observation.sharing != NULL) {
        sl_observe_note(&run->observation, soc, take_sharing(soc, &names));
    }
    if (run->observation.kernels != NULL) {
        sl_observe_note(&run->observation, soc, take_kernels(soc, &names));
    }
    sl_observe_run(&run->observation, soc, &observed);
}

/* With the table of what may be accessed, or 0. */
static void begin(struct sl_soc *soc, uint64_t table)
{
    struct sl_run *const run = soc->run;
    const struct sl_module *const module = soc->module;
    struct sl_graph_builder *const graph = sl_graph_at(soc, run->graph);
    if (graph != NULL) {
        sl_graph_mark(graph);
    }
    run->shared_work = NULL;
    soc->has_run = true;
    sl_standstill_begin(&run->stall);
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

static enum sl_status start(struct sl_soc *soc, enum sl_message_host_type type, uint64_t address,
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
        .type = type, .sequence = ++soc->run->sequence, .argument = {address}};
    status = sl_observe_begin(&soc->run->observation, soc);
    if (status != SL_OK) {
        return status;
    }
    soc->run->graph = sl_run_is_graph(type) ? address : 0;
    soc->run->kind = type;
    status = sl_protection_make(soc, is_described, &message.argument[1]);
    if (status != SL_OK) {
        return status;
    }
    begin(soc, message.argument[1]);
    status = hand_over(soc, &message);
    soc->is_running = status == SL_OK;
    return status;
}

enum sl_status sl_run_start(struct sl_soc *soc, enum sl_message_host_type type, uint64_t address)
{
    return start(soc, type, address, true);
}

/* What runs next is none of the launches and task vectors that the library has described. */
static void forget_launched(struct sl_soc *soc)
{
    if (!soc->is_running) {
        soc->run->launched.count = 0;
        soc->run->trees = NULL;
    }
}

/* Starts what the library knows by its address alone. */
static enum sl_status start_unchecked(struct sl_soc *soc, enum sl_message_host_type type,
                                      uint64_t address)
{
    forget_launched(soc);
    return start(soc, type, address, false);
}

enum sl_status sl_soc_execute_unchecked(struct sl_soc *soc, uint64_t graph_address)
{
    SL_HOLD(soc);
    return start_unchecked(soc, SL_HOST_EXECUTE, graph_address);
}

enum sl_status sl_soc_launch_unchecked(struct sl_soc *soc, uint64_t launch_address)
{
    SL_HOLD(soc);
    return start_unchecked(soc, SL_HOST_LAUNCH, launch_address);
}

enum sl_status sl_soc_sequence_unchecked(struct sl_soc *soc, uint64_t sequence_address)
{
    SL_HOLD(soc);
    return start_unchecked(soc, SL_HOST_SEQUENCE, sequence_address);
}

enum sl_status sl_soc_trees_unchecked(struct sl_soc *soc, uint64_t trees_address)
{
    SL_HOLD(soc);
    return start_unchecked(soc, SL_HOST_TREES, trees_address);
}

enum sl_status sl_run_graph(struct sl_graph_builder *graph, enum sl_message_host_type type)
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
    return sl_run_start(soc, type, (uintptr_t)sl_graph_shared(graph));
}

enum sl_status sl_graph_execute(struct sl_graph_builder *graph)
{
    SL_HOLD(sl_graph_soc(graph));
    return sl_run_graph(graph, SL_HOST_EXECUTE);
}
