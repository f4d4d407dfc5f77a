/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a run has left, taken at its end: its statistics, and what is observed of it. */
#include "host/runtime/run/run.h"

#include <stdio.h>

#include "host/driver/graph/graph.h"
#include "sluice/registers.h"

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

static void channel_or_stack(const void *owner, uint64_t channel, char *out, size_t bytes)
{
    const struct sl_message_context *const context = owner;
    sl_graph_stack_name(context->graph, channel, out, bytes);
    if (out[0] == '\0') {
        channel_name(owner, channel, out, bytes);
    }
}

/* A report has them of all runs, and whether or not statistics have them. */
static enum sl_status take_channels(struct sl_soc *soc, const void *owner)
{
    struct sl_run *const run = soc->run;
    struct sl_observation *const observation = &run->observation;
    const struct sl_channel_names names = {owner, channel_or_stack};
    const bool is_measured = soc->config.number[SL_CFG_LATENCY_MEASURE] == SL_LATENCY_MEASURE_ON;
    if ((is_measured &&
         sl_channel_sums_take(&run->results.channels, observation->channels, &names) != 0) ||
        (observation->report.shared != NULL &&
         sl_channel_sums_take(&observation->report.latencies, observation->channels, &names) !=
             0)) {
        return sl_soc_fail(soc, SL_ERROR_MACHINE, "latencies of channels: out of memory");
    }
    sl_channel_latency_clear(observation->channels);
    return SL_OK;
}

void sl_run_observe(struct sl_soc *soc, const uint64_t *statistics, const struct sl_served *served)
{
    struct sl_run *const run = soc->run;
    const struct sl_message_context context = sl_run_context(soc);
    const struct sl_trace_names names = {
        .run = run->kind->type == SL_HOST_TREES ? "trees"
               : run->launched.count == 0       ? "graph"
               : run->launched.count == 1       ? run->launched.kernels[0]
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
    if (run->observation.channels != NULL) {
        sl_observe_note(&run->observation, soc, take_channels(soc, &context));
    }
    sl_observe_run(&run->observation, soc, &observed);
}

void sl_run_take_results(struct sl_soc *soc, bool is_complete)
{
    uint64_t statistics[SL_STAT_COUNT];
    struct sl_served served;
    for (uint32_t i = 0; i < SL_STAT_COUNT; i++) {
        statistics[i] = sl_soc_register(soc, SL_REG_STATISTICS + 8 * i);
    }
    for (uint32_t i = 0; i < SL_SERVED_WORDS; i++) {
        ((uint64_t *)&served)[i] = sl_soc_register(soc, SL_REG_SERVED + 8 * i);
    }
    if (is_complete && soc->run->kind->add_statistics != NULL) {
        soc->run->kind->add_statistics(soc, statistics);
    }
    sl_results_take(&soc->run->results, statistics, &served);
    sl_run_observe(soc, statistics, &served);
}
