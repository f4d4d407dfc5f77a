/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Graphs with a bad descriptor (docs/know/design.md, "Checks"), one for each value of enum
 * sl_refusal and more.
 *
 * A good graph is prepared, its description in shared memory damaged, and the firmware told to run
 * it without the library's check: it has to refuse, with the reason that the same check gives here.
 * Where such a graph can be asked for with the library's calls, the library has to refuse it
 * too. After each, a good graph has to run on the same machine. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/driver/graph/graph.h"
#include "probes/refusals/badgraph_cases.h"
#include "workloads/common/cases.h"

#define WAIT_LIMIT_MS 20000

/* Enough to be damaged in every way. */
static enum sl_status build_victim(struct sl_soc *soc, struct victim *victim)
{
    struct relay_result *const result = sl_app_alloc(soc, sizeof *result, 0);
    struct sl_graph_builder *const builder = sl_app_graph(soc);

    victim->builder = builder;
    const int first =
        sl_graph_channel(builder, 8, VICTIM_WIDTH, &(struct sl_channel_options){.name = "first"});
    const int second =
        sl_graph_channel(builder, 8, VICTIM_WIDTH, &(struct sl_channel_options){.name = "second"});
    for (int i = 0; i < 2; i++) {
        const int kernel = sl_graph_kernel(builder, "relay_kernel");
        const int channel = i == 0 ? first : second;
        sl_graph_argument(builder, kernel, 2, (uint64_t)channel);
        sl_graph_argument(builder, kernel, 3, (uintptr_t)result);
        sl_graph_argument(builder, kernel, 4, 2);
        sl_graph_connect(builder, channel, kernel);
        sl_graph_output(builder, kernel, channel, 2);
    }
    return sl_graph_prepare(builder);
}

static void find_tables(struct sl_soc *soc, struct victim *victim)
{
    victim->layout = sl_soc_layout(soc);
    victim->graph = sl_graph_shared(victim->builder);
    victim->channels = sl_graph_shared_channel(victim->builder, 0);
    victim->kernels = (struct sl_kernel *)(uintptr_t)victim->graph->kernels;
    victim->edges = (struct sl_edge *)(uintptr_t)victim->graph->edges;
    victim->program = (struct sl_program *)(uintptr_t)victim->graph->program;
    victim->address = (uintptr_t)victim->graph;
}

/* What the check says of the damaged graph here. */
static int check(const struct sl_soc *soc, const struct victim *victim,
                 struct sl_graph_refusal *refusal)
{
    static struct sl_graph_scratch scratch;
    const struct sl_graph_limits limits = {
        .heap_base = SL_HEAP_BASE,
        .heap_limit = victim->layout->heap_limit,
        .lanes = (uint32_t)sl_soc_config(soc)->number[SL_CFG_GPU_LANES],
        .pool_blocks = (uint32_t)victim->layout->pool_blocks,
        .lds_bytes = (uint32_t)sl_soc_config(soc)->number[SL_CFG_GPU_LDS],
    };
    return sl_graph_check((const struct sl_graph *)(uintptr_t)victim->address, &limits, refusal,
                          &scratch);
}

/* Whether the firmware refuses the damaged graph for the reason that the check gives here. */
static bool is_refused_by_firmware(struct sl_soc *soc, const struct badgraph_case *bad,
                                   const struct victim *victim)
{
    struct sl_graph_refusal refusal = {.reason = 0};
    char wanted[1024];
    const bool is_found = check(soc, victim, &refusal) != 0 && refusal.reason == bad->reason;
    if (!sl_app_check(is_found, "%s: the check gives reason %d, wanted %d", bad->name,
                      (int)refusal.reason, (int)bad->reason)) {
        return false;
    }
    const int is_whole = victim->address == (uintptr_t)victim->graph;
    sl_graph_refusal_text(sl_soc_config(soc), is_whole ? victim->builder : NULL, &refusal, wanted,
                          sizeof wanted);

    enum sl_status status = sl_soc_execute_unchecked(soc, victim->address);
    if (status == SL_OK) {
        status = sl_soc_wait(soc, WAIT_LIMIT_MS);
    }
    const char *const text = status == SL_OK ? "complete" : sl_soc_error(soc);
    if (!sl_app_check(status == SL_ERROR_USAGE && strstr(text, wanted) != NULL,
                      "%s: status %d, %s; wanted: %s", bad->name, (int)status, text, wanted)) {
        return false;
    }
    (void)printf("# %s: %s\n", bad->name, text);
    return true;
}

/* Whether the library refuses the graph that the case asks for, with the right message. */
static bool is_refused_by_library(struct sl_soc *soc, const struct badgraph_case *bad)
{
    struct sl_graph_builder *const graph = sl_app_graph(soc);

    bad->ask(graph);
    const enum sl_status status = sl_graph_prepare(graph);
    const char *const text = status == SL_OK ? "prepared" : sl_soc_error(soc);
    const bool is_right = sl_app_check(
        status == SL_ERROR_USAGE && strstr(text, bad->answer) != NULL,
        "%s: library: status %d, %s; wanted: %s", bad->name, (int)status, text, bad->answer);
    if (is_right) {
        (void)printf("# %s: %s\n", bad->name, text);
    }
    sl_graph_destroy(graph);
    return is_right;
}

/* One case, on a machine that goes on to be used. */
static enum sl_status run_case(struct sl_soc *soc, size_t number, struct relay *good,
                               bool *is_right)
{
    const struct badgraph_case *const bad = &cases[number];
    struct victim victim;
    const bool is_told = bad->ask == NULL || is_refused_by_library(soc, bad);
    const enum sl_status status = build_victim(soc, &victim);
    if (status != SL_OK) {
        return status;
    }
    find_tables(soc, &victim);
    /* The program belongs to the module, not to the graph: it is put right again. */
    const struct sl_program program = *victim.program;
    bad->damage(&victim);
    *is_right = is_refused_by_firmware(soc, bad, &victim) && is_told;
    *(struct sl_program *)(uintptr_t)sl_graph_shared(good->graph)->program = program;
    sl_graph_destroy(victim.builder);
    return SL_OK;
}

int main(int argc, char **argv)
{
    static const struct cases program = {
        .program = "badgraph",
        .doc = "Execute graphs with a bad descriptor. The value is the number of those that "
               "library and firmware refused for the right reason and that left the machine fit "
               "for use.",
        .kernels = "wrap.elf",
        CASES(cases),
        .run = run_case,
    };
    return cases_main(&program, argc, argv);
}
